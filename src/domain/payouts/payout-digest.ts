import { createHmac } from 'node:crypto';
import type { PayoutRequested } from '../../ledger/events/account.events.js';
import { deriveKey } from '../../ledger/crypto/encryption.js';

export type DigestedPayout = Pick<
  PayoutRequested,
  | 'payout_id'
  | 'merchant_id'
  | 'currency'
  | 'amount'
  | 'fee_amount'
  | 'net_amount'
  | 'bank_account_name'
  | 'bank_account_number'
  | 'bank_name'
  | 'approvals_required'
> & { readonly bank_code?: string | null };

/**
 * Digest of the fields that an operator approves: amounts and destination. Keyed with a separate derived key, because account numbers
 * can be guessed. Lower-case hex.
 * @param secret the service's secret
 */
export function payoutDigest(secret: Buffer, payout: DigestedPayout): string {
  const { payout_id, merchant_id, currency, amount, fee_amount, net_amount, approvals_required } = payout;
  const { bank_account_name, bank_account_number, bank_name, bank_code = null } = payout;
  const fields = [payout_id, merchant_id, currency, amount, fee_amount, net_amount, bank_account_name, bank_account_number, bank_name, bank_code];
  return createHmac('sha256', deriveKey(secret, 'chargebook payout approvals'))
    .update(JSON.stringify([...fields, approvals_required]))
    .digest('hex');
}
