/**
 * The only arithmetic on money. Amounts are integers in minor units, 1 … 2^53−1 on the wire; sums may pass 2^53 and are bigint.
 */

/** Minor units per unit, of every currency that has channels. */
export const MINOR_UNITS = 100;

/** A fee as agreed with the merchant: `value` is a percentage (0.7 means 0.7 %) or minor units. */
export interface Fee {
  readonly type: 'PERCENTAGE' | 'FIXED';
  readonly value: number;
}

/** Returns whether the fee can be computed for any amount. */
export function isFee({ type, value }: Fee): boolean {
  if (type === 'FIXED') return Number.isSafeInteger(value) && value >= 0;
  return value <= 100 && /^\d+(\.\d{1,8})?$/.test(String(value));
}

/** @throws RangeError when `amount` is no safe integer of at least 0. A failed assertion is a bug, never a client's mistake. */
export function assertMinorUnits(amount: number): number {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`not an amount in minor units: ${amount}`);
  return amount;
}

/**
 * Fee on `amount`, both in minor units; rounded half up to the minor unit by integer arithmetic, never above the amount.
 * Source of the rule: the published fee schedule (a merchant is never charged more than was paid).
 */
export function feeOnRoundedHalfUp(amount: number, fee: Fee): number {
  assertMinorUnits(amount);
  const exact = fee.type === 'FIXED' ? BigInt(assertMinorUnits(fee.value)) : percentageRoundedHalfUp(BigInt(amount), fee.value);
  return exact > BigInt(amount) ? amount : Number(exact);
}

/** The rate is read as the decimal that was written (0.7 is 7/10, not the nearest double). */
function percentageRoundedHalfUp(amount: bigint, percent: number): bigint {
  const decimal = /^(\d+)(?:\.(\d{1,8}))?$/.exec(String(percent));
  if (!decimal) throw new RangeError(`not a percentage of at most 8 decimals: ${percent}`);
  const [, whole = '', fraction = ''] = decimal;
  const numerator = amount * BigInt(whole + fraction);
  const denominator = 100n * 10n ** BigInt(fraction.length);
  return (2n * numerator + denominator) / (2n * denominator);
}

/** Part of a charge and of its fee that is refunded, or about to be; minor units. */
export interface GoneBack {
  readonly amount: number;
  readonly fee_amount: number;
}

/**
 * Returns the fee that is refunded with `refund` minor units of a charge, of which `gone` is refunded already: in proportion, rounded half up on the
 * running total, so that the last refund returns exactly the rest. An earlier refund that failed leaves the total behind or ahead, hence the bounds:
 * the remaining fee never exceeds the remaining amount, and no more is refunded than there is.
 * @throws RangeError when more would be refunded than was paid
 */
export function refundedFeeRoundedHalfUp(charge: GoneBack, gone: GoneBack, refund: number): number {
  const { min, max } = refundedFeeBounds(charge, gone, refund);
  const [fee, amount] = [BigInt(charge.fee_amount), BigInt(charge.amount)];
  const total = (2n * fee * BigInt(gone.amount + refund) + amount) / (2n * amount);
  return Math.min(Math.max(Number(total) - gone.fee_amount, min), max);
}

/** Returns the bounds, inclusive, of the fee that is refunded with a refund. @throws RangeError when more would be refunded than was paid */
export function refundedFeeBounds(charge: GoneBack, gone: GoneBack, refund: number): { readonly min: number; readonly max: number } {
  const [rest, restOfFee] = [charge.amount - gone.amount - assertMinorUnits(refund), charge.fee_amount - gone.fee_amount];
  if (refund < 1 || rest < 0) throw new RangeError(`${refund} of ${charge.amount} cannot be refunded: ${gone.amount} is already refunded`);
  return { min: Math.max(0, restOfFee - rest), max: Math.min(refund, restOfFee) };
}
