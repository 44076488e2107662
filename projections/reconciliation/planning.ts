import type { PoolClient } from 'pg';

const TIMEOUT_MS = 600_000;
/** The projector's own are for small statements that come often. Those of a tick are few, and each may be over a million rows. */
const SETTINGS = { plan_cache_mode: 'force_custom_plan', enable_seqscan: 'on', statement_timeout: `${TIMEOUT_MS}`, work_mem: '65536' };

/** What `pg` keeps of a client's configuration, and looks at with each query: the client gives up by itself, whatever the server's timeout is. */
interface Waiting {
  readonly connectionParameters: { query_timeout: number | string | false };
}

/** Runs `work` with plans for the rows that there are, and as long as it takes; then as before. */
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

/** Rows that change what Postgres should think of a table. */
const MANY_ROWS = 1_000;

/** Postgres plans by what it last saw of a table, which for rows of this very transaction is nothing: it would hold each of a million against each. */
export async function lookAnew(tx: PoolClient, schema: string, table: string, added: number): Promise<void> {
  if (added >= MANY_ROWS) await tx.query(`analyze ${schema}.${table}`);
}

/** Rows that are made and sent at a time. */
const ROWS_TOGETHER = 1_000;

/**
 * Adds what `make` makes of very many rows, so many at a time. Postgres ends a projector's session that says nothing for seconds in the middle
 * of a transaction, as one whose process is paused: made all at once, a hundred thousand rows take as long on a busy machine.
 */
export async function addInPieces<From, Row>(
  rows: readonly From[],
  make: (row: From) => Row,
  add: (piece: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_TOGETHER) await add(rows.slice(at, at + ROWS_TOGETHER).map(make));
}
