import { withTwoDecimals } from '../platform/two-decimals.js';

/** At most 15 digits before the point; behind it two that count, and zeros. No sign, no exponent. */
const AMOUNT = /^(\d{1,15})(?:\.(\d{1,2})0*)?$/;

/**
 * Minor units of an amount with two decimals, by its digits and without a float. `text`: the string, or the digits of the number, as they
 * were received. undefined: no amount, or none that is safe to reckon with.
 */
export function minorUnits(text: unknown): number | undefined {
  const match = typeof text === 'string' ? AMOUNT.exec(text) : null;
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  const amount = Number(whole + fraction.padEnd(2, '0'));
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** `10000.00` of 1000000. @throws RangeError when `amount` is no safe integer of at least 0 */
export function twoDecimals(amount: number): string {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`not an amount in minor units: ${amount}`);
  return withTwoDecimals(amount, '.');
}

/** `10000` of 1000000, `10.5` of 1050: the shortest number of JSON, by its digits. @throws RangeError as `twoDecimals` does */
export function jsonNumber(amount: number): string {
  return twoDecimals(amount).replace(/\.?0{1,2}$/, '');
}
