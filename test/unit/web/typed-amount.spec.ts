import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatAmount, formatFigure } from '../../../src/platform/text/format.js';
import { amountIn, typedAmounts } from '../../../src/platform/html/typed-amount.js';

const amounts = (text: string): Record<string, number> => Object.fromEntries(typedAmounts(text).map(({ currency, amount }) => [currency, amount]));

describe('amounts as people type them', () => {
  it.each<[string, Record<string, number>]>([
    ['Rp 1.500.000,00', { IDR: 150_000_000 }],
    ['rp1500', { IDR: 150_000 }],
    ['IDR 1.500', { IDR: 150_000 }],
    ['RM 1,234.50', { MYR: 123_450 }],
    ['S$98.27', { SGD: 9_827 }],
    ['-S$ 98.2', { SGD: 9_820 }],
    ['S$-98', { SGD: 9_800 }],
    ['2159270', { IDR: 215_927_000, MYR: 215_927_000, SGD: 215_927_000 }],
    ['1.500', { IDR: 150_000 }],
    ['1,500', { MYR: 150_000, SGD: 150_000 }],
    ['12.50', { MYR: 1_250, SGD: 1_250 }],
    ['12,5', { IDR: 1_250 }],
    ['1 500', { IDR: 150_000, MYR: 150_000, SGD: 150_000 }],
  ])('%s', (text, expected) => {
    expect(amounts(text)).toEqual(expected);
  });

  it.each(['', '0', 'Rp 0,00', 'CHG_1', '1.5.0', '1.50,0000', '1,2345', '12.345.6', 'USD 5', '5 Rp', '1e3', '9'.repeat(16), '.5', '1.', 'Rp'])(
    '%p is no amount',
    (text) => {
      expect(amounts(text)).toEqual({});
    },
  );

  it.each<[string, string, number | undefined]>([
    ['1.500,00', 'IDR', 150_000],
    ['rp 1.500', 'IDR', 150_000],
    ['0', 'SGD', 0],
    ['1,500.5', 'MYR', 150_050],
    ['1.500,00', 'MYR', undefined],
    ['12.50', 'IDR', undefined],
    ['RM 5', 'SGD', undefined],
    ['-5', 'SGD', undefined],
    ['5', 'USD', undefined],
    ['5', '', undefined],
    ['', 'IDR', undefined],
    ['1e3', 'IDR', undefined],
    ['9'.repeat(16), 'IDR', undefined],
  ])('%p of %s is %p minor units', (text, currency, expected) => expect(amountIn(text, currency)).toBe(expected));

  it('each shown amount is read as itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999_999_999_9 }), fc.constantFrom('IDR', 'MYR', 'SGD'), (amount, currency) => {
        expect(amounts(formatAmount(amount, currency))).toEqual({ [currency]: amount });
        expect(amounts(formatAmount(-amount, currency))).toEqual({ [currency]: amount });
        expect(amounts(formatFigure(amount, currency))[currency]).toBe(amount);
        expect([formatAmount, formatFigure].map((format) => amountIn(format(amount, currency), currency))).toEqual([amount, amount]);
        expect(amountIn(formatAmount(-amount, currency), currency)).toBeUndefined();
      }),
      { seed: 20_261_128 },
    );
  });
});
