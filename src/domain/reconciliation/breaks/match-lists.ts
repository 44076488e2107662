import type { Pool } from 'pg';
import { findMatches, type Match, type MatchesQuery } from '../../../../projections/reconciliation/matches/match-reads.js';
import { pagesBy, pagesById, type Csv, type PagedList } from '../../../platform/http/answer-list.js';
import { findProposedBreaks, type ProposedBreak, type ProposedBreaksQuery } from './proposed-breaks.js';

export function matchesList(pool: Pool, query: Omit<MatchesQuery, 'after' | 'limit'>): PagedList<Match> {
  return {
    name: 'matches',
    csv: matchesCsv,
    page: pagesBy(
      'match',
      (after, limit) => findMatches(pool, { ...query, after, limit }),
      (found) => found,
      ({ line_id }) => line_id,
    ),
  };
}

/** @param now milliseconds since the epoch, for the age of breaks */
export function breaksList(pool: Pool, query: Omit<ProposedBreaksQuery, 'after' | 'limit'>, now: number): PagedList<ProposedBreak> {
  return {
    name: 'breaks',
    csv: breaksCsv,
    page: pagesById(
      'break',
      (after, limit) => findProposedBreaks(pool, { ...query, after, limit }, now),
      (found) => found,
    ),
  };
}

const ITEM_COLUMNS = ['event_id', 'merchant_id', 'charge_id', 'payout_id', 'kind', 'currency', 'amount', 'payment_reference', 'occurred_on'] as const;
const REMITTANCE_COLUMNS = ['source', 'batch', 'currency', 'amount', 'day'] as const;
const MATCH_COLUMNS = ['line_id', 'source', 'statement_id', 'batch'] as const;
const BREAK_COLUMNS = ['id', 'source', 'kind', 'status', 'age', 'of_mode', 'owner', 'accepted_until', 'day', 'opened_on', 'resolved_on'] as const;
const LINE_COLUMNS = ['line_id', 'statement_id', 'batch', 'kind', 'currency', 'amount', 'booking_date'] as const;

/** Line, item and batch side by side in one row. */
const matchesCsv: Csv<Match> = {
  columns: [...MATCH_COLUMNS, ...ITEM_COLUMNS, ...REMITTANCE_COLUMNS.map((column) => `remittance_${column}`), 'difference', 'difference_to'],
  cells: ({ item, remittance, difference, difference_to, ...match }) => [
    ...MATCH_COLUMNS.map((column) => match[column]),
    ...ITEM_COLUMNS.map((column) => item?.[column] ?? null),
    ...REMITTANCE_COLUMNS.map((column) => remittance?.[column] ?? null),
    ...[difference, difference_to],
  ],
};

const breaksCsv: Csv<ProposedBreak> = {
  columns: [
    ...BREAK_COLUMNS,
    ...LINE_COLUMNS.map((column) => (column === 'line_id' ? column : `line_${column}`)),
    'line_references',
    ...ITEM_COLUMNS.map((column) => `item_${column}`),
    ...REMITTANCE_COLUMNS.map((column) => `remittance_${column}`),
    ...['pending_proposal_id', 'charged', 'expected'],
  ],
  cells: ({ line, item, remittance, ...found }) => [
    ...BREAK_COLUMNS.map((column) => found[column]),
    ...LINE_COLUMNS.map((column) => line?.[column] ?? null),
    line?.references.join(' ') ?? null,
    ...ITEM_COLUMNS.map((column) => item?.[column] ?? null),
    ...REMITTANCE_COLUMNS.map((column) => remittance?.[column] ?? null),
    ...[found.pending_proposal_id, found.charged, found.expected],
  ],
};
