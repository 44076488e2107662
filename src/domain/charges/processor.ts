import type { DisputeClaim } from './disputes/charge-disputes.js';
import type { Channel } from '../../ledger/channels.js';
import type { DisputeStage, EvidenceCategory } from '../../ledger/events/dispute.events.js';
import type { Timestamp } from '../../ledger/time.js';

/** A new charge as the processor receives it. */
export interface PaymentOrder {
  readonly charge_id: string;
  /** `CHG_…`: unique, and short enough for a payment network's reference. */
  readonly code: string;
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly channel: Channel;
  /** Minor units. */
  readonly amount: number;
  readonly reference_id: string;
  readonly expires_on: Timestamp;
}

/** Payment instructions for the customer, in addition to the hosted page. */
export interface PaymentInstructions {
  /** EMVCo payload; QR channels only. */
  readonly qr_string?: string;
}

/** A processor's notification about a charge. `occurred_on` is the processor's time: recorded as given, never used as the time of an event. */
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

/** A refund for the processor to pay to the customer. The refund's id is its idempotency key. */
export interface RefundInstruction {
  readonly refund_id: string;
  readonly charge_id: string;
  /** Reference of the refunded payment. */
  readonly payment_reference: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  /** `simulate` of the refund's metadata, for processors that simulate; null without. */
  readonly simulate: string | null;
  readonly claimed_on: Timestamp;
}

/** PROCESSING: query again, after `again_ms` milliseconds if the processor gave a time. REJECTED only for a definite rejection. */
export type RefundAnswer =
  | { readonly status: 'PROCESSING'; readonly again_ms?: number }
  | { readonly status: 'REFUNDED' }
  | { readonly status: 'REJECTED'; readonly reason: string };

/** The part of the port that refunds money. */
export interface RefundProcessor {
  /** Delay from the claim of a refund to its submission, ms. During this time it can be cancelled. */
  readonly rest_ms: number;
  /** Repeats of an instruction are one refund. `now`: milliseconds since the epoch. */
  refund(instruction: RefundInstruction, now: number): Promise<RefundAnswer>;
}

/** A file with which a merchant challenges a dispute. */
export interface ChallengeEvidence {
  readonly id: string;
  readonly name: string;
  readonly category: EvidenceCategory;
  readonly media_type: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string;
  /** Returns the bytes in parts. May be called repeatedly; throws when the file has been erased meanwhile. */
  readonly open: () => AsyncIterable<Buffer>;
}

/** A merchant's challenge of a dispute. */
export interface ChallengeInstruction {
  readonly dispute_id: string;
  /** The processor's reference. */
  readonly reference: string;
  readonly stage: DisputeStage;
  readonly evidence: readonly ChallengeEvidence[];
}

/** PROCESSING: submit again. */
export type ChallengeAnswer = { readonly status: 'TAKEN' } | { readonly status: 'PROCESSING' };

/** The part of the port that accepts merchants' challenges of disputes. */
export interface DisputeProcessor {
  /** Repeats of an instruction are one challenge. */
  challenge(instruction: ChallengeInstruction): Promise<ChallengeAnswer>;
}

/** A notification as received. */
export interface SignedNotification {
  /** The exact bytes as sent: the signature covers them. */
  readonly body: Buffer;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The notification is not from the processor, or its time is not acceptable: 401. Contains no details that an attacker could use. */
export class UnverifiedNotification extends Error {
  override readonly name = 'UnverifiedNotification';
}

/** Signed, but not a notification: 400, with a JSON pointer to the first fault. */
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
  /** A pure function of the order: a repeat on any process returns the same. @throws RangeError when the amount does not fit into a QR payload */
  instructions(order: PaymentOrder): PaymentInstructions;
  /** Verifies the signature, then parses. `now`: milliseconds since the epoch. @throws UnverifiedNotification, MalformedNotification */
  notification(received: SignedNotification, now: number): Notification;
}
