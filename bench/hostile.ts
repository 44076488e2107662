import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { hostileCustomer, hostileRequests, type HostileRequest } from './hostile-merchant.js';

/** Latencies of an honest merchant at a low, steady rate, alone and beside a hostile merchant. */
export interface HostileFigures {
  readonly quiet: Waits;
  readonly beside: Waits;
  /** p99 beside the hostile merchant divided by p99 alone; promised: less than 2. */
  readonly factor: number;
  /** The same by kind of request. */
  readonly kinds: Readonly<Record<string, { readonly quiet: Waits; readonly beside: Waits }>>;
  readonly hostile: { readonly per_second: number; readonly statuses: Readonly<Record<string, number>> };
}

export interface Waits {
  readonly answers: number;
  /** Responses with a status of 300 or more. */
  readonly refused: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly worst_ms: number;
}

export interface HostileSetting {
  readonly url: string;
  readonly honestKey: string;
  readonly hostileKey: string;
  /** A receiver that never responds. */
  readonly hangingUrl: string;
  /** Rate limit of each merchant. */
  readonly ratePerSecond: number;
  /** Duration of each half of a round. The honest merchant is alone in the first half and beside the hostile one in the second. */
  readonly seconds: number;
}

const HONEST_PER_SECOND = 25;
const HOSTILE_IN_FLIGHT_MAX = 200;
const HOSTILE_CUSTOMERS = 4;
/** Time for which the hostile merchant sends before its effect is measured. */
const HOSTILE_WARM_UP_MS = 3_000;
const ROUNDS = 2;

type Sample = { readonly kind: string; readonly ms: number; readonly isRefused: boolean };
type Send = (request: HostileRequest, key: string, signal?: AbortSignal) => Promise<{ readonly status: number; readonly text: string }>;

export async function measureHostile(setting: HostileSetting): Promise<HostileFigures> {
  const agents = [new Agent({ connections: 64 }), new Agent({ connections: HOSTILE_IN_FLIGHT_MAX })] as const;
  const [honest, hostile] = agents.map((dispatcher) => senderTo(setting.url, dispatcher)) as [Send, Send];
  try {
    const customers: string[] = [];
    while (customers.length < HOSTILE_CUSTOMERS) {
      const { status, text } = await hostile(hostileCustomer(), setting.hostileKey);
      if (status === 201) customers.push((JSON.parse(text) as { id: string }).id);
    }
    const samples = { quiet: [] as Sample[], beside: [] as Sample[] };
    const statuses: Record<string, number> = {};
    // Warm-up: fills caches.
    await beHonest(honest, setting.honestKey, 3);
    for (let round = 0; round < ROUNDS; round += 1) {
      samples.quiet.push(...(await beHonest(honest, setting.honestKey, setting.seconds)));
      const attack = beginAttack(hostile, setting, customers, statuses);
      await delay(HOSTILE_WARM_UP_MS);
      samples.beside.push(...(await beHonest(honest, setting.honestKey, setting.seconds)));
      await attack.end();
    }
    const [quiet, beside] = [waitsOf(samples.quiet), waitsOf(samples.beside)];
    const kinds = [...new Set(samples.quiet.map(({ kind }) => kind))].sort();
    const of = (all: readonly Sample[], kind: string): Waits => waitsOf(all.filter((each) => each.kind === kind));
    const sent = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    return {
      quiet,
      beside,
      factor: beside.p99_ms / quiet.p99_ms,
      kinds: Object.fromEntries(kinds.map((kind) => [kind, { quiet: of(samples.quiet, kind), beside: of(samples.beside, kind) }])),
      hostile: { per_second: Math.round(sent / (ROUNDS * (setting.seconds + HOSTILE_WARM_UP_MS / 1_000))), statuses },
    };
  } finally {
    await Promise.all(agents.map((agent) => agent.destroy()));
  }
}

function senderTo(url: string, dispatcher: Agent): Send {
  return async ({ path, method = 'GET', body, headers }, key, signal) => {
    const answer = await request(new URL(path, url), {
      dispatcher,
      method,
      ...(signal && { signal }),
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
}

/** Creates charges, pays and reads them. Each request is sent at its scheduled time, even while earlier ones are open. */
async function beHonest(send: Send, key: string, seconds: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const timed = async (kind: string, each: HostileRequest): Promise<string | undefined> => {
    const begun = performance.now();
    const { status, text } = await send(each, key);
    samples.push({ kind, ms: performance.now() - begun, isRefused: status >= 300 });
    return status >= 300 ? undefined : text;
  };
  let charge: { readonly id: string; readonly action: { readonly simulation_url: string } } | undefined;
  const create = async (): Promise<void> => {
    const body = { amount: 10_000, currency: 'IDR', channel_code: 'qr_qris', action_flow: 'payload', reference_id: 'order' };
    const created = await timed('create', { path: '/v1/charges', method: 'POST', body, headers: { 'idempotency-key': randomUUID() } });
    if (created !== undefined) charge = JSON.parse(created) as typeof charge;
  };
  const pay = async (): Promise<unknown> => {
    const unpaid = charge;
    charge = undefined;
    return unpaid ? timed('pay', { path: unpaid.action.simulation_url, method: 'POST', body: { outcome: 'succeed' } }) : create();
  };
  const turns: readonly (() => Promise<unknown>)[] = [
    create,
    () => timed('list', { path: '/v1/charges?PageSize=10&IsDescending=true' }),
    pay,
    () => timed('balances', { path: '/v1/balances' }),
    create,
    () => timed('list', { path: '/v1/charges?Status=succeeded&PageSize=10' }),
    () => (charge ? timed('read', { path: `/v1/charges/${charge.id}` }) : create()),
    () => timed('list', { path: '/v1/payouts' }),
  ];
  const begun = performance.now();
  const running: Promise<unknown>[] = [];
  for (let turn = 0; turn < seconds * HONEST_PER_SECOND; turn += 1) {
    await delay(Math.max(0, begun + (turn * 1_000) / HONEST_PER_SECOND - performance.now()));
    running.push(turns[turn % turns.length]!());
  }
  await Promise.all(running);
  return samples;
}

/** Sends hostile requests at the rate limit until `end`, regardless of the responses. */
function beginAttack(
  send: Send,
  { hostileKey, hangingUrl, ratePerSecond }: HostileSetting,
  customers: readonly string[],
  statuses: Record<string, number>,
): { end(): Promise<void> } {
  const next = hostileRequests({ customers, hangingUrl, random: (below) => Math.floor(Math.random() * below) });
  const running = new Set<Promise<unknown>>();
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const attack = async (): Promise<void> => {
    const { status } = await send(next(), hostileKey, over.signal);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const timer = setInterval(() => {
    if (running.size >= HOSTILE_IN_FLIGHT_MAX) return;
    const one: Promise<unknown> = attack()
      .catch(() => undefined)
      .finally(() => running.delete(one));
    running.add(one);
  }, 1_000 / ratePerSecond);
  return {
    async end() {
      clearInterval(timer);
      // A download may take minutes.
      over.abort();
      await Promise.all(running);
    },
  };
}

function waitsOf(samples: readonly Sample[]): Waits {
  const times = samples.map(({ ms }) => ms).sort((a, b) => a - b);
  const quantile = (q: number): number => times[Math.min(times.length - 1, Math.floor(q * times.length))] ?? Number.NaN;
  return {
    answers: times.length,
    refused: samples.filter(({ isRefused }) => isRefused).length,
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    worst_ms: quantile(1),
  };
}
