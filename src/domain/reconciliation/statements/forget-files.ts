import type { Pool } from 'pg';
import { findAbandoned } from '../../../../projections/reconciliation/statement-reads.js';
import { destroyKeys } from '../../../ledger/crypto/erasable-keys.js';
import { sourceStream, statementStream } from '../../../ledger/events/reconciliation.events.js';
import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { foldStream } from '../../../ledger/streams/fold-stream.js';
import { systemContext } from '../../../ledger/streams/new-event.js';
import { DAY_MS, timestamp, type Clock, type Timestamp } from '../../../ledger/time.js';
import type { EventStore } from '../../../platform/event-store/event-store.js';
import { isDecided, source as sourceDecider } from '../source.decider.js';
import { statementFile, type ForgetFile } from './statement-file.decider.js';

/** Time after which the names in a file that was received and not accepted are forgotten, ms. */
export const ABANDONED_MS = 30 * DAY_MS;
/** Maximum files per pass. */
const PAGE_SIZE = 100;

/**
 * Destroys the keys of the names in these files; amounts, references and proofs stay. Call it only after the event that orders it is in the log.
 * Traces of a key in the database's files are removed as those of customers' keys are. A repeat is success.
 */
export async function forgetStatements(pool: Pool, clock: Clock, statementIds: readonly string[]): Promise<void> {
  await destroyKeys('statement', pool, clock, statementIds);
  await pool.query('delete from statement_people where statement_id = any($1::uuid[])', [statementIds]);
}

/**
 * Forgets the names in files whose import was refused at its end or never completed. Importing such a file again still completes it, without names.
 * @throws StoreUnavailable, OutcomeUnknown: the next pass continues
 */
export async function forgetAbandoned(
  { store, pool, clock }: { readonly store: EventStore; readonly pool: Pool; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  for (const { id, source, sha256 } of await findAbandoned(pool, timestamp(clock() - ABANDONED_MS), PAGE_SIZE)) {
    if (signal.aborted) return;
    // The read model may lag: the source's own stream decides whether the file counts.
    if (isDecided((await foldStream(store, sourceStream(source), sourceDecider)).state, id)) continue;
    const reason = `It was received and not accepted within ${ABANDONED_MS / DAY_MS} days.`;
    const command = (now: Timestamp): ForgetFile => ({ kind: 'forget', statement_id: id, source, reason, proposal_id: null, now });
    await decideOnStream(store, clock, statementStream(source, sha256), statementFile, command, systemContext());
    await forgetStatements(pool, clock, [id]);
  }
}
