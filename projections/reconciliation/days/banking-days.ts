/** SQL that counts banking days, Monday to Friday, up to a date, from a Monday on; for dates behind that. Differences are those of bankingDaysBetween. */
export const bankingDaysUpTo = (date: string): string => `((${date} - date '2001-01-01') / 7 * 5 + least((${date} - date '2001-01-01') % 7 + 1, 5))`;
