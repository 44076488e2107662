import type { BreakSubject } from '../../../../projections/reconciliation/suggestion-reads.js';
import type { BreakLine, MatchedBatch, MatchedItem } from '../../../../projections/reconciliation/match-reads.js';

/** What a break may be of. It is read, and never applied. */
export interface Suggestion {
  readonly line: BreakLine | null;
  readonly item: MatchedItem | null;
  /** What a credit may be of together, three at most: of a break with a line all of them, of a batch that is missing the others in the line. */
  readonly batches: readonly SuggestedBatch[];
  /** The break that is resolved with it. */
  readonly break_id: string | null;
  /** By how many characters the nearest of their references differ; null: by more than DISTANCE_MAX. */
  readonly distance: number | null;
  /** Banking days between the line and the item, or the batch that is farthest from it. */
  readonly days: number;
}

export interface SuggestedBatch extends MatchedBatch {
  /** REMITTANCE_MISSING of it. */
  readonly break_id: string | null;
}

/** One among all that are possible: of which breaks it would be is looked up for those that are shown. */
export interface PossibleSuggestion extends Omit<Suggestion, 'batches' | 'break_id'> {
  readonly batches: readonly (MatchedBatch & { readonly breaks: readonly string[] })[];
  /** null: of none but the batches'. */
  readonly broken: BreakSubject | null;
  readonly isSameAmount: boolean;
}

export const SUGGESTIONS_MAX = 5;
