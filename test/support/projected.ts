import type { Pool } from 'pg';
import { inTransaction } from '../../src/platform/postgres/pool.js';
import type { OrdinalEvent, Projection } from '../../src/platform/projector/projection.js';
import { createPipeliningPool } from '../../src/platform/projector/projector.js';

/**
 * Builds `projection` anew in its live schema and applies `events` in batches of `batchSize`, as the projector would.
 * @param applied called behind each batch
 */
export async function project(
  pool: Pool,
  projection: Projection,
  events: readonly OrdinalEvent[],
  batchSize: number,
  applied: (batch: readonly OrdinalEvent[]) => Promise<void> = async () => undefined,
): Promise<void> {
  const { name: schema, readModels, decode } = projection;
  await pool.query(`drop schema if exists ${schema} cascade; create schema ${schema}`);
  for (const readModel of readModels) {
    await pool.query(readModel.ddl(schema));
    for (const index of readModel.indexes(schema)) await pool.query(index);
  }
  const batches = createPipeliningPool({ url: pool.options.connectionString!, applicationName: 'test', statementTimeoutMs: 0 }, 1);
  try {
    for (let at = 0; at < events.length; at += batchSize) {
      const batch = events.slice(at, at + batchSize);
      await inTransaction(batches, async (tx) => {
        for (const readModel of readModels) await readModel.apply(tx, schema, batch.map(decode));
      });
      await applied(batch);
    }
  } finally {
    await batches.end();
  }
}

/** Every row of every table of `schema`, as text, in an order that does not depend on how they came there. */
export async function contents(pool: Pool, schema: string): Promise<Record<string, string[]>> {
  const { rows: tables } = await pool.query<{ table: string }>(
    `select table_name as table from information_schema.tables
      where table_schema = $1 and table_type = 'BASE TABLE' and table_name <> 'checkpoint' order by 1`,
    [schema],
  );
  const all: Record<string, string[]> = {};
  for (const { table } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${schema}.${table} t order by t::text collate "C"`);
    all[table] = rows.map(({ row }) => row);
  }
  return all;
}
