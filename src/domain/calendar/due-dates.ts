import type { Channel } from '../../ledger/channels.js';
import { addDays } from '../../ledger/days.js';
import { HOUR_MS, milliseconds, timestamp, type Timestamp } from '../../ledger/time.js';
import { isBankingDayIn, type Holidays } from './holidays.js';

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
  // Shifted by the offset, a local day is a day of UTC.
  const ahead = hoursAhead * HOUR_MS;
  const day = timestamp(milliseconds(paidOn) + ahead).slice(0, 10);
  return timestamp(Date.parse(addBankingDays(holidays, country, day, Number(days))) - ahead);
}

/** Returns the `count`th banking day after `day`; `day` itself for 0. */
export function addBankingDays(holidays: Holidays, country: string, day: string, count: number): string {
  let date = day;
  for (let left = count; left > 0;) {
    date = addDays(date, 1);
    if (isBankingDayIn(holidays, country, date)) left -= 1;
  }
  return date;
}
