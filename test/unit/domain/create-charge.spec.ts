import { beforeEach, describe, expect, it } from '@jest/globals';
import { CreateCharge, CreateChargeHandler } from '../../../src/domain/charges/charge.handlers.js';
import { chargeStream } from '../../../src/ledger/events/charge.events.js';
import type { MerchantTerms } from '../../../src/ledger/ports/merchant-terms.js';
import { Simulator } from '../../../src/rails/simulator/simulator.js';
import { termsOf } from '../../support/create-charge.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

const MERCHANT = { merchant_id: '6b9e2f6a-3c1d-4f58-9a70-1d2c3b4a5968', mode: 'test' } as const;
const CONTEXT = { actor: 'key_1', correlation_id: 'c', causation_id: 'c' };
const SECRET = Buffer.alloc(32, 7);
const ORDER = {
  amount: 10_000,
  currency: 'IDR',
  channel_code: 'QR_QRIS',
  action_flow: 'PAYLOAD',
  reference_id: 'order-1',
  description: null,
  metadata: {},
} as const;

describe('the creation of a charge', () => {
  let store: InMemoryEventStore;
  let enabled: boolean;
  let handler: CreateChargeHandler;

  beforeEach(() => {
    store = new InMemoryEventStore();
    enabled = true;
    const terms: MerchantTerms = {
      merchantName: () => 'Shop',
      channelTerms: (_, code) => termsOf(code, { enabled }),
      payoutFee: () => undefined,
      payoutRules: () => null,
      disputeFee: () => 0,
      currencies: () => ['IDR'],
      timezone: () => undefined,
      merchantCreatedOn: () => undefined,
    };
    const config = { webhookAllowPrivate: false, chargeTtlSeconds: undefined, booksTimeZone: 'UTC' };
    const now = (): number => Date.parse('2026-01-30T10:00:00.000Z');
    handler = new CreateChargeHandler(store, terms, new Simulator(SECRET), now, SECRET, { url: 'http://x' }, config);
  });

  const create = (key: string, amount: number = ORDER.amount) => handler.execute(new CreateCharge({ ...ORDER, amount }, key, MERCHANT, CONTEXT));

  it('returns the recorded charge for a replay, whatever the current terms', async () => {
    const first = await create('key');
    enabled = false;
    expect(await create('key')).toEqual({ ...first, replayed: true });
    await expect(create('key', 20_000)).rejects.toMatchObject({ code: 'idempotency-key-reused' });
    await expect(create('other key')).rejects.toMatchObject({ code: 'channel-not-available' });
  });

  it('rejects a replay when this build cannot read the recorded event', async () => {
    const { created } = await create('key');
    const stream = chargeStream(created.charge_id);
    const [recorded] = await store.read(stream);
    const newer = new InMemoryEventStore();
    await newer.append(stream, 'no-stream', [{ ...recorded!, metadata: { ...recorded!.metadata, schema_version: 99 } }]);
    store.append = newer.append.bind(newer);
    store.read = newer.read.bind(newer);
    await expect(create('key')).rejects.toThrow('ChargeCreated has schema version 99');
  });
});
