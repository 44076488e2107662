import { beforeEach, describe, expect, it } from '@jest/globals';
import { BankingCalendar } from '../../../src/domain/calendar/banking-calendar.js';
import { BELIEVED_AFTER, ChargeConfirmation } from '../../../src/domain/charges/remote/charge-confirmation.js';
import type { ChargeCreated, ChargeEvent } from '../../../src/ledger/events/charge.events.js';
import { chargeStream } from '../../../src/ledger/events/charge.events.js';
import { newEvent } from '../../../src/ledger/streams/new-event.js';
import { channelByCode } from '../../../src/ledger/channels.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { MemoryProvider, MemoryRoutes, type Known } from '../../support/memory-provider.js';

const NOW = '2026-01-30T10:00:00.000+00:00';
const CONTEXT = { actor: 'key_1', correlation_id: 'c', causation_id: 'c', now: NOW };
const OF = { charge_id: '9d0f6a52-6a52-5f0e-8a86-7c1f6e1c3b21', merchant_id: '0b0f2d6e-3f0e-4c55-9d3b-2a4f0a1c7e11', currency: 'IDR' };
const CREATED: ChargeCreated = {
  ...OF,
  code: 'CHG_0123456789ABCDEF',
  amount: 10_000,
  channel_code: 'QR_QRIS',
  action_flow: 'PAYLOAD',
  reference_id: 'order-1',
  description: null,
  meta_data: {},
  action: { type: 'PRESENT_TO_CUSTOMER', embedded_url: 'http://x/pay/1', simulation_url: null },
  fee: { type: 'PERCENTAGE', value: 0.7 },
  fee_amount: 70,
  net_amount: 9_930,
  charge_statement_id: OF.charge_id,
  processor: 'memory-live',
  settlement_cycle: 'T+2',
  expires_on: '2026-01-30T10:30:00.000+00:00',
  created_by: 'key_1',
  created_on: NOW,
  remote: true,
};

let store: InMemoryEventStore;
let provider: MemoryProvider;
let confirmation: ChargeConfirmation;
let known: Known;
let said: string[];

const newest = async (): Promise<ChargeEvent> => (await store.read(chargeStream(OF.charge_id))).at(-1) as unknown as ChargeEvent;

beforeEach(async () => {
  store = new InMemoryEventStore();
  provider = new MemoryProvider();
  said = [];
  const onContradiction = (message: string): void => void said.push(message);
  const clock = (): number => Date.parse(NOW);
  const calendar = new BankingCalendar(store);
  confirmation = new ChargeConfirmation({ store, clock, routes: new MemoryRoutes(provider), calendar, onContradiction });
  const order = { ...CREATED, merchant_name: 'Shop', merchant_name_id: null, channel: channelByCode('QR_QRIS')!, return_url: null, attempt: 1 };
  const created = await provider.create(order);
  if (created.is !== 'accepted') throw new Error('no instruction');
  const { processor_reference, action } = created.value;
  const events: ChargeEvent[] = [
    { type: 'ChargeCreated', data: CREATED },
    {
      type: 'ChargeInstructed',
      data: { ...OF, attempt: 1, processor_reference, action: { ...CREATED.action, ...action }, valid_until: null, instructed_on: NOW },
    },
  ];
  await store.append(
    chargeStream(OF.charge_id),
    'no-stream',
    events.map((event) => newEvent(event, CONTEXT)),
  );
  known = provider.of(OF.charge_id)[0]!;
});

describe('confirmation of a charge by its provider', () => {
  it('books a payment once, however often and in whatever way the provider is asked', async () => {
    provider.pay(known);
    for (const question of ['query', 'find', 'cancel'] as const)
      expect(await confirmation.confirm(OF.charge_id, question)).toMatchObject({ is: 'answered' });
    expect((await store.read(chargeStream(OF.charge_id))).map(({ type }) => type)).toEqual(['ChargeCreated', 'ChargeInstructed', 'ChargePaid']);
  });

  it.each(['query', 'find'] as const)(
    'books another amount reported by %s only after repeated answers, as a payment that the charge cannot take',
    async (question) => {
      provider.pay(known, { amount: 9_000, payment_reference: 'py-1' });
      for (const asked of [0, 1, BELIEVED_AFTER - 1])
        expect(await confirmation.confirm(OF.charge_id, question, asked)).toEqual({ is: 'unanswered', code: 'does-not-fit' });
      expect((await newest()).type).toBe('ChargeInstructed');
      expect(await confirmation.confirm(OF.charge_id, question, BELIEVED_AFTER)).toMatchObject({ is: 'answered' });
      expect(await newest()).toMatchObject({
        type: 'ChargePaymentUnmatched',
        data: { amount: 9_000, reason: 'other-amount', payment_reference: 'py-1' },
      });
    },
  );

  it('books no payment in another currency, and reports it', async () => {
    provider.pay(known, { currency: 'MYR' });
    expect(await confirmation.confirm(OF.charge_id, 'query')).toMatchObject({ is: 'unanswered' });
    expect(await confirmation.confirm(OF.charge_id, 'query', BELIEVED_AFTER)).toMatchObject({ is: 'answered' });
    expect([(await newest()).type, said.length]).toEqual(['ChargeInstructed', 1]);
  });

  it('fails a charge that the provider reports as failed, and leaves a charge open whose instruction is expired or cancelled', async () => {
    for (const status of ['EXPIRED', 'CANCELLED'] as const) {
      known.status = status;
      await confirmation.confirm(OF.charge_id, 'query');
      expect((await newest()).type).toBe('ChargeInstructed');
    }
    known.status = 'FAILED';
    await confirmation.confirm(OF.charge_id, 'query');
    expect(await newest()).toMatchObject({ type: 'ChargeFailed', data: { failure_code: 'DECLINED' } });
  });

  it('falls back from cancel to query, and from query to find, where the provider cannot cancel or does not know its own reference', async () => {
    provider.pay(known);
    await store.append(chargeStream(OF.charge_id), 1, [
      newEvent({ type: 'ChargeCancelled', data: { ...OF, cancelled_on: NOW, cancelled_by: 'key_1' } }, CONTEXT),
    ]);
    provider.faults.cancel = [{ no: 'CANCEL_NOT_SUPPORTED' }];
    provider.faults.query = [{ no: 'DATA_NOT_FOUND' }];
    expect(await confirmation.confirm(OF.charge_id, 'cancel')).toMatchObject({ is: 'answered' });
    expect(provider.calls.slice(-3)).toEqual(['cancel', 'query', 'find']);
    expect(await newest()).toMatchObject({ type: 'ChargePaid', data: { late_after: 'CANCELLED' } });
  });

  it('returns "unanswered" when the provider does not answer, and "nothing" for a charge that is not known here', async () => {
    provider.faults.query = ['unknown'];
    expect(await confirmation.confirm(OF.charge_id, 'query')).toEqual({ is: 'unanswered', code: 'timeout' });
    expect(await confirmation.confirm('9d0f6a52-6a52-5f0e-8a86-7c1f6e1c3b22', 'query')).toEqual({ is: 'nothing' });
  });
});
