import { LINES_PER_EVENT } from '../../projections/reconciliation/statements.js';
import { redactedColumn } from '../ledger/published/redaction.js';
import type { DayClosed } from '../ledger/events/day-close.events.js';
import type { Difference, TableComparison } from '../platform/projector/comparison.js';

/** A closed day, as the log has it. */
export type ClosedDay = Pick<DayClosed, 'source' | 'n' | 'day' | 'mode' | 'position'>;

export interface DayFault {
  readonly source: string;
  readonly day: string;
  readonly fault: string;
}

/** Columns with the ordinal of the event from which a row holds. */
const BEGINS = ['matched_from', 'opened_from', 'booked_from', 'known_from', 'claimed_from', 'counted_from', 'ordinal'];
const LINE_IDS: Readonly<Record<string, string>> = { lines: 'id', open_lines: 'line_id' };

/**
 * Returns the closed days to which rows of `recon` belong that differ from a replay of the events, in the order of their ticks. A row belongs to the
 * first close whose tick has read it; a row that no tick has read yet belongs to no closed day.
 */
export function daysOfDifferences(tables: readonly TableComparison[], closed: readonly ClosedDay[]): DayFault[] {
  const inOrder = [...closed].sort((a, b) => a.position - b.position);
  const faults = tables.flatMap(({ name, found, differences }) =>
    found.flatMap((difference, at) => {
      // Only the first differences of a table are known. The others may belong to any day.
      const isLast = at === found.length - 1 && differences > found.length;
      const close = dayOf(name, difference, inOrder) ?? (isLast ? inOrder.at(-1) : undefined);
      return close ? [{ close, fault: faultOf(name, difference, differences) }] : [];
    }),
  );
  return faults.sort((a, b) => a.close.position - b.close.position).map(({ close: { source, day }, fault }) => ({ source, day, fault }));
}

function dayOf(table: string, { row }: Difference, closed: readonly ClosedDay[]): ClosedDay | undefined {
  const { source = null, n = null, mode = source?.split('-')[0] } = row;
  const own = closed.filter((close) => close.source === source);
  const booked = own.find((close) => `${close.n}` === n);
  if (booked) return booked;
  const ordinal = ordinalOf(table, row);
  const concerned = own.length > 0 ? own : closed.filter((close) => mode === undefined || close.mode === mode);
  return concerned.find(({ position }) => ordinal <= position);
}

/** Rows without an event, such as owners, concern every day. */
function ordinalOf(table: string, row: Difference['row']): number {
  const line = LINE_IDS[table];
  if (line !== undefined) return Math.floor(Number(row[line]) / LINES_PER_EVENT);
  return Number(row[BEGINS.find((column) => (row[column] ?? null) !== null) ?? ''] ?? 0);
}

function faultOf(table: string, { key, kind, columns }: Difference, differences: number): string {
  const row = `recon.${table} (${Object.entries(key)
    .map(([column, value]) => `${column} ${value}`)
    .join(', ')})`;
  const values = columns.map(({ column, live, rebuilt }) => {
    const [now, then] = [live, rebuilt].map((value) => redactedColumn(column, value) ?? 'null');
    return `${column} is ${now}, by the events ${then}`;
  });
  const what = { changed: values.join('; '), missing: 'is missing, by the events it exists', extra: 'exists, by the events it does not' }[kind];
  return `${row}: ${what}${differences > 1 ? `; ${differences} rows of the table differ` : ''}`;
}
