import type { ClientBase } from 'pg';
import type { Conditions } from '../../src/platform/postgres/conditions.js';

/** Sum of the records of a list in one currency. */
export interface Sum {
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
}

/** Returns the sum of `amount` in each currency that the rows have, by currency. @param from SQL behind `from`, whose rows have a currency */
export async function sumByCurrency(db: Pick<ClientBase, 'query'>, amount: string, from: string, values: readonly unknown[]): Promise<Sum[]> {
  const text = `select currency, sum(${amount})::text as amount from ${from} group by currency order by currency`;
  const { rows } = await db.query<{ currency: string; amount: string }>(text, [...values]);
  return rows.map((row) => ({ currency: row.currency, amount: BigInt(row.amount) }));
}

/** The same for the rows of one table. */
export const sumTable = (db: Pick<ClientBase, 'query'>, amount: string, table: string, conditions: Conditions): Promise<Sum[]> =>
  sumByCurrency(db, amount, `${table} where ${conditions.sql()}`, conditions.values);
