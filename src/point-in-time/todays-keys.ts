import type { Pool, QueryResult } from 'pg';
import { customerKeysMigrations } from '../domain/customers/customer-keys.migrations.js';
import type { Migration } from '../platform/postgres/migrations.js';
import { projectorMigrations } from '../platform/projector/projector.migrations.js';

/**
 * Tables that reads of read models join, empty in the database of a moment: no process has an alarm in the past, and keys of customers are kept in
 * one place only, so that a destroyed key is gone at every moment.
 */
export const MOMENT_MIGRATIONS: readonly Migration[] = [...projectorMigrations, ...customerKeysMigrations];

/** A row of a customer that was read with its key. */
interface RowWithKey {
  readonly id: string | null;
  readonly wrapped_key: Buffer | null;
}

type Callback = (error: Error | undefined, result?: QueryResult) => void;

/**
 * Adds today's keys, which only `primary` has, to rows of customers that are read through `pool`. As in the present, a customer whose key is
 * destroyed is left out of the result.
 */
export function readWithTodaysKeys(pool: Pool, primary: Pool): void {
  const filled = async <Result>(result: Result): Promise<Result> => {
    const { fields, rows } = result as QueryResult<RowWithKey>;
    if (!fields?.some(({ name }) => name === 'wrapped_key')) return result;
    const found = await primary.query<{ id: string; wrapped_key: Buffer }>(
      'select customer_id as id, wrapped_key from customer_keys where customer_id = any($1::uuid[]) and wrapped_key is not null',
      [rows.map(({ id }) => id)],
    );
    const keys = new Map(found.rows.map(({ id, wrapped_key }) => [id, wrapped_key]));
    const readable = rows.flatMap((row) => {
      const wrapped_key = row.id === null ? undefined : keys.get(row.id);
      if (wrapped_key) return { ...row, wrapped_key };
      // A page without items returns its total in a separate row.
      return 'total' in row ? { ...row, id: null } : [];
    });
    return { ...result, rows: readable, rowCount: readable.length };
  };
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const last = args.at(-1);
      // `pool.query` gives a callback.
      if (typeof last === 'function') return query(...args.slice(0, -1), calling(last as Callback));
      const asked = query(...args);
      return asked instanceof Promise ? asked.then(filled) : asked;
    }) as typeof client.query;
  });
  const calling =
    (callback: Callback): Callback =>
    (error, result) => {
      if (error) callback(error);
      else filled(result).then((full) => callback(undefined, full), callback);
    };
}
