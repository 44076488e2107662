import type { PoolClient } from 'pg';
import { lengthenLimits, LIMITS, waitLonger } from '../../src/platform/postgres/time-limits.js';

/**
 * The projector's own limits, of 10 and 5 seconds, suit frequent small statements. A tick has few statements, and each may read a million rows. The
 * session is idle while its process builds the rows of a close from those that it has read.
 */
const LONGER = { statement: 60, idleInTransaction: 12 };
const SETTINGS = {
  work_mem: '65536',
  // All rows of a cursor are read.
  cursor_tuple_fraction: '1',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/** Runs `work` with memory for the sorts of many rows, with nested loops alone, and with longer time limits, then restores the settings. */
export async function plannedForMany<T>(tx: PoolClient, work: () => Promise<T>): Promise<T> {
  const names = [...Object.keys(SETTINGS), ...LIMITS];
  const { rows } = await tx.query<{ value: string }>(
    'select current_setting(name) as value from unnest($1::text[]) with ordinality s (name, place) order by place',
    [names],
  );
  const set = (of: readonly string[], values: readonly string[]): Promise<unknown> =>
    tx.query('select set_config(name, value, true) from unnest($1::text[], $2::text[]) s (name, value)', [of, values]);
  await set(Object.keys(SETTINGS), Object.values(SETTINGS));
  await tx.query(lengthenLimits(LONGER));
  const done = await waitLonger(tx, LONGER.statement, work);
  await set(
    names,
    rows.map(({ value }) => value),
  );
  return done;
}

/**
 * SQL of a subquery that looks up rows of a table by one key, for each row before it: use it behind `lateral`, or in `exists`. Statements of ticks
 * join their tables in no other way. The planner may not move the other conditions into the subquery, so only the index of the key serves it, and
 * the work is linear in the number of rows, with or without statistics. A tick finds rows that it has written itself, which no statistics include: the
 * planner expected one of them, and compared each of 80,000 lines with each match.
 */
export const lookUp = (table: string, key: string): string => `(select * from ${table} where ${key} offset 0)`;

/** References of the line `o`, to look up one by one: an index that has other rows is as good for a whole array. */
export const NAMED = 'unnest(o.line_references) named (reference)';

export const linesOfGroup = (schema: string, statementId: string, name: string): string =>
  lookUp(`${schema}.lines`, `statement_id = ${statementId} and group_name = ${name}`);

/** Batches of that name, of any source, whether they count or not. */
export const batchesNamed = (schema: string, name: string): string => lookUp(`${schema}.groups`, `name = ${name} and number is null`);

/** Lines that are matched with the batch `g`: at most one. */
export const matchesOfBatch = (schema: string, g: string): string =>
  lookUp(`${schema}.matches`, `batch_source = ${g}.source and batch = ${g}.name and matched_until is null`);

/**
 * Analyzes tables that have rows although their statistics describe pages without any: they were taken while the table was empty, or while its
 * first rows were not committed. Every index is then as good as any other to the planner, and a scan of a whole one as good as a lookup.
 */
export async function correctStatistics(tx: PoolClient, schema: string): Promise<void> {
  const { rows } = await tx.query<{ name: string }>({
    name: `${schema} planning: without rows`,
    text: `select format('%I.%I', $1::text, relname) as name from pg_class
            where relnamespace = $1::regnamespace and relkind = 'r' and relpages > 0 and reltuples = 0 and pg_relation_size(oid) > 0`,
    values: [schema],
  });
  if (rows.length > 0) await tx.query(`analyze ${rows.map(({ name }) => name).join(', ')}`);
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
