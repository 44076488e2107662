import type { PayoutClaim, PayoutClaims } from '../../src/domain/payouts/payout-claims.js';

/** Claims in memory, for processes that share it; nothing gets old enough to be taken over. */
export class ClaimsInMemory implements PayoutClaims {
  private readonly held = new Map<string, { readonly currency: string; holders: number }>();

  async claim(payoutId: string, currency: string): Promise<PayoutClaim> {
    const claim = this.held.get(payoutId) ?? { currency, holders: 0 };
    if (claim.currency === currency) claim.holders += 1;
    this.held.set(payoutId, claim);
    return { currency: claim.currency, claimed_on: '', is_old: false };
  }

  async takeOver(): Promise<boolean> {
    return false;
  }

  async release(payoutId: string, currency: string): Promise<void> {
    const claim = this.held.get(payoutId);
    if (claim?.currency === currency && --claim.holders === 0) this.held.delete(payoutId);
  }
}
