import type { Pool } from 'pg';
import { childrenOf, cpuSeconds } from './command.js';

/** CPU seconds of processes since their start, by kind of process; all 0 without /proc. */
export type CpuByProcess = ReadonlyMap<string, number>;

interface Processes {
  /** A pool of the service's database; lists the sessions of Postgres. */
  readonly pool: Pool;
  /** Id of the service's API process. Its children run the projector and the worker. */
  readonly pid: number;
}

/**
 * CPU of the service's processes, of each kind of session of its Postgres, and of this process, which sends the load. The kind of a
 * session is its application name.
 */
export async function cpuByProcess({ pool, pid }: Processes): Promise<CpuByProcess> {
  const { rows } = await pool.query<{ pid: number; name: string }>(
    `select pid, coalesce(nullif(application_name, ''), backend_type) as name from pg_stat_activity where pid <> pg_backend_pid()`,
  );
  const children = await childrenOf(pid);
  const named = [
    { pid: process.pid, name: 'load' },
    { pid, name: 'api' },
    ...children.map((child) => ({ pid: child, name: 'projector, worker' })),
    ...rows.map((session) => ({ pid: session.pid, name: `postgres ${session.name.replace('chargebook-', '')}` })),
  ];
  const used = new Map<string, number>();
  for (const { pid: each, name } of named) used.set(name, (used.get(name) ?? 0) + ((await cpuSeconds(each)) ?? 0));
  return used;
}

/** CPU of each kind of process between two measurements per request, µs, highest first; values that round to 0 are left out. */
export function cpuEach(before: CpuByProcess, after: CpuByProcess, count: number): Readonly<Record<string, number>> {
  const each = [...after].map(([name, seconds]): [string, number] => [name, Math.round(((seconds - (before.get(name) ?? 0)) * 1e6) / count)]);
  return Object.fromEntries(each.filter(([, us]) => us >= 1).sort(([, a], [, b]) => b - a));
}
