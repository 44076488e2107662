import type { AtProcessor } from './at-processor.js';
import type { ChargeDisputeEvent } from './dispute.events.js';
import type { ChargeRefundEvent } from './refund.events.js';
import type { ChargeLineKind, SettlementLineRefusedEvent } from './account.events.js';
import type { Fee } from '../money.js';

/** Facts in `charge-<id>`. Amounts are minor units; times are RFC 3339 with milliseconds, `+00:00`. */
export const chargeStream = (chargeId: string): string => `charge-${chargeId}`;

export type ActionFlow = 'PAYLOAD' | 'REDIRECTION' | 'EMBEDDED';
export type ChargeStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'EXPIRED' | 'CANCELLED';
export type SettlementStatus = 'UNKNOWN' | 'PENDING' | 'PROCESSING' | 'SETTLED' | 'REVERSED';

/** How the customer is to pay. Part of the fact, so that a repeat answers the same when the service's address has changed. */
export interface ChargeAction {
  readonly type: 'PRESENT_TO_CUSTOMER' | 'REDIRECT_CUSTOMER';
  readonly embedded_url: string;
  /** null for live merchants. */
  readonly simulation_url: string | null;
  /** EMVCo payload; QR channels only. */
  readonly qr_string?: string;
}

/** With what a remote processor gave. */
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
  /** Where the payment page leads its customer afterwards; absent, never null, where the merchant named none. */
  readonly return_url?: string;
  /** `processor` is a rail, which answers over a network: how to pay is said by ChargeInstructed. Absent, never false, otherwise. */
  readonly remote?: true;
}

/** What every later fact of a charge repeats, so that a posting needs no look-up. */
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
  /** Set when money arrived for a charge that had ended: finance sees it flagged. */
  readonly late_after: 'EXPIRED' | 'CANCELLED' | 'FAILED' | null;
}

/** Before a push goes out to the customer's phone: after this attempt there is no other one until its outcome is known. */
export interface ChargeInstructing extends OfCharge {
  /** From 1. */
  readonly attempt: number;
  readonly instructing_on: string;
}

/** What a remote processor gave the customer to pay with. */
export interface ChargeInstructed extends OfCharge {
  /** From 1. */
  readonly attempt: number;
  readonly processor_reference: string;
  /** All of it, that of ChargeCreated included. */
  readonly action: InstructedAction;
  /** By the processor; null: as long as the charge. */
  readonly valid_until: string | null;
  readonly instructed_on: string;
}

/** The processor's definite word that an attempt leads nowhere: the customer may try again. */
export interface ChargeInstructionClosed extends OfCharge {
  readonly attempt: number;
  /** The processor's code. */
  readonly code: string;
  readonly closed_on: string;
}

/** Money at the processor that this charge cannot take: kept on record for finance, moves nothing. */
export interface ChargePaymentUnmatched extends OfCharge, AtProcessor {
  readonly amount: number;
  readonly payment_reference: string;
  readonly reason: 'second-payment' | 'other-amount';
  readonly received_on: string;
}

export interface ChargeFailed extends OfCharge {
  readonly reason: string;
  readonly failed_on: string;
  /** A remote processor's code; absent, never null, where there is none. */
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
  /** What the settlement takes of the charge, minor units; null in claims of version 1: all of it. */
  readonly net_amount: number | null;
  readonly fee_amount: number | null;
  readonly claimed_on: string;
}

export interface ChargeReversed extends OfCharge, AtProcessor {
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  readonly reason: string;
  /** Number of the settlement that had claimed the charge; null when none had, and pending gives the money back at once. */
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
