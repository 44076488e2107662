import { daysIn } from '../../../ledger/days.js';
import { dayOf, isoDay } from './values.js';

/** Dates in CSV files, by the setting `dates` of a profile. */

/** Returns the day of a date or a moment; undefined when the text is none. @param of decides which days exist: `dayOf` or `dayWithin` */
export type DayReader = (written: string, of: typeof dayOf) => string | undefined;

/** A longer token comes before the token that it begins with. */
const TOKENS: Readonly<Record<string, string>> = {
  YYYY: '\\d{4}',
  MMM: '[A-Za-z]{3}',
  MM: '\\d{2}',
  DD: '\\d{2}',
  HH: '(?:[01]\\d|2[0-3])',
  mm: '[0-5]\\d',
  ss: '[0-5]\\d',
  Z: 'Z|[+-]\\d{2}(?::?\\d{2})?',
};
const TOKEN = new RegExp(Object.keys(TOKENS).join('|'), 'g');
/** Seconds may have a fraction of any length. */
const FRACTION = '(?:[.,]\\d+)?';
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Returns the fault of the setting, or undefined. */
export function datesFault(dates: string): string | undefined {
  if (dates === 'iso') return undefined;
  const tokens = [...dates.matchAll(TOKEN)].map(([token]) => token);
  const has = (...wanted: readonly string[]): boolean => wanted.every((token) => tokens.includes(token));
  if (new Set(tokens).size < tokens.length || !has('YYYY', 'DD') || has('MM') === has('MMM')) return 'dates are iso, or have YYYY, MM and DD once';
  // ISO 8601 separates date and time by a T.
  const other = /[^\P{L}T]/u.exec(dates.replaceAll(TOKEN, ''))?.[0];
  if (other !== undefined) return `dates have the letter ${other}, which is part of no YYYY, MM, MMM, DD, HH, mm, ss or Z`;
  if ((has('mm') && !has('HH')) || (has('ss') && !has('mm')) || (has('Z') && !has('mm'))) return 'dates have a time without HH, or without mm';
  return undefined;
}

/** A moment without an offset is already in the time zone. */
export function dayReader(dates: string, timeZone: string): DayReader {
  const dayAt = daysIn(timeZone);
  if (dates === 'iso') return (written, of) => isoDay(written, dayAt, of);
  const pattern = datePattern(dates);
  return (written, of) => {
    const groups = pattern.exec(written)?.groups;
    if (!groups) return undefined;
    const { YYYY, MM, MMM, DD, HH, mm, ss = '00', Z } = groups as Record<string, string | undefined>;
    const month = MM ?? `${MONTHS.indexOf(MMM!.toLowerCase()) + 1}`.padStart(2, '0');
    const day = of(YYYY!, month, DD!);
    return day === undefined || Z === undefined ? day : isoDay(`${day}T${HH}:${mm}:${ss}${Z}`, dayAt, of);
  };
}

function datePattern(dates: string): RegExp {
  const literal = dates.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll(TOKEN, (token) => `(?<${token}>${TOKENS[token]})${token === 'ss' ? FRACTION : ''}`)}$`);
}
