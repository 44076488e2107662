import type { ProposalRefusedEvent } from './proposal.events.js';

/**
 * Events in `break-<id>`: decisions of operators about a difference between the books and the statements of banks and processors. The log determines
 * whether the difference exists and when it is resolved; its owner, notes and matches are decided here.
 */
export const breakStream = (id: string): string => `break-${id}`;

interface OfBreak {
  /** The event belongs to no merchant. */
  readonly merchant_id: null;
  readonly break_id: string;
}

/** An action of a preparer, with one of the preparer's own keys. */
interface ActOnBreak extends OfBreak {
  readonly person_id: string;
  readonly key_id: string;
  readonly reason: string;
}

export interface BreakAssigned extends ActOnBreak {
  /** The operator who owns the break from now on; null: no owner. */
  readonly owner: string | null;
  readonly assigned_on: string;
}

/** Records a finding: the reason. */
export interface BreakNoted extends ActOnBreak {
  readonly noted_on: string;
}

/** House accounts for a difference of amount: a charge to us, or a loss. */
export const DIFFERENCE_ACCOUNTS = ['costs', 'losses'] as const;
export type DifferenceAccount = (typeof DIFFERENCE_ACCOUNTS)[number];

/** Difference between a line and its match. */
export interface MatchedDifference {
  readonly account: DifferenceAccount;
  readonly currency: string;
  /** Minor units, never 0: the amount of the line less that in the books. */
  readonly amount: number;
}

/**
 * From the next tick of the source on, the line is matched with these items, whatever its references are. The amounts are equal to the minor unit;
 * when a proposal states a difference, they differ by exactly that.
 */
export interface BreakMatched extends OfBreak {
  /** The preparer who matched it, with one of the preparer's own keys; null when it was proposed, and others approved it. */
  readonly person_id: string | null;
  readonly key_id: string | null;
  readonly reason: string;
  readonly source: string;
  /** Key of the line: the same in a file that replaces the line's file. */
  readonly line_key: string;
  /** Ids of the matched events in the books; empty when the line belongs to a batch. */
  readonly items: readonly string[];
  /** The batch, paid together by a processor, that a bank's credit belongs to; null: the line belongs to an item. */
  readonly batch: { readonly source: string; readonly batch: string } | null;
  /** null: no difference. */
  readonly difference: MatchedDifference | null;
  /** The proposal that caused it; null: an operator matched it. */
  readonly proposal_id: string | null;
  readonly matched_on: string;
}

/** Removes an operator's match: from the next tick on, the line is matched without it. */
export interface BreakUnmatched extends ActOnBreak {
  readonly unmatched_on: string;
}

/** Proposed by one operator and approved by others. */
export interface BreakAccepted extends OfBreak {
  readonly proposal_id: string;
  /** The last day, YYYY-MM-DD in the source's time zone. */
  readonly until: string;
  readonly reason: string;
  readonly accepted_on: string;
}

export type BreakEvent =
  | { readonly type: 'BreakAssigned'; readonly data: BreakAssigned }
  | { readonly type: 'BreakNoted'; readonly data: BreakNoted }
  | { readonly type: 'BreakMatched'; readonly data: BreakMatched }
  | { readonly type: 'BreakUnmatched'; readonly data: BreakUnmatched }
  | { readonly type: 'BreakAccepted'; readonly data: BreakAccepted };

export type BreakStreamEvent = BreakEvent | ProposalRefusedEvent;
