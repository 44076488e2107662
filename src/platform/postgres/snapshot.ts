import type pg from 'pg';
import { inTransaction } from './pool.js';

/** Runs reads that must see one and the same moment. `settings`: server settings while they run. */
export function inSnapshot<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  const begin = [
    'begin isolation level repeatable read, read only',
    ...Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`),
  ];
  return inTransaction(pool, work, begin.join('; '));
}
