import { describe, expect, it } from '@jest/globals';
import { changesOf, currencyOf } from '../../../src/web/console/approvals/proposal-changes.js';
import { KnownMerchants } from '../../../src/domain/merchants/known-merchants.js';

const known = new KnownMerchants();

describe('currency of an amount in a proposal', () => {
  it.each<[string, object, Readonly<Record<string, string | undefined>>]>([
    [
      'ADJUSTMENT',
      { kind: 'TOP_UP', merchant_id: 'm', currency: 'SGD', amount: 4_000, relates_to: '2026-01' },
      { amount: 'SGD', relates_to: undefined },
    ],
    [
      'MATCH_DIFFERENCE',
      { break_id: 'b', account: 'costs', currency: 'IDR', amount: -5, line_amount: 5, book_amount: 10 },
      { amount: 'IDR', line_amount: 'IDR', book_amount: 'IDR', account: undefined },
    ],
    ['MONTH_CLOSE', { mode: 'live', month: '2026-01' }, { month: undefined }],
  ])('%s %j: amounts have the currency of the proposal', (kind, content, expected) => {
    const changes = changesOf(kind, content as Readonly<Record<string, unknown>>, known, []);
    expect(changes.length).toBeGreaterThan(0);
    for (const [field, currency] of Object.entries(expected)) expect([field, currencyOf(changes, field, 'after')]).toEqual([field, currency]);
  });

  const changes = [
    ['of.channel_code', 'QR_QRIS', 'QR_QRIS'],
    ['fee.type', 'PERCENTAGE', 'FIXED'],
    ['fee.value', '0.7', '250000'],
    ['channel_code', 'QR_PAYNOW', 'QR_PAYNOW'],
    ['merchants.m.payouts[1].currency', 'MYR', 'IDR'],
  ].map(([field, before, after]) => ({ field: field!, before: before!, after: after!, isChanged: before !== after }));

  it.each([
    ['fee.value', 'before', undefined],
    ['fee.value', 'after', 'IDR'],
    ['min_amount', 'after', 'SGD'],
    ['max_amount', 'before', 'SGD'],
    ['merchants.m.payouts[1].above', 'before', 'MYR'],
    ['merchants.m.payouts[1].above', 'after', 'IDR'],
    ['merchants.m.payouts[2].above', 'after', undefined],
    ['fee.type', 'after', undefined],
    ['settings', 'after', undefined],
  ] as const)('currency of %s %s is %s', (field, side, currency) => {
    expect(currencyOf(changes, field, side)).toBe(currency);
  });

  it('a payout fee has the currency of its payouts', () => {
    const fee = ['of.currency', 'fee.type', 'fee.value'].map((field, at) => ({
      field,
      before: null,
      after: ['MYR', 'FIXED', '100'][at]!,
      isChanged: true,
    }));
    expect(currencyOf(fee, 'fee.value', 'after')).toBe('MYR');
    expect(currencyOf(fee, 'fee.value', 'before')).toBeUndefined();
  });
});
