/** Banking days since the break was opened, both bounds inclusive. */
export const BREAK_AGES = { '0-1': [0, 1], '2-7': [2, 7], '8-30': [8, 30], 'over-30': [31, null] } as const;
export type BreakAge = keyof typeof BREAK_AGES;
export const AGES = Object.keys(BREAK_AGES) as readonly BreakAge[];

/** SQL for the age of a number of days. @param days an expression */
export const ageSql = (days: string): string =>
  `case ${AGES.map((age) => {
    const [, max] = BREAK_AGES[age];
    return max === null ? `else '${age}'` : `when ${days} <= ${max} then '${age}'`;
  }).join(' ')} end`;
