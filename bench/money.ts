import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { cpuByProcess, cpuEach } from './cpu.js';
import { drive, type Load } from './load.js';

export interface MoneyRates {
  /** POST /v1/payouts on one account, and the CPU per request by process, µs. */
  readonly payouts: Load & { readonly cpu_us: Readonly<Record<string, number>> };
  readonly settlement: {
    readonly lines: number;
    readonly seconds: number;
    readonly lines_per_second: number;
    /** Creates during the settlement. */
    readonly creates_per_second: number;
    readonly failed_creates: number;
  };
}

const IDR_PAYOUT = { amount: 250_001, currency: 'IDR', bank_name: 'BCA', bank_account_name: 'Bench', bank_account_number: '1234567890' };
const FUNDING_CHARGES = 60;
const SETTLED_CHARGES = 10_000;

type Call = (method: string, path: string, body?: object) => Promise<{ readonly status: number; readonly body: Answer }>;

interface Answer {
  readonly id: string;
  readonly action: { readonly simulation_url: string };
  readonly available_count: number;
}

/** A running program: its address, the id of its process, and a function that stops it. */
export interface Service {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the service with this interval of its settlement timer. */
export type StartService = (settlementIntervalSeconds: number) => Promise<Service>;

const NEVER = 86_400;

/**
 * Measures payouts per second on one account and the settlement of charges that are due, over HTTP as a merchant sees them.
 * @param pool of the service's database
 */
export async function measureMoney(pool: Pool, start: StartService, key: string, inFlight: number, seconds: number): Promise<MoneyRates> {
  const service = await start(NEVER);
  let payouts: MoneyRates['payouts'];
  try {
    payouts = await measurePayouts(pool, service, key, inFlight, seconds);
    await payCharges(callerOf(service.url, key), PAYNOW_CHARGE, SETTLED_CHARGES);
  } finally {
    await service.stop();
  }
  return { payouts, settlement: await measureSettlement(start, key, seconds) };
}

/** Returns a function that sends requests with a merchant's key, each with a new idempotency key. */
export function callerOf(url: string, key: string): Call {
  return async (method, path, body) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer };
  };
}

async function measurePayouts(pool: Pool, { url, pid }: Service, key: string, inFlight: number, seconds: number): Promise<MoneyRates['payouts']> {
  const call = callerOf(url, key);
  const order = { amount: 1_000_000_000, currency: 'IDR', channel_code: 'qr_qris', action_flow: 'payload', reference_id: 'funding' };
  for (let i = 0; i < FUNDING_CHARGES; i += 1) {
    const created = await call('POST', '/v1/charges', order);
    for (const outcome of ['succeed', 'settle']) await call('POST', created.body.action.simulation_url, { outcome });
  }
  const before = await cpuByProcess({ pool, pid });
  const load = await drive(`${url}/v1/payouts`, inFlight, seconds, () => ({
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(IDR_PAYOUT),
  }));
  return { ...load, cpu_us: cpuEach(before, await cpuByProcess({ pool, pid }), load.per_second * seconds) };
}

/** PayNow charges are due for settlement as soon as they are paid. */
const PAYNOW_CHARGE = { amount: 1_000, currency: 'SGD', channel_code: 'qr_paynow', action_flow: 'payload', reference_id: 'settled' };

/** Creates and pays `count` charges. @returns their ids */
export async function payCharges(call: Call, order: object, count: number): Promise<string[]> {
  const ids: string[] = [];
  await concurrently(count, async () => {
    const { body } = await call('POST', '/v1/charges', order);
    await call('POST', body.action.simulation_url, { outcome: 'succeed' });
    ids.push(body.id);
  });
  return ids;
}

/** Measures from the start of a service with a running timer until all charges that were due are available, beside creates. */
async function measureSettlement(start: StartService, key: string, seconds: number): Promise<MoneyRates['settlement']> {
  const service = await start(1);
  try {
    const call = callerOf(service.url, key);
    const begun = performance.now();
    const settled = async (): Promise<number> => (await call('GET', '/v1/balances/SGD')).body.available_count;
    const creates = drive(`${service.url}/v1/charges`, 16, seconds, () => ({
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(PAYNOW_CHARGE),
    }));
    while ((await settled()) < SETTLED_CHARGES) await new Promise((resolve) => setTimeout(resolve, 50));
    const took = (performance.now() - begun) / 1_000;
    const { per_second, failures } = await creates;
    return {
      lines: SETTLED_CHARGES,
      seconds: took,
      lines_per_second: Math.round(SETTLED_CHARGES / took),
      creates_per_second: per_second,
      failed_creates: failures,
    };
  } finally {
    await service.stop();
  }
}

async function concurrently(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let i = next++; i < count; i = next++) await work(i);
    }),
  );
}
