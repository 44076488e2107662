import type { ProposalRefusedEvent } from './proposal.events.js';

/** Events in `transfer-<payout_id>`: how a payout is paid by a bank over a network. Its life on the account is told by the account. */
export const transferStream = (payoutId: string): string => `transfer-${payoutId}`;

interface OfTransfer {
  readonly payout_id: string;
  readonly merchant_id: string;
  readonly currency: string;
}

/** How the name that the bank has for the account compares with the one that the merchant gave; UNKNOWN: the bank would not say. */
export type NameMatch = 'EXACT' | 'CLOSE' | 'DIFFERENT' | 'UNKNOWN';

/** What the bank says of the account that is to be paid, before anything is paid. Its whole name for it is never stored. */
export interface BeneficiaryChecked extends OfTransfer {
  readonly rail: string;
  readonly match: NameMatch;
  /** First letters only; null when the bank would not say. */
  readonly name_masked: string | null;
  readonly checked_on: string;
}

/** A person wants an account paid whose holder the bank calls by another name. */
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
  /** As the rail calls the bank of the account. */
  readonly bank_code: string;
  /** In Asia/Jakarta, YYYY-MM-DD: external ids are unique for it. */
  readonly day: string;
  readonly at: string;
}

/** The bank has said that it did nothing and may be asked again: the attempt is as if it had never been made. */
export interface PayoutAttemptClosed extends OfTransfer {
  readonly attempt: number;
  readonly code: string;
  readonly closed_on: string;
}

export type TransferVerdict = 'paid' | 'failed' | 'returned';
export type VerdictSource = 'inquiry' | 'refusal' | 'name-check' | 'person';

/** What has become of the payout. Stored here before the account hears of it. */
export interface PayoutDecided extends OfTransfer {
  readonly verdict: TransferVerdict;
  /** The rail's; null when it gave none, and of a person. */
  readonly code: string | null;
  readonly by: VerdictSource;
  /** Of a person: name, and what it rests on. */
  readonly decided_by: string | null;
  readonly evidence: string | null;
  /** Where it was proposed and approved. */
  readonly proposal_id?: string;
  readonly decided_on: string;
}

/**
 * `not-found`: the bank does not know of the transfer, and paying again is not safe. `no-answer`: it has not said what became of it for
 * as long as it answers inquiries. `contradiction`: it has said both that it is paid and that it is not.
 */
export type HeldReason = 'not-found' | 'no-answer' | 'contradiction';

/** No rule decides: a person has to. */
export interface PayoutHeld extends OfTransfer {
  readonly reason: HeldReason;
  /** For that person: what was asked when, and what was answered. */
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
