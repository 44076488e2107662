import { randomUUID } from 'node:crypto';
import { drive, type Load } from './load.js';
import { callerOf, payCharges, type Service, type StartService } from './money.js';

export interface RefundRates {
  /** A prepared, committed INSERT for each request. */
  readonly yardstick: Load;
  /** POST /v1/charges, beside which refunds of unsettled charges are judged. */
  readonly creates: Load;
  /** POST /v1/charges/{id}/refunds of many charges of one account, before and after a settlement has claimed them. */
  readonly unsettled: Load;
  readonly settled: Load;
  /** Refunds of unsettled charges by creates. */
  readonly ratio: number;
}

/** PayNow charges are due as soon as they are paid, and give back in parts. */
const ORDER = { amount: 100_000, currency: 'SGD', channel_code: 'qr_paynow', action_flow: 'payload', reference_id: 'refunded' };
/** So many that two refunds of one charge are hardly ever under way at once, and none comes to its hundredth. */
const CHARGES = 4_000;
const NEVER = 86_400;

/** Refunds per second on one account, over HTTP, as a merchant would see it; each is carried out by the same process meanwhile. */
export async function measureRefunds(start: StartService, yardstick: Service, key: string, inFlight: number, seconds: number): Promise<RefundRates> {
  const { ids, ...early } = await beforeSettlement(start, yardstick, key, inFlight, seconds);
  const service = await start(1);
  try {
    const call = callerOf(service.url, key);
    while ((await call('GET', '/v1/balances/SGD')).body.available_count < CHARGES) await new Promise((resolve) => setTimeout(resolve, 50));
    const settled = await refund(service, key, ids, inFlight, seconds);
    return { ...early, settled, ratio: early.unsettled.per_second / early.creates.per_second };
  } finally {
    await service.stop();
  }
}

async function beforeSettlement(start: StartService, yardstick: Service, key: string, inFlight: number, seconds: number) {
  const service = await start(NEVER);
  try {
    const ids = await payCharges(callerOf(service.url, key), ORDER, CHARGES);
    const measured = await drive(yardstick.url, inFlight, seconds, () => request(key, ORDER));
    const creates = await drive(`${service.url}/v1/charges`, inFlight, seconds, () => request(key, ORDER));
    return { ids, yardstick: measured, creates, unsettled: await refund(service, key, ids, inFlight, seconds) };
  } finally {
    await service.stop();
  }
}

/** One charge after the other, a minor unit of each at a time; for half as long before it is measured, because nobody has refunded anything yet. */
async function refund({ url }: Service, key: string, charges: readonly string[], inFlight: number, seconds: number): Promise<Load> {
  let count = 0;
  const next = () => {
    const path = `/v1/charges/${charges[count++ % charges.length]!}/refunds`;
    return { ...request(key, { amount: 1, reason: 'REQUESTED_BY_CUSTOMER' }), path };
  };
  await drive(url, inFlight, seconds / 2, next);
  return drive(url, inFlight, seconds, next);
}

function request(key: string, body: object): { readonly headers: Record<string, string>; readonly body: string } {
  return {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  };
}
