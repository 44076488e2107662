import type { PoolClient } from 'pg';
import type { SettlementLine } from '../../src/ledger/events/account.events.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Table } from '../../src/platform/postgres/binary/table.js';

const table = new Table(
  'settlement_due_sums',
  {
    merchant_id: 'uuid not null',
    currency: 'text collate "C" not null',
    due_on: 'timestamptz not null',
    kind: 'text collate "C" not null',
    count: 'bigint not null',
    net_amount: 'numeric not null',
    fee_amount: 'numeric not null',
  },
  ['primary key (merchant_id, currency, due_on, kind)'],
  // Each batch updates the rows of its due times. Free space on their pages spares the index an update.
  'with (fillfactor = 50)',
);

/** Number and amounts of the rows of settlement_candidates by account, due time and kind, so that a forecast reads no lines. Due times are few. */
export const dueSumsDdl = (schema: string): string => table.ddl(schema);

/** A change of the sums of one account, due time and kind. */
export interface DueSum extends Pick<SettlementLine, 'kind'> {
  readonly merchant_id: string;
  readonly currency: string;
  readonly due_on: Timestamp;
  readonly count: number;
  /** Minor units; a text from Postgres. */
  readonly net_amount: number | string;
  readonly fee_amount: number | string;
}

const KEY = ['merchant_id', 'currency', 'due_on', 'kind'] as const;
const SUMS = ['count', 'net_amount', 'fee_amount'] as const;
const columns = table.parameters(table.names, 'n');

/** SQL that returns changes by rows that `from` holds: lines whose amounts changed by theirs, or lines that were removed. */
export const changesBy = (from: string, change: 'changed' | 'removed'): string => {
  const [count, sign] = change === 'changed' ? ['0', ''] : ['-count(*)::integer', '-'];
  return `select ${KEY.join(', ')}, ${count} as count, ${sign}sum(net_amount) as net_amount, ${sign}sum(fee_amount) as fee_amount
            from ${from} group by ${KEY.join(', ')}`;
};

/** Adds the changes of a batch. A row without lines is deleted: each returned payout has a separate due time. */
export async function addToDueSums(tx: PoolClient, schema: string, changes: readonly DueSum[]): Promise<void> {
  if (changes.length === 0) return;
  const values = columns.values(changes);
  await tx.query({
    name: `${schema} due sums: add`,
    text: `insert into ${schema}.settlement_due_sums as s (${columns.list})
           select ${KEY.join(', ')}, ${SUMS.map((name) => `sum(${name})`).join(', ')} from ${columns.rows} group by ${KEY.join(', ')}
           on conflict (${KEY.join(', ')}) do update set ${SUMS.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ')}`,
    values,
  });
  if (changes.some(({ count }) => count < 0))
    await tx.query({
      name: `${schema} due sums: remove`,
      text: `delete from ${schema}.settlement_due_sums s using ${columns.rows}
              where ${KEY.map((name) => `s.${name} = n.${name}`).join(' and ')} and s.count = 0`,
      values,
    });
}
