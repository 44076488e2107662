import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';

const MB = 1_000_000;

/** A process, or a server with all of its own. */
interface ProcessFigures {
  /** Resident, MB: what an operator's limit counts. */
  readonly resident: number;
  /** Of that its own: shares of shared pages, without shared memory, MB. Postgres's buffers fill up and are no leak. */
  readonly own: number;
  readonly files: number;
}

export interface Sample {
  /** Since the first one. */
  readonly minute: number;
  readonly api: ProcessFigures;
  readonly background: ProcessFigures;
  readonly postgres: ProcessFigures;
  /** To Postgres, of the service alone. */
  readonly connections: number;
  /** Of the projection that is furthest behind. */
  readonly lagSeconds: number;
  readonly unsealedSeconds: number;
  /** Of the API process; what is not collected yet counts, MB. */
  readonly heapMb: number;
  /** Since the sample before. */
  readonly eventLoopP99Ms: number;
  readonly dataMb: number;
  readonly walMb: number;
}

/** How the soak tells its own connections from the service's. */
export const SOAK_APPLICATION = 'chargebook-soak';

/**
 * What the service holds now. Reads /proc.
 * @param pool of the superuser. @throws when a process has gone
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

/** The process that projects and works; what keeps the embedded Postgres is a child, too. */
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

/** Of a server's processes; one that ended meanwhile counts for nothing. */
async function sumOf(pids: readonly number[]): Promise<ProcessFigures> {
  const nothing: ProcessFigures = { resident: 0, own: 0, files: 0 };
  const all = await Promise.all(pids.map((pid) => figuresOf(pid).catch(() => nothing)));
  return all.reduce((sum, each) => ({ resident: sum.resident + each.resident, own: sum.own + each.own, files: sum.files + each.files }), nothing);
}

/** Of the metric's series. @throws where there is none: a figure that is not there must not pass for 0. */
function largest(metrics: string, name: string): number {
  const values = [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value));
  if (values.length === 0) throw new Error(`no metric ${name}`);
  return Math.max(...values);
}
