import type { Channel } from '../../ledger/channels.js';
import { DAY_MS, milliseconds, timestamp, type Timestamp } from '../../ledger/time.js';
import { isBankingDayIn, type Holidays } from '../calendar/holidays.js';

/** Hours ahead of UTC in Asia/Jakarta, Asia/Kuala_Lumpur and Asia/Singapore. None has daylight saving time. */
const HOURS_AHEAD: Readonly<Record<string, number>> = { ID: 7, MY: 8, SG: 8 } satisfies Record<Channel['country'], number>;

/**
 * Returns the due time of money paid at `paidOn`. A `cycle` T+n counts n banking days (Monday to Friday, less the country's
 * holidays) after the day of payment in `country`, and is due at 00:00 there; T+0 is due at once.
 */
export function settlementDate(paidOn: Timestamp, cycle: string, country: string, holidays: Holidays): Timestamp {
  const days = /^T\+(\d{1,3})$/.exec(cycle)?.[1];
  const hoursAhead = HOURS_AHEAD[country];
  if (days === undefined || hoursAhead === undefined) throw new RangeError(`no settlement calendar exists for ${cycle} in ${country}`);
  if (Number(days) === 0) return paidOn;
  const ahead = hoursAhead * 60 * 60 * 1000;
  // Days are counted in local time: shifted by the offset, a local midnight is a UTC midnight.
  let day = Math.floor((milliseconds(paidOn) + ahead) / DAY_MS) * DAY_MS;
  for (let left = Number(days); left > 0;) {
    day += DAY_MS;
    if (isBankingDayIn(holidays, country, new Date(day).toISOString().slice(0, 10))) left -= 1;
  }
  return timestamp(day - ahead);
}
