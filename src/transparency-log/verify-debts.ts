import type { Pool } from 'pg';
import { findTrialBalance } from '../../projections/balances/trial-balance.js';
import { isDayCloseOpen } from '../../projections/reconciliation/days/day-close-reads.js';
import { findReceivable } from '../../projections/reconciliation/matches/receivable.js';
import { MODES, type Mode } from '../ledger/mode.js';
import { timestamp, type Timestamp } from '../ledger/time.js';
import { readCheckpoint } from '../platform/projector/checkpoint.js';

/** A mode and currency in which the open items of processors and the account `processor` have different sums. */
export interface WrongDebt {
  readonly mode: Mode;
  readonly currency: string;
  readonly fault: string;
}

/** Later than any booking. */
const NEVER: Timestamp = timestamp(Date.UTC(9999, 0));

/**
 * Compares the debt of processors with the books, as of the newest event that both projections have applied. Returns the first difference; null when
 * there is none, or while a close books a day part by part.
 */
export async function verifyDebts(pool: Pool, now: Timestamp): Promise<WrongDebt | null> {
  const reached = await Promise.all(['ledger', 'recon'].map(async (name) => (await readCheckpoint(pool, name))?.ordinal ?? 0));
  const position = Math.min(...reached);
  if (await isDayCloseOpen(pool, position)) return null;
  for (const mode of MODES) {
    const owed = await findReceivable(pool, mode, now, position);
    const books = await findTrialBalance(pool, { mode, closing: { ends_on: NEVER, position } });
    for (const { currency, accounts } of books) {
      const items = owed.filter((each) => each.currency === currency).reduce((sum, { amount }) => sum + amount, 0n);
      const processor = accounts.find(({ account }) => account === 'processor')!.balance;
      if (items !== -processor)
        return { mode, currency, fault: `processors owe ${items} minor units by their items, and ${-processor} by the books` };
    }
  }
  return null;
}
