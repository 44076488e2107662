import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { Request, SoakClient } from './client.js';

const ORDER = { amount: 10_000, currency: 'IDR', channel_code: 'qr_qris', action_flow: 'payload', reference_id: 'hostile' };
const PAUSE_AFTER_429_MS = 100;

/**
 * Acts as a malicious merchant with every scope: searches without a match, deep pages, invalid requests of all kinds, aborted requests, and
 * some valid ones that make its own lists longer. Every documented response is right.
 */
export async function beHostile(
  client: SoakClient,
  {
    key,
    url,
    perSecond,
    random,
  }: { readonly key: string; readonly url: string; readonly perSecond: number; readonly random: (below: number) => number },
  signal: AbortSignal,
): Promise<void> {
  const json = (body: unknown, headers?: Record<string, string>) => ({ method: 'POST' as const, body, ...(headers && { headers }) });
  const attacks: (() => Omit<Request, 'kind' | 'key'>)[] = [
    () => ({ path: `/v1/charges?SearchText=${randomUUID().slice(0, 3)}&OrderBy=amount&PageSize=100` }),
    () => ({ path: `/v1/charges?OrderBy=status&PageNumber=${1 + random(100_000)}&PageSize=100` }),
    () => ({ path: `/v1/charges?SearchText=%25%27%3B--&PageSize=100` }),
    () => ({ path: '/v1/customers?PageNumber=99999&PageSize=100' }),
    () => ({ path: '/v1/events?After=0&PageSize=100' }),
    () => ({ path: '/v1/statements/IDR', headers: { accept: 'text/csv' } }),
    () => ({ path: '/v1/charges?PageSize=1000000' }),
    () => ({ path: '/v1/balances', headers: { 'min-ledger-position': 'zzzzzzzzzzzz' } }),
    () => ({ path: `/v1/charges/${randomUUID()}` }),
    () => ({ path: '/audit/events' }),
    () => ({ path: '/v1/charges', ...json('{"amount":', { 'idempotency-key': randomUUID() }) }),
    () => ({ path: '/v1/charges', ...json({ ...ORDER, amount: -1, __proto__: null, surprise: [[[[]]]] }) }),
    () => ({ path: '/v1/charges', ...json({ ...ORDER, description: 'x'.repeat(60_000) }, { 'idempotency-key': randomUUID() }) }),
    () => ({ path: '/v1/charges', ...json({ ...ORDER, amount: 10_000 + random(9_000_000) }, { 'idempotency-key': randomUUID() }) }),
    () => ({ path: '/v1/charges', ...json({ ...ORDER, amount: 10_000 + random(2) }, { 'idempotency-key': 'always the same' }) }),
    () => ({ path: '/v1/payouts', ...json({ amount: Number.MAX_SAFE_INTEGER, currency: 'IDR' }, { 'idempotency-key': randomUUID() }) }),
    () => ({
      path: '/v1/customers',
      ...json(
        { name: 'n', metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'v'.repeat(500)])) },
        { 'idempotency-key': randomUUID() },
      ),
    }),
  ];
  await atRate(perSecond, signal, async () => {
    if (random(20) === 0) return leave(new URL('/v1/charges?SearchText=zz&OrderBy=amount&PageSize=100', url), key);
    const answer = await client.once({ kind: 'hostile', key, ...attacks[random(attacks.length)]!() });
    if (answer?.status === 429) await delay(PAUSE_AFTER_429_MS);
  });
}

/** Reads all lists of /audit as finance does, page after page. */
export async function audit(
  client: SoakClient,
  key: string,
  perSecond: number,
  random: (below: number) => number,
  signal: AbortSignal,
): Promise<void> {
  let after = 0;
  await atRate(perSecond, signal, async () => {
    const look = (kind: string, path: string, headers?: Record<string, string>) => client.send({ kind, path, key, ...(headers && { headers }) });
    switch (random(5)) {
      case 0:
        after = (await look('audit events', `/audit/events?Limit=100&After=${after}`)).body.next_after ?? 0;
        return;
      case 1:
        await look('audit journal', '/audit/journal?Limit=200&Currency=SGD', random(2) === 0 ? { accept: 'application/x-ndjson' } : undefined);
        return;
      case 2:
        await look('audit settlements', '/audit/settlements?Limit=50');
        return;
      case 3:
        await look('audit chain head', '/audit/chain/head');
        return;
      default:
        await look('audit trial balance', '/audit/trial-balance');
    }
  });
}

/** Starts `work` at a rate, at most IN_FLIGHT_MAX at once. Skipped turns are not caught up. */
async function atRate(perSecond: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  const running = new Set<Promise<unknown>>();
  while (!signal.aborted) {
    if (running.size < IN_FLIGHT_MAX) {
      const done: Promise<unknown> = work()
        .catch(() => undefined)
        .finally(() => running.delete(done));
      running.add(done);
    }
    await delay(1_000 / perSecond, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(running);
}

const IN_FLIGHT_MAX = 40;
const GONE_AFTER_MS = 20;

/** Sends a request and aborts it after GONE_AFTER_MS. */
async function leave(url: URL, key: string): Promise<void> {
  await request(url, { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(GONE_AFTER_MS) })
    .then(({ body }) => body.dump())
    .catch(() => undefined);
}
