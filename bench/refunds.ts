import { randomUUID } from 'node:crypto';
import { drive, type Load } from './load.js';
import { callerOf, payCharges, type Service, type StartService } from './money.js';

export interface RefundRates {
  /** One prepared, committed INSERT per request. */
  readonly yardstick: Load;
  /** POST /v1/charges: the reference for refunds of unsettled charges. */
  readonly creates: Load;
  /** POST /v1/charges/{id}/refunds for many charges of one account, before and after their settlement. */
  readonly unsettled: Load;
  readonly settled: Load;
  /** Rate of refunds of unsettled charges divided by the rate of creates. */
  readonly ratio: number;
}

/** PayNow charges are due for settlement as soon as they are paid, and allow partial refunds. */
const ORDER = { amount: 100_000, currency: 'SGD', channel_code: 'qr_paynow', action_flow: 'payload', reference_id: 'refunded' };
/** With this many charges, two refunds of one charge rarely overlap, and no charge reaches its hundredth refund. */
const CHARGES = 4_000;
const NEVER = 86_400;

/** Measures refunds per second on one account over HTTP as a merchant sees them. The same service executes each refund meanwhile. */
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

/** Refunds one minor unit of each charge in turn. Warms up for half of the time, because the service has not executed a refund before. */
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
