import type { PoolClient } from 'pg';
import type { ChargeEvent, ChargeStatus } from '../../src/ledger/events/charge.events.js';
import { handling, type LedgerReadModel, type LoggedEvent } from '../../src/ledger/read-model.js';
import { unreachable } from '../../src/ledger/unreachable.js';
import type { Columns } from '../../src/platform/postgres/binary/columns.js';
import { chargeDaysTable, DayChanges } from './charge-days.js';
import { Blocks, cellOf, channelNumber, channelOf, CountChanges, countsTable, STATUSES } from './charge-blocks.js';
import { chargesTable as table, rowOf, type NewCharge, type StoredCharge } from './charges-table.js';

/** Charges per block. A range that cuts a block counts at most about as many rows. */
export const BLOCK_SIZE = 4_096;

export const charges = chargesInBlocksOf(BLOCK_SIZE);

/** `blockSize`: charges in a block before the next one may begin; tests use small ones. */
export function chargesInBlocksOf(blockSize: number): LedgerReadModel {
  return {
    name: 'charges',
    version: 3,
    ddl: (schema) => countsTable.ddl(schema) + chargeDaysTable.ddl(schema) + table.ddl(schema),
    // A list is a merge of the cells it shows, each read in order from one of the first three indexes. The first index also contains the keys of the
    // other two: a date range has no index in their order, so its rows are sorted.
    indexes: (schema) => [
      `create index charges_by_time on ${schema}.charges (merchant_id, cell, created_on) include (amount, id)`,
      `create index charges_by_amount on ${schema}.charges (merchant_id, cell, amount, id)`,
      `create index charges_by_id on ${schema}.charges (merchant_id, cell, id)`,
      `create index charges_reversed_with_fee on ${schema}.charges (merchant_id, currency, id) where ${REVERSED_WITH_FEE}`,
      `create index charges_by_processor_reference on ${schema}.charges (processor_reference, id) where processor_reference is not null`,
      `create index charges_expirable on ${schema}.charges (expires_on, id) where status = 'PENDING'`,
    ],

    async apply(tx, schema, batch) {
      const { created, changed } = fold(batch);
      const tallies = { counts: new CountChanges(), days: new DayChanges() };
      if (created.length > 0) await insert(tx, schema, blockSize, created, tallies);
      if (changed.length > 0) await update(tx, schema, changed, tallies);
      await Promise.all([tallies.counts.save(tx, schema), tallies.days.save(tx, schema)]);
    },
  };
}

/** A refund was in progress, or had come back, when the rest of the charge was reversed. */
export const REVERSED_WITH_FEE = `settlement_status = 'REVERSED' and earned_fee <> 0`;

/** Columns that later events increase or decrease. */
const SUMS = ['refunded_amount', 'disputed_amount', 'taken_amount', 'earned_fee'] as const satisfies readonly (keyof StoredCharge)[];
type SumChanges = { -readonly [Sum in (typeof SUMS)[number]]?: number };

/** Columns that later events set. */
const CHANGEABLE = [
  ...(['status', 'settlement_status', 'updated_by', 'updated_on', 'paid_on', 'failed_on', 'failure_reason', 'settlement_date'] as const),
  ...(['settlement_on', 'revision', 'reversed_on', 'reversed_at', 'claimed_net_amount', 'processor_reference', 'action'] as const),
  'failure_code',
] as const satisfies readonly (keyof StoredCharge)[];

/** Absent columns are unchanged. */
type Change = { -readonly [Column in (typeof CHANGEABLE)[number]]?: StoredCharge[Column] } & {
  /** Changes of the sums. */
  add?: SumChanges;
  /** The status before the first event of the batch that set one. */
  was?: ChargeStatus;
};

type ChangeEvent = Exclude<ChargeEvent, { readonly type: 'ChargeCreated' | 'SettlementLineRefused' }>;

/** Events of a charge that change more than its revision. */
const changesColumns = handling({
  charges: {
    except: [
      'ChargePaymentUnmatched',
      'ChargeInstructing',
      'ChargeInstructionClosed',
      'ChargeReversalClaimed',
      'refund submissions',
      'ChargeLineClaimed',
    ],
  },
  disputes: { except: ['dispute proceedings'] },
});

interface Folded {
  /** In log order. Cell and block are set later. */
  readonly created: readonly NewCharge[];
  readonly changed: readonly [id: string, change: Change][];
}

const isHandled = handling({
  charges: 'all',
  disputes: 'all',
  accounts: { except: ['account payouts', 'account refunds', 'adjustments'] },
});

/** Folds a batch into rows of created charges and changes of other charges. The last event wins. Timestamps as on the wire sort as text. */
function fold(batch: readonly LoggedEvent[]): Folded {
  const created = new Map<string, NewCharge>();
  const changed = new Map<string, Change>();
  const set = (id: string, { metadata: { actor, occurred_on } }: LoggedEvent, { add, ...change }: Change): void => {
    const row = created.get(id);
    if (row) {
      Object.assign(row, change);
      for (const sum of SUMS) row[sum] += add?.[sum] ?? 0;
      row.updated_by = actor;
      row.updated_on = occurred_on < row.created_on ? row.created_on : occurred_on;
    } else {
      const earlier = changed.get(id);
      const sums = add ? { add: added(earlier?.add, add) } : {};
      changed.set(id, { ...earlier, ...change, ...sums, updated_by: actor, updated_on: occurred_on, ...(earlier?.was && { was: earlier.was }) });
    }
  };
  for (const event of batch) {
    if (!isHandled(event)) continue;
    if (event.type === 'ChargeCreated') {
      created.set(event.data.charge_id, rowOf(event.data, event.revision));
    } else if (event.type === 'FundsSettled') {
      for (const { kind, record_id, fee_amount } of event.data.lines) {
        if (kind === 'charge') set(record_id, event, { settlement_status: 'SETTLED', settlement_on: event.data.settled_on });
        if (kind === 'reversal') set(record_id, event, { settlement_status: 'REVERSED', add: { earned_fee: -fee_amount } });
      }
    } else {
      const change = changeOf(event);
      change.revision = event.revision;
      set(event.data.charge_id, event, change);
    }
  }
  return { created: [...created.values()], changed: [...changed] };
}

/** Returns the changes that an event in a charge's own stream makes. */
function changeOf(event: ChangeEvent & Pick<LoggedEvent, 'ordinal'>): Change {
  if (!changesColumns(event)) return {};
  switch (event.type) {
    case 'ChargePaid': {
      const { paid_on, settlement_date, late_after, fee_amount } = event.data;
      const add = { earned_fee: fee_amount };
      return { status: 'SUCCEEDED', was: late_after ?? 'PENDING', settlement_status: 'PENDING', paid_on, settlement_date, add };
    }
    case 'ChargeFailed':
      return {
        status: 'FAILED',
        was: 'PENDING',
        failed_on: event.data.failed_on,
        failure_reason: event.data.reason,
        ...(event.data.failure_code !== undefined && { failure_code: event.data.failure_code }),
      };
    case 'ChargeInstructed':
      return { processor_reference: event.data.processor_reference, action: JSON.stringify(event.data.action) };
    case 'ChargeExpired':
      return { status: 'EXPIRED', was: 'PENDING' };
    case 'ChargeCancelled':
      return { status: 'CANCELLED', was: 'PENDING' };
    case 'ChargeSettlementClaimed':
      return { settlement_status: 'PROCESSING', claimed_net_amount: event.data.net_amount };
    case 'ChargeReversed': {
      const { claimed_in, fee_amount, reversed_on } = event.data;
      const reversed = { reversed_on, reversed_at: event.ordinal };
      // When a settlement has claimed the charge, the settlement that takes the money back changes the status.
      if (claimed_in !== null) return reversed;
      return { settlement_status: 'REVERSED', ...reversed, add: { earned_fee: -fee_amount } };
    }
    case 'ChargeRefundClaimed':
      return { add: { taken_amount: event.data.amount } };
    case 'ChargeRefundSucceeded':
      return { add: { refunded_amount: event.data.amount, earned_fee: -event.data.fee_amount } };
    case 'ChargeRefundFailed':
    case 'ChargeRefundCancelled': {
      const { amount, fee_amount, to } = event.data;
      return { add: { taken_amount: -amount, earned_fee: to === 'PROCESSOR' ? -fee_amount : 0 } };
    }
    case 'ChargeRefundBounced': {
      const { amount, fee_amount } = event.data;
      return { add: { taken_amount: -amount, refunded_amount: -amount, earned_fee: fee_amount } };
    }
    case 'ChargeDisputeHeld':
      return { add: { disputed_amount: event.data.amount, taken_amount: event.data.amount } };
    case 'ChargeDisputeWon': {
      const { amount, fee_amount, from } = event.data;
      return { add: { disputed_amount: -amount, taken_amount: -amount, earned_fee: from === 'PROCESSOR' ? fee_amount : 0 } };
    }
    case 'ChargeDisputeLost':
      return { add: { earned_fee: -event.data.fee_amount } };
    default:
      return unreachable(event);
  }
}

function added(a: SumChanges | undefined, b: SumChanges): SumChanges {
  return Object.fromEntries(SUMS.map((sum) => [sum, (a?.[sum] ?? 0) + (b[sum] ?? 0)]));
}

interface Tallies {
  readonly counts: CountChanges;
  readonly days: DayChanges;
}

async function insert(tx: PoolClient, schema: string, blockSize: number, created: Folded['created'], { counts, days }: Tallies): Promise<void> {
  const blocks = await Blocks.load(tx, schema, blockSize, created);
  for (const row of created) {
    const channel = channelNumber(row.channel_code, row.currency);
    row.cell = cellOf(channel, row.status);
    row.block = blocks.place(row.merchant_id, row.created_on);
    counts.add(row.merchant_id, row.block, channel, row.status, row.created_on);
    days.add(row, channel, row.status);
  }
  await table.add(tx, schema, created);
}

// null leaves a column unchanged.
const changedColumns = table.parameters(['id', ...CHANGEABLE, ...SUMS], 'n', { was: 'text', cell_step: 'integer' }) as Columns<
  Readonly<Record<(typeof CHANGEABLE)[number] | (typeof SUMS)[number] | 'id' | 'was' | 'cell_step', unknown>>
>;
const NO_CHANGE = Object.fromEntries(changedColumns.names.map((column) => [column, null])) as Record<(typeof changedColumns.names)[number], null>;

const NOTHING_ADDED = Object.fromEntries(SUMS.map((sum) => [sum, 0]));

type Updated = Pick<StoredCharge, 'merchant_id' | 'created_on' | 'block' | 'cell' | 'status'> & {
  readonly amount: bigint;
  readonly was: ChargeStatus | null;
};

async function update(tx: PoolClient, schema: string, changed: Folded['changed'], { counts, days }: Tallies): Promise<void> {
  const assignments = CHANGEABLE.map((column) =>
    column === 'updated_on' ? 'updated_on = greatest(c.created_on, n.updated_on)' : `${column} = coalesce(n.${column}, c.${column})`,
  );
  assignments.push(...SUMS.map((sum) => `${sum} = c.${sum} + n.${sum}`));
  const rows = changed.map(([id, { add, ...change }]) => ({ ...NO_CHANGE, ...NOTHING_ADDED, ...add, ...change, id, cell_step: stepOf(change) }));
  const updated = await tx.query<Updated>({
    name: `${schema} charges: update`,
    text: `update ${schema}.charges c set ${assignments.join(', ')}, cell = c.cell + n.cell_step
             from ${changedColumns.rows}
            where c.id = n.id and (n.was is null or c.status = n.was)
        returning c.merchant_id, c.created_on, c.amount, c.block, c.cell, n.was, c.status`,
    values: changedColumns.values(rows),
  });
  if (updated.rowCount !== changed.length) {
    throw new Error(
      `${changed.length - (updated.rowCount ?? 0)} charges of the batch do not exist, or their status differs from that of their events`,
    );
  }
  for (const { merchant_id, created_on, amount, block, cell, was, status } of updated.rows) {
    if (was === null) continue;
    counts.move(merchant_id, block, channelOf(cell), was, status);
    days.move({ merchant_id, created_on, amount: Number(amount) }, channelOf(cell), was, status);
  }
}

/** Returns the distance from the cell of the old status to the cell of the new one. Cells of a channel are adjacent. */
function stepOf({ status, was }: Change): number {
  return status === undefined || was === undefined ? 0 : STATUSES.indexOf(status) - STATUSES.indexOf(was);
}
