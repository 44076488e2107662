import type { PayoutRequested, SettlementLineRefusedEvent } from './account.events.js';

/** Events in `payout-<id>`: its registration, its return by the bank, and responses of the bank that contradict its end. */
export const payoutStream = (payoutId: string): string => `payout-${payoutId}`;

/** A copy of PayoutRequested, never of the current request. */
export type PayoutRegistered = PayoutRequested;

/** Fields of an event that repeats the amounts of a payout. */
interface OfPayout {
  readonly payout_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
}

export interface PayoutReturned extends OfPayout {
  readonly reason: string;
  readonly returned_on: string;
}

/** Final outcomes of a payout that a bank can report. */
export type BankWord = 'paid' | 'rejected' | 'returned';

/** The bank reports an outcome that contradicts the recorded end of a payout. It moves nothing: operators look into it. */
export interface PayoutOutcomeContradicted extends OfPayout {
  /** The outcome in the books. */
  readonly recorded: 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  readonly said: BankWord;
  /** The bank's reason; null with paid. */
  readonly reason: string | null;
  readonly contradicted_on: string;
}

export interface PayoutReturnClaimed {
  readonly payout_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly settlement_number: number;
  readonly claimed_on: string;
}

export type PayoutEvent =
  | { readonly type: 'PayoutRegistered'; readonly data: PayoutRegistered }
  | { readonly type: 'PayoutReturned'; readonly data: PayoutReturned }
  | { readonly type: 'PayoutOutcomeContradicted'; readonly data: PayoutOutcomeContradicted }
  | { readonly type: 'PayoutReturnClaimed'; readonly data: PayoutReturnClaimed }
  | SettlementLineRefusedEvent;
