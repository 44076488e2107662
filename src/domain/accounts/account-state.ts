import type { Timestamp } from '../../ledger/time.js';
import type { FinishedPayouts } from './finished-payouts.js';
import type { PersistentMap } from './persistent-map.js';

/** A payout that is reserved and has not ended. Its details stay in the stream: the state of a busy account stays small. */
export interface OpenPayout {
  readonly status: 'PENDING' | 'PROCESSING';
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  /** Revision of its PayoutRequested in the account's stream. */
  readonly requested_at: number;
  /** null where nobody has to approve it. */
  readonly approval: PayoutApproval | null;
}

export interface PayoutApproval {
  readonly required: 1 | 2;
  readonly approve_by: Timestamp;
  /** Persons, each once, in the order in which they approved; without those whose approval was taken back. */
  readonly given: readonly string[];
}

/** Money that is reserved for a refund until the charge has claimed or declined it. */
export interface OpenReservation {
  readonly reservation_id: string;
  readonly charge_id: string;
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  /** Revision of its RefundReserved in the account's stream. */
  readonly reserved_at: number;
}

/** What the next decision of an account needs, and no more. */
export interface AccountState {
  /** Of the newest event folded in; -1 before the first. */
  readonly revision: number;
  /** null before the first event. */
  readonly owner: { readonly merchant_id: string; readonly currency: string } | null;
  /** Minor units. Settlements that take back more than they bring, and clawbacks, may take it below zero. */
  readonly available: bigint;
  /** Minor units: the sum of the open payouts. */
  readonly reserved: bigint;
  /** Number of the last settlement taken; 0 before the first. */
  readonly settlement_number: number;
  readonly open: PersistentMap<OpenPayout>;
  readonly finished: FinishedPayouts;
  /** The newest UTC day (`2026-01-31`) on which payouts were requested, and their sum in minor units, whatever became of them. */
  readonly requested: { readonly day: string; readonly amount: bigint } | null;
  /** By refund. */
  readonly reservations: PersistentMap<OpenReservation>;
}
