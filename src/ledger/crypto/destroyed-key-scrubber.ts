import type { Pool, PoolClient, QueryConfig } from 'pg';
import { inTransaction } from '../../platform/postgres/pool.js';
import type { KeyOwner } from './key-wrapping.js';
import { timestamp, type Clock } from '../time.js';

/** Longest time for one step, ms. A million keys are rewritten in a few seconds. */
const STEP_MS = 30_000;
/**
 * Longest wait for a table's lock, ms. Requests for a key queue behind this one while it waits, for example for a backup that reads the table, so it
 * gives up soon and runs another time.
 */
const LOCK_MS = 1_000;
/** Maximum destroyed keys per owner and round that are marked as removed; the round removes the traces of all destroyed keys. */
const ROUND_MAX = 10_000;
/** Owners whose keys are scrubbed. Their tables share one write-ahead log. */
const OWNERS: readonly KeyOwner[] = ['customer', 'dispute', 'statement'];

export interface KeyTracesOptions {
  /** Database of the keys. */
  readonly pool: Pool;
  /**
   * True when the database's write-ahead log belongs to this service alone, as that of the embedded Postgres does. Any other log is its operator's to
   * discard.
   */
  readonly ownsLog: () => Promise<boolean>;
  readonly clock: Clock;
}

/**
 * Removes the copies that Postgres keeps of keys that are already destroyed: a changed row stays in its page until something overwrites it, and in
 * the write-ahead log. Afterwards no file of the embedded database holds a byte of them.
 */
export class DestroyedKeyScrubber {
  constructor(private readonly options: KeyTracesOptions) {}

  /** Returns false when no key was destroyed since the last run. Safe to interrupt at any point and repeat. @throws when a table is in use */
  async remove(): Promise<boolean> {
    const { pool, ownsLog } = this.options;
    const destroyed = new Map<KeyOwner, readonly string[]>();
    for (const owner of OWNERS) {
      const ids = await this.#findDestroyed(owner);
      if (ids.length > 0) destroyed.set(owner, ids);
    }
    if (destroyed.size === 0) return false;
    for (const owner of destroyed.keys()) await inSteps(pool, (step) => rewriteTable(step, owner));
    if (await ownsLog()) await inSteps(pool, overwriteLog);
    for (const [owner, ids] of destroyed) await this.#note(owner, ids);
    return true;
  }

  async #findDestroyed(owner: KeyOwner): Promise<string[]> {
    const { rows } = await this.options.pool.query<{ id: string }>(
      `select ${owner}_id as id from ${owner}_keys where destroyed_on is not null and traces_removed_on is null limit $1`,
      [ROUND_MAX],
    );
    return rows.map(({ id }) => id);
  }

  async #note(owner: KeyOwner, ids: readonly string[]): Promise<void> {
    const { pool, clock } = this.options;
    await pool.query(`update ${owner}_keys set traces_removed_on = $2 where ${owner}_id = any($1::uuid[]) and destroyed_on is not null`, [
      ids,
      timestamp(clock()),
    ]);
  }
}

type Step = (text: string) => Promise<Record<string, unknown> | undefined>;

function inSteps(pool: Pool, work: (step: Step) => Promise<void>): Promise<void> {
  const stepOn =
    (client: PoolClient): Step =>
    async (text) => {
      // pg supports a limit for each statement; its types lack it.
      const statement: QueryConfig & { readonly query_timeout: number } = { text, query_timeout: STEP_MS + 1_000 };
      return (await client.query<Record<string, unknown>>(statement)).rows[0];
    };
  const begin = `begin; set local statement_timeout = ${STEP_MS}; set local lock_timeout = ${LOCK_MS}`;
  return inTransaction(pool, (client) => work(stepOn(client)), begin);
}

/**
 * Rewrites the table into new files; a checkpoint then removes the old ones. VACUUM leaves bytes in the gaps of pages, and VACUUM FULL also copies
 * rows that an old snapshot could still see; a change of type copies only valid rows. The appended empty value forces that copy.
 */
async function rewriteTable(step: Step, owner: KeyOwner): Promise<void> {
  await step(`alter table ${owner}_keys alter column wrapped_key type bytea using wrapped_key || ''::bytea`);
}

/**
 * A checkpoint removes every segment before the current one, and renames some for later use without clearing them. Leaving a segment early fills the
 * rest of it with zeros, so each renamed segment is started and left.
 */
async function overwriteLog(step: Step): Promise<void> {
  // Postgres does not leave a segment without records, so a message is written first.
  const leaveSegment = (): Promise<unknown> => step(`select pg_logical_emit_message(false, 'chargebook', ''), pg_switch_wal()`);
  await leaveSegment();
  await step('checkpoint');
  const ahead = await step(
    `select count(*)::int4 as n from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$' and name > pg_walfile_name(pg_current_wal_insert_lsn())`,
  );
  // The current segment is a renamed one, too.
  for (let left = Number(ahead!['n']); left >= 0; left -= 1) await leaveSegment();
}
