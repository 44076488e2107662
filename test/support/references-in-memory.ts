import { partnerReferenceOf, type RailReferences } from '../../src/domain/payouts/transfer/rail-references.js';
import type { Timestamp } from '../../src/ledger/time.js';

/** References in memory, for processes that share them. */
export class ReferencesInMemory implements RailReferences {
  readonly #payouts = new Map<string, string>();
  #externalIds = 0;

  async partnerReference(rail: string, payout: { readonly payout_id: string; readonly created_on: Timestamp }): Promise<string> {
    const reference = partnerReferenceOf(payout, 0);
    this.#payouts.set(`${rail} ${reference}`, payout.payout_id);
    return reference;
  }

  async externalId(): Promise<string> {
    this.#externalIds += 1;
    return String(this.#externalIds).padStart(19, '0');
  }

  async payoutOf(rail: string, partnerReference: string): Promise<string | undefined> {
    return this.#payouts.get(`${rail} ${partnerReference}`);
  }
}
