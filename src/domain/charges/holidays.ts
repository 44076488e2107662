import { join } from 'node:path';
import { isDay } from '../../ledger/days.js';
import { ConfigError } from '../../platform/process/config-error.js';
import { readText } from '../../platform/text/text-file.js';
import type { Holidays } from './settlement-date.js';

const NONE: Holidays = new Map();

/**
 * Reads `holidays.json` in DATA_DIR: `{ "ID": ["2026-12-25"], "MY": [] }`. The service ships without holidays.
 * @throws ConfigError naming the first fault
 */
export async function readHolidays(dataDir: string): Promise<Holidays> {
  const file = join(dataDir, 'holidays.json');
  let text: string;
  try {
    text = await readText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NONE;
    throw error;
  }
  return parseHolidays(text, file);
}

export function parseHolidays(text: string, file: string): Holidays {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError(`${file} is not JSON`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ConfigError(`${file} must hold an object of lists by country`);
  return new Map(
    Object.entries(value).map(([country, days]: [string, unknown]) => {
      const code = country.toUpperCase();
      if (!/^[a-z]{2}$/i.test(country)) throw new ConfigError(`${file}: "${country}" is not a country code such as ID`);
      if (code !== country && Object.hasOwn(value, code)) throw new ConfigError(`${file}: ${code} occurs twice`);
      if (!Array.isArray(days)) throw new ConfigError(`${file}: ${country} must be a list of days`);
      return [code, new Set(days.map((day: unknown) => calendarDay(day, `${file}: ${country}`)))];
    }),
  );
}

function calendarDay(day: unknown, where: string): string {
  if (typeof day !== 'string' || !isDay(day)) throw new ConfigError(`${where}: ${JSON.stringify(day)} is not a day such as 2026-12-25`);
  return day;
}
