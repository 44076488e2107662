import type { AtProcessor } from './at-processor.js';

/** Facts of disputes, all in `charge-<id>`. Amounts are minor units; times are RFC 3339 with milliseconds, `+00:00`. */

/** Of every event of a dispute. */
interface OfDispute {
  readonly charge_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly dispute_id: string;
}

/** Of what moves money: what the customer claims back, the fee of the charge that goes back with it, and what the merchant gives. */
interface OfDisputedMoney extends OfDispute {
  readonly amount: number;
  readonly fee_amount: number;
  /** amount − fee_amount */
  readonly net_amount: number;
}

/** In their order: a dispute comes back at a later stage only. */
export const DISPUTE_STAGES = ['INQUIRY', 'CHARGEBACK', 'PRE_ARBITRATION', 'ARBITRATION'] as const;
export type DisputeStage = (typeof DISPUTE_STAGES)[number];

/** What the processor says when a dispute begins, and when it comes back. */
interface DisputeClaim extends OfDispute {
  readonly stage: DisputeStage;
  /** In dispute, which may be more than is left of the charge. */
  readonly amount: number;
  /** What of it nothing is held for: more than the rest of the charge. 0 of an inquiry, which holds nothing. */
  readonly excess_amount: number;
  readonly reason_code: string;
  readonly reason: string;
  /** Until when the merchant may answer. */
  readonly due_by: string;
}

export interface ChargeDisputeOpened extends DisputeClaim {
  /** The processor's own, of which the id is derived. */
  readonly reference: string;
  /** Of the charge's refunds that had succeeded, or were under way. */
  readonly refunded_amount: number;
  /** By the merchant's terms: what it costs when it is lost for the first time. */
  readonly dispute_fee_amount: number;
  readonly opened_on: string;
}

/** It has come back at a later stage. */
export interface ChargeDisputeReopened extends DisputeClaim {
  readonly reopened_on: string;
}

/** With an opening or reopening; and whenever money of the charge is free that an open dispute lacks. */
export interface ChargeDisputeHeld extends OfDisputedMoney {
  readonly hold_id: string;
  /** What the dispute lacks after it. */
  readonly excess_amount: number;
  /** RETURNS: the next settlement takes it from available (line dispute-hold). */
  readonly from: 'PENDING' | 'RETURNS';
  readonly held_on: string;
}

/** Everything that is held for the dispute, or was lost in it, is the merchant's again; nothing of an inquiry. */
export interface ChargeDisputeWon extends OfDisputedMoney, AtProcessor {
  readonly release_id: string;
  readonly stage: DisputeStage;
  /** No later stage follows. */
  readonly is_final: boolean;
  /** PROCESSOR: it had been lost before. */
  readonly from: 'DISPUTED' | 'PROCESSOR';
  /** RETURNS: the next settlement brings it to available (line dispute-release). */
  readonly to: 'PENDING' | 'RETURNS';
  readonly won_on: string;
}

/** By the merchant's word, by silence until it was due, by the processor. */
export type DisputeLostReason = 'ACCEPTED' | 'LAPSED' | 'DECIDED';

/** Everything that is held for the dispute goes to the customer. */
export interface ChargeDisputeLost extends OfDisputedMoney, AtProcessor {
  readonly stage: DisputeStage;
  readonly lost_reason: DisputeLostReason;
  /** What the next settlement takes for it (line dispute-fee); 0 where it costs nothing, or had been lost before. */
  readonly dispute_fee_amount: number;
  readonly lost_on: string;
}

/** The merchant's answer, with the evidence that is there. */
export interface ChargeDisputeChallenged extends OfDispute {
  readonly stage: DisputeStage;
  readonly challenged_by: string;
  readonly challenged_on: string;
}

/** The processor has taken the merchant's answer. */
export interface ChargeDisputeSubmitted extends OfDispute {
  readonly stage: DisputeStage;
  readonly submitted_on: string;
}

/** The merchant is reminded. */
export interface ChargeDisputeDueSoon extends OfDispute {
  readonly due_by: string;
  /** Which reminder: so long before `due_by`. */
  readonly seconds_before: number;
  readonly reminded_on: string;
}

export type EvidenceCategory = 'RECEIPT' | 'SHIPPING' | 'COMMUNICATION' | 'REFUND' | 'OTHER';

/** Its bytes and its name are sealed outside the log. */
export interface ChargeDisputeEvidenceAdded extends OfDispute {
  readonly evidence_id: string;
  readonly category: EvidenceCategory;
  readonly media_type: string;
  /** Bytes. */
  readonly size: number;
  /** Of the bytes, hex. */
  readonly sha256: string;
  readonly added_by: string;
  readonly added_on: string;
}

/** Of all evidence that has been added so far: the key that opens it is destroyed. */
export interface ChargeDisputeEvidenceErased extends OfDispute {
  /** The operating system's user who gave the command. */
  readonly erased_by: string;
  readonly erased_on: string;
}

export type ChargeDisputeEvent =
  | { readonly type: 'ChargeDisputeOpened'; readonly data: ChargeDisputeOpened }
  | { readonly type: 'ChargeDisputeReopened'; readonly data: ChargeDisputeReopened }
  | { readonly type: 'ChargeDisputeHeld'; readonly data: ChargeDisputeHeld }
  | { readonly type: 'ChargeDisputeWon'; readonly data: ChargeDisputeWon }
  | { readonly type: 'ChargeDisputeLost'; readonly data: ChargeDisputeLost }
  | { readonly type: 'ChargeDisputeChallenged'; readonly data: ChargeDisputeChallenged }
  | { readonly type: 'ChargeDisputeSubmitted'; readonly data: ChargeDisputeSubmitted }
  | { readonly type: 'ChargeDisputeDueSoon'; readonly data: ChargeDisputeDueSoon }
  | { readonly type: 'ChargeDisputeEvidenceAdded'; readonly data: ChargeDisputeEvidenceAdded }
  | { readonly type: 'ChargeDisputeEvidenceErased'; readonly data: ChargeDisputeEvidenceErased };
