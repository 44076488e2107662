import { randomUUID } from 'node:crypto';

export interface HostileRequest {
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The hostile merchant's own customers, and the address of a receiver that never responds. */
export interface HostileResources {
  readonly customers: readonly string[];
  readonly hangingUrl: string;
  readonly random: (below: number) => number;
}

const ORDER = { amount: 10_000, currency: 'IDR', channel_code: 'qr_qris', action_flow: 'payload', reference_id: 'hostile' };
const PAYOUT = { currency: 'IDR', bank_name: 'BCA', bank_account_name: 'Hostile', bank_account_number: '1234567890' };
/** The maximum of 50 pairs of metadata, each of nearly the maximum length. */
const THIRTY_KILOBYTES = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}-${'k'.repeat(36)}`, `${n}`.repeat(500).slice(0, 490)]));

/**
 * Returns a generator of requests of a malicious merchant with every scope: slow lists, deep pages, records of 30 KB, payouts, charges
 * with large bodies, settings of web-hooks that hang, and invalid requests of all kinds. Every request and every response to it is
 * documented.
 */
export function hostileRequests({ customers, hangingUrl, random }: HostileResources): () => HostileRequest {
  const post = (path: string, body: unknown, key: string = randomUUID()): HostileRequest => ({
    path,
    method: 'POST',
    body,
    headers: { 'idempotency-key': key },
  });
  const details = () => ({ name: 'n', description: `update ${random(1_000_000)}`, metadata: THIRTY_KILOBYTES });
  const all: readonly (() => HostileRequest)[] = [
    () => ({ path: `/v1/charges?SearchText=${randomUUID().slice(0, 3)}&OrderBy=amount&PageSize=100` }),
    () => ({ path: `/v1/charges?SearchText=${(10 + random(26)).toString(36)}&PageSize=100` }),
    () => ({ path: `/v1/charges?OrderBy=amount&PageNumber=${1 + random(400)}&PageSize=100` }),
    () => ({ path: `/v1/charges?OrderBy=status&IsDescending=true&PageNumber=${1 + random(100_000)}&PageSize=100` }),
    () => ({ path: `/v1/charges?SearchText=%25%27%3B--&PageSize=100` }),
    () => ({ path: '/v1/customers?PageNumber=99999&PageSize=100' }),
    () => ({ path: '/v1/payouts?PageSize=100' }),
    () => ({ path: '/v1/settlements?PageSize=100' }),
    () => ({ path: '/v1/events?After=0&PageSize=100' }),
    () => ({ path: '/v1/statements/IDR', headers: { accept: 'text/csv' } }),
    () => ({ path: '/v1/balances?AsOf=2026-02-01T00:00:00Z' }),
    () => ({ path: '/v1/charges?PageSize=1000000' }),
    () => ({ path: '/v1/balances', headers: { 'min-ledger-position': 'zzzzzzzzzzzz' } }),
    () => ({ path: `/v1/charges/${randomUUID()}` }),
    () => ({ path: '/audit/events?Limit=1000' }),
    () => ({ path: '/audit/trial-balance' }),
    () => post('/v1/charges', '{"amount":'),
    () => post('/v1/charges', { ...ORDER, amount: -1, __proto__: null, surprise: [[[[]]]] }),
    () => post('/v1/charges', { ...ORDER, description: 'x'.repeat(60_000) }),
    () => post('/v1/charges', { ...ORDER, amount: 10_000 + random(9_000_000), metadata: THIRTY_KILOBYTES }),
    () => post('/v1/charges', { ...ORDER, amount: 10_000 + random(2) }, 'always the same'),
    () => post('/v1/payouts', { ...PAYOUT, amount: Number.MAX_SAFE_INTEGER }),
    () => post('/v1/payouts', { ...PAYOUT, amount: 300_000 + random(1_000) }),
    () => post('/v1/customers', details()),
    () => ({ path: `/v1/customers/${customers[random(customers.length)]}/events?PageSize=100` }),
    // All update a few records, so that they wait for each other.
    ...Array.from({ length: 4 }, () => () => ({
      path: '/v1/customers',
      method: 'PUT' as const,
      body: { id: customers[random(customers.length)], ...details() },
    })),
    () => post('/v1/merchants/me/web-hook', { web_hook_uri: hangingUrl, signature_key: `a key ${random(1_000)}`, events: [] }),
  ];
  return () => all[random(all.length)]!();
}

/** Creates a customer whose concurrent updates wait for each other. */
export const hostileCustomer = (): HostileRequest => ({
  path: '/v1/customers',
  method: 'POST',
  body: { name: 'n', metadata: THIRTY_KILOBYTES },
  headers: { 'idempotency-key': randomUUID() },
});
