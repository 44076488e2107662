import { describe, expect, it } from '@jest/globals';
import { judge, type Books, type ChargeRow, type PayoutRow, type Truth } from '../judge/verdict.js';

const MERCHANT = 'merchant-1';
const ACCOUNT = '10000017777';

const CHARGE: ChargeRow = { id: 'charge-1', merchant_id: MERCHANT, amount: 10_000, status: 'SUCCEEDED' };
const OF = { charge_id: 'charge-1', merchant_id: MERCHANT };
const PAID = { ...OF, amount: 10_000, fee_amount: 70, net_amount: 9_930, payment_reference: 'py-1' };
const REFUND = { ...OF, refund_id: 'refund-1', amount: 1_000, fee_amount: 7, net_amount: 993 };
const PAYOUT: PayoutRow = {
  ...{ id: 'payout-1', merchant_id: MERCHANT, bank_account_number: ACCOUNT, payout_status: 'SUCCEEDED', pending_reason: null },
  ...{ amount: 5_000, net_amount: 4_500, fee_amount: 500 },
};
const TRUTH: Truth = {
  payments: [{ payment_id: 'py-1', reference_id: 'charge-1', amount: 10_000 }],
  refunds: [{ reference_id: 'refund-1', amount: 1_000, status: 'SUCCEEDED' }],
  transfers: [{ account: ACCOUNT, amount: 4_500, status: 'paid', told: 'paid' }],
};
const BOOKS: Books = {
  charges: [CHARGE],
  payouts: [PAYOUT],
  events: [
    { type: 'ChargePaid', data: PAID },
    { type: 'ChargeRefundClaimed', data: REFUND },
    { type: 'ChargeRefundSucceeded', data: REFUND },
  ],
  balances: new Map([[MERCHANT, 9_930 - 993 - 5_000]]),
  house: new Map([
    ['processor', 9_000],
    ['bank', -4_500],
  ]),
};
const WANTED = new Map([[ACCOUNT, { merchant_id: MERCHANT, account: ACCOUNT, amount: 5_000, isOthers: false, hasBankCode: true }]]);

/** Violations in truth and books that differ from the correct ones by these members. */
const said = (truth: Partial<Truth>, books: Partial<Books> = {}): readonly string[] =>
  judge({ ...TRUTH, ...truth }, { ...BOOKS, ...books }, WANTED).violations;

const payouts = (change: Partial<PayoutRow>): Partial<Books> => ({ payouts: [{ ...PAYOUT, ...change }] });
const heldAs = (reason: string) => ({ events: [...BOOKS.events, { type: 'PayoutHeld', data: { payout_id: 'payout-1', reason } }] });

describe('the verdict over rails', () => {
  it('reports nothing about correct books', () => {
    expect(said({})).toEqual([]);
  });

  it('counts separately the transfers returned without notice: only the statement of the bank shows them', () => {
    const transfers = [{ ...TRUTH.transfers[0]!, status: 'returned' as const }];
    const { lines, violations } = judge({ ...TRUTH, transfers }, BOOKS, WANTED);
    expect(violations).toEqual([]);
    expect(lines.at(-1)).toEqual({ what: 'of SUCCEEDED: given back later, on the statement alone', truth: [1, 4_500], books: [1, 4_500] });
  });

  it.each<[string, Partial<Truth>, Partial<Books>, string]>([
    [
      'a payment that is not booked',
      { payments: [...TRUTH.payments, { payment_id: 'py-2', reference_id: 'charge-1', amount: 10_000 }] },
      {},
      'booked 0 times',
    ],
    ['a payment that is booked twice', {}, { events: [...BOOKS.events, { type: 'ChargePaymentUnmatched', data: PAID }] }, 'booked 2 times'],
    ['a payment that was never made', { payments: [] }, {}, 'was never made'],
    ['a payment in another amount', { payments: [{ ...TRUTH.payments[0]!, amount: 9_999 }] }, {}, 'is booked as 10000'],
    ['a charge that has not ended', {}, { charges: [CHARGE, { ...CHARGE, id: 'charge-2', status: 'PENDING' }] }, 'still PENDING'],
    ['a charge that is paid without a payment', {}, { charges: [CHARGE, { ...CHARGE, id: 'charge-2' }] }, 'has 0 payments'],
    ['a refund that was given twice', { refunds: [TRUTH.refunds[0]!, TRUTH.refunds[0]!] }, {}, 'given 2 times'],
    ['a refund that was never given', { refunds: [] }, {}, 'never given'],
    ['a refund that was given and waits in the books', {}, { events: BOOKS.events.slice(0, 2) }, 'is not in the books once'],
    ['a transfer that was made twice', { transfers: [TRUTH.transfers[0]!, TRUTH.transfers[0]!] }, {}, 'was paid 2 times'],
    [
      'a second transfer that is under way',
      { transfers: [TRUTH.transfers[0]!, { ...TRUTH.transfers[0]!, status: 'paying' }] },
      {},
      'was paid 2 times',
    ],
    ['a transfer of another amount', { transfers: [{ ...TRUTH.transfers[0]!, amount: 4_501 }] }, {}, 'was sent as 4501'],
    ['a transfer of nobody', { transfers: [...TRUTH.transfers, { account: '2', amount: 1, status: 'paid', told: 'paid' }] }, {}, 'by 0 payouts'],
    ['a payout that is paid in the books alone', { transfers: [] }, {}, 'the bank has nothing'],
    [
      'a payout that came back, which the bank has said',
      { transfers: [{ ...TRUTH.transfers[0]!, status: 'returned', told: 'returned' }] },
      {},
      'the bank has returned',
    ],
    ['a payout that failed in the books alone', {}, payouts({ payout_status: 'FAILED' }), 'the bank has paid'],
    ['a payout that failed for no reason', { transfers: [] }, payouts({ payout_status: 'FAILED' }), 'the bank has nothing'],
    [
      'a payout that waits for a name that is right',
      { transfers: [] },
      payouts({ payout_status: 'PENDING', pending_reason: 'beneficiary-differs' }),
      'differs',
    ],
    [
      'a payout that is held as not found, and was paid',
      {},
      { ...payouts({ payout_status: 'PROCESSING', pending_reason: 'held' }), ...heldAs('not-found') },
      'held',
    ],
    ['a payout that has not ended', { transfers: [] }, payouts({ payout_status: 'PROCESSING', pending_reason: 'waiting-rail' }), 'that is no end'],
    ['a merchant that has a cent more', {}, { balances: new Map([[MERCHANT, 3_938]]) }, 'by truth 3937'],
    ['a house that has a cent less', {}, { house: new Map([...BOOKS.house, ['processor', 8_999]]) }, 'the providers hold 9000'],
    ['a bank that has paid a cent more', {}, { house: new Map([...BOOKS.house, ['bank', -4_501]]) }, 'the banks have paid 4500'],
  ])('reports %s', (_, truth, books, what) => {
    expect(said(truth, books).join('\n')).toContain(what);
  });
});
