import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonNumber, minorUnits, twoDecimals } from '../../../src/platform/text/amounts.js';

const SETTINGS = { seed: 20261122, numRuns: 1_000 };
const amounts = fc.oneof(fc.maxSafeNat(), fc.nat(1_000));

describe('amounts of rails', () => {
  it('amounts come back as they were sent', () => {
    fc.assert(
      fc.property(amounts, fc.nat(5), (amount, zeros) => {
        const text = twoDecimals(amount);
        expect(BigInt(text.replace('.', ''))).toBe(BigInt(amount));
        expect(minorUnits(text + '0'.repeat(zeros))).toBe(amount);
      }),
      SETTINGS,
    );
  });

  it('jsonNumber writes the exact digits, and the fewest', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const text = jsonNumber(amount);
        expect(minorUnits(text)).toBe(amount);
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d?[1-9])?$/);
      }),
      SETTINGS,
    );
  });

  it.each([
    ['10000.00', 1_000_000],
    ['10000', 1_000_000],
    ['10000.5', 1_000_050],
    ['0.01', 1],
    ['0', 0],
    ['007.10', 710],
    ['12345678.00000', 1_234_567_800],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('reads the amount %s', (text, amount) => expect(minorUnits(text)).toBe(amount));

  it.each([
    '',
    '1e4',
    '1E4',
    '-1.00',
    '+1',
    '1,000.00',
    '1.001',
    ' 1',
    '1 ',
    '1.',
    '.5',
    '0x10',
    'NaN',
    '1234567890123456',
    '90071992547409.92',
    '１',
  ])('rejects %j as an amount', (text) => expect(minorUnits(text)).toBeUndefined());

  it.each([10_000, null, undefined, { value: '1' }, ['1'], true])('rejects %j as an amount: the digits are lost', (value) => {
    expect(minorUnits(value)).toBeUndefined();
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('rejects %p instead of writing it', (amount) => expect(() => twoDecimals(amount)).toThrow(RangeError));
});
