import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';

const MB = 1_000_000;

/** Figures of a process, or of a server with all of its processes. */
interface ProcessFigures {
  /** Resident memory, MB: the figure that an operator limits. */
  readonly resident: number;
  /** Resident memory with its share of shared pages and without shared memory, MB: filling Postgres's buffers is no leak. */
  readonly own: number;
  readonly files: number;
}

export interface Sample {
  /** Time since the start of the traffic. */
  readonly minute: number;
  readonly api: ProcessFigures;
  readonly background: ProcessFigures;
  readonly postgres: ProcessFigures;
  /** The service's connections to Postgres. */
  readonly connections: number;
  /** Lag of the projection that is furthest behind. */
  readonly lagSeconds: number;
  readonly unsealedSeconds: number;
  /** Used heap of the API process, uncollected garbage included, MB. */
  readonly heapMb: number;
  /** 99th percentile of the event loop's lag since the previous sample. */
  readonly eventLoopP99Ms: number;
  readonly dataMb: number;
  readonly walMb: number;
}

/** Application name of the soak's own connections, which `sample` does not count. */
export const SOAK_APPLICATION = 'chargebook-soak';

/**
 * Samples the service's memory, files, connections, lags and disk usage. Reads /proc.
 * @param pool of the superuser. @throws when a process has ended
 */
export async function sample(
  service: { readonly url: string; readonly pid: number; readonly dataDir: string },
  pool: Pool,
  minute: number,
): Promise<Sample> {
  const backgroundPid = await backgroundOf(service.pid);
  const postmaster = Number((await readFile(join(service.dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  const [api, background, postgres, metrics, { rows }] = await Promise.all([
    figuresOf(service.pid),
    figuresOf(backgroundPid),
    childrenOf(postmaster).then((children) => sumOf([postmaster, ...children])),
    fetch(new URL('/metrics', service.url)).then((answer) => answer.text()),
    pool.query<{ connections: number; data: bigint; wal: bigint }>(
      `select (select count(*)::int from pg_stat_activity where backend_type = 'client backend' and application_name <> $1) as connections,
              (select sum(pg_database_size(oid))::bigint from pg_database) as data,
              (select sum(size)::bigint from pg_ls_waldir()) as wal`,
      [SOAK_APPLICATION],
    ),
  ]);
  const { connections, data, wal } = rows[0]!;
  return {
    minute,
    api,
    background,
    postgres,
    connections,
    lagSeconds: largest(metrics, 'projection_lag_seconds'),
    unsealedSeconds: largest(metrics, 'chain_oldest_unsealed_seconds'),
    eventLoopP99Ms: largest(metrics, 'nodejs_eventloop_lag_p99_seconds') * 1_000,
    heapMb: largest(metrics, 'nodejs_heap_size_used_bytes') / MB,
    dataMb: Number(data) / MB,
    walMb: Number(wal) / MB,
  };
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

/** Returns the child that runs the projector and the worker. The keeper of the embedded Postgres is also a child. */
async function backgroundOf(pid: number): Promise<number> {
  for (const child of await childrenOf(pid)) {
    if ((await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')).includes('src/main.js')) return child;
  }
  throw new Error('the process that projects and works is not there');
}

async function figuresOf(pid: number): Promise<ProcessFigures> {
  const [rollup, files] = await Promise.all([readFile(`/proc/${pid}/smaps_rollup`, 'utf8'), readdir(`/proc/${pid}/fd`)]);
  const mb = (name: string): number => (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) * 1_024) / MB;
  return { resident: mb('Rss'), own: mb('Pss') - mb('Pss_Shmem'), files: files.length };
}

/** Sums the figures of a server's processes; a process that has ended meanwhile counts as 0. */
async function sumOf(pids: readonly number[]): Promise<ProcessFigures> {
  const nothing: ProcessFigures = { resident: 0, own: 0, files: 0 };
  const all = await Promise.all(pids.map((pid) => figuresOf(pid).catch(() => nothing)));
  return all.reduce((sum, each) => ({ resident: sum.resident + each.resident, own: sum.own + each.own, files: sum.files + each.files }), nothing);
}

/** Returns the largest value of a metric's series. @throws without a series: a missing figure must not count as 0. */
function largest(metrics: string, name: string): number {
  const values = [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value));
  if (values.length === 0) throw new Error(`no metric ${name}`);
  return Math.max(...values);
}
