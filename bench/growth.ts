import type { Pool } from 'pg';
import { caughtUp, measureVerify, type Verified } from './finance.js';
import { usageOf } from './command.js';
import type { Load } from './load.js';
import type { Service } from './money.js';
import { rebuild, type RebuildRate } from './rebuild.js';
import type { Stores } from '../src/app/stores.js';

export interface TableSize {
  /** Name with schema. */
  readonly table: string;
  /** Estimate of the last `analyze`. */
  readonly rows: number;
  readonly bytes: number;
  readonly index_bytes: number;
}

export interface GrowthFigures {
  readonly charges: number;
  readonly events: number;
  /** All tables but those of the system catalogs, largest first. */
  readonly tables: readonly TableSize[];
  /** Time from the start of the service until it listens, on this log, with all projections caught up. */
  readonly start_seconds: number;
  /** Peak memory of the larger of the service's two processes (API; projector with worker) after the creates. */
  readonly peak_mib: number;
  readonly creates: Load;
  /** Bytes of WAL per create, its projection and sealing included. */
  readonly wal_bytes_per_create: number;
  readonly rebuild: RebuildRate;
  readonly verify: Verified;
}

interface Grown {
  readonly stores: Stores;
  readonly pool: Pool;
  /** The service's environment; the CLI runs with it. */
  readonly env: NodeJS.ProcessEnv;
  readonly start: () => Promise<Service>;
  readonly drive: (url: string) => Promise<Load>;
}

/** Measures the disk usage of a projected and sealed log, a start on it, creates, and the rebuild and verification of the whole log. */
export async function measureGrowth({ stores, pool, env, start, drive }: Grown): Promise<GrowthFigures> {
  const tables = await tableSizes(pool);
  const { rows } = await pool.query<{ charges: number; events: number }>(
    `select (select count(*)::int from ledger.charges) as charges, (select ordinal::int from ledger.checkpoint) as events`,
  );
  const begun = performance.now();
  const service = await start();
  const start_seconds = (performance.now() - begun) / 1_000;
  const before = await walPosition(pool);
  const creates = await drive(service.url);
  await caughtUp(pool, stores.eventStore);
  const written = Number((await walPosition(pool)) - before);
  const { rows: after } = await pool.query<{ charges: number }>('select count(*)::int as charges from ledger.charges');
  const { peak_mib } = (await usageOf(service.pid)) ?? { peak_mib: 0 };
  const rebuilt = await rebuild(env);
  await service.stop();
  const wal_bytes_per_create = Math.round(written / (after[0]!.charges - rows[0]!.charges));
  return { ...rows[0]!, tables, start_seconds, peak_mib, creates, wal_bytes_per_create, rebuild: rebuilt, verify: await measureVerify(env) };
}

async function tableSizes(pool: Pool): Promise<TableSize[]> {
  const { rows } = await pool.query<TableSize>(
    `select n.nspname || '.' || c.relname as table, greatest(c.reltuples, 0)::float8 as rows,
            pg_table_size(c.oid)::float8 as bytes, pg_indexes_size(c.oid)::float8 as index_bytes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
      order by pg_total_relation_size(c.oid) desc, 1`,
  );
  return rows;
}

async function walPosition(pool: Pool): Promise<bigint> {
  const { rows } = await pool.query<{ bytes: bigint }>(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::int8 as bytes`);
  return BigInt(rows[0]!.bytes);
}
