import type { AtProcessor } from './at-processor.js';

/** Events of disputes, all in `charge-<id>`. Amounts are minor units; times are RFC 3339 with milliseconds, `+00:00`. */

/** Fields of every event of a dispute. */
interface OfDispute {
  readonly charge_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly dispute_id: string;
}

/**
 * Fields of an event that moves money: the amount that the customer claims back, the charge's fee that is returned with it, and the merchant's part.
 */
interface OfDisputedMoney extends OfDispute {
  readonly amount: number;
  readonly fee_amount: number;
  /** amount − fee_amount */
  readonly net_amount: number;
}

/** In their order: a dispute is reopened at a later stage only. */
export const DISPUTE_STAGES = ['INQUIRY', 'CHARGEBACK', 'PRE_ARBITRATION', 'ARBITRATION'] as const;
export type DisputeStage = (typeof DISPUTE_STAGES)[number];

/** The processor's data when a dispute is opened or reopened. */
interface DisputeClaim extends OfDispute {
  readonly stage: DisputeStage;
  /** Amount in dispute, which may exceed the rest of the charge. */
  readonly amount: number;
  /** Part of it that nothing is held for, because it exceeds the rest of the charge. 0 for an inquiry, which holds nothing. */
  readonly excess_amount: number;
  readonly reason_code: string;
  readonly reason: string;
  /** Deadline of the merchant's response. */
  readonly due_by: string;
}

export interface ChargeDisputeOpened extends DisputeClaim {
  /** The processor's reference, from which the id is derived. */
  readonly reference: string;
  /** Sum of the charge's refunds that had succeeded, or were in progress. */
  readonly refunded_amount: number;
  /** Fee of the dispute by the merchant's terms, charged when it is lost for the first time. */
  readonly dispute_fee_amount: number;
  readonly opened_on: string;
}

/** The dispute is reopened at a later stage. */
export interface ChargeDisputeReopened extends DisputeClaim {
  readonly reopened_on: string;
}

/** Recorded with an opening or reopening, and whenever money of the charge becomes free that an open dispute lacks. */
export interface ChargeDisputeHeld extends OfDisputedMoney {
  readonly hold_id: string;
  /** Amount that the dispute lacks after this hold. */
  readonly excess_amount: number;
  /** RETURNS: the next settlement takes it from available (line dispute-hold). */
  readonly from: 'PENDING' | 'RETURNS';
  readonly held_on: string;
}

/** All money that is held for the dispute, or was lost in it, is the merchant's again; none for an inquiry. */
export interface ChargeDisputeWon extends OfDisputedMoney, AtProcessor {
  readonly release_id: string;
  readonly stage: DisputeStage;
  /** No later stage follows. */
  readonly is_final: boolean;
  /** PROCESSOR: the dispute had been lost before. */
  readonly from: 'DISPUTED' | 'PROCESSOR';
  /** RETURNS: the next settlement adds it to available (line dispute-release). */
  readonly to: 'PENDING' | 'RETURNS';
  readonly won_on: string;
}

/** Accepted by the merchant, without a response by the due date, or decided by the processor. */
export type DisputeLostReason = 'ACCEPTED' | 'LAPSED' | 'DECIDED';

/** All money that is held for the dispute goes to the customer. */
export interface ChargeDisputeLost extends OfDisputedMoney, AtProcessor {
  readonly stage: DisputeStage;
  readonly lost_reason: DisputeLostReason;
  /** Fee that the next settlement takes for it (line dispute-fee); 0 when it costs nothing, or had been lost before. */
  readonly dispute_fee_amount: number;
  readonly lost_on: string;
}

/** The merchant's response, with the evidence so far. */
export interface ChargeDisputeChallenged extends OfDispute {
  readonly stage: DisputeStage;
  readonly challenged_by: string;
  readonly challenged_on: string;
}

/** The processor has received the merchant's response. */
export interface ChargeDisputeSubmitted extends OfDispute {
  readonly stage: DisputeStage;
  readonly submitted_on: string;
}

/** Reminds the merchant of the due date. */
export interface ChargeDisputeDueSoon extends OfDispute {
  readonly due_by: string;
  /** Identifies the reminder by the time before `due_by`. */
  readonly seconds_before: number;
  readonly reminded_on: string;
}

export type EvidenceCategory = 'RECEIPT' | 'SHIPPING' | 'COMMUNICATION' | 'REFUND' | 'OTHER';

/** The file's bytes and name are encrypted outside the log. */
export interface ChargeDisputeEvidenceAdded extends OfDispute {
  readonly evidence_id: string;
  readonly category: EvidenceCategory;
  readonly media_type: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, hex. */
  readonly sha256: string;
  readonly added_by: string;
  readonly added_on: string;
}

/** Concerns all evidence that was added so far: the key that decrypts it is destroyed. */
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
