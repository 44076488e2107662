import { isDay } from '../../ledger/days.js';
import { ConfigError } from '../../platform/process/config-error.js';
import { readText } from '../../platform/text/text-file.js';
import type { HolidaysOfYear } from './holidays.js';

/**
 * Reads a file of holidays: `{ "ID": ["2026-12-25"], "MY": [] }`, or the same under `days`, beside members that describe it.
 * @throws ConfigError naming the first fault; the errors of the file system
 */
export async function readHolidaysFile(path: string): Promise<readonly HolidaysOfYear[]> {
  return parseHolidays(await readText(path), path);
}

/** Returns the days by country and year, ascending; a country without days has no year. @throws ConfigError */
export function parseHolidays(text: string, file: string): readonly HolidaysOfYear[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError(`${file} is not JSON`);
  }
  const listed = isObject(value) && 'days' in value ? value.days : value;
  if (!isObject(listed)) throw new ConfigError(`${file} must hold an object of lists by country`);
  return Object.entries(listed).flatMap(([country, days]) => {
    const code = country.toUpperCase();
    if (!/^[a-z]{2}$/i.test(country)) throw new ConfigError(`${file}: "${country}" is not a country code such as ID`);
    if (code !== country && Object.hasOwn(listed, code)) throw new ConfigError(`${file}: ${code} occurs twice`);
    if (!Array.isArray(days)) throw new ConfigError(`${file}: ${country} must be a list of days`);
    const known = days.map((day: unknown) => calendarDay(day, `${file}: ${country}`)).toSorted();
    return [...new Set(known.map((day) => day.slice(0, 4)))].map((year) => ({
      ...{ country: code, year: Number(year), days: known.filter((day) => day.startsWith(`${year}-`)) },
    }));
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

function calendarDay(day: unknown, where: string): string {
  if (typeof day !== 'string' || !isDay(day)) throw new ConfigError(`${where}: ${JSON.stringify(day)} is not a day such as 2026-12-25`);
  return day;
}
