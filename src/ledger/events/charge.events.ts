import type { AtProcessor } from './at-processor.js';
import type { ChargeDisputeEvent } from './dispute.events.js';
import type { ChargeRefundEvent } from './refund.events.js';
import type { ChargeLineKind, SettlementLineRefusedEvent } from './account.events.js';
import type { Fee } from '../money.js';

/** Events in `charge-<id>`. Amounts are minor units; times are RFC 3339 with milliseconds, `+00:00`. */
export const chargeStream = (chargeId: string): string => `charge-${chargeId}`;

export type ActionFlow = 'PAYLOAD' | 'REDIRECTION' | 'EMBEDDED';
export type ChargeStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'EXPIRED' | 'CANCELLED';
export type SettlementStatus = 'UNKNOWN' | 'PENDING' | 'PROCESSING' | 'SETTLED' | 'REVERSED';

/** How the customer pays. Part of the event, so that a repeat returns the same after the service's address has changed. */
export interface ChargeAction {
  readonly type: 'PRESENT_TO_CUSTOMER' | 'REDIRECT_CUSTOMER';
  readonly embedded_url: string;
  /** null for live merchants. */
  readonly simulation_url: string | null;
  /** EMVCo payload; QR channels only. */
  readonly qr_string?: string;
}

/** Includes the payment instructions of a remote processor. */
export interface InstructedAction extends ChargeAction {
  /** The provider's own page or app. */
  readonly redirect_url?: string;
}

export interface ChargeCreated {
  readonly charge_id: string;
  readonly merchant_id: string;
  readonly code: string;
  readonly amount: number;
  readonly currency: string;
  readonly channel_code: string;
  readonly action_flow: ActionFlow;
  readonly reference_id: string;
  readonly description: string | null;
  readonly meta_data: Readonly<Record<string, string>>;
  readonly action: ChargeAction;
  readonly fee: Fee;
  readonly fee_amount: number;
  readonly net_amount: number;
  readonly charge_statement_id: string;
  readonly processor: string;
  readonly settlement_cycle: string;
  readonly expires_on: string;
  readonly created_by: string;
  readonly created_on: string;
  /** The payment page sends its customer to this address afterwards; absent, never null, when the merchant named none. */
  readonly return_url?: string;
  /** `processor` is a rail, which responds over a network: ChargeInstructed has the payment instructions. Absent, never false, otherwise. */
  readonly remote?: true;
}

/** Every later event of a charge repeats these fields, so that a posting needs no look-up. */
interface OfCharge {
  readonly charge_id: string;
  readonly merchant_id: string;
  readonly currency: string;
}

export interface ChargePaid extends OfCharge, AtProcessor {
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  readonly paid_on: string;
  /** When the money is due to become available. */
  readonly settlement_date: string;
  readonly payment_reference: string;
  /** Set when money arrived for a charge that had ended; finance sees it flagged. */
  readonly late_after: 'EXPIRED' | 'CANCELLED' | 'FAILED' | null;
}

/** Recorded before a push is sent to the customer's phone: no other attempt follows this one until its outcome is known. */
export interface ChargeInstructing extends OfCharge {
  /** From 1. */
  readonly attempt: number;
  readonly instructing_on: string;
}

/** The payment instructions that a remote processor returned for the customer. */
export interface ChargeInstructed extends OfCharge {
  /** From 1. */
  readonly attempt: number;
  readonly processor_reference: string;
  /** The complete action, including that of ChargeCreated. */
  readonly action: InstructedAction;
  /** Set by the processor; null: as long as the charge. */
  readonly valid_until: string | null;
  readonly instructed_on: string;
}

/** The processor's confirmation that an attempt leads to no payment: the customer may try again. */
export interface ChargeInstructionClosed extends OfCharge {
  readonly attempt: number;
  /** The processor's code. */
  readonly code: string;
  readonly closed_on: string;
}

/** Money at the processor that this charge cannot accept. It is booked to suspense until finance resolves it. */
export interface ChargePaymentUnmatched extends OfCharge, AtProcessor {
  readonly amount: number;
  readonly payment_reference: string;
  readonly reason: 'second-payment' | 'other-amount';
  readonly received_on: string;
}

export interface ChargeFailed extends OfCharge {
  readonly reason: string;
  readonly failed_on: string;
  /** A remote processor's code; absent, never null, when there is none. */
  readonly failure_code?: string;
}

export interface ChargeExpired extends OfCharge {
  readonly expired_on: string;
}

export interface ChargeCancelled extends OfCharge {
  readonly cancelled_on: string;
  readonly cancelled_by: string;
}

export interface ChargeSettlementClaimed extends OfCharge {
  readonly settlement_number: number;
  /** The amount of the charge that the settlement takes, minor units; null in claims of version 1: all of it. */
  readonly net_amount: number | null;
  readonly fee_amount: number | null;
  readonly claimed_on: string;
}

export interface ChargeReversed extends OfCharge, AtProcessor {
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  readonly reason: string;
  /** Number of the settlement that had claimed the charge; null when none had, and the money is taken from pending at once. */
  readonly claimed_in: number | null;
  readonly reversed_on: string;
}

export interface ChargeReversalClaimed extends OfCharge {
  readonly settlement_number: number;
  readonly claimed_on: string;
}

/** The claim of a settlement line of a refund or dispute. */
export interface ChargeLineClaimed extends OfCharge {
  readonly kind: ChargeLineKind;
  readonly record_id: string;
  readonly settlement_number: number;
  readonly net_amount: number;
  readonly claimed_on: string;
}

export type ChargeEvent =
  | { readonly type: 'ChargeCreated'; readonly data: ChargeCreated }
  | { readonly type: 'ChargeInstructing'; readonly data: ChargeInstructing }
  | { readonly type: 'ChargeInstructed'; readonly data: ChargeInstructed }
  | { readonly type: 'ChargeInstructionClosed'; readonly data: ChargeInstructionClosed }
  | { readonly type: 'ChargePaid'; readonly data: ChargePaid }
  | { readonly type: 'ChargePaymentUnmatched'; readonly data: ChargePaymentUnmatched }
  | { readonly type: 'ChargeFailed'; readonly data: ChargeFailed }
  | { readonly type: 'ChargeExpired'; readonly data: ChargeExpired }
  | { readonly type: 'ChargeCancelled'; readonly data: ChargeCancelled }
  | { readonly type: 'ChargeSettlementClaimed'; readonly data: ChargeSettlementClaimed }
  | { readonly type: 'ChargeReversed'; readonly data: ChargeReversed }
  | { readonly type: 'ChargeReversalClaimed'; readonly data: ChargeReversalClaimed }
  | ChargeRefundEvent
  | ChargeDisputeEvent
  | { readonly type: 'ChargeLineClaimed'; readonly data: ChargeLineClaimed }
  | SettlementLineRefusedEvent;
