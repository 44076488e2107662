import {
  PART_KINDS,
  ROW_KINDS,
  type CsvProfile,
  type FigureColumns,
  type PartKind,
  type RowKind,
} from '../../../ledger/events/reconciliation.events.js';
import { datesFault } from './dates.js';

/** Returns the names of one or several columns. */
export const namesIn = (columns: FigureColumns | undefined): readonly string[] =>
  columns === undefined ? [] : typeof columns === 'string' ? [columns] : 'debit' in columns ? [columns.debit, columns.credit] : columns;

export const isPart = (kind: RowKind): kind is PartKind => (PART_KINDS as readonly string[]).includes(kind);

/** Returns true when rows of the file belong to the lines of other rows. */
export const hasParts = ({ kinds }: CsvProfile): boolean => Object.values(kinds).some(isPart);

/** Returns the names of all columns that a file of the profile has. `joined_by` may be a column with another meaning. */
export function columnsOf({ columns, ignored }: CsvProfile): ReadonlySet<string> {
  return new Set([...Object.values(columns).flatMap(namesIn), ...ignored]);
}

/** Returns the fault of a profile, or undefined. */
export function profileFault(profile: CsvProfile): string | undefined {
  const { columns, totals, ignored, dates, decimal, grouping, delimiter } = profile;
  const { joined_by, ...others } = columns;
  const all = [...Object.values(others).flatMap(namesIn), ...ignored];
  if (new Set(all).size < all.length || ignored.includes(joined_by ?? '')) return 'a column is named twice';
  if (totals && !columnsOf(profile).has(totals.column)) return `the column of totals, ${totals.column}, is not in the profile`;
  if (decimal === grouping) return 'decimals and groups have the same character';
  if (dates.includes(delimiter)) return 'dates contain the delimiter';
  return datesFault(dates) ?? kindsFault(profile) ?? figuresFault(profile) ?? givenFault(profile);
}

function kindsFault(profile: CsvProfile): string | undefined {
  const { columns, kinds } = profile;
  if (columns.kind === undefined ? Object.keys(kinds).length > 0 : Object.keys(kinds).length === 0) return 'kinds go with a column of kinds';
  if (Object.values(kinds).some((kind) => !ROW_KINDS.includes(kind))) return 'a text has an unknown kind';
  if (hasParts(profile) !== (columns.joined_by !== undefined)) return 'the kinds FEE and TAX go with the column joined_by';
  return undefined;
}

function figuresFault({ columns, signs, sign_texts, totals }: CsvProfile): string | undefined {
  const { gross, fee, tax, amount } = columns;
  const figures = [gross, fee, tax, amount].filter((figure) => figure !== undefined);
  if (gross === undefined && amount === undefined) return 'it needs a column gross, or amount';
  if ((signs === 'column') !== (columns.sign !== undefined)) return 'signs by a column go with a column sign';
  if ((signs === 'column') !== (sign_texts !== undefined)) return 'signs by a column go with sign_texts';
  if (sign_texts && !['PLUS', 'MINUS'].every((sign) => Object.values(sign_texts).includes(sign as 'PLUS'))) return 'sign_texts have PLUS and MINUS';
  if (signs !== 'written' && figures.some((figure) => typeof figure === 'object' && 'debit' in figure))
    return 'columns of debits and credits are the signs of their amounts';
  if (totals && figures.some((figure) => typeof figure !== 'string')) return 'totals go with figures of one column';
  return undefined;
}

function givenFault({ columns, batch, currency }: CsvProfile): string | undefined {
  if ((columns.batch === undefined) === (batch === undefined)) return 'it needs either a column batch, or batch as day or given';
  if ((columns.currency === undefined) === (currency === undefined)) return 'it needs either a column currency, or the currency of all rows';
  return undefined;
}
