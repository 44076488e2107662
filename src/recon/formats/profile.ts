import { LINE_KINDS, type LineKind } from './statement-item.js';
import type { NumberForm } from './values.js';

/** Columns of a file by what they hold: the names in its first row. */
export interface ProfileColumns {
  readonly booking_date: string;
  readonly value_date?: string;
  readonly batch: string;
  readonly kind?: string;
  readonly reference: string;
  readonly gross: string;
  readonly fee?: string;
  readonly tax?: string;
  /** Net: what the batch has more. */
  readonly amount: string;
  readonly currency: string;
}

/** How a processor writes its remittance files: a part of the event that sets the source, so that an old file reads as it did. */
export interface CsvProfile extends NumberForm {
  readonly delimiter: ',' | ';' | '\t' | '|';
  readonly encoding: 'utf-8' | 'windows-1252';
  readonly columns: ProfileColumns;
  /** `YYYY`, `MM` and `DD` in any order with what stands between them; or `iso`: a date or a moment of ISO 8601. */
  readonly dates: string;
  /** `written`: amounts have their signs. `kinds`: all are above 0, and what is not a PAYMENT or TRANSFER is taken away. */
  readonly signs: 'written' | 'kinds';
  /** What stands in the column of kinds. Without that column every line is a PAYMENT. */
  readonly kinds: Readonly<Record<string, LineKind>>;
  /** The row that has `value` in `column` states the sums of the rows before it. */
  readonly totals?: { readonly column: string; readonly value: string };
  /** Columns that are there and not read. */
  readonly ignored: readonly string[];
}

const DATE_PART = /YYYY|MM|DD/g;

/** What is wrong with a profile, or undefined. */
export function profileFault(profile: CsvProfile): string | undefined {
  const { columns, kinds, totals, ignored, dates, decimal, grouping, delimiter } = profile;
  const names = Object.values(columns) as string[];
  const all = [...names, ...ignored];
  if (new Set(all).size < all.length) return 'a column stands in the profile twice';
  if (totals && !all.includes(totals.column)) return `the column of totals, ${totals.column}, is none of the profile's`;
  if (decimal === grouping) return 'decimals and groups have the same character';
  if (columns.kind === undefined ? Object.keys(kinds).length > 0 : Object.keys(kinds).length === 0) return 'kinds go with a column of kinds';
  if (Object.values(kinds).some((kind) => !LINE_KINDS.includes(kind))) return 'there is a kind that is none';
  if (
    dates !== 'iso' &&
    [...dates.matchAll(DATE_PART)]
      .map(([part]) => part)
      .sort()
      .join() !== 'DD,MM,YYYY'
  )
    return 'dates are iso, or have YYYY, MM and DD once';
  if (dates.includes(delimiter)) return 'dates have the delimiter in them';
  return undefined;
}

/** An expression with groups YYYY, MM and DD for dates of this form. */
export function datePattern(dates: string): RegExp {
  const literal = dates.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll(DATE_PART, (part) => `(?<${part}>\\d{${part.length}})`)}$`);
}
