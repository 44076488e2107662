import type { PoolClient } from 'pg';

const TIMEOUT_MS = 600_000;
/** The projector's own settings suit frequent small statements. A tick has few statements, and each may read a million rows. */
const SETTINGS = { plan_cache_mode: 'force_custom_plan', enable_seqscan: 'on', statement_timeout: `${TIMEOUT_MS}`, work_mem: '65536' };

/** The part of a client's configuration that `pg` reads for each query: the client's own timeout is independent of the server's. */
interface Waiting {
  readonly connectionParameters: { query_timeout: number | string | false };
}

/** Runs `work` with plans for the actual number of rows and with a longer timeout, then restores the settings. */
export async function plannedForMany<T>(tx: PoolClient, work: () => Promise<T>): Promise<T> {
  const names = Object.keys(SETTINGS);
  const { rows } = await tx.query<{ value: string }>(
    'select current_setting(name) as value from unnest($1::text[]) with ordinality s (name, place) order by place',
    [names],
  );
  const set = (values: readonly string[]): Promise<unknown> =>
    tx.query('select set_config(name, value, true) from unnest($1::text[], $2::text[]) s (name, value)', [names, values]);
  const { connectionParameters } = tx as unknown as Waiting;
  const { query_timeout } = connectionParameters;
  await set(Object.values(SETTINGS));
  connectionParameters.query_timeout = TIMEOUT_MS;
  const done = await work().finally(() => (connectionParameters.query_timeout = query_timeout));
  await set(rows.map(({ value }) => value));
  return done;
}

/** Number of new rows that makes new statistics necessary. */
const MANY_ROWS = 1_000;

/**
 * Analyzes a table after many new rows. The old statistics do not include rows of the same transaction, so the planner would compare each of a
 * million rows with each other.
 */
export async function lookAnew(tx: PoolClient, schema: string, table: string, added: number): Promise<void> {
  if (added >= MANY_ROWS) await tx.query(`analyze ${schema}.${table}`);
}

/** Rows that are built and sent at a time. */
const ROWS_TOGETHER = 1_000;

/**
 * Builds and adds many rows in pieces. Postgres terminates a projector's session that is idle in a transaction for seconds, because its process may
 * be paused. Building a hundred thousand rows at once takes as long on a busy machine.
 */
export async function addInPieces<From, Row>(
  rows: readonly From[],
  make: (row: From) => Row,
  add: (piece: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_TOGETHER) await add(rows.slice(at, at + ROWS_TOGETHER).map(make));
}
