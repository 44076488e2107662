import { timestamp, type Timestamp } from '../../ledger/time.js';

/** `YYYY-MM` */
export const MONTH = /^(2\d{3})-(0[1-9]|1[0-2])$/;

/** Returns the first and the last moment of a month in an IANA time zone. @throws RangeError when `month` is not a month */
export function monthIn(month: string, zone: string): { readonly from: Timestamp; readonly to: Timestamp } {
  const [, year, number] = MONTH.exec(month) ?? [];
  if (year === undefined) throw new RangeError(`not a month: ${month}`);
  const index = Number(number) - 1;
  return {
    from: timestamp(midnight(Date.UTC(Number(year), index, 1), zone)),
    to: timestamp(midnight(Date.UTC(Number(year), index + 1, 1), zone) - 1),
  };
}

/** Returns the month of a moment (milliseconds since the epoch) in this time zone. */
export const monthOf = (moment: number, zone: string): string => clockIn(moment, zone).slice(0, 7);

/** Returns the moment at which clocks in `zone` show the same as UTC clocks at `shown`. */
function midnight(shown: number, zone: string): number {
  const offset = (moment: number): number => Date.parse(`${clockIn(moment, zone).replace(' ', 'T')}Z`) - moment;
  // Computes the offset again at the result, which may be on the other side of a clock change.
  return shown - offset(shown - offset(shown));
}

/** `2026-01-31 15:15:30`: the Swedish locale formats moments like ISO 8601. */
function clockIn(moment: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);
}
