import type { DisputeClaim } from './disputes/charge-disputes.js';
import type { Channel } from '../../ledger/channels.js';
import type { DisputeStage, EvidenceCategory } from '../../ledger/events/dispute.events.js';
import type { Timestamp } from '../../ledger/time.js';

/** A new charge as it is sent to the processor. */
export interface PaymentOrder {
  readonly charge_id: string;
  /** `CHG_…`: unique, short enough for a payment network's reference. */
  readonly code: string;
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly channel: Channel;
  /** Minor units. */
  readonly amount: number;
  readonly reference_id: string;
  readonly expires_on: Timestamp;
}

/** What the customer is given to pay with, beyond the hosted page. */
export interface PaymentInstructions {
  /** EMVCo payload; QR channels only. */
  readonly qr_string?: string;
}

/** A processor's notification about a charge. `occurred_on` is by the processor's clock: recorded as given, never the time of an event. */
export type Notification = {
  readonly notification_id: string;
  readonly charge_id: string;
  readonly occurred_on: Timestamp;
} & (
  | { readonly kind: 'paid'; readonly amount: number; readonly payment_reference: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'reversed'; readonly reason: string }
  | { readonly kind: 'refund-succeeded'; readonly refund_id: string }
  | { readonly kind: 'refund-failed' | 'refund-bounced'; readonly refund_id: string; readonly reason: string }
  | ({ readonly kind: 'dispute-opened' } & DisputeClaim)
  | { readonly kind: 'dispute-won'; readonly reference: string; readonly stage: DisputeStage; readonly final: boolean }
  | { readonly kind: 'dispute-lost'; readonly reference: string; readonly stage: DisputeStage }
);

/** What the processor is to give back to the customer. The refund's id is its idempotency key. */
export interface RefundInstruction {
  readonly refund_id: string;
  readonly charge_id: string;
  /** Of the payment that is given back. */
  readonly payment_reference: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  /** `simulate` of the refund's metadata, for processors that simulate; null without. */
  readonly simulate: string | null;
  readonly claimed_on: Timestamp;
}

/** PROCESSING: to be asked again, after `again_ms` milliseconds where the processor says when it will answer. Only a definite no is REJECTED. */
export type RefundAnswer =
  | { readonly status: 'PROCESSING'; readonly again_ms?: number }
  | { readonly status: 'REFUNDED' }
  | { readonly status: 'REJECTED'; readonly reason: string };

/** The part of the port that gives money back. */
export interface RefundProcessor {
  /** From the claim of a refund until it is handed over: for so long it can be cancelled. */
  readonly rest_ms: number;
  /** The same instruction any number of times is one refund. `now`: milliseconds since the epoch. */
  refund(instruction: RefundInstruction, now: number): Promise<RefundAnswer>;
}

/** A file that a merchant shows for its side of a dispute. */
export interface ChallengeEvidence {
  readonly id: string;
  readonly name: string;
  readonly category: EvidenceCategory;
  readonly media_type: string;
  /** Bytes. */
  readonly size: number;
  /** Of the bytes, hex. */
  readonly sha256: string;
  /** The bytes, in parts, as often as they are asked for. What is erased meanwhile throws. */
  readonly open: () => AsyncIterable<Buffer>;
}

/** A merchant's answer to a dispute. */
export interface ChallengeInstruction {
  readonly dispute_id: string;
  /** The processor's own. */
  readonly reference: string;
  readonly stage: DisputeStage;
  readonly evidence: readonly ChallengeEvidence[];
}

/** PROCESSING: to be handed over again. */
export type ChallengeAnswer = { readonly status: 'TAKEN' } | { readonly status: 'PROCESSING' };

/** The part of the port that takes merchants' answers to disputes. */
export interface DisputeProcessor {
  /** The same instruction any number of times is one challenge. */
  challenge(instruction: ChallengeInstruction): Promise<ChallengeAnswer>;
}

/** A notification as it came over the wire. */
export interface SignedNotification {
  /** As sent, byte for byte: the signature is over these. */
  readonly body: Buffer;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The notification did not come from the processor, or not now: 401. Says no more than a stranger may know. */
export class UnverifiedNotification extends Error {
  override readonly name = 'UnverifiedNotification';
}

/** Signed, but not a notification: 400, with the place of the first fault as a JSON pointer. */
export class MalformedNotification extends Error {
  override readonly name = 'MalformedNotification';

  constructor(
    readonly pointer: string,
    detail: string,
  ) {
    super(detail);
  }
}

/** The port to the processor, which moves the customer's money. */
export interface Processor extends RefundProcessor, DisputeProcessor {
  /** Upper case; the `processor` of a charge. */
  readonly name: string;
  /** A function of the order alone: a repeat, on any process, gives the same. @throws RangeError when the amount fits no QR payload. */
  instructions(order: PaymentOrder): PaymentInstructions;
  /**
   * Verifies, then reads. `now`: milliseconds since the epoch.
   * @throws UnverifiedNotification, MalformedNotification
   */
  notification(received: SignedNotification, now: number): Notification;
}
