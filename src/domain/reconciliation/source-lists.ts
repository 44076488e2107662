import type { Pool } from 'pg';
import { findSources, type Source } from '../../../projections/reconciliation/sources.js';
import {
  findLines,
  findStatements,
  type Line,
  type LinesQuery,
  type Statement,
  type StatementsQuery,
} from '../../../projections/reconciliation/statement-reads.js';
import { csvOf, noSuchCursor, type Csv, type PagedList } from '../../platform/http/answer-list.js';
import type { SourceDto } from './sources.dto.js';

export type Listed<Item> = Pick<PagedList<Item, string>, 'name' | 'page' | 'csv'>;

export function toSource({ id, settings, version }: Source): SourceDto {
  const { mode, name, kind, currencies, format, profile, time_zone, processor, due_days, costs, tax = null, by_amount } = settings;
  const { person_id: set_by, set_on } = settings;
  return { id, mode, name, kind, currencies, format, profile, time_zone, processor, due_days, costs, tax, by_amount, version, set_by, set_on };
}

export function sourcesList(pool: Pool): Listed<SourceDto> {
  return {
    name: 'sources',
    page: async (after, limit) => {
      const found = await findSources(pool, { after, limit: limit + 1 });
      const items = found.slice(0, limit).map(toSource);
      return { items, next_after: found.length > limit ? items.at(-1)!.id : null };
    },
  };
}

export function statementsList(pool: Pool, query: Omit<StatementsQuery, 'after' | 'limit'>): Listed<Statement> {
  return {
    name: 'statements',
    csv: statementsCsv,
    page: async (after, limit) => {
      const found = await findStatements(pool, { ...query, after, limit: limit + 1 });
      if (found === undefined) throw noSuchCursor('statement');
      const items = found.slice(0, limit);
      return { items, next_after: found.length > limit ? items.at(-1)!.id : null };
    },
  };
}

export function linesList(pool: Pool, query: Omit<LinesQuery, 'after' | 'limit'>): Listed<Line> {
  return {
    name: 'lines',
    csv: linesCsv,
    page: async (after, limit) => {
      const found = await findLines(pool, { ...query, after, limit: limit + 1 });
      const items = found.slice(0, limit);
      return { items, next_after: found.length > limit ? items.at(-1)!.id : null };
    },
  };
}

const statementsCsv = csvOf<Statement>([
  'id',
  'source',
  'status',
  'sha256',
  'size',
  'lines',
  'lines_read',
  'dropped_lines',
  'booked_from',
  'booked_to',
  'replaces',
  'replaced_by',
  'received_by',
  'received_on',
  'accepted_by',
  'accepted_on',
]);

const LINE_COLUMNS = [
  'id',
  'statement_id',
  'source',
  'at',
  'line_key',
  'entry_key',
  'booking_date',
  'value_date',
  'amount',
  'currency',
  'kind',
  'gross',
  'fee',
  'tax',
  'batch',
  'counts',
] as const;

/** References side by side in one cell. */
const linesCsv: Csv<Line> = {
  columns: [...LINE_COLUMNS, 'references'],
  cells: (line) => [...LINE_COLUMNS.map((column) => line[column]), line.references.join(' ')],
};
