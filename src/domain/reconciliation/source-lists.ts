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
import { pagesById, type Csv, type PagedList } from '../../platform/http/answer-list.js';
import { csvOfDto } from '../../platform/http/csv-of-dto.js';
import type { SourceDto } from './sources.dto.js';
import { ReconLineDto, ReconStatementDto } from './statements.dto.js';

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

const statementsCsv = csvOfDto(ReconStatementDto, 'sums', 'forgotten_on');

const singleValues = csvOfDto(ReconLineDto, 'references');
/** References share one cell, separated by spaces. */
const linesCsv: Csv<Line> = {
  columns: [...singleValues.columns, 'references'],
  cells: (line) => [...singleValues.cells(line), line.references.join(' ')],
};
