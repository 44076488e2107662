import type { ProposalRefusedEvent } from './proposal.events.js';

/** Events in `transfer-<payout_id>`: how a bank pays a payout over a network. The account's stream has the payout's status. */
export const transferStream = (payoutId: string): string => `transfer-${payoutId}`;

interface OfTransfer {
  readonly payout_id: string;
  readonly merchant_id: string;
  readonly currency: string;
}

/** How the bank's name for the account compares with the one that the merchant gave; UNKNOWN: the bank did not return one. */
export type NameMatch = 'EXACT' | 'CLOSE' | 'DIFFERENT' | 'UNKNOWN';

/** The bank's data on the account that is to be paid, before anything is paid. The account's full name is never stored. */
export interface BeneficiaryChecked extends OfTransfer {
  readonly rail: string;
  readonly match: NameMatch;
  /** First letters only; null when the bank did not return a name. */
  readonly name_masked: string | null;
  readonly checked_on: string;
}

/** A person wants an account paid although the bank has another name for its holder. */
export interface BeneficiaryAccepted extends OfTransfer {
  readonly accepted_by: string;
  readonly accepted_on: string;
}

/** Stored before each call that may move money: from here on that call may have been made. */
export interface PayoutAttempted extends OfTransfer {
  /** From 1. */
  readonly attempt: number;
  readonly rail: string;
  /** Digits; the same in every attempt of a payout. */
  readonly partner_reference: string;
  /** Digits; new for each call. */
  readonly external_id: string;
  /** The rail's code for the bank of the account. */
  readonly bank_code: string;
  /** Date in Asia/Jakarta, YYYY-MM-DD: external ids are unique within it. */
  readonly day: string;
  readonly at: string;
}

/** The bank confirmed that it did nothing and that the call may be repeated: the attempt counts as never made. */
export interface PayoutAttemptClosed extends OfTransfer {
  readonly attempt: number;
  readonly code: string;
  readonly closed_on: string;
}

export type TransferVerdict = 'paid' | 'failed' | 'returned';
export type VerdictSource = 'inquiry' | 'refusal' | 'name-check' | 'person';

/** The outcome of the payout. Stored here before the account receives it. */
export interface PayoutDecided extends OfTransfer {
  readonly verdict: TransferVerdict;
  /** The rail's code; null when it gave none, and for a decision of a person. */
  readonly code: string | null;
  readonly by: VerdictSource;
  /** Name of the person who decided, and the evidence for it. */
  readonly decided_by: string | null;
  readonly evidence: string | null;
  /** Set when it was proposed and approved. */
  readonly proposal_id?: string;
  readonly decided_on: string;
}

/**
 * `not-found`: the bank does not know the transfer, and paying again is not safe. `no-answer`: it has not reported the outcome for as long as it
 * answers inquiries. `contradiction`: it has reported both that it is paid and that it is not.
 */
export type HeldReason = 'not-found' | 'no-answer' | 'contradiction';

/** No rule decides: an operator has to. */
export interface PayoutHeld extends OfTransfer {
  readonly reason: HeldReason;
  /** Evidence for that operator: each inquiry with its time and the response. */
  readonly evidence: string;
  readonly held_on: string;
}

export type TransferEvent =
  | { readonly type: 'BeneficiaryChecked'; readonly data: BeneficiaryChecked }
  | { readonly type: 'BeneficiaryAccepted'; readonly data: BeneficiaryAccepted }
  | { readonly type: 'PayoutAttempted'; readonly data: PayoutAttempted }
  | { readonly type: 'PayoutAttemptClosed'; readonly data: PayoutAttemptClosed }
  | { readonly type: 'PayoutDecided'; readonly data: PayoutDecided }
  | { readonly type: 'PayoutHeld'; readonly data: PayoutHeld };

export type TransferStreamEvent = TransferEvent | ProposalRefusedEvent;
