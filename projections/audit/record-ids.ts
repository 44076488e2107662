import type { ClientBase } from 'pg';

export interface RecordId {
  readonly kind: 'charge' | 'payout' | 'settlement' | 'customer' | 'refund' | 'dispute';
  readonly id: string;
}

/** Returns the records of all merchants with ids from `from` to `to` (UUIDs, inclusive): at most `limit` of each kind, sorted by id. */
export async function findRecordIds(db: Pick<ClientBase, 'query'>, from: string, to: string, limit: number): Promise<RecordId[]> {
  const { rows } = await db.query<RecordId>(TABLES.map(([kind, table]) => ofTable(kind, table)).join(' union all '), [from, to, limit]);
  return rows;
}

const TABLES: readonly (readonly [RecordId['kind'], string])[] = [
  ['charge', 'ledger.charges'],
  ['payout', 'ledger.payouts'],
  ['settlement', 'ledger.settlements'],
  ['customer', 'customers.customers'],
  ['refund', 'ledger.refunds'],
  ['dispute', 'ledger.disputes'],
];

const ofTable = (kind: string, table: string): string =>
  `(select '${kind}' as kind, id from ${table} where id >= $1::uuid and id <= $2::uuid order by id limit $3)`;
