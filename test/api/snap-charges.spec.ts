import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ProcessorRoutes, RemoteProcessor } from '../../src/domain/charges/remote/remote-processor.js';
import { chargeStream } from '../../src/ledger/events/charge.events.js';
import { newSnapAgreement } from '../../tools/provider-simulators/snap-access.js';
import { SnapSimulator } from '../../tools/provider-simulators/snap.js';
import type { Outbound } from '../../src/rails/calls/outbound.js';
import { SnapProcessor } from '../../src/rails/snap/snap-processor.js';
import { eventually } from '../support/eventually.js';
import { outboundTo } from '../support/rail-calls.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';
import { snapOptions } from '../support/snap.js';

/** This bank requests a token from the service before it notifies. */
const PROFILE = 'bca';
const RAIL = 'bank-a';
const AGREEMENT = newSnapAgreement();

let service: TestService;
let merchant: TestMerchant;
let simulator: SnapSimulator;
let outbound: Outbound;

beforeAll(async () => {
  const rail: { processor?: RemoteProcessor } = {};
  const routes: ProcessorRoutes = {
    route: (_, __, channel) => rail.processor?.describe(channel) && { processor: rail.processor, merchant_name_id: null, is_stopped: false },
    named: (name) => (name === RAIL ? rail.processor : undefined),
  };
  service = await startTestService({}, routes);
  simulator = await SnapSimulator.listen({
    ...{ port: 0, seed: 7, faults: { repeat: 0.5, forge: 0.5, 'bad-signature': 0.5, 'old-timestamp': 0.5 }, slowMs: 10, profile: PROFILE },
    agreement: AGREEMENT,
    callbackUrl: `${service.url}/v1/rails/${RAIL}/notifications`,
    ...{ perSecond: 1_000, lateMs: 300, settlesAfterMs: 0, holder: 'Yories Yolanda' },
  });
  outbound = outboundTo(simulator.url);
  rail.processor = new SnapProcessor({
    ...snapOptions(PROFILE, outbound, { base: simulator.url, credentials: AGREEMENT.credentials, clock: Date.now }),
    name: RAIL,
  });
  merchant = await service.newMerchant();
});
afterAll(async () => {
  await service.stop();
  await outbound.close();
  await simulator.close();
});

const create = (): Promise<Answer> =>
  service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: { ...CHARGE_ORDER, amount: 1_000_000 } });
const typesOf = async (id: string): Promise<string[]> => (await service.stores.eventStore.read(chargeStream(id))).map(({ type }) => type);
const post = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  service.call('POST', `/v1/rails/${path}`, { body: {}, headers });

describe('a charge by a bank’s QRIS', () => {
  it('the bank fetches a token and notifies, and its query response books the payment', async () => {
    const charges = await Promise.all(Array.from({ length: 8 }, create));
    for (const { status, body } of charges) expect([status, typeof body.action.qr_string]).toEqual([200, 'string']);
    const [idle, ...paying] = charges.map(({ body }) => body as { id: string; processor_reference: string });
    for (const { processor_reference: reference } of paying)
      await fetch(`${simulator.url}/control/pay`, { method: 'POST', body: JSON.stringify({ reference }) });
    await eventually(async () => (await Promise.all(paying.map(({ id }) => typesOf(id)))).every((types) => types.includes('ChargePaid')));
    for (const { id } of paying) expect(await typesOf(id)).toEqual(['ChargeCreated', 'ChargeInstructed', 'ChargePaid']);
    expect(await typesOf(idle!.id)).toEqual(['ChargeCreated', 'ChargeInstructed']);
  });
});

describe('the addresses of a bank', () => {
  it('unauthenticated requests receive errors in the format of SNAP', async () => {
    const notified = await post(`${RAIL}/notifications`);
    expect([notified.status, notified.body.responseCode]).toEqual([401, '4015200']);
    const deeper = await post(`${RAIL}/notifications/openapi/v1.0/qr/qr-mpm-notify`);
    expect([deeper.status, deeper.body.responseCode]).toEqual([401, '4015200']);
    const token = await post(`${RAIL}/access-token/b2b`, { 'x-client-key': randomUUID() });
    expect([token.status, String(token.body.responseCode).slice(0, 3)]).toEqual([400, '400']);
  });

  it('addresses of unknown rails return 404', async () => {
    for (const path of ['nobody/notifications', 'nobody/notifications/v1.0/x', 'nobody/access-token/b2b', `${RAIL}/access-token/b2c`])
      expect((await post(path)).status).toBe(404);
    expect((await service.call('GET', `/v1/rails/${RAIL}/notifications`)).status).toBe(405);
  });
});
