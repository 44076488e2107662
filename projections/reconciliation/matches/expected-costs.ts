/**
 * SQL for the fee that a source expects of a line `l`, minor units: a fixed amount or a percentage of the gross amount, never more than that amount.
 * @param type an expression of a fee's type @param value an expression of its value, numeric
 */
export const expectedFee = (type: string, value: string): string =>
  `least(l.gross, case ${type} when 'FIXED' then ${value} else floor(l.gross * ${value} * 0.01 + 0.5) end)`;

/** SQL for the tax that a source expects on the charged fee of a line `l`, minor units. @param rate an expression, percent, numeric */
export const expectedTax = (rate: string): string => `floor(l.fee * ${rate} * 0.01 + 0.5)`;
