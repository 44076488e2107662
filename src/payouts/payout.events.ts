import type { PayoutRequested } from '../accounts/account.events.js';

/** Facts in `payout-<id>`: that a payout exists once, and its return by the bank. */
export const payoutStream = (payoutId: string): string => `payout-${payoutId}`;

/** A copy of PayoutRequested, never of the request at hand. */
export type PayoutRegistered = PayoutRequested;

export interface PayoutReturned {
  readonly payout_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
  readonly reason: string;
  readonly returned_on: string;
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
  | { readonly type: 'PayoutReturnClaimed'; readonly data: PayoutReturnClaimed };
