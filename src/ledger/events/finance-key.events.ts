/**
 * Events in `merchant-finance-keys`: the keys of finance, which read across merchants. The name begins as a merchant's stream does, so that one
 * subscription brings all keys to every process; no merchant has this id, because ids are UUIDs.
 */
export const FINANCE_KEYS_STREAM = 'merchant-finance-keys';

interface FinanceKeyIssued {
  /** The event belongs to no merchant. */
  readonly merchant_id: null;
  readonly key_id: string;
  /** SHA-256 of the key, hex; the key itself is stored nowhere. */
  readonly key_hash: string;
  readonly name: string;
  readonly expires_on: string | null;
  readonly issued_on: string;
}

interface FinanceKeyRevoked {
  readonly merchant_id: null;
  readonly key_id: string;
  /** Time of the decision; with an overlap, its end. */
  readonly revoked_on: string;
  /** True: the key is rejected as soon as this is known, whatever the date is. False only for a rotation's overlap: rejected from `revoked_on` on. */
  readonly at_once: boolean;
}

export type FinanceKeyEvent =
  { readonly type: 'FinanceKeyIssued'; readonly data: FinanceKeyIssued } | { readonly type: 'FinanceKeyRevoked'; readonly data: FinanceKeyRevoked };
