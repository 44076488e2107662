import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { registerMerchant } from '../src/domain/merchants/merchant.commands.js';
import type { EventStore } from '../src/platform/event-store/event-store.js';
import { concurrently } from '../src/platform/worker/concurrently.js';
import { drive } from './load.js';
import type { Taken } from './receiver.js';

/** Web-hook deliveries to a fast receiver on this machine, measured by that receiver. */
export interface DeliveryRates {
  /** A backlog that is sent while charges are created. The CPU time is that of the process that projects and sends. */
  readonly backlog: { readonly deliveries: number; readonly per_second: number; readonly cpu_ms_per_delivery: number | null };
  /** Time from an event to the arrival of its first attempt, at QUIET_PER_SECOND creates. */
  readonly quiet: Latency;
  /** The same for a healthy endpoint, while deliveries to `hanging` endpoints of other merchants get no response. */
  readonly beside_hanging: Latency & { readonly hanging: number; readonly rss_mib_before: number | null; readonly rss_mib: number | null };
}

export interface Latency {
  readonly deliveries: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

export interface DeliveriesSetting {
  readonly store: EventStore;
  readonly receiverUrl: string;
  readonly seconds: number;
  /** Starts the service with these roles, or with the default ones. */
  readonly startService: (roles?: string) => Promise<{ readonly url: string; readonly pid: number; stop(): Promise<void> }>;
}

const BUSY_PER_SECOND = 100;
const QUIET_PER_SECOND = 50;
const HANGING_ENDPOINTS = 1_000;
const BODY = JSON.stringify({
  amount: 10_000,
  currency: 'IDR',
  channel_code: 'qr_qris',
  action_flow: 'payload',
  reference_id: 'order-2026-000001',
});

export async function measureDeliveries({ store, receiverUrl, seconds, startService }: DeliveriesSetting): Promise<DeliveryRates> {
  const key = await newKey(store);
  // Without the worker nothing is sent, so these deliveries become the backlog.
  const silent = await startService('api,projector');
  await setWebhook(silent.url, key, receiverUrl);
  await create(silent.url, key, 64, seconds);
  await silent.stop();

  const service = await startService();
  try {
    const sender = await childOf(service.pid);
    const cpuBefore = await cpuMs(sender);
    const [sent] = await Promise.all([untilQuiet(receiverUrl), create(service.url, key, 8, seconds, BUSY_PER_SECOND)]);
    const cpuAfter = await cpuMs(sender);
    const backlog = {
      deliveries: sent.deliveries,
      per_second: Math.round((sent.deliveries / sent.span_ms) * 1_000),
      cpu_ms_per_delivery: cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / sent.deliveries,
    };

    await forget(receiverUrl);
    await create(service.url, key, 8, seconds, QUIET_PER_SECOND);
    const quiet = latency(await untilQuiet(receiverUrl));

    const rss_mib_before = await rssMib(sender);
    const others = await concurrently(Array.from({ length: HANGING_ENDPOINTS }), 16, async () => {
      const other = await newKey(store);
      await setWebhook(service.url, other, `${receiverUrl}/hang`);
      return other;
    });
    await forget(receiverUrl);
    await Promise.all([
      create(service.url, key, 8, seconds, QUIET_PER_SECOND),
      concurrently(others, 8, (other) => post(`${service.url}/v1/charges`, other, BODY)),
    ]);
    const { hanging } = await taken(receiverUrl);
    const rss_mib = await rssMib(sender);
    const beside_hanging = { ...latency(await untilQuiet(receiverUrl)), hanging, rss_mib_before, rss_mib };
    return { backlog, quiet, beside_hanging };
  } finally {
    await service.stop();
  }
}

async function newKey(store: EventStore): Promise<string> {
  return (await registerMerchant({ store, clock: Date.now }, { name: 'Bench', email: null, country: 'ID', mode: 'test' })).key;
}

const headersOf = (key: string): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  'idempotency-key': randomUUID(),
});

async function post(url: string, key: string, body: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { method: 'POST', headers: headersOf(key), body });
    await response.arrayBuffer();
    if (response.ok) return;
    // The service accepts a key a moment after its issue (401 before), and a busy service returns 503.
    if (![401, 503].includes(response.status) || attempt > 100) throw new Error(`POST ${url} answered ${response.status}`);
    await delay(20);
  }
}

function setWebhook(serviceUrl: string, key: string, web_hook_uri: string): Promise<void> {
  const settings = { web_hook_uri, signature_key: 'a key to measure with', events: ['charge.created'] };
  return post(`${serviceUrl}/v1/merchants/me/web-hook`, key, JSON.stringify(settings));
}

async function create(serviceUrl: string, key: string, inFlight: number, seconds: number, perSecond?: number): Promise<void> {
  const { failures } = await drive(`${serviceUrl}/v1/charges`, inFlight, seconds, () => ({ headers: headersOf(key), body: BODY }), perSecond);
  if (failures > 0) throw new Error(`${failures} creates failed`);
}

async function taken(receiverUrl: string): Promise<Taken> {
  return (await (await fetch(receiverUrl)).json()) as Taken;
}

async function forget(receiverUrl: string): Promise<void> {
  await fetch(receiverUrl, { method: 'DELETE' });
}

const QUIET_MS = 1_000;
const SILENCE_MAX_MS = 60_000;

/** Waits until the receiver has deliveries and gets no new one for QUIET_MS. */
async function untilQuiet(receiverUrl: string): Promise<Taken> {
  let all = await taken(receiverUrl);
  for (let changedMs = performance.now(); ;) {
    const quietMs = performance.now() - changedMs;
    if (quietMs >= QUIET_MS && all.deliveries > 0) return all;
    if (quietMs >= SILENCE_MAX_MS) throw new Error('nothing is delivered');
    await delay(50);
    const now = await taken(receiverUrl);
    if (now.deliveries > all.deliveries) changedMs = performance.now();
    all = now;
  }
}

function latency({ deliveries, latencies_ms }: Taken): Latency {
  const quantile = (q: number) => latencies_ms[Math.min(latencies_ms.length - 1, Math.floor(q * latencies_ms.length))] ?? Number.NaN;
  return { deliveries, p50_ms: quantile(0.5), p99_ms: quantile(0.99) };
}

// --- CPU and memory of the sending process; null without /proc ----------------------------------------------------------

/** Returns the process that projects and sends, or the service's own process when it has no child. */
async function childOf(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return Number(children.trim().split(' ').at(-1)) || pid;
}

const TICKS_PER_SECOND = 100;

async function cpuMs(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}

async function rssMib(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
  return kib === undefined ? null : Math.round(Number(kib) / 1024);
}
