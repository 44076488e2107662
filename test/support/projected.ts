import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../../src/platform/postgres/pool.js';
import type { OrdinalEvent, Projection } from '../../src/platform/projector/projection.js';
import { checkpointDdl, versionOf } from '../../src/platform/projector/checkpoint.js';
import { createPipeliningPool } from '../../src/platform/projector/projector.js';

type Applied = (batch: readonly OrdinalEvent[]) => Promise<void>;

/**
 * Builds `projection` anew in its live schema and applies `events` in batches of `batchSize`, as the projector would: all of its read models begin with a batch at once.
 * @param applied called behind each batch
 */
export async function project(
  pool: Pool,
  projection: Projection,
  events: readonly OrdinalEvent[],
  batchSize: number,
  applied?: Applied,
): Promise<void> {
  await makeEmpty(pool, projection);
  await projectOn(pool, projection, events, batchSize, applied);
}

/** Builds `projection` anew from the first `count` events, and sets its checkpoint there, as a projector that has stopped. */
export async function projectUpTo(pool: Pool, projection: Projection, events: readonly OrdinalEvent[], count: number): Promise<void> {
  await project(pool, projection, events.slice(0, count), 1_000);
  await setCheckpoint(pool, projection, events[count - 1]);
}

/** Sets the checkpoint of a live build that was filled without a projector. */
export async function setCheckpoint(pool: Pool, projection: Projection, last: OrdinalEvent | undefined): Promise<void> {
  const { name: schema } = projection;
  await pool.query(`drop table if exists ${schema}.checkpoint; ${checkpointDdl(schema)}`);
  const place = [last?.position ?? null, last?.ordinal ?? 0, last?.id ?? null, last?.stream ?? null, last?.revision ?? null];
  await pool.query(
    `insert into ${schema}.checkpoint (position, ordinal, event_id, stream, revision, version, indexed, updated_on)
     values ($1, $2, $3, $4, $5, $6, true, now())`,
    [...place, versionOf(projection)],
  );
}

/** Applies `events` after those that `projection` has applied. */
export async function projectOn(
  pool: Pool,
  { name: schema, readModels, decode }: Projection,
  events: readonly OrdinalEvent[],
  batchSize: number,
  applied: Applied = async () => undefined,
): Promise<void> {
  const { batches } = inUse(pool);
  for (let at = 0; at < events.length; at += batchSize) {
    const batch = events.slice(at, at + batchSize);
    await inTransaction(batches, async (tx) => {
      const decoded = batch.map(decode);
      await Promise.all(readModels.map((readModel) => readModel.apply(tx, schema, decoded)));
    });
    await applied(batch);
  }
}

interface InUse {
  /** Pipelining connections, which keep the plans of their statements. */
  readonly batches: Pool;
  /** Each schema with its definition, and its tables with their initial rows. */
  readonly schemas: Map<string, { readonly made: string; readonly first: ReadonlyMap<string, string | null> }>;
}

const used = new WeakMap<Pool, InUse>();

/** Postgres cuts the name of a statement here, so that two may be one; of a rebuild its schema's, which begins it, is longer. */
const NAME_MAX = 63 - '_replay'.length;

function refuseLongNames(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const checked = (asked: unknown, ...more: unknown[]): unknown => {
    const name = typeof asked === 'object' && asked !== null && 'name' in asked ? String(asked.name) : '';
    if (name.length > NAME_MAX) throw new Error(`the name of a statement has more than ${NAME_MAX} characters: ${name}`);
    return query(asked, ...more);
  };
  client.query = checked as PoolClient['query'];
}

/** Returns the connections and schemas of `pool`, until the pool ends. */
function inUse(pool: Pool): InUse {
  let found = used.get(pool);
  if (!found) {
    const batches = createPipeliningPool({ url: pool.options.connectionString!, applicationName: 'test', statementTimeoutMs: 0 }, 1);
    batches.on('connect', refuseLongNames);
    pool.on('remove', () => {
      if (pool.ending && !batches.ending) void batches.end();
    });
    used.set(pool, (found = { batches, schemas: new Map() }));
  }
  return found;
}

/** Rows are deleted where the tables are the right ones: to make them takes Postgres longer than to fill them. */
async function makeEmpty(pool: Pool, { name: schema, readModels }: Projection): Promise<void> {
  const { schemas } = inUse(pool);
  const statements = readModels.flatMap((readModel) => [readModel.ddl(schema), ...readModel.indexes(schema)]);
  const made = statements.join('\n');
  const known = schemas.get(schema);
  if (known?.made === made && [...known.first.keys()].join() === (await tablesOf(pool, schema)).join()) {
    await pool.query([...known.first.keys()].map((table) => `delete from ${schema}.${table}`).join(';'));
    for (const [table, rows] of known.first) {
      if (rows !== null)
        await pool.query(`insert into ${schema}.${table} select * from json_populate_recordset(null::${schema}.${table}, $1)`, [rows]);
    }
    return;
  }
  await pool.query(`drop schema if exists ${schema} cascade; create schema ${schema}`);
  for (const statement of statements) await pool.query(statement);
  const first = new Map<string, string | null>();
  for (const table of await tablesOf(pool, schema)) {
    const { rows } = await pool.query<{ rows: string | null }>(`select json_agg(t)::text as rows from ${schema}.${table} t`);
    first.set(table, rows[0]!.rows);
  }
  schemas.set(schema, { made, first });
}

async function tablesOf(pool: Pool, schema: string): Promise<string[]> {
  const { rows } = await pool.query<{ table: string }>(
    `select table_name as table from information_schema.tables
      where table_schema = $1 and table_type = 'BASE TABLE' and table_name <> 'checkpoint' order by 1`,
    [schema],
  );
  return rows.map(({ table }) => table);
}

/** Sets whether the server vacuums and analyzes the tables of `schema` by itself, which it does a minute after they have changed. @returns the tables */
export async function setAutovacuum(pool: Pool, schema: string, to: 'on' | 'off'): Promise<string[]> {
  const tables = (await tablesOf(pool, schema)).map((table) => `${schema}.${table}`);
  await pool.query(tables.map((table) => `alter table ${table} set (autovacuum_enabled = ${to})`).join(';'));
  return tables;
}

/** Every row of every table of `schema`, as text, in an order that does not depend on how they came there. */
export async function contents(pool: Pool, schema: string): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const table of await tablesOf(pool, schema)) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${schema}.${table} t order by t::text collate "C"`);
    all[table] = rows.map(({ row }) => row);
  }
  return all;
}
