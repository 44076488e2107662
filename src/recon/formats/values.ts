import type { CsvProfile } from '../../ledger/events/recon.events.js';
import { minorUnits } from '../../rails/amounts.js';

/** How amounts and days are written in files. Amounts are taken by their digits, without a float. */

/** Groups: sign and what is behind it; what is before a sign; what is in brackets. */
const SIGNED = /^(?:([-+]?)([^-+()]+)|([^-+()]+)-|\(([^-+()]+)\))$/;

export type NumberForm = Pick<CsvProfile, 'decimal' | 'grouping' | 'unit'>;

/**
 * Signed minor units: `-1.234,56`, `1.234,56-`, `(1.234,56)`; undefined where it is no amount. Groups must be whole, so that 1.234 with
 * the grouping character of another country is refused rather than read as another amount.
 */
export function signedAmount(written: string, { decimal, grouping, unit }: NumberForm): number | undefined {
  const match = SIGNED.exec(written.trim());
  if (!match) return undefined;
  const [, sign, plain, behind, bracketed] = match;
  const digits = plainDigits(plain ?? behind ?? bracketed!, decimal, grouping);
  if (digits === undefined || (unit === 'minor' && digits.includes('.'))) return undefined;
  const amount = unit === 'major' ? minorUnits(digits) : wholeNumber(digits);
  const isNegative = sign === '-' || plain === undefined;
  // Not -0, which is stored as another value than 0.
  return amount === undefined ? undefined : isNegative && amount !== 0 ? -amount : amount;
}

function wholeNumber(digits: string): number | undefined {
  const amount = /^\d{1,16}$/.test(digits) ? Number(digits) : NaN;
  return Number.isSafeInteger(amount) ? amount : undefined;
}

const PLAIN = /^\d+(?:\.\d+)?$/;

/** With a point before decimals, and no groups. */
function plainDigits(text: string, decimal: string, grouping: string): string | undefined {
  const point = text.indexOf(decimal);
  // Most amounts are written plainly.
  if (grouping === '' && (point < 0 || decimal === '.') && PLAIN.test(text)) return text;
  const [whole = '', fraction, more] = text.split(decimal);
  if (more !== undefined) return undefined;
  const groups = grouping === '' ? [whole] : whole.split(grouping);
  if (groups.length > 1 && !(/^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every((group) => /^\d{3}$/.test(group)))) return undefined;
  return fraction === undefined || fraction === '' ? groups.join('') : `${groups.join('')}.${fraction}`;
}

/** Of a SWIFT or ISO 20022 amount without a sign; undefined where it is none. */
export const plainAmount = (written: string, decimal: '.' | ','): number | undefined => {
  const amount = /^[0-9]/.test(written) ? signedAmount(written, { decimal, grouping: '', unit: 'major' }) : undefined;
  return amount;
};

/** `YYYY-MM-DD` of a day that there is; undefined for 31 February. */
export function dayOf(year: string, month: string, day: string): string | undefined {
  const written = `${year}-${month}-${day}`;
  const at = Date.parse(`${written}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(written) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(written) ? written : undefined;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:Z|[+-]\d{2}:\d{2})?$/;
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** The day of an ISO 8601 date or moment. A moment without an offset is one of the source's zone already. */
export function isoDay(written: string, dayAt: (milliseconds: number) => string): string | undefined {
  const text = written.trim();
  const date = DATE.exec(text);
  if (date) return dayOf(date[1]!, date[2]!, date[3]!);
  const moment = MOMENT.exec(text);
  if (!moment || dayOf(moment[1]!, moment[2]!, moment[3]!) === undefined) return undefined;
  if (moment[4] === undefined) return dayOf(moment[1]!, moment[2]!, moment[3]!);
  const at = Date.parse(text.replace(' ', 'T'));
  return Number.isNaN(at) ? undefined : dayAt(at);
}
