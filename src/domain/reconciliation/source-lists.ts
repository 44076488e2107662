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
import { csvOf, pagesById, type Csv, type PagedList } from '../../platform/http/answer-list.js';
import type { SourceDto } from './sources.dto.js';

export function toSource({ id, settings, version }: Source): SourceDto {
  const { mode, name, kind, currencies, format, profile, time_zone, processor, due_days, costs, tax = null, by_amount, batch_names = [] } = settings;
  const { person_id: set_by, set_on } = settings;
  return {
    id,
    mode,
    name,
    kind,
    currencies,
    format,
    profile,
    time_zone,
    processor,
    due_days,
    costs,
    tax,
    by_amount,
    batch_names,
    version,
    set_by,
    set_on,
  };
}

export function sourcesList(pool: Pool): PagedList<SourceDto> {
  return {
    name: 'sources',
    page: pagesById('source', (after, limit) => findSources(pool, { after, limit }), toSource),
  };
}

export function statementsList(pool: Pool, query: Omit<StatementsQuery, 'after' | 'limit'>): PagedList<Statement> {
  return {
    name: 'statements',
    csv: statementsCsv,
    page: pagesById(
      'statement',
      (after, limit) => findStatements(pool, { ...query, after, limit }),
      (found) => found,
    ),
  };
}

export function linesList(pool: Pool, query: Omit<LinesQuery, 'after' | 'limit'>): PagedList<Line> {
  return {
    name: 'lines',
    csv: linesCsv,
    page: pagesById(
      'line',
      (after, limit) => findLines(pool, { ...query, after, limit }),
      (found) => found,
    ),
  };
}

const statementsCsv = csvOf<Statement>([
  ...(['id', 'source', 'status', 'sha256', 'size', 'lines', 'lines_read', 'dropped_lines', 'booked_from', 'booked_to', 'replaces'] as const),
  ...(['replaced_by', 'received_by', 'received_on', 'accepted_by', 'accepted_on'] as const),
]);

const LINE_COLUMNS = [
  ...(['id', 'statement_id', 'source', 'at', 'line_key', 'entry_key', 'booking_date', 'value_date', 'amount', 'currency', 'kind'] as const),
  ...(['gross', 'fee', 'tax', 'batch', 'counts'] as const),
] as const;

/** References share one cell, separated by spaces. */
const linesCsv: Csv<Line> = {
  columns: [...LINE_COLUMNS, 'references'],
  cells: (line) => [...LINE_COLUMNS.map((column) => line[column]), line.references.join(' ')],
};
