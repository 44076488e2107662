import type { ProposalRefusedEvent } from './proposal.events.js';

/**
 * Events in `break-<id>`: what persons decide about a difference between what banks and processors say and the books. That it is there, and
 * that it is none any more, follows from the log; whose it is, what is known of it and what it is matched with is decided here.
 */
export const breakStream = (id: string): string => `break-${id}`;

interface OfBreak {
  /** Of no merchant. */
  readonly merchant_id: null;
  readonly break_id: string;
}

/** A preparer, with a key of the person's own. */
interface ActOnBreak extends OfBreak {
  readonly person_id: string;
  readonly key_id: string;
  readonly reason: string;
}

export interface BreakAssigned extends ActOnBreak {
  /** The person whose it is from now on; null: nobody's. */
  readonly owner: string | null;
  readonly assigned_on: string;
}

/** What was found out: the reason. */
export interface BreakNoted extends ActOnBreak {
  readonly noted_on: string;
}

/** A difference of amount is the house's: what it has been charged, or what it has lost. */
export const DIFFERENCE_ACCOUNTS = ['costs', 'losses'] as const;
export type DifferenceAccount = (typeof DIFFERENCE_ACCOUNTS)[number];

/** By how much a line is another than what it is of. */
export interface MatchedDifference {
  readonly account: DifferenceAccount;
  readonly currency: string;
  /** Minor units, never 0: what the line says less what the books say. */
  readonly amount: number;
}

/**
 * From the next tick of the source on, the line is of these, whatever their references say. Amounts are the same to the minor unit; where
 * a proposal says that they are not, by just its difference.
 */
export interface BreakMatched extends OfBreak {
  /** The preparer who did it, with a key of the person's own; null where it was proposed, and others approved it. */
  readonly person_id: string | null;
  readonly key_id: string | null;
  readonly reason: string;
  readonly source: string;
  /** Of the line: it says the same in a file that takes the place of its own. */
  readonly line_key: string;
  /** Ids of the events that the books have; none where it is of a batch. */
  readonly items: readonly string[];
  /** What a processor pays together, of which a bank's credit is; null: it is of an item. */
  readonly batch: { readonly source: string; readonly batch: string } | null;
  /** null: there is none. */
  readonly difference: MatchedDifference | null;
  /** The proposal that it is the effect of; null: a person has matched it. */
  readonly proposal_id: string | null;
  readonly matched_on: string;
}

/** What a person has matched is, from the next tick on, what it is without that. */
export interface BreakUnmatched extends ActOnBreak {
  readonly unmatched_on: string;
}

/** Proposed by one person and approved by others. */
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
