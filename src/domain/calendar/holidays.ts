import { isBankingDay } from '../../ledger/days.js';

/** Bank holidays by country, as `YYYY-MM-DD`. */
export type Holidays = ReadonlyMap<string, ReadonlySet<string>>;

/** Holidays of one country and year, as a file or a person gives them: in any order. */
export interface HolidaysOfYear {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly year: number;
  /** `YYYY-MM-DD`. */
  readonly days: readonly string[];
}

export interface YearFilter {
  readonly country?: string | undefined;
  readonly year?: number | undefined;
}

/** Returns the entries of this country and this year; of all, where none is named. */
export const ofYear = <Year extends HolidaysOfYear>(years: Iterable<Year>, { country, year }: YearFilter): readonly Year[] =>
  [...years].filter((each) => (country ?? each.country) === each.country && (year ?? each.year) === each.year);

/** Bounds of the calendar. */
export const YEAR_MIN = 2000;
export const YEAR_MAX = 2100;
/** Maximum holidays of a country and year. */
export const HOLIDAYS_MAX = 60;

export const isHoliday = (holidays: Holidays, country: string, day: string): boolean => holidays.get(country)?.has(day) ?? false;

/** Monday to Friday, less the holidays of the country. */
export const isBankingDayIn = (holidays: Holidays, country: string, day: string): boolean => isBankingDay(day) && !isHoliday(holidays, country, day);
