/** Minor units in the form that people write, with two decimals: `-1234.50`. @param point separator of units and decimals */
export function withTwoDecimals(minorUnits: number | bigint, point: '.' | ','): string {
  const amount = BigInt(minorUnits);
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}${point}${digits.slice(-2)}`;
}
