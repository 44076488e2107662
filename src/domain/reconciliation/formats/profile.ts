import { LINE_KINDS, type CsvProfile } from '../../../ledger/events/reconciliation.events.js';

const DATE_PART = /YYYY|MM|DD/g;

/** Returns the fault of a profile, or undefined. */
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

/** Returns an expression with groups YYYY, MM and DD for dates of this form. */
export function datePattern(dates: string): RegExp {
  const literal = dates.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll(DATE_PART, (part) => `(?<${part}>\\d{${part.length}})`)}$`);
}
