import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { feeOnRoundedHalfUp } from '../../src/ledger/money.js';

describe('a fee', () => {
  it.each([
    [10_000, 0.7, 70],
    [50, 1, 1], // 0.5 rounds up
    [49, 1, 0],
    [1, 1.3, 0],
    [Number.MAX_SAFE_INTEGER, 0.7, 63_050_394_783_187], // exact where doubles are not
  ])('of %i at %f %% is %i, half up', (amount, value, fee) => {
    expect(feeOnRoundedHalfUp(amount, { type: 'PERCENTAGE', value })).toBe(fee);
  });

  it('is never above the amount', () => {
    expect(feeOnRoundedHalfUp(99, { type: 'FIXED', value: 100 })).toBe(99);
    expect(feeOnRoundedHalfUp(100, { type: 'FIXED', value: 100 })).toBe(100);
    expect(feeOnRoundedHalfUp(101, { type: 'FIXED', value: 100 })).toBe(100);
  });

  it('is within half a minor unit of the exact percentage, for any amount and rate of up to 3 decimals', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 100_000 }), (amount, thousandths) => {
        const fee = BigInt(feeOnRoundedHalfUp(amount, { type: 'PERCENTAGE', value: thousandths / 1000 }));
        const error = 2n * (fee * 100_000n - BigInt(amount) * BigInt(thousandths));
        expect(error <= 100_000n && error > -100_000n).toBe(true);
      }),
      { seed: 20_260_101, numRuns: 5_000 },
    );
  });

  it('refuses what is no amount', () => {
    for (const amount of [-1, 1.5, Number.NaN, 2 ** 53]) {
      expect(() => feeOnRoundedHalfUp(amount, { type: 'FIXED', value: 1 })).toThrow(RangeError);
    }
  });
});
