import type { AtProcessor } from './at-processor.js';

/** Events of refunds. Amounts are minor units; times are RFC 3339 with milliseconds, `+00:00`. */

/** Fields of every event of a refund: the amount that the customer receives back, the fee that is returned with it, and the merchant's part. */
interface OfRefund {
  readonly charge_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly refund_id: string;
  readonly amount: number;
  readonly fee_amount: number;
  /** amount − fee_amount */
  readonly net_amount: number;
}

/** The merchant's request: all fields that a response shows. */
export interface RefundDetails extends OfRefund {
  readonly reason: RefundReason | null;
  readonly reference_id: string | null;
  readonly description: string | null;
  readonly meta_data: Readonly<Record<string, string>>;
  /** Fingerprint of the accepted request. */
  readonly fingerprint: string;
  readonly created_by: string;
}

export type RefundReason = 'REQUESTED_BY_CUSTOMER' | 'DUPLICATE' | 'FRAUDULENT' | 'CANCELLATION' | 'OTHER';

/** PENDING: the money is taken from the charge's pending; AVAILABLE: the account has reserved it (RefundReserved). */
export type RefundSource = 'PENDING' | 'AVAILABLE';

export interface ChargeRefundClaimed extends RefundDetails {
  readonly source: RefundSource;
  /** Id of the RefundReserved that it copies; null when the source is PENDING. */
  readonly reservation_id: string | null;
  readonly claimed_on: string;
}

/** The money that the account had reserved cannot be refunded any more: the account releases it. */
export interface ChargeRefundDeclined extends OfRefund {
  readonly reservation_id: string;
  readonly reason: string;
  readonly declined_on: string;
}

/** From now on the processor may have it: it can no longer be cancelled. */
export interface ChargeRefundSubmitted extends OfRefund {
  readonly submitted_on: string;
}

export interface ChargeRefundSucceeded extends OfRefund, AtProcessor {
  readonly succeeded_on: string;
}

/** Destination of a refund's money that does not reach the customer: PROCESSOR when it follows the charge's reversal. */
export type RefundReturnsTo = 'PENDING' | 'RETURNS' | 'PROCESSOR';

/** The processor's definite rejection. */
export interface ChargeRefundFailed extends OfRefund, AtProcessor {
  readonly reason: string;
  readonly to: RefundReturnsTo;
  readonly failed_on: string;
}

export interface ChargeRefundCancelled extends OfRefund, AtProcessor {
  readonly reason: 'REQUESTED' | 'CHARGE_DISPUTED';
  readonly to: RefundReturnsTo;
  readonly cancelled_by: string;
  readonly cancelled_on: string;
}

/** The refund had succeeded, and was returned from the customer's side. */
export interface ChargeRefundBounced extends OfRefund, AtProcessor {
  readonly reason: string;
  readonly to: Exclude<RefundReturnsTo, 'PROCESSOR'>;
  readonly bounced_on: string;
}

/** Events in `charge-<id>`. */
export type ChargeRefundEvent =
  | { readonly type: 'ChargeRefundClaimed'; readonly data: ChargeRefundClaimed }
  | { readonly type: 'ChargeRefundDeclined'; readonly data: ChargeRefundDeclined }
  | { readonly type: 'ChargeRefundSubmitted'; readonly data: ChargeRefundSubmitted }
  | { readonly type: 'ChargeRefundSucceeded'; readonly data: ChargeRefundSucceeded }
  | { readonly type: 'ChargeRefundFailed'; readonly data: ChargeRefundFailed }
  | { readonly type: 'ChargeRefundCancelled'; readonly data: ChargeRefundCancelled }
  | { readonly type: 'ChargeRefundBounced'; readonly data: ChargeRefundBounced };

/** The account has reserved the money for a refund of a claimed charge: the charge decides whether it is refunded. */
export interface RefundReserved extends RefundDetails {
  /** New for every attempt. */
  readonly reservation_id: string;
  readonly reserved_on: string;
}

/** Fields of an event that ends a reservation. */
export interface OfReservation extends OfRefund {
  readonly reservation_id: string;
}

/** The charge has declined it. */
export interface RefundReleased extends OfReservation {
  readonly released_on: string;
}

/** The charge has claimed it. */
export interface RefundConfirmed extends OfReservation {
  readonly confirmed_on: string;
}

/** Events in `account-<merchant>-<currency>`. */
export type AccountRefundEvent =
  | { readonly type: 'RefundReserved'; readonly data: RefundReserved }
  | { readonly type: 'RefundReleased'; readonly data: RefundReleased }
  | { readonly type: 'RefundConfirmed'; readonly data: RefundConfirmed };
