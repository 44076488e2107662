import type { BreakSubject } from '../../../../projections/reconciliation/matches/suggestion-reads.js';
import type { BreakLine, MatchedBatch, MatchedItem } from '../../../../projections/reconciliation/matches/match-reads.js';

/** A possible match for a break. It is shown, and never applied. */
export interface Suggestion {
  readonly line: BreakLine | null;
  readonly item: MatchedItem | null;
  /** Batches that may be in one credit, at most three: for a break with a line all of them, for a missing batch the others in the line. */
  readonly batches: readonly SuggestedBatch[];
  /** The break that the same match resolves. */
  readonly break_id: string | null;
  /** Number of characters by which the nearest of their references differ; null: more than DISTANCE_MAX. */
  readonly distance: number | null;
  /** Banking days between the line and the item, or the batch that is farthest from it. */
  readonly days: number;
}

export interface SuggestedBatch extends MatchedBatch {
  /** Its break REMITTANCE_MISSING. */
  readonly break_id: string | null;
}

/** One of all possible suggestions. The breaks that each one resolves are looked up for the shown ones only. */
export interface PossibleSuggestion extends Omit<Suggestion, 'batches' | 'break_id'> {
  readonly batches: readonly (MatchedBatch & { readonly breaks: readonly string[] })[];
  /** null: it resolves no break except those of the batches. */
  readonly broken: BreakSubject | null;
  readonly isSameAmount: boolean;
}

export const SUGGESTIONS_MAX = 5;
