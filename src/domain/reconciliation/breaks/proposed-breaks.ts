import type { Pool } from 'pg';
import { findOpenProposals, passesProposalFilter, type ProposalFilter } from '../../../../projections/approvals/proposals.js';
import { findBreaks, type Break, type BreaksQuery } from '../../../../projections/reconciliation/matches/match-reads.js';

export interface ProposedBreak extends Break {
  /** The open proposal about the break; null in a list as of an earlier tick. */
  readonly pending_proposal_id: string | null;
}

/** Adds the open proposals about breaks. */
export async function withProposals(pool: Pool, breaks: readonly Break[]): Promise<ProposedBreak[]> {
  const pending = await findOpenProposals(
    pool,
    breaks.map(({ id }) => id),
  );
  return breaks.map((found) => ({ ...found, pending_proposal_id: pending.get(found.id)?.id ?? null }));
}

export interface ProposedBreaksQuery extends Omit<BreaksQuery, 'condition'> {
  readonly proposal?: ProposalFilter | undefined;
}

/** As `findBreaks`, with the open proposal about each. */
export async function findProposedBreaks(pool: Pool, { proposal, ...query }: ProposedBreaksQuery, now: number): Promise<ProposedBreak[] | undefined> {
  const condition = proposal && passesProposalFilter(proposal);
  const breaks = await findBreaks(pool, { ...query, condition }, now);
  if (query.as_of !== undefined) return breaks?.map((found) => ({ ...found, pending_proposal_id: null }));
  return breaks && withProposals(pool, breaks);
}
