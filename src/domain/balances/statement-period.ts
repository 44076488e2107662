import { timestamp, type Timestamp } from '../../ledger/time.js';

/** `YYYY-MM` */
export const MONTH = /^(2\d{3})-(0[1-9]|1[0-2])$/;

/** The first and the last moment of a month on the clocks of an IANA zone. @throws RangeError when `month` is none */
export function monthIn(month: string, zone: string): { readonly from: Timestamp; readonly to: Timestamp } {
  const [, year, number] = MONTH.exec(month) ?? [];
  if (year === undefined) throw new RangeError(`not a month: ${month}`);
  const index = Number(number) - 1;
  return {
    from: timestamp(midnight(Date.UTC(Number(year), index, 1), zone)),
    to: timestamp(midnight(Date.UTC(Number(year), index + 1, 1), zone) - 1),
  };
}

/** The month of a moment (milliseconds since the epoch) on these clocks. */
export const monthOf = (moment: number, zone: string): string => clockIn(moment, zone).slice(0, 7);

/** When the clocks of `zone` show what those of UTC show at `shown`. */
function midnight(shown: number, zone: string): number {
  const offset = (moment: number): number => Date.parse(`${clockIn(moment, zone).replace(' ', 'T')}Z`) - moment;
  // Asked again at the result, on the other side of a change of the clocks.
  return shown - offset(shown - offset(shown));
}

/** `2026-01-31 15:15:30`: Sweden writes moments as ISO 8601 does. */
function clockIn(moment: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);
}
