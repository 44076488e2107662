import type { Timestamp } from '../../ledger/time.js';
import type { FinishedPayouts } from './finished-payouts.js';
import type { PersistentMap } from './persistent-map.js';

/** A payout that is reserved and has not ended. Its details stay in the stream, which keeps the state of a busy account small. */
export interface OpenPayout {
  readonly status: 'PENDING' | 'PROCESSING';
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  /** Revision of its PayoutRequested in the account's stream. */
  readonly requested_at: number;
  /** null when it requires no approval. */
  readonly approval: PayoutApproval | null;
}

export interface PayoutApproval {
  readonly required: 1 | 2;
  readonly approve_by: Timestamp;
  /** Operators, each once, in the order of their approvals; without those whose approval was voided. */
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

/** The data that an account's next decision needs, and no more. */
export interface AccountState {
  /** Revision of the newest event folded in; -1 before the first. */
  readonly revision: number;
  /** null before the first event. */
  readonly owner: { readonly merchant_id: string; readonly currency: string } | null;
  /** Minor units. Below zero when settlements take more than they add, or after clawbacks. */
  readonly available: bigint;
  /** Minor units: the sum of the open payouts. */
  readonly reserved: bigint;
  /** Number of the last applied settlement; 0 before the first. */
  readonly settlement_number: number;
  readonly open: PersistentMap<OpenPayout>;
  readonly finished: FinishedPayouts;
  /** The newest UTC day (`2026-01-31`) on which payouts were requested, and their sum in minor units, whether or not they were paid. */
  readonly requested: { readonly day: string; readonly amount: bigint } | null;
  /** Keyed by refund. */
  readonly reservations: PersistentMap<OpenReservation>;
}
