import type { ClientBase } from 'pg';
import type { ChargeStatus } from '../../src/ledger/events/charge.events.js';
import { channelCode, LEVEL, STATUS_COLUMNS, STATUSES } from './charge-blocks.js';

export interface ChargeTotal {
  readonly channel_code: string;
  readonly status: ChargeStatus;
  readonly total: number;
}

/** Returns the number of charges of all merchants by channel and status. It adds up a few rows per merchant, independent of the number of charges. */
export async function findChargeTotals(db: Pick<ClientBase, 'query'>): Promise<ChargeTotal[]> {
  const sums = STATUS_COLUMNS.map((column) => `sum(${column})::float8`).join(', ');
  const { rows } = await db.query<{ channel: number; totals: number[] }>(
    `select channel, array[${sums}] as totals from ledger.charge_counts where level = ${LEVEL.all} group by channel`,
  );
  return rows.flatMap(({ channel, totals }) =>
    STATUSES.map((status, index) => ({ channel_code: channelCode(channel), status, total: totals[index]! })),
  );
}
