/** SQL for the number of banking days, Monday to Friday, from a Monday in 2001 up to a later date. Differences equal those of bankingDaysBetween. */
export const bankingDaysUpTo = (date: string): string => `((${date} - date '2001-01-01') / 7 * 5 + least((${date} - date '2001-01-01') % 7 + 1, 5))`;
