import { minorUnits } from '../../../platform/text/amounts.js';
import { isDay } from '../../../ledger/days.js';
import type { CsvProfile } from '../../../ledger/events/reconciliation.events.js';
import { StatementRefused, shown, unreadable } from './statement-item.js';

/** Reads amounts and days in files. Amounts are read by their digits, without a float. */

/** Decimals of each currency that a source may have (`MINOR_UNITS`). */
const DECIMALS = 2;

/** Groups: a sign and the text after it; the text before a sign; the text in brackets. U+2212 is a minus, too. */
const SIGNED = /^(?:([-+\u2212]?)([^-+\u2212()]+)|([^-+\u2212()]+)[-\u2212]|\(([^-+\u2212()]+)\))$/;

export type NumberForm = Pick<CsvProfile, 'decimal' | 'grouping' | 'unit'>;

/**
 * Returns signed minor units of `-1.234,56`, `1.234,56-` or `(1.234,56)`; undefined when the text is not an amount, or has more decimals than its
 * unit, even if they are zeros: `150.000` may be 150 with three decimals or 150 thousand. Groups must be whole, for the same reason.
 */
export function signedAmount(written: string, form: NumberForm): number | undefined {
  const found = partsOf(written, form);
  if (found === undefined) return undefined;
  const amount = form.unit === 'major' ? majorUnits(found.digits) : wholeNumber(found.digits);
  // Avoids -0, which is stored as another value than 0.
  return amount === undefined ? undefined : found.isNegative && amount !== 0 ? -amount : amount;
}

/** Refuses a text that `signedAmount` does not read. @throws StatementRefused always: `precision` or `unreadable` */
export function refuseAmount(at: number, expected: string, written: string, form: NumberForm): never {
  const decimals = form.unit === 'major' ? DECIMALS : 0;
  const fraction = partsOf(written, form)?.digits.split('.')[1] ?? '';
  if (!/^\d+$/.test(fraction) || fraction.length <= decimals) unreadable(at, expected, written);
  throw new StatementRefused({ reason: 'precision', line: at, expected: `${expected} with at most ${decimals} decimals`, found: shown(written) });
}

interface AmountParts {
  /** Returns the digits with a point before decimals, and no groups. */
  readonly digits: string;
  readonly isNegative: boolean;
}

/** Different spaces that group thousands look the same. */
const OTHER_SPACES = /[\u00a0\u202f]/g;

function partsOf(written: string, { decimal, grouping }: NumberForm): AmountParts | undefined {
  const match = SIGNED.exec(grouping === ' ' ? written.trim().replaceAll(OTHER_SPACES, ' ') : written.trim());
  if (!match) return undefined;
  const [, sign, plain, behind, bracketed] = match;
  const digits = plainDigits(plain ?? behind ?? bracketed!, decimal, grouping);
  return digits === undefined ? undefined : { digits, isNegative: plain === undefined || sign === '-' || sign === '\u2212' };
}

/** A third decimal is refused even as a zero, and zeros in front do not count among the digits. */
const majorUnits = (digits: string): number | undefined => (/\.\d{3}/.test(digits) ? undefined : minorUnits(digits.replace(/^0+(?=\d)/, '')));

function wholeNumber(digits: string): number | undefined {
  const amount = /^\d{1,17}$/.test(digits) ? Number(digits) : NaN;
  return Number.isSafeInteger(amount) ? amount : undefined;
}

const PLAIN = /^\d+(?:\.\d+)?$/;

/** Returns the digits with a point before decimals, and no groups. */
function plainDigits(text: string, decimal: string, grouping: string): string | undefined {
  const point = text.indexOf(decimal);
  // Most amounts need no conversion.
  if (grouping === '' && (point < 0 || decimal === '.') && PLAIN.test(text)) return text;
  const [whole = '', fraction, more] = text.split(decimal);
  if (more !== undefined) return undefined;
  const groups = grouping === '' ? [whole] : whole.split(grouping);
  if (groups.length > 1 && !(/^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every((group) => /^\d{3}$/.test(group)))) return undefined;
  return fraction === undefined || fraction === '' ? groups.join('') : `${groups.join('')}.${fraction}`;
}

/** The form of amounts in SWIFT and ISO 20022: without a sign and without groups. */
const standardForm = (decimal: '.' | ','): NumberForm => ({ decimal, grouping: '', unit: 'major' });
const STANDARD = { '.': standardForm('.'), ',': standardForm(',') } as const;
/** Zeros behind two decimals of an XML decimal, which has no groups. A comma may group thousands in a file that does not follow SWIFT. */
const NOUGHTS = /(?<=\.\d{2})0+$/;

/** Returns a SWIFT or ISO 20022 amount without a sign; undefined when the text is none. */
export function standardAmount(written: string, decimal: '.' | ','): number | undefined {
  return /^[0-9]/.test(written) ? signedAmount(written.replace(NOUGHTS, ''), STANDARD[decimal]) : undefined;
}

/** Does the same. @throws StatementRefused `precision`, `unreadable` */
export function plainAmount(written: string, decimal: '.' | ',', at: number): number {
  return standardAmount(written, decimal) ?? refuseAmount(at, 'an amount', written, STANDARD[decimal]);
}

/** No bank states an earlier day; programs write the years 0000, 0001 and 1900 in place of none. */
const YEAR_MIN = '1970';

/** Returns `YYYY-MM-DD` for a day that exists, from 1970 on; undefined for 31 February. */
export function dayOf(year: string, month: string, day: string): string | undefined {
  if (year < YEAR_MIN) return undefined;
  const written = `${year}-${month}-${day}`;
  return isDay(written) ? written : undefined;
}

/** Returns the same; for a day that the calendar lacks, such as 30 February in a year of 360 days, the last day of its month. */
export function dayWithin(year: string, month: string, day: string): string | undefined {
  if (day < '29' || day > '31') return dayOf(year, month, day);
  return ['31', '30', '29', '28']
    .filter((last) => last <= day)
    .reduce<string | undefined>((found, last) => found ?? dayOf(year, month, last), undefined);
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:Z|[+-]\d{2}:\d{2})?$/;
/** Fractions of seconds, of any length, are not read: no offset changes the day by less than a minute. */
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d+)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

/**
 * Returns the day of an ISO 8601 date or moment. A moment without an offset is already in the source's zone.
 * @param of decides which days exist: `dayOf` or `dayWithin`
 */
export function isoDay(written: string, dayAt: (milliseconds: number) => string, of = dayOf): string | undefined {
  const text = written.trim();
  const match = DATE.exec(text) ?? MOMENT.exec(text);
  const day = match ? of(match[1]!, match[2]!, match[3]!) : undefined;
  const [time, offset] = [match?.[4], match?.[5]];
  if (day === undefined || time === undefined || offset === undefined) return day;
  const at = Date.parse(`${day}T${time}${offset.replace(/^([+-]\d{2}):?(\d{2})?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`)}`);
  return Number.isNaN(at) ? undefined : dayAt(at);
}
