import type { PoolClient } from 'pg';
import type { SettlementLine } from '../../src/ledger/events/account.events.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';

export const linesTable = new Table(
  'settlement_lines',
  {
    settlement_id: 'uuid not null',
    /** The line's position when the settlement was opened, from 1. */
    line: 'integer not null',
    kind: 'text collate "C" not null',
    record_id: 'uuid not null',
    net_amount: 'bigint not null',
    fee_amount: 'bigint not null',
    /** Only for the line of a refund or dispute; null for others. */
    charge_id: 'uuid',
  },
  ['primary key (settlement_id, line)'],
);
export type LineRow = RowOf<(typeof linesTable)['definitions'], { readonly kind: SettlementLine['kind'] }>;

/** A line that a settlement has claimed or lists. */
type Claim = Pick<LineRow, 'settlement_id' | 'kind' | 'record_id' | 'net_amount' | 'fee_amount'>;
type Listed = Omit<Claim, 'net_amount' | 'fee_amount'> & { readonly line: number; readonly net_amount: bigint; readonly fee_amount: bigint };

export const lineKey = ({ kind, record_id }: Pick<SettlementLine, 'kind' | 'record_id'>): string => `${kind} ${record_id}`;
const claimKey = (claim: Claim | Listed): string => `${claim.settlement_id} ${lineKey(claim)}`;

const droppedColumns = linesTable.parameters(['settlement_id', 'line'], 'n');
const changedColumns = linesTable.parameters(['settlement_id', 'line', 'net_amount', 'fee_amount'], 'n');

/**
 * Reduces the lines of settlements to the claimed ones, with the claimed amounts. The comparison is done here, because the planner has no statistics
 * of a table that was just filled: where it expects one row, a join of lines and claims by record compares each line with each claim.
 */
export async function claimLines(tx: PoolClient, schema: string, ids: readonly string[], claimed: readonly Claim[]): Promise<void> {
  const claims = new Map(claimed.map((claim) => [claimKey(claim), claim]));
  const { rows } = await tx.query<Listed>({
    name: `${schema} settlements: lines`,
    text: `select settlement_id, line, kind, record_id, net_amount, fee_amount from ${schema}.settlement_lines where settlement_id = any($1::uuid[])`,
    values: [ids],
  });
  const dropped = rows.filter((row) => !claims.has(claimKey(row)));
  const changed = rows.flatMap((row) => {
    const claim = claims.get(claimKey(row));
    const isSame = !claim || (BigInt(claim.net_amount) === row.net_amount && BigInt(claim.fee_amount) === row.fee_amount);
    return isSame ? [] : [{ ...claim, line: row.line }];
  });
  const byLine = 'l.settlement_id = n.settlement_id and l.line = n.line';
  if (dropped.length > 0)
    await tx.query({
      name: `${schema} settlements: drop lines`,
      text: `delete from ${schema}.settlement_lines l using ${droppedColumns.rows} where ${byLine}`,
      values: droppedColumns.values(dropped),
    });
  if (changed.length > 0)
    await tx.query({
      name: `${schema} settlements: amounts of lines`,
      text: `update ${schema}.settlement_lines l set net_amount = n.net_amount, fee_amount = n.fee_amount from ${changedColumns.rows} where ${byLine}`,
      values: changedColumns.values(changed),
    });
}
