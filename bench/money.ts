import { randomUUID } from 'node:crypto';
import { drive, type Load } from './load.js';

export interface MoneyRates {
  /** POST /v1/payouts on one account. */
  readonly payouts: Load;
  readonly settlement: { readonly lines: number; readonly seconds: number; readonly lines_per_second: number };
}

const IDR_PAYOUT = { amount: 250_001, currency: 'IDR', bank_name: 'BCA', bank_account_name: 'Bench', bank_account_number: '1234567890003' };
const FUNDING_CHARGES = 60;
const SETTLED_CHARGES = 10_000;

type Call = (method: string, path: string, body?: object) => Promise<{ readonly status: number; readonly body: Answer }>;

interface Answer {
  readonly id: string;
  readonly action: { readonly simulation_url: string };
  readonly available_count: number;
  readonly pending_count: number;
}

/** Payouts per second on one account, and how fast charges that are due at once are settled; over HTTP, as a merchant would see it. */
export async function measureMoney(url: string, key: string, inFlight: number, seconds: number): Promise<MoneyRates> {
  const call: Call = async (method, path, body) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer };
  };
  const order = { amount: 1_000_000_000, currency: 'IDR', channel_code: 'qr_qris', action_flow: 'payload', reference_id: 'funding' };
  for (let i = 0; i < FUNDING_CHARGES; i += 1) {
    const created = await call('POST', '/v1/charges', order);
    for (const outcome of ['succeed', 'settle']) await call('POST', created.body.action.simulation_url, { outcome });
  }
  const payouts = await drive(`${url}/v1/payouts`, inFlight, seconds, () => ({
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(IDR_PAYOUT),
  }));
  return { payouts, settlement: await measureSettlement(call) };
}

/** PayNow charges are due as soon as they are paid: the service's own timer settles them while more are being paid. */
async function measureSettlement(call: Call): Promise<MoneyRates['settlement']> {
  const order = { amount: 1_000, currency: 'SGD', channel_code: 'qr_paynow', action_flow: 'payload', reference_id: 'settled' };
  const links: string[] = [];
  await concurrently(SETTLED_CHARGES, async () => void links.push((await call('POST', '/v1/charges', order)).body.action.simulation_url));
  const before = await call('GET', '/v1/balances/SGD');
  await concurrently(links.length, async (i) => void (await call('POST', links[i]!, { outcome: 'succeed' })));
  const begun = performance.now();
  const paid = (await call('GET', '/v1/balances/SGD')).body.available_count;
  let settled = paid;
  while (settled - before.body.available_count < SETTLED_CHARGES) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    settled = (await call('GET', '/v1/balances/SGD')).body.available_count;
  }
  const seconds = (performance.now() - begun) / 1_000;
  return { lines: settled - paid, seconds, lines_per_second: Math.round((settled - paid) / seconds) };
}

async function concurrently(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let i = next++; i < count; i = next++) await work(i);
    }),
  );
}
