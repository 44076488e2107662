import type { Pool } from 'pg';
import { findBreakActs } from '../../../../projections/reconciliation/matches/break-acts.js';
import { findBreak } from '../../../../projections/reconciliation/matches/match-reads.js';
import type { KnownOperators } from '../../operators/known-operators.js';
import type { ReconBreakDetailDto } from './breaks.dto.js';
import { withProposals } from './proposed-breaks.js';
import { findSuggestions } from './suggestions.js';

const ACTS_MAX = 200;

/** Returns a break with its acts and suggestions. @param id a UUID @param now milliseconds since the epoch, for its age */
export async function findBreakDetail(pool: Pool, operators: KnownOperators, id: string, now: number): Promise<ReconBreakDetailDto | undefined> {
  const found = await findBreak(pool, id, now);
  if (!found) return undefined;
  const [acts, suggestions, [shown]] = await Promise.all([
    findBreakActs(pool, id, ACTS_MAX),
    findSuggestions(pool, found),
    withProposals(pool, [found]),
  ]);
  const nameOf = (id: string | null): string | null => id && (operators.operator(id)?.name ?? id);
  return { ...shown!, acts: acts.map(({ line_key: _, ...act }) => ({ ...act, name: nameOf(act.person_id) })), suggestions };
}
