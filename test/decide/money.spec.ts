import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { feeOnRoundedHalfUp, refundedFeeRoundedHalfUp } from '../../src/ledger/money.js';

const NOTHING = { amount: 0, fee_amount: 0 };

describe('a fee', () => {
  it.each([
    [10_000, 0.7, 70],
    [50, 1, 1], // 0.5 rounds up
    [49, 1, 0],
    [1, 1.3, 0],
    [Number.MAX_SAFE_INTEGER, 0.7, 63_050_394_783_187], // exact where doubles are not
  ])('fee of %i at %f %% is %i, rounded half up', (amount, value, fee) => {
    expect(feeOnRoundedHalfUp(amount, { type: 'PERCENTAGE', value })).toBe(fee);
  });

  it('a fee never exceeds the amount', () => {
    expect(feeOnRoundedHalfUp(99, { type: 'FIXED', value: 100 })).toBe(99);
    expect(feeOnRoundedHalfUp(100, { type: 'FIXED', value: 100 })).toBe(100);
    expect(feeOnRoundedHalfUp(101, { type: 'FIXED', value: 100 })).toBe(100);
  });

  it('a fee is within half a minor unit of the exact percentage, for any amount and rate of up to 3 decimals', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 100_000 }), (amount, thousandths) => {
        const fee = BigInt(feeOnRoundedHalfUp(amount, { type: 'PERCENTAGE', value: thousandths / 1000 }));
        const error = 2n * (fee * 100_000n - BigInt(amount) * BigInt(thousandths));
        expect(error <= 100_000n && error > -100_000n).toBe(true);
      }),
      { seed: 20_260_101, numRuns: 5_000 },
    );
  });

  it('the fee calculation throws for an invalid amount', () => {
    for (const amount of [-1, 1.5, Number.NaN, 2 ** 53]) {
      expect(() => feeOnRoundedHalfUp(amount, { type: 'FIXED', value: 1 })).toThrow(RangeError);
    }
  });
});

describe('the fee that goes back with refunds', () => {
  const charges = fc.integer({ min: 1, max: 60 }).chain((amount) => fc.record({ amount: fc.constant(amount), fee_amount: fc.nat(amount) }));
  /** Refunds as a share of the rest, in per mille; `fails`: index of an earlier refund that has failed by then. */
  const refunds = fc.array(fc.record({ share: fc.integer({ min: 1, max: 1_000 }), fails: fc.option(fc.nat(5)) }), { maxLength: 8 });

  it('the refunded fee never exceeds the rest of the fee or the refund, leaves no more fee than charge, and is complete with the last refund', () => {
    const refunding = fc.property(charges, refunds, (charge, asked) => {
      const live: { amount: number; fee_amount: number }[] = [];
      const gone = () => live.reduce((sum, each) => ({ amount: sum.amount + each.amount, fee_amount: sum.fee_amount + each.fee_amount }), NOTHING);
      for (const { share, fails } of asked) {
        if (fails !== null) live.splice(fails, 1);
        const left = charge.amount - gone().amount;
        if (left === 0) continue;
        const amount = Math.max(1, Math.floor((left * share) / 1_000));
        const fee_amount = refundedFeeRoundedHalfUp(charge, gone(), amount);
        if (fee_amount < 0 || fee_amount > amount) throw new Error(`${fee_amount} of a refund of ${amount}`);
        live.push({ amount, fee_amount });
        const rest = { amount: charge.amount - gone().amount, fee_amount: charge.fee_amount - gone().fee_amount };
        if (rest.fee_amount < 0 || rest.fee_amount > rest.amount)
          throw new Error(`${rest.fee_amount} of the fee are left, ${rest.amount} of the charge`);
      }
    });
    expect(() => fc.assert(refunding, { seed: 20_260_131, numRuns: 2_000 })).not.toThrow();
  });

  it('the refunded fee is proportional without failures, and exact for the largest amounts', () => {
    expect(refundedFeeRoundedHalfUp({ amount: 10_000, fee_amount: 70 }, NOTHING, 4_000)).toBe(28);
    expect(refundedFeeRoundedHalfUp({ amount: 10_000, fee_amount: 70 }, { amount: 4_000, fee_amount: 28 }, 6_000)).toBe(42);
    const largest = { amount: Number.MAX_SAFE_INTEGER, fee_amount: Number.MAX_SAFE_INTEGER - 1 };
    expect(refundedFeeRoundedHalfUp(largest, NOTHING, Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER - 1);
    expect(() => refundedFeeRoundedHalfUp({ amount: 10, fee_amount: 1 }, { amount: 8, fee_amount: 0 }, 3)).toThrow(RangeError);
  });
});
