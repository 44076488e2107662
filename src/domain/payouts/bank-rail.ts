import type { Timestamp } from '../../ledger/time.js';
import type { SignedNotification } from '../charges/processor.js';

/** A payout as the bank is instructed with it. */
export interface BankInstruction {
  /** The bank's idempotency key: the same payout is paid once, however often it is handed over. */
  readonly payout_id: string;
  readonly currency: string;
  /** Minor units: what the account is to receive. */
  readonly net_amount: number;
  readonly bank_account_name: string;
  readonly bank_account_number: string;
  readonly bank_name: string;
  readonly requested_on: Timestamp;
}

export type BankAnswer =
  /** Taken; to be asked again: after `again_ms` milliseconds, where the bank says when it will answer. */
  | { readonly status: 'PROCESSING'; readonly again_ms?: number }
  | { readonly status: 'PAID' }
  /** Definite: the money has not left, and will not. */
  | { readonly status: 'REJECTED'; readonly reason: string };

/** A bank's notification. `occurred_on` is by the bank's clock: recorded as given, never the time of an event. */
export type BankNotification = {
  readonly notification_id: string;
  readonly payout_id: string;
  readonly occurred_on: Timestamp;
} & (
  | { readonly kind: 'paid' }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The money has come back after it had been paid. */
  | { readonly kind: 'returned'; readonly reason: string }
);

/** The port to the bank, which moves money to merchants' banks. */
export interface BankRail {
  /** How long a payout rests before it is handed over, ms: that long it can be cancelled. */
  readonly rest_ms: number;
  /**
   * Hands a payout over, or asks what has become of it: the same call, answered the same, however often it is made.
   * An error (no connection, no answer) says nothing about the payout: it is asked again. `now`: milliseconds since the epoch.
   */
  pay(instruction: BankInstruction, now: number): Promise<BankAnswer>;
  /** Verifies, then reads. @throws UnverifiedNotification, MalformedNotification */
  notification(received: SignedNotification, now: number): BankNotification;
}

/** The rail in force. */
export const BANK_RAIL = Symbol('BankRail');
