/** At most 15 digits before the point, then at most two decimals and any number of zeros. No sign, no exponent. */
const AMOUNT = /^(\d{1,15})(?:\.(\d{1,2})0*)?$/;

/**
 * Converts an amount with at most two decimals to minor units, by its digits and without a float.
 * @param text the string, or the digits of the number, as received
 * @returns undefined when it is no amount, or when its minor units are no safe integer
 */
export function minorUnits(text: unknown): number | undefined {
  const match = typeof text === 'string' ? AMOUNT.exec(text) : null;
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  const amount = Number(whole + fraction.padEnd(2, '0'));
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** Formats 1000000 as `10000.00`. @throws RangeError when `amount` is no safe integer of at least 0 */
export function twoDecimals(amount: number): string {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`not an amount in minor units: ${amount}`);
  return withTwoDecimals(amount, '.');
}

/** Formats 1000000 as `10000`, 1050 as `10.5`: the shortest JSON number, by its digits. @throws RangeError as `twoDecimals` does */
export function jsonNumber(amount: number): string {
  return twoDecimals(amount).replace(/\.?0{1,2}$/, '');
}

/** Minor units in the form of the files of banks and of CSV: `-1234.50`. */
export const inUnits = (minorUnits: number | bigint): string => withTwoDecimals(minorUnits, '.');

/** Minor units in the form that people write, with two decimals: `-1234.50`. @param point separator of units and decimals */
export const withTwoDecimals = (minorUnits: number | bigint, point: '.' | ','): string => withDecimals(minorUnits, 2, point);

/** Minor units of a currency with this many decimals: `-1234.500` of 3, `-1234` of 0. */
export function withDecimals(minorUnits: number | bigint, decimals: number, point: '.' | ','): string {
  const amount = BigInt(minorUnits);
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, '0');
  const units = digits.length - decimals;
  return `${amount < 0n ? '-' : ''}${digits.slice(0, units)}${decimals === 0 ? '' : point}${digits.slice(units)}`;
}
