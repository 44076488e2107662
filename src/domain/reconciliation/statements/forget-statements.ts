import type { Pool } from 'pg';
import { destroyKeys } from '../../../ledger/crypto/erasable-keys.js';
import type { Clock } from '../../../ledger/time.js';

/**
 * Nobody opens any more whom these files name; amounts, references and proofs stay. Only after the event that says so is in the log. What
 * is left of the key in the database's files is removed as that of customers is. Done already is success.
 */
export async function forgetStatements(pool: Pool, clock: Clock, statementIds: readonly string[]): Promise<void> {
  await destroyKeys('statement', pool, clock, statementIds);
  await pool.query('delete from statement_people where statement_id = any($1::uuid[])', [statementIds]);
}
