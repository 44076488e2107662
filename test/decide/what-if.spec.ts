import { describe, expect, it } from '@jest/globals';
import type { LedgerEvent } from '../../src/ledger/catalogue.js';
import type { Fee } from '../../src/ledger/money.js';
import type { LoggedEvent } from '../../src/ledger/read-model.js';
import { WhatIfAnswer } from '../../src/point-in-time/what-if/answer.js';
import { Repricing } from '../../src/point-in-time/what-if/repricing.js';
import { ANY, FeeRules, NO_RULES, type Scenario } from '../../src/point-in-time/what-if/scenario.js';
import { isFault, readScenario } from '../../src/point-in-time/what-if/scenario.dto.js';

const MERCHANT = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d';
const OTHER = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3e';
const ALWAYS = { fromMs: -Infinity, toMs: Infinity };
const percent = (value: number): Fee => ({ type: 'PERCENTAGE', value });
const fixed = (value: number): Fee => ({ type: 'FIXED', value });
const rules = (subject: string, fee: Fee): FeeRules => new FeeRules([{ merchant: ANY, subject, fee }]);
const scenario = (of: Partial<Scenario>): Scenario => ({ name: 'x', charges: NO_RULES, payouts: NO_RULES, disputes: NO_RULES, ...of });

/** Events with the members that matter here. */
type Given = readonly [type: LedgerEvent['type'], data: object];
const logged = (given: readonly Given[]): LoggedEvent[] =>
  given.map(([type, data], index) => ({ type, ordinal: index + 1, data: { ...OF, ...data } }) as unknown as LoggedEvent);
const OF = { merchant_id: MERCHANT, currency: 'IDR' };
const AT = '2026-01-31T17:30:00.000+00:00';

const figures = (amount: number, fee_amount: number) => ({ amount, fee_amount, net_amount: amount - fee_amount });
const registered: Given = ['MerchantRegistered', { name: 'Kopi', mode: 'live' }];
const created = (charge_id: string, amount: number, fee: Fee, fee_amount: number, created_on = AT): Given => [
  'ChargeCreated',
  { charge_id, code: `CHG_${charge_id}`, channel_code: 'QR_QRIS', fee, ...figures(amount, fee_amount), created_on },
];
const paid = (charge_id: string, amount: number, fee_amount: number): Given => ['ChargePaid', { charge_id, ...figures(amount, fee_amount) }];
const refund = (refund_id: string, amount: number, fee_amount: number) => ({ charge_id: 'c', refund_id, ...figures(amount, fee_amount) });
const settled = (...lines: readonly object[]): Given => ['FundsSettled', { settlement_number: 1, lines, totals: {} }];

function repriced(given: readonly Given[], of: Scenario, period = ALWAYS): object[] {
  const repricing = new Repricing(of, period);
  return logged(given).map((event) => repricing.reprice(event).data);
}

function answered(given: readonly Given[], of: Scenario, timeZone = 'UTC'): WhatIfAnswer {
  const answer = new WhatIfAnswer(of, ALWAYS, timeZone);
  for (const event of logged([registered, ...given])) answer.take(event);
  return answer;
}

/** A charge of 101 that is settled: the halves of it have 50 or 51. */
const claimed: readonly Given[] = [
  created('c', 101, fixed(3), 3),
  paid('c', 101, 3),
  ['ChargeSettlementClaimed', { charge_id: 'c', net_amount: 98, fee_amount: 3 }],
];

describe('repricing', () => {
  it('a refund that was permitted in an earlier state of its charge is priced in that state', () => {
    // Both were permitted while nothing had gone back; with the first one gone, the second would have a fee of 1.
    const given: Given[] = [
      ...claimed,
      ['RefundReserved', { ...refund('r1', 50, 1), reservation_id: 'v1' }],
      ['ChargeRefundClaimed', { ...refund('r1', 50, 1), reservation_id: 'v1', source: 'AVAILABLE' }],
      ['RefundReserved', { ...refund('r2', 15, 0), reservation_id: 'v2' }],
      ['ChargeRefundClaimed', { ...refund('r2', 15, 0), reservation_id: 'v2', source: 'AVAILABLE' }],
    ];
    expect(repriced(given, scenario({ charges: rules(ANY, fixed(7)) })).slice(-4)).toMatchObject([
      { fee_amount: 3, net_amount: 47 },
      { fee_amount: 3, net_amount: 47 },
      { fee_amount: 1, net_amount: 14 },
      { fee_amount: 1, net_amount: 14 },
    ]);
  });

  it('refunds that were permitted together never return more of the fee than there is', () => {
    const half = (n: number, amount: number, fee_amount: number): Given => [
      'RefundReserved',
      { ...refund(`r${n}`, amount, fee_amount), reservation_id: `v${n}` },
    ];
    const given: Given[] = [
      created('c', 100, fixed(2), 2),
      paid('c', 100, 2),
      ['ChargeSettlementClaimed', { charge_id: 'c', net_amount: 98, fee_amount: 2 }],
      half(1, 50, 1),
      half(2, 50, 1),
    ];
    // Half of 3 is 2, rounded half up.
    expect(repriced(given, scenario({ charges: rules(ANY, fixed(3)) })).slice(-2)).toMatchObject([{ fee_amount: 2 }, { fee_amount: 1 }]);
    const declined: Given[] = [
      ...given.slice(0, 4),
      ['ChargeRefundDeclined', { ...refund('r1', 50, 1), reservation_id: 'v1' }],
      ['RefundReleased', { ...refund('r1', 50, 1), reservation_id: 'v1' }],
      half(2, 50, 1),
    ];
    expect(repriced(declined, scenario({ charges: rules(ANY, fixed(3)) })).slice(-2)).toMatchObject([{ fee_amount: 2 }, { fee_amount: 2 }]);
  });

  it('refunds of a charge that keeps its fee stay as they are, also one that its charge declines for its fee', () => {
    const of = (n: number) => ({ ...refund(`r${n}`, 50, 1), reservation_id: `v${n}` });
    const given: Given[] = [
      created('c', 100, fixed(1), 1),
      paid('c', 100, 1),
      ['ChargeSettlementClaimed', { charge_id: 'c', net_amount: 99, fee_amount: 1 }],
      ...[1, 2].map((n): Given => ['RefundReserved', of(n)]),
      ['ChargeRefundClaimed', { ...of(1), source: 'AVAILABLE' }],
      ['ChargeRefundDeclined', of(2)],
    ];
    expect(repriced(given, scenario({}))).toEqual(logged(given).map(({ data }) => data));
  });

  it('an event whose recorded amount is not that of the functions in force ends it, and is named', () => {
    const repriceAll = (...given: Given[]) => repriced(given, scenario({}));
    expect(() => repriceAll(created('c', 1_000, percent(0.7), 8))).toThrow(
      'event 1 (ChargeCreated) cannot be priced anew: its terms give a fee of 7, not 8',
    );
    expect(() => repriceAll(created('c', 1_000, percent(0.7), 7), paid('c', 1_000, 6))).toThrow(
      'event 2 (ChargePaid) cannot be priced anew: fee_amount is 6, and computed it is 7',
    );
    expect(() => repriceAll(...claimed, ['RefundReserved', { ...refund('r', 50, 3), reservation_id: 'v' }])).toThrow(
      'event 4 (RefundReserved) cannot be priced anew: no state of the charge permits a refund with a fee of 3',
    );
    expect(() => repriceAll(...claimed, settled({ kind: 'charge', record_id: 'c', net_amount: 98, fee_amount: 2 }))).toThrow(
      'event 4 (FundsSettled) cannot be priced anew: fee_amount is 2, and computed it is 3',
    );
    expect(() => repriceAll(['PayoutRequested', { payout_id: 'p', fee: fixed(5), ...figures(100, 4), created_on: AT }])).toThrow(
      'event 1 (PayoutRequested) cannot be priced anew: its terms give a fee of 5, not 4',
    );
  });

  it('records from outside of the period keep their fees, also in later refunds and settlements', () => {
    const period = { fromMs: Date.parse(AT), toMs: Date.parse(AT) + 1 };
    const of = scenario({ charges: rules(ANY, fixed(5)), payouts: rules('IDR', fixed(9)) });
    for (const [shift, isPriced] of [
      [-1, false],
      [0, true],
      [1, false],
    ] as const) {
      const time = new Date(Date.parse(AT) + shift).toISOString();
      const given: Given[] = [created('c', 101, fixed(3), 3, time), ...claimed.slice(1)];
      given.push(settled({ kind: 'charge', record_id: 'c', net_amount: 98, fee_amount: 3 }));
      given.push(['PayoutRequested', { payout_id: 'p', fee: fixed(5), ...figures(50, 5), created_on: time }]);
      const priced = repriced(given, of, period);
      expect([
        shift,
        priced.map((data, index) => data !== logged(given)[index]!.data && JSON.stringify(data) !== JSON.stringify(logged(given)[index]!.data)),
      ]).toEqual([shift, given.map(() => isPriced)]);
    }
  });

  it('a payout has its terms and its fee in each of its events, also in the settlement that returns it', () => {
    const of = figures(1_000, 5);
    const given: Given[] = [
      ['PayoutRequested', { payout_id: 'p', fee: fixed(5), ...of, created_on: AT }],
      ['PayoutRegistered', { payout_id: 'p', fee: fixed(5), ...of, created_on: AT }],
      ['PayoutSubmitted', { payout_id: 'p', ...of }],
      ['PayoutSucceeded', { payout_id: 'p', ...of }],
      ['PayoutReturned', { payout_id: 'p', ...of }],
      settled({ kind: 'return', record_id: 'p', net_amount: 995, fee_amount: 5 }),
    ];
    const priced = repriced(given, scenario({ payouts: rules('IDR', percent(2)) }));
    expect(priced.slice(0, 2)).toMatchObject([{ fee: percent(2) }, { fee: percent(2) }]);
    for (const data of priced.slice(0, 5)) expect(data).toMatchObject({ amount: 1_000, fee_amount: 20, net_amount: 980 });
    expect(priced[5]).toMatchObject({ lines: [{ net_amount: 980, fee_amount: 20 }], totals: { net_amount: '1000', returns: 1 } });
  });
});

describe('the answer', () => {
  it('a row has the month of the books, and the fees that are booked and not given back', () => {
    const given: Given[] = [
      created('c', 101, fixed(3), 3),
      paid('c', 101, 3),
      ['ChargeRefundClaimed', { ...refund('r', 50, 1), reservation_id: null, source: 'PENDING' }],
      ['ChargeRefundSucceeded', refund('r', 50, 1)],
      ['ChargePaymentUnmatched', { charge_id: 'c', amount: 7 }],
      created('unpaid', 500, fixed(3), 3),
    ];
    const [row, ...others] = answered(given, scenario({ charges: rules('QR_QRIS', fixed(5)) }), 'Asia/Jakarta').rows();
    expect(others).toEqual([]);
    expect(row).toEqual({
      ...{ kind: 'CHARGE', mode: 'live', merchant_id: MERCHANT, merchant_name: 'Kopi', channel_code: 'QR_QRIS', currency: 'IDR' },
      ...{ month: '2026-02', count: 1, gross: 51n, fees_was: 2n, fees_would_be: 3n, fees_difference: 1n },
      ...{ net_was: 49n, net_would_be: 48n, net_difference: -1n },
    });
  });

  it('the answer gives back the fee of a returned payout and of a claimed charge that is reversed, when a settlement does', () => {
    const of = figures(40, 5);
    const given: Given[] = [
      ...claimed,
      settled({ kind: 'charge', record_id: 'c', net_amount: 98, fee_amount: 3 }),
      ['PayoutRequested', { payout_id: 'p', fee: fixed(5), ...of, created_on: AT }],
      ['PayoutSucceeded', { payout_id: 'p', ...of }],
      ['ChargeReversed', { charge_id: 'c', ...figures(101, 3), claimed_in: 1 }],
    ];
    const back = settled(
      { kind: 'reversal', record_id: 'c', net_amount: 98, fee_amount: 3 },
      { kind: 'return', record_id: 'p', net_amount: 35, fee_amount: 5 },
    );
    const shown = (events: readonly Given[]) =>
      answered(events, scenario({ charges: rules(ANY, fixed(1)), payouts: rules('IDR', fixed(7)) }))
        .rows()
        .map(({ kind, gross, fees_was, fees_would_be }) => [kind, gross, fees_was, fees_would_be]);
    expect(shown(given)).toEqual([
      ['CHARGE', 0n, 3n, 1n],
      ['PAYOUT', 40n, 5n, 7n],
    ]);
    expect(shown([...given, back])).toEqual([
      ['CHARGE', 0n, 0n, 0n],
      ['PAYOUT', 0n, 0n, 0n],
    ]);
  });

  it('the answer lists payouts and refunds that would not have been covered, with the missing part, and counts them as paid', () => {
    const given: Given[] = [
      ...claimed,
      settled({ kind: 'charge', record_id: 'c', net_amount: 98, fee_amount: 3 }),
      ['PayoutRequested', { payout_id: 'p1', fee: fixed(0), ...figures(60, 0), created_on: AT }],
      ['PayoutRequested', { payout_id: 'p2', fee: fixed(0), ...figures(20, 0), created_on: AT }],
      ['PayoutSucceeded', { payout_id: 'p2', ...figures(20, 0) }],
      ['RefundReserved', { ...refund('r', 17, 1), reservation_id: 'v', reserved_on: AT }],
    ];
    const of = { mode: 'live', merchant_name: 'Kopi', merchant_id: MERCHANT, currency: 'IDR', requested_on: AT };
    expect(answered(given, scenario({})).uncovered()).toEqual([]);
    // 66 are available.
    const answer = answered(given, scenario({ charges: rules(ANY, fixed(35)) }));
    expect(answer.uncovered()).toEqual([
      { ...of, kind: 'PAYOUT', id: 'p2', amount: 20, missing_amount: 14 },
      { ...of, kind: 'REFUND', id: 'r', amount: 11, missing_amount: 11 },
    ]);
    expect(answer.totals()).toMatchObject([{ kind: 'CHARGE' }, { kind: 'PAYOUT', count: 1, gross: 20n }]);
  });

  it('the fee of a lost dispute counts once, also against later payouts, although no settlement has a line for it', () => {
    const dispute = { charge_id: 'c', dispute_id: 'd' };
    const lost = { ...dispute, stage: 'CHARGEBACK', ...figures(0, 0), dispute_fee_amount: 0 };
    const given: Given[] = [
      ...claimed,
      settled({ kind: 'charge', record_id: 'c', net_amount: 98, fee_amount: 3 }),
      ['ChargeDisputeOpened', { ...dispute, stage: 'CHARGEBACK', amount: 10, dispute_fee_amount: 0, opened_on: AT }],
      ['ChargeDisputeLost', lost],
      ['ChargeDisputeWon', { ...dispute, ...figures(0, 0), from: 'PROCESSOR', to: 'RETURNS', release_id: 'w' }],
      ['ChargeDisputeLost', lost],
      ['PayoutRequested', { payout_id: 'p', fee: fixed(0), ...figures(98, 0), created_on: AT }],
    ];
    const answer = answered(given, scenario({ disputes: rules('IDR', fixed(30)) }));
    expect(answer.rows().filter(({ kind }) => kind === 'DISPUTE')).toMatchObject([{ count: 1, gross: 0n, fees_was: 0n, fees_would_be: 30n }]);
    expect(answer.uncovered()).toMatchObject([{ id: 'p', missing_amount: 30 }]);
    expect(answered(given, scenario({ disputes: rules('MYR', fixed(30)) })).rows()).toMatchObject([{ kind: 'CHARGE' }]);
  });
});

describe('scenarios', () => {
  const rule = (merchant: string, subject: string, value: number) => ({ merchant, subject, fee: percent(value) });

  it('the most specific rule applies', () => {
    const fees = new FeeRules([
      ...[rule(ANY, ANY, 1), rule(ANY, 'QR_QRIS', 2), rule(MERCHANT, ANY, 3), rule(MERCHANT, 'QR_QRIS', 4), rule(MERCHANT, 'WALLET_OVO', 5)],
    ]);
    expect([fees.find(OTHER, 'WALLET_OVO'), fees.find(OTHER, 'QR_QRIS'), fees.find(MERCHANT, 'WALLET_DANA')]).toEqual([1, 2, 3].map(percent));
    expect([fees.find(MERCHANT, 'QR_QRIS'), fees.find(MERCHANT, 'WALLET_OVO')]).toEqual([4, 5].map(percent));
    expect(fees.conflict()).toBeUndefined();
    expect(NO_RULES.find(MERCHANT, 'QR_QRIS')).toBeUndefined();
  });

  it.each([
    ['the same subject twice', [rule(ANY, 'QR_QRIS', 1), rule(ANY, 'WALLET_OVO', 1), rule(ANY, 'QR_QRIS', 1)], [0, 2]],
    ['a merchant and a channel', [rule(ANY, 'QR_QRIS', 1), rule(ANY, 'WALLET_OVO', 1), rule(MERCHANT, ANY, 2), rule(MERCHANT, 'QR_QRIS', 2)], [1, 2]],
    ['a channel after a merchant', [rule(MERCHANT, ANY, 2), rule(ANY, 'QR_QRIS', 1)], [0, 1]],
  ])('two rules of equal rank conflict: %s', (_, conflicting, indexes) => {
    expect(new FeeRules(conflicting).conflict()).toEqual(indexes);
  });

  const charge = (of: object, fee: object = percent(1)) => ({ name: 'x', charge_fees: [{ ...of, fee }] });
  it.each<[string, unknown, string]>([
    ['no object', [], ''],
    ['no name', { charge_fees: [] }, '/name'],
    ['an unknown member', { name: 'x', fees: [] }, '/fees'],
    ['an unknown member of a rule', charge({ channels: '*' }), '/charge_fees/0/channels'],
    ['101 %', charge({}, percent(101)), '/charge_fees/0/fee/value'],
    ['nine decimals', charge({}, percent(0.123456789)), '/charge_fees/0/fee/value'],
    ['a part of a minor unit', charge({ channel: 'qr_qris' }, fixed(0.5)), '/charge_fees/0/fee/value'],
    ['a fee below 0', charge({}, percent(-1)), '/charge_fees/0/fee/value'],
    ['a fee as text', charge({}, { type: 'PERCENTAGE', value: '1' }), '/charge_fees/0/fee/value'],
    ['another kind of fee', charge({}, { type: 'TIERED', value: 1 }), '/charge_fees/0/fee/type'],
    ['an unknown channel', charge({ channel: 'qr_x' }), '/charge_fees/0/channel'],
    ['no merchant’s id', charge({ merchant: 'Kopi' }), '/charge_fees/0/merchant'],
    ['a fixed amount for channels of all currencies', charge({}, fixed(1)), '/charge_fees/0/fee/type'],
    ['a rule without a fee', { name: 'x', charge_fees: [{ channel: '*' }] }, '/charge_fees/0/fee'],
    ['a currency without channels', { name: 'x', payout_fees: [{ currency: 'USD', fee: fixed(1) }] }, '/payout_fees/0/currency'],
    ['payouts without a currency', { name: 'x', payout_fees: [{ fee: fixed(1) }] }, '/payout_fees/0/currency'],
    ['a share of a dispute', { name: 'x', dispute_fees: [{ currency: 'IDR', fee: percent(1) }] }, '/dispute_fees/0/fee/type'],
    ['two of equal rank', { name: 'x', payout_fees: [1, 2].map((n) => ({ currency: 'IDR', fee: fixed(n) })) }, '/payout_fees/1'],
    ['too many rules', { name: 'x', charge_fees: Array.from({ length: 1_001 }, () => ({ fee: percent(1) })) }, '/charge_fees'],
  ])('refuses %s', (_, value, at) => {
    const read = readScenario(value);
    expect([isFault(read), read]).toMatchObject([true, { at, detail: expect.stringMatching(/\.$/) }]);
  });

  it('reads codes in any case, and lists that are left out as empty', () => {
    const read = readScenario({
      name: 'x',
      payout_fees: null,
      charge_fees: [{ merchant: MERCHANT.toUpperCase(), channel: 'qr_qris', fee: percent(0.6) }],
    });
    expect(read).toMatchObject({
      name: 'x',
      charges: { rules: [rule(MERCHANT, 'QR_QRIS', 0.6)] },
      payouts: { rules: [] },
      disputes: { rules: [] },
    });
  });
});
