import { CHANNEL_COUNTRIES } from '../../ledger/channels.js';
import { isDay } from '../../ledger/days.js';
import { NOTHING_TO_DO, refuse, type Decider, type Refused } from '../../ledger/decider.js';
import type { CalendarEvent, HolidaysSet } from '../../ledger/events/calendar.events.js';
import type { Timestamp } from '../../ledger/time.js';
import { unreachable } from '../../ledger/unreachable.js';
import { HOLIDAYS_MAX, YEAR_MAX, YEAR_MIN, type Holidays, type HolidaysOfYear } from './holidays.js';

/** The holidays in force. Pure. */
export interface Calendar {
  /** The last event of each country and year, by `yearKey`. Without one, every Monday to Friday is a banking day. */
  readonly years: ReadonlyMap<string, HolidaysSet>;
  /** The days of all years. */
  readonly holidays: Holidays;
}

export type CalendarCommand =
  | ({ readonly kind: 'set'; readonly set_by: string; readonly proposal_id?: string; readonly now: Timestamp } & HolidaysOfYear)
  /** Holidays that a file listed before they were in the log: nothing is recorded once there are any. */
  | { readonly kind: 'begin'; readonly years: readonly HolidaysOfYear[]; readonly set_by: string; readonly now: Timestamp };

export type CalendarRefusal = 'country-without-channels' | 'year-out-of-range' | 'too-many-holidays' | 'holiday-invalid';

export const yearKey = ({ country, year }: Pick<HolidaysOfYear, 'country' | 'year'>): string => `${country} ${year}`;

export const calendar: Decider<Calendar, CalendarCommand, CalendarEvent, CalendarRefusal> = {
  initial: { years: new Map(), holidays: new Map() },

  evolve(state, event): Calendar {
    switch (event.type) {
      case 'HolidaysSet': {
        const { country, days } = event.data;
        const before = state.years.get(yearKey(event.data))?.days ?? [];
        const others = [...(state.holidays.get(country) ?? [])].filter((day) => !before.includes(day));
        return {
          years: new Map(state.years).set(yearKey(event.data), event.data),
          holidays: new Map(state.holidays).set(country, new Set([...others, ...days])),
        };
      }
      case 'ProposalRefused':
        return state;
      default:
        return unreachable(event);
    }
  },

  decide(state, command) {
    switch (command.kind) {
      case 'set': {
        const { set_by, proposal_id, now } = command;
        const refused = refuseHolidays(command);
        if (refused) return refused;
        const set = holidaysSet(command, set_by, now);
        // A proposal leaves an event in any case, by which its outcome is found.
        if (proposal_id !== undefined) return { events: [{ ...set, data: { ...set.data, proposal_id } }] };
        return isRecorded(state, command) ? NOTHING_TO_DO : { events: [set] };
      }
      case 'begin': {
        if (state.years.size > 0) return NOTHING_TO_DO;
        const refused = command.years.map(refuseHolidays).find((each) => each !== undefined);
        return refused ?? { events: command.years.map((each) => holidaysSet(each, command.set_by, command.now)) };
      }
      default:
        return unreachable(command);
    }
  },
};

/** True when exactly these days are in force. */
export function isRecorded({ years }: Calendar, given: HolidaysOfYear): boolean {
  const known = years.get(yearKey(given))?.days;
  return known !== undefined && known.join() === given.days.toSorted().join();
}

function holidaysSet({ country, year, days }: HolidaysOfYear, set_by: string, set_on: Timestamp) {
  return { type: 'HolidaysSet' as const, data: { merchant_id: null, country, year, days: days.toSorted(), set_by, set_on } };
}

/** Returns the refusal of holidays that no calendar can have; undefined: none. */
function refuseHolidays({ country, year, days }: HolidaysOfYear): Refused<CalendarRefusal> | undefined {
  if (!CHANNEL_COUNTRIES.includes(country))
    return refuse('country-without-channels', `No payment channel is in ${country}: a calendar is for one of ${CHANNEL_COUNTRIES.join(', ')}.`);
  if (!Number.isInteger(year) || year < YEAR_MIN || year > YEAR_MAX)
    return refuse('year-out-of-range', `The year must be from ${YEAR_MIN} to ${YEAR_MAX}.`);
  if (days.length > HOLIDAYS_MAX)
    return refuse('too-many-holidays', `${days.length} holidays were given for ${year}; the maximum is ${HOLIDAYS_MAX}.`);
  const wrong = days.find((day) => !isDay(day) || !day.startsWith(`${year}-`));
  if (wrong !== undefined) return refuse('holiday-invalid', `${JSON.stringify(wrong)} is not a day of ${year} such as ${year}-12-25.`);
  const repeated = days.find((day, index) => days.indexOf(day) !== index);
  return repeated === undefined ? undefined : refuse('holiday-invalid', `${repeated} occurs twice.`);
}
