import type { PayoutRequested } from '../../ledger/events/account.events.js';
import type { Timestamp } from '../../ledger/time.js';
import type { SignedNotification } from '../charges/processor.js';

/** A payout as the bank receives it. */
export interface BankInstruction extends Pick<
  PayoutRequested,
  'currency' | 'net_amount' | 'bank_account_name' | 'bank_account_number' | 'bank_name'
> {
  /** The bank's idempotency key: however often the payout is submitted, it is paid once. */
  readonly payout_id: string;
  readonly requested_on: Timestamp;
}

export type BankAnswer =
  /** Accepted; query again, after `again_ms` milliseconds if the bank gave a time. */
  | { readonly status: 'PROCESSING'; readonly again_ms?: number }
  | { readonly status: 'PAID' }
  /** Definite: the money has not left, and will not. */
  | { readonly status: 'REJECTED'; readonly reason: string };

/** A bank's notification. `occurred_on` is the bank's time: recorded as given, never used as the time of an event. */
export type BankNotification = {
  readonly notification_id: string;
  readonly payout_id: string;
  readonly occurred_on: Timestamp;
} & (
  | { readonly kind: 'paid' }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The money came back after it had been paid. */
  | { readonly kind: 'returned'; readonly reason: string }
);

/** The port to the bank, which moves money to merchants' banks. */
export interface BankRail {
  /** Delay before a payout is submitted, ms. During this time it can be cancelled. */
  readonly rest_ms: number;
  /**
   * Submits a payout or queries its state: the same call, with the same response, however often it is made. An error (no connection,
   * no response) is no result: the call is repeated. `now`: milliseconds since the epoch.
   */
  pay(instruction: BankInstruction, now: number): Promise<BankAnswer>;
  /** Verifies the signature, then parses. @throws UnverifiedNotification, MalformedNotification */
  notification(received: SignedNotification, now: number): BankNotification;
}

/** Injection token of the `BankRail` in force. */
export const BANK_RAIL = Symbol('BankRail');
