import type { Pool, PoolClient, QueryConfig } from 'pg';
import { inTransaction } from '../platform/postgres/pool.js';
import { timestamp, type Clock } from '../ledger/time.js';

/** Longest time for one step, ms. A million keys are rewritten in a few seconds. */
const STEP_MS = 30_000;
/** Who wants a key waits behind us while we wait for, say, a backup that reads the table: rather another time. */
const LOCK_MS = 1_000;
/** Destroyed keys whose traces are noted as removed in one round; all of them are removed. */
const ROUND_MAX = 10_000;

export interface KeyTracesOptions {
  /** Where the keys are. */
  readonly pool: Pool;
  /** Whether the database's log is ours alone, as the embedded Postgres's is. Elsewhere it is its operator's to let go. */
  readonly ownsLog: () => Promise<boolean>;
  readonly clock: Clock;
}

/**
 * Removes what Postgres keeps of keys that are destroyed already: a row that was changed stays in its page until something is written
 * over it, and in the write-ahead log. Afterwards no file of the embedded database holds a byte of them.
 */
export class KeyTraces {
  constructor(private readonly options: KeyTracesOptions) {}

  /** False where no key was destroyed since. May be cut short at any point and done again. @throws when the table is in use */
  async remove(): Promise<boolean> {
    const { pool, ownsLog, clock } = this.options;
    const { rows } = await pool.query<{ customer_id: string }>(
      'select customer_id from customer_keys where destroyed_on is not null and traces_removed_on is null limit $1',
      [ROUND_MAX],
    );
    if (rows.length === 0) return false;
    await inSteps(pool, rewriteTable);
    if (await ownsLog()) await inSteps(pool, overwriteLog);
    await pool.query('update customer_keys set traces_removed_on = $2 where customer_id = any($1::uuid[]) and destroyed_on is not null', [
      rows.map(({ customer_id }) => customer_id),
      timestamp(clock()),
    ]);
    return true;
  }
}

type Step = (text: string) => Promise<Record<string, unknown> | undefined>;

function inSteps(pool: Pool, work: (step: Step) => Promise<void>): Promise<void> {
  const stepOn =
    (client: PoolClient): Step =>
    async (text) => {
      // pg knows a limit for each statement, its types do not.
      const statement: QueryConfig & { readonly query_timeout: number } = { text, query_timeout: STEP_MS + 1_000 };
      return (await client.query<Record<string, unknown>>(statement)).rows[0];
    };
  const begin = `begin; set local statement_timeout = ${STEP_MS}; set local lock_timeout = ${LOCK_MS}`;
  return inTransaction(pool, (client) => work(stepOn(client)), begin);
}

/**
 * Into new files, of which a checkpoint lets the old ones go. VACUUM leaves bytes in the gaps of pages, and VACUUM FULL takes rows along
 * that an old snapshot could still see; a change of type copies what is valid and nothing else. An empty text is appended so that it does.
 */
async function rewriteTable(step: Step): Promise<void> {
  await step(`alter table customer_keys alter column wrapped_key type bytea using wrapped_key || ''::bytea`);
}

/**
 * A checkpoint lets go of every segment behind the present one, and renames some for later use as they are. To leave a segment early
 * fills the rest of it with zeros, so each of those is begun and left.
 */
async function overwriteLog(step: Step): Promise<void> {
  // Nothing is left that was not begun.
  const leaveSegment = (): Promise<unknown> => step(`select pg_logical_emit_message(false, 'chargebook', ''), pg_switch_wal()`);
  await leaveSegment();
  await step('checkpoint');
  const ahead = await step(
    `select count(*)::int4 as n from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$' and name > pg_walfile_name(pg_current_wal_insert_lsn())`,
  );
  // The present one is a renamed one, too.
  for (let left = Number(ahead!['n']); left >= 0; left -= 1) await leaveSegment();
}
