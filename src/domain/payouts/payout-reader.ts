import type { Pool } from 'pg';
import { findPayout } from '../../../projections/payouts/payouts.js';
import type { Timestamp } from '../../ledger/time.js';

export interface ReadPayout {
  readonly currency: string;
  readonly payout_status: 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'REVERSED';
  readonly updated_on: Timestamp;
}

/**
 * A payout as the read model has it: where to look for one whose own stream has not begun, or whose end its account has forgotten.
 * It may be behind: what it shows has happened, what it does not show may have.
 */
export interface PayoutReader {
  find(merchantId: string, payoutId: string): Promise<ReadPayout | undefined>;
}

export const PAYOUT_READER = Symbol('PayoutReader');

/** Payouts as the read model in `pool` has them. */
export function payoutReader(pool: Pool): PayoutReader {
  return { find: (merchantId, payoutId) => findPayout(pool, merchantId, payoutId) };
}
