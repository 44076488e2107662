import type { Pool } from 'pg';
import { childrenOf, cpuSeconds } from './command.js';

/** CPU seconds of processes since they began, by what they are; all 0 where there is no /proc. */
export type CpuByProcess = ReadonlyMap<string, number>;

interface Processes {
  /** Of the database, for the sessions of Postgres. */
  readonly pool: Pool;
  /** Of the service's API process; its children project and work. */
  readonly pid: number;
}

/**
 * CPU of the service's processes, of each kind of session of its Postgres, and of this process, which sends the load. Sessions are told
 * apart by their application names.
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

/** Each kind's CPU between two measurements for one of `count` requests, µs, the most first; those below a microsecond are left out. */
export function cpuEach(before: CpuByProcess, after: CpuByProcess, count: number): Readonly<Record<string, number>> {
  const each = [...after].map(([name, seconds]): [string, number] => [name, Math.round(((seconds - (before.get(name) ?? 0)) * 1e6) / count)]);
  return Object.fromEntries(each.filter(([, us]) => us >= 1).sort(([, a], [, b]) => b - a));
}
