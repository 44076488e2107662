import type { Account, MoneyMove } from '../../ledger/postings.js';
import type { LoggedEvent } from '../../ledger/read-model.js';

/** A payout or refund for which the account would have had too little. It counts as paid, because it was. Amounts are minor units. */
export interface UncoveredRequest {
  readonly kind: 'PAYOUT' | 'REFUND';
  readonly id: string;
  readonly merchant_id: string;
  readonly currency: string;
  /** The amount that it takes from available. */
  readonly amount: number;
  /** The part of it that would not have been available. */
  readonly missing_amount: number;
  readonly requested_on: string;
}

/** Follows the available money of the accounts in a scenario. */
export class Coverage {
  readonly uncovered: UncoveredRequest[] = [];
  readonly #available = new Map<string, bigint>();

  /**
   * Receives each event that moves money, as the scenario has it, before its move counts.
   * @param unsettled amount that the account's available also has in the scenario, minor units
   */
  take(event: LoggedEvent, { merchant_id, currency, postings }: MoneyMove, unsettled: bigint): void {
    const account = `${merchant_id} ${currency}`;
    const before = this.#available.get(account) ?? 0n;
    if (event.type === 'PayoutRequested' || event.type === 'RefundReserved') this.#request(event, before + unsettled);
    this.#available.set(account, before + flowTo('available', postings));
  }

  #request(event: Extract<LoggedEvent, { readonly type: 'PayoutRequested' | 'RefundReserved' }>, available: bigint): void {
    const [kind, id, amount, requested_on] =
      event.type === 'PayoutRequested'
        ? (['PAYOUT', event.data.payout_id, event.data.amount, event.data.created_on] as const)
        : (['REFUND', event.data.refund_id, event.data.net_amount, event.data.reserved_on] as const);
    if (BigInt(amount) <= available) return;
    const { merchant_id, currency } = event.data;
    const missing_amount = available <= 0n ? amount : amount - Number(available);
    this.uncovered.push({ kind, id, merchant_id, currency, amount, missing_amount, requested_on });
  }
}

/** Returns the sum that an account gains by postings, minor units; below zero when it loses. */
export function flowTo(account: Account, postings: MoneyMove['postings']): bigint {
  return postings.reduce((sum, { from, to, amount }) => sum + (to === account ? amount : 0n) - (from === account ? amount : 0n), 0n);
}
