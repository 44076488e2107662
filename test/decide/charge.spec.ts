import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { SettlementLine } from '../../src/ledger/events/account.events.js';
import type { ListedLine, RefuseLine } from '../../src/domain/accounts/listed-line.js';
import { claimedLine } from '../../src/domain/charges/charge-lines.js';
import { charge, type ChargeCommand, type ChargeOrder } from '../../src/domain/charges/charge.decider.js';
import type { ChannelTerms } from '../../src/ledger/ports/merchant-terms.js';
import type { ChargeCreated, ChargeEvent } from '../../src/ledger/events/charge.events.js';
import { settlementDate } from '../../src/domain/calendar/due-dates.js';
import { createCharge, termsOf } from '../support/create-charge.js';
import { given } from '../support/given.js';

const GOLDEN = (JSON.parse(readFileSync(new URL('../golden/ChargeCreated.1.json', import.meta.url), 'utf8')) as { event: { data: object } }).event;
const givenCharge = given(charge);
const holidays = new Map<string, ReadonlySet<string>>();
const now = '2026-01-30T10:00:00.000+00:00'; // a Friday, 17:00 in Jakarta
const of = { charge_id: 'c1', merchant_id: 'm1', currency: 'IDR' };

const data: ChargeCreated = {
  ...of,
  code: 'CHG_0123456789ABCDEF',
  amount: 10_000,
  channel_code: 'QR_QRIS',
  action_flow: 'EMBEDDED',
  reference_id: 'order-1',
  description: null,
  meta_data: {},
  action: { type: 'PRESENT_TO_CUSTOMER', embedded_url: 'http://x/pay/1', simulation_url: null },
  fee: { type: 'PERCENTAGE', value: 0.7 },
  fee_amount: 70,
  net_amount: 9_930,
  charge_statement_id: 's1',
  processor: 'SIMULATOR',
  settlement_cycle: 'T+2',
  expires_on: '2026-01-30T10:29:00.000+00:00',
  created_by: 'key_1',
  created_on: '2026-01-30T09:59:00.000+00:00',
};
const created: ChargeEvent = { type: 'ChargeCreated', data };
const paidBy = (payment_reference: string, late_after: 'EXPIRED' | 'CANCELLED' | 'FAILED' | null = null): ChargeEvent => ({
  type: 'ChargePaid',
  data: {
    ...of,
    processor: 'SIMULATOR',
    amount: 10_000,
    fee_amount: 70,
    net_amount: 9_930,
    paid_on: now,
    settlement_date: '2026-02-02T17:00:00.000+00:00', // Tuesday 00:00 in Jakarta
    payment_reference,
    late_after,
  },
});
const failed: ChargeEvent = { type: 'ChargeFailed', data: { ...of, reason: 'declined', failed_on: now } };
const expired: ChargeEvent = { type: 'ChargeExpired', data: { ...of, expired_on: now } };
const cancelled: ChargeEvent = { type: 'ChargeCancelled', data: { ...of, cancelled_on: now, cancelled_by: 'key_1' } };
const claimed = (settlement_number: number): ChargeEvent => ({
  type: 'ChargeSettlementClaimed',
  data: { ...of, settlement_number, net_amount: 9_930, fee_amount: 70, claimed_on: now },
});
const reversed = (claimed_in: number | null): ChargeEvent => ({
  type: 'ChargeReversed',
  data: { ...of, processor: 'SIMULATOR', amount: 10_000, fee_amount: 70, net_amount: 9_930, reason: 'dispute', claimed_in, reversed_on: now },
});
const reversalClaimed = (settlement_number: number): ChargeEvent => ({
  type: 'ChargeReversalClaimed',
  data: { ...of, settlement_number, claimed_on: now },
});
const unmatched = (payment_reference: string, amount: number, reason: 'second-payment' | 'other-amount'): ChargeEvent => ({
  type: 'ChargePaymentUnmatched',
  data: { ...of, processor: 'SIMULATOR', amount, payment_reference, reason, received_on: now },
});

const terms = termsOf('QR_QRIS');
const ordered = createCharge(of, terms, { amount: 10_000 }, '2026-01-30T09:59:00.000+00:00');
const create: ChargeCommand = { ...ordered, ids: { ...ordered.ids, charge_statement_id: 's1' } };
const pay = (payment_reference = 'p1', amount = 10_000): ChargeCommand => ({ kind: 'pay', amount, payment_reference, now, holidays });
const fail: ChargeCommand = { kind: 'fail', reason: 'declined', now };
const expire: ChargeCommand = { kind: 'expire', now };
const cancel: ChargeCommand = { kind: 'cancel', cancelled_by: 'key_1', now };
const listed = (settlement_number: number, kind: SettlementLine['kind'], change: Partial<ListedLine> = {}): ListedLine => ({
  settlement_id: `s${settlement_number}`,
  merchant_id: of.merchant_id,
  currency: of.currency,
  settlement_number,
  line: { kind, record_id: of.charge_id, net_amount: 9_930, fee_amount: 70 },
  ...change,
});
const claim = (settlement_number: number): ChargeCommand => ({ kind: 'claim', listed: listed(settlement_number, 'charge'), now });
const reverse: ChargeCommand = { kind: 'reverse', reason: 'dispute', now };
const claimReversal = (settlement_number: number): ChargeCommand => ({
  kind: 'claim',
  listed: listed(settlement_number, 'reversal'),
  now,
});

const refuseLine = (of_: ListedLine): RefuseLine => ({ kind: 'refuse-line', listed: of_, reason: 'no such order', refused_by: 'sari', now });
const lineRefused = ({ line, ...settlement }: ListedLine, waited_for: string): ChargeEvent => ({
  type: 'SettlementLineRefused',
  data: { ...settlement, ...line, waited_for, reason: 'no such order', refused_by: 'sari', refused_on: now },
});

describe('a charge', () => {
  it('creates a charge once', () => {
    givenCharge().when(create).then(created);
    givenCharge(created).when(create).isRefused('charge-exists');
  });

  it('records a new charge with the fields in their original order', () => {
    const decision = charge.decide(charge.initial, create);
    expect('events' in decision && Object.keys(decision.events[0]!.data)).toEqual(Object.keys(GOLDEN.data));
  });

  it('refuses a charge by the terms of its merchant without a call to the processor', () => {
    const refused = (order: Partial<ChargeOrder>, change: Partial<ChannelTerms> = {}) => {
      const instructions = () => {
        throw new RangeError('asked');
      };
      return givenCharge().when({ ...create, order: { ...ordered.order, ...order }, terms: { ...terms, ...change }, instructions });
    };
    refused({}, { enabled: false }).isRefused('channel-not-available');
    refused({ currency: 'MYR' }).isRefused('currency-mismatch');
    refused({ action_flow: 'REDIRECTION' }).isRefused('action-flow-not-supported');
    refused({ action_flow: 'PAYLOAD' }, { qr: null }).isRefused('action-flow-not-supported');
    refused({ amount: 99 }).isRefused('amount-out-of-range');
    refused({ amount: Number.MAX_SAFE_INTEGER }).isRefused('amount-out-of-range');
    // The first refusal is the answer.
    refused({ amount: 99, currency: 'MYR' }, { enabled: false }).isRefused('channel-not-available');
    givenCharge(created)
      .when({ ...create, terms: { ...terms, enabled: false } })
      .isRefused('charge-exists');
  });

  it.each([100, 1_000_000_000])('accepts an amount at a bound of the channel: %d', (amount) => {
    expect(charge.decide(charge.initial, { ...create, order: { ...ordered.order, amount } })).toMatchObject({ events: [{ data: { amount } }] });
  });

  it('a new charge shows the instructions of its processor, which last until the charge expires', () => {
    const decision = charge.decide(charge.initial, { ...create, instructions: (expires_on) => ({ qr_string: `until ${expires_on}` }) });
    expect(decision).toMatchObject({ events: [{ data: { action: { ...data.action, qr_string: `until ${data.expires_on}` } } }] });
  });

  it.each([pay(), fail, expire, cancel, claim(1), reverse, claimReversal(1)])('refuses $kind before the charge exists', (command) => {
    givenCharge().when(command).isRefused('charge-not-found');
  });

  it('a pending charge can be paid, fail, expire or be cancelled', () => {
    givenCharge(created).when(pay()).then(paidBy('p1'));
    givenCharge(created).when(fail).then(failed);
    givenCharge(created).when(expire).then(expired);
    givenCharge(created).when(cancel).then(cancelled);
  });

  it.each([
    { end: paidBy('p1'), same: pay() },
    { end: failed, same: fail },
    { end: expired, same: expire },
    { end: cancelled, same: cancel },
  ])('a charge ignores a repeat of its end: $same.kind', ({ end, same }) => {
    givenCharge(created, end).when(same).doesNothing();
    for (const other of [fail, expire, cancel].filter((command) => command.kind !== same.kind)) {
      givenCharge(created, end).when(other).isRefused('charge-not-pending');
    }
  });

  it.each([
    { end: expired, after: 'EXPIRED' as const },
    { end: cancelled, after: 'CANCELLED' as const },
    { end: failed, after: 'FAILED' as const },
  ])('accepts money that arrives after the charge was $after, and records that status', ({ end, after }) => {
    givenCharge(created, end).when(pay()).then(paidBy('p1', after));
  });

  it('records a second payment and a payment of another amount without moving money', () => {
    givenCharge(created, paidBy('p1'))
      .when(pay('p2'))
      .then(unmatched('p2', 10_000, 'second-payment'));
    givenCharge(created)
      .when(pay('p2', 9_999))
      .then(unmatched('p2', 9_999, 'other-amount'));
    givenCharge(created, unmatched('p2', 9_999, 'other-amount'))
      .when(pay('p2', 9_999))
      .doesNothing();
    givenCharge(created, unmatched('p2', 9_999, 'other-amount'))
      .when(pay('p3'))
      .then(paidBy('p3'));
  });

  it('records a hundred payments that a charge cannot take, and refuses more', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => unmatched(`u${i}`, 9_999, 'other-amount'));
    givenCharge(created, ...hundred)
      .when(pay('u100', 9_999))
      .isRefused('charge-has-too-many-payments');
    givenCharge(created, ...hundred)
      .when(pay('u99', 9_999))
      .doesNothing();
    givenCharge(created, ...hundred)
      .when(pay('p1'))
      .then(paidBy('p1'));
  });

  it('one settlement only can claim a charge', () => {
    givenCharge(created, paidBy('p1')).when(claim(7)).then(claimed(7));
    givenCharge(created, paidBy('p1'), claimed(7)).when(claim(7)).doesNothing();
    givenCharge(created, paidBy('p1'), claimed(7)).when(claim(8)).isRefused('charge-claimed-elsewhere');
    givenCharge(created).when(claim(7)).isRefused('charge-not-paid');
  });

  it('a reversal before any claim returns pending money, and the charge can no longer be claimed', () => {
    givenCharge(created, paidBy('p1')).when(reverse).then(reversed(null));
    givenCharge(created, paidBy('p1'), reversed(null)).when(claim(1)).isRefused('charge-reversed-before-claim');
    givenCharge(created, paidBy('p1'), reversed(null)).when(claimReversal(1)).isRefused('charge-reversed-before-claim');
  });

  it('a reversal after the claim names the settlement of the claim; a later settlement takes the reversal', () => {
    givenCharge(created, paidBy('p1'), claimed(7)).when(reverse).then(reversed(7));
    givenCharge(created, paidBy('p1'), claimed(7), reversed(7)).when(claim(7)).doesNothing();
    givenCharge(created, paidBy('p1'), claimed(7), reversed(7)).when(claimReversal(8)).then(reversalClaimed(8));
    givenCharge(created, paidBy('p1'), claimed(7), reversed(7), reversalClaimed(8)).when(claimReversal(8)).doesNothing();
    givenCharge(created, paidBy('p1'), claimed(7), reversed(7), reversalClaimed(8)).when(claimReversal(9)).isRefused('charge-claimed-elsewhere');
  });

  it('claims a charge with its recorded amounts, not with those of the listed line', () => {
    const line = { ...listed(7, 'charge').line, net_amount: 1, fee_amount: 2 };
    givenCharge(created, paidBy('p1'))
      .when({ kind: 'claim', listed: listed(7, 'charge', { line }), now })
      .then(claimed(7));
    const state = [created, paidBy('p1'), claimed(7)].reduce(charge.evolve, charge.initial);
    expect(claimedLine(state, line)).toEqual(listed(7, 'charge').line);
    expect(() => claimedLine(state, { ...line, kind: 'reversal' })).toThrow('is not claimed');
  });

  it('settles a charge whole when its claim was recorded without amounts', () => {
    const { line } = listed(7, 'charge');
    const first: ChargeEvent = {
      type: 'ChargeSettlementClaimed',
      data: { ...of, settlement_number: 7, net_amount: null, fee_amount: null, claimed_on: now },
    };
    expect(claimedLine([created, paidBy('p1'), first].reduce(charge.evolve, charge.initial), line)).toEqual(line);
  });

  it('refuses to claim a charge that is listed for another account', () => {
    for (const change of [{ merchant_id: 'm2' }, { currency: 'MYR' }]) {
      const other: ChargeCommand = { kind: 'claim', listed: listed(7, 'charge', change), now };
      givenCharge(created, paidBy('p1')).when(other).isRefused('line-disagrees');
      givenCharge(created, paidBy('p1'), claimed(7)).when(other).isRefused('line-disagrees');
    }
  });

  it.each([
    { waits: 'charge-not-found', events: [], kind: 'charge' as const },
    { waits: 'charge-not-paid', events: [created, failed], kind: 'charge' as const },
    { waits: 'charge-not-reversed-after-claim', events: [created, paidBy('p1'), claimed(6)], kind: 'reversal' as const },
  ])('an operator can drop a charge from the settlement that waits for it: $waits', ({ waits, events, kind }) => {
    const inSeven = listed(7, kind);
    const refusal = lineRefused(inSeven, waits);
    const claimIn = (settlement_number: number) => (kind === 'charge' ? claim(settlement_number) : claimReversal(settlement_number));
    givenCharge(...events)
      .when(refuseLine(inSeven))
      .then(refusal);
    givenCharge(...events, refusal)
      .when(refuseLine(inSeven))
      .doesNothing();
    givenCharge(...events, refusal)
      .when(claimIn(7))
      .isRefused('line-refused');
    // The refusal covers that settlement and that line only.
    givenCharge(...events, refusal)
      .when(claimIn(8))
      .isRefused(waits as 'charge-not-found');
    givenCharge(...events, refusal)
      .when({ kind: 'claim', listed: listed(7, 'charge', { settlement_id: 'other' }), now })
      .isRefused(events.length === 3 ? 'charge-claimed-elsewhere' : (waits as 'charge-not-found'));
  });

  it('drops a charge that is listed for another account; its own account settles it later', () => {
    const wrong = listed(7, 'charge', { currency: 'MYR' });
    const why = 'listed as MYR of merchant m1, recorded as IDR of merchant m1';
    const refusal = lineRefused(wrong, why);
    givenCharge(created, paidBy('p1')).when(refuseLine(wrong)).then(refusal);
    givenCharge(created, paidBy('p1'), refusal).when({ kind: 'claim', listed: wrong, now }).isRefused('line-refused');
    givenCharge(created, paidBy('p1'), refusal).when(claim(8)).then(claimed(8));
    // A number of another account is another settlement.
    const foreign = listed(7, 'charge', { merchant_id: 'm2' });
    const whose = 'listed as IDR of merchant m2, recorded as IDR of merchant m1';
    givenCharge(created, paidBy('p1'), claimed(7)).when(refuseLine(foreign)).then(lineRefused(foreign, whose));
  });

  it('refuses to drop a charge from a settlement that does not wait for it', () => {
    const inSeven = refuseLine(listed(7, 'charge'));
    givenCharge(created, paidBy('p1')).when(inSeven).isRefused('line-not-waited-for');
    givenCharge(created, paidBy('p1'), claimed(7)).when(inSeven).isRefused('line-not-waited-for');
    givenCharge(created, paidBy('p1'), claimed(6)).when(inSeven).isRefused('line-not-waited-for');
    givenCharge(created, paidBy('p1'), reversed(null)).when(inSeven).isRefused('line-not-waited-for');
    givenCharge(created, paidBy('p1'), claimed(6), reversed(6))
      .when(refuseLine(listed(7, 'reversal')))
      .isRefused('line-not-waited-for');
    givenCharge(created, paidBy('p1'), claimed(6), reversed(6), reversalClaimed(7))
      .when(refuseLine(listed(7, 'reversal')))
      .isRefused('line-not-waited-for');
  });

  it('creates, pays and settles a charge whose line was refused before it existed', () => {
    const refusal = lineRefused(listed(7, 'charge'), 'charge-not-found');
    givenCharge(refusal).when(create).then(created);
    givenCharge(refusal).when(pay()).isRefused('charge-not-found');
    givenCharge(refusal, created, paidBy('p1')).when(claim(7)).isRefused('line-refused');
    givenCharge(refusal, created, paidBy('p1')).when(claim(8)).then(claimed(8));
  });

  it('reverses a charge once, and only a paid one', () => {
    givenCharge(created, paidBy('p1'), reversed(null)).when(reverse).doesNothing();
    givenCharge(created).when(reverse).isRefused('charge-not-paid');
    givenCharge(created, paidBy('p1')).when(claimReversal(1)).isRefused('charge-not-reversed-after-claim');
  });
});

describe('the settlement date', () => {
  const none = new Map<string, ReadonlySet<string>>();
  it.each([
    ['Friday evening + 2 is Tuesday 00:00 in Jakarta', '2026-01-30T10:00:00.000+00:00', 'T+2', 'ID', '2026-02-02T17:00:00.000+00:00'],
    ['Thursday 23:30 UTC is Friday in Kuala Lumpur', '2026-01-29T23:30:00.000+00:00', 'T+1', 'MY', '2026-02-01T16:00:00.000+00:00'],
    ['Saturday + 1 is Monday', '2026-01-31T04:00:00.000+00:00', 'T+1', 'SG', '2026-02-01T16:00:00.000+00:00'],
    ['T+0 is at once', '2026-01-31T04:00:00.000+00:00', 'T+0', 'SG', '2026-01-31T04:00:00.000+00:00'],
  ])('settlement date: %s', (_, paidOn, cycle, country, due) => {
    expect(settlementDate(paidOn, cycle, country, none)).toBe(due);
  });

  it('the settlement date skips only the holidays of the country', () => {
    const closed = new Map([['ID', new Set(['2026-02-02'])]]);
    expect(settlementDate('2026-01-30T10:00:00.000+00:00', 'T+1', 'ID', closed)).toBe('2026-02-02T17:00:00.000+00:00');
    expect(settlementDate('2026-01-30T10:00:00.000+00:00', 'T+1', 'MY', closed)).toBe('2026-02-01T16:00:00.000+00:00');
  });
});
