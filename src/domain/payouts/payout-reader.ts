import type { Timestamp } from '../../ledger/time.js';

export interface ReadPayout {
  readonly currency: string;
  readonly payout_status: 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'REVERSED';
  readonly updated_on: Timestamp;
}

/**
 * Reads payouts from the read model: for a payout whose stream has not begun, or that its account no longer remembers as ended. The
 * read model may lag: its rows are true, but newer events may be missing.
 */
export interface PayoutReader {
  find(merchantId: string, payoutId: string): Promise<ReadPayout | undefined>;
}

/** Injection token of the `PayoutReader` in force. */
export const PAYOUT_READER = Symbol('PayoutReader');
