import type { PoolClient } from 'pg';
import type {
  ActionFlow,
  ChargeCreated,
  ChargeEvent,
  ChargeStatus,
  InstructedAction,
  SettlementStatus,
} from '../../src/ledger/events/charge.events.js';
import { ignoring } from '../../src/ledger/catalogue.js';
import type { Fee } from '../../src/ledger/money.js';
import type { LedgerReadModel, LoggedEvent } from '../../src/ledger/read-model.js';
import { Blocks, CountChanges, countsTable } from './charge-blocks.js';
import { cellOf, channelNumber, channelOf, STATUSES } from './status-counts.js';
import type { Columns } from '../../src/platform/postgres/binary/columns.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';

const table = new Table(
  'charges',
  {
    id: 'uuid primary key',
    merchant_id: 'uuid not null',
    created_on: 'timestamptz not null',
    amount: 'bigint not null',
    fee_amount: 'bigint not null',
    net_amount: 'bigint not null',
    charge_statement_id: 'uuid not null',
    /** Start of the block; see charge-blocks.ts. */
    block: 'timestamptz not null',
    updated_on: 'timestamptz not null',
    expires_on: 'timestamptz not null',
    /** Of the newest event in the charge's stream that happened to the charge: a refused settlement line did not. */
    revision: 'integer not null',
    /** See status-counts.ts. */
    cell: 'smallint not null',
    status: 'text collate "C" not null',
    settlement_status: 'text collate "C" not null',
    currency: 'text collate "C" not null',
    channel_code: 'text collate "C" not null',
    action_flow: 'text collate "C" not null',
    code: 'text collate "C" not null',
    reference_id: 'text collate "C" not null',
    description: 'text collate "C"',
    meta_data: 'json not null',
    fee: 'json not null',
    processor: 'text collate "C" not null',
    settlement_cycle: 'text collate "C" not null',
    created_by: 'text collate "C" not null',
    updated_by: 'text collate "C" not null',
    paid_on: 'timestamptz',
    failed_on: 'timestamptz',
    failure_reason: 'text collate "C"',
    /** When the money is due; null until paid. */
    settlement_date: 'timestamptz',
    /** When the money became available; null until then. */
    settlement_on: 'timestamptz',
    /** Of refunds that have succeeded. */
    refunded_amount: 'bigint not null',
    /** Held or lost in disputes. */
    disputed_amount: 'bigint not null',
    /** Of refunds that are pending, under way or have succeeded, and what is held or lost in disputes. */
    taken_amount: 'bigint not null',
    /** What is left of the fee for the house; 0 until paid. */
    earned_fee: 'bigint not null',
    /** When the rest of it was reversed, whatever settles that. */
    reversed_on: 'timestamptz',
    /** Ordinal of the event that says so. */
    reversed_at: 'bigint',
    /** What the settlement takes that has claimed it; null before, and where that is net_amount. */
    claimed_net_amount: 'bigint',
    return_url: 'text collate "C"',
    /** Of a remote processor; what it gave to pay with; null otherwise, and until it has. */
    processor_reference: 'text collate "C"',
    action: 'json',
    /** A remote processor's. */
    failure_code: 'text collate "C"',
    /** null: it is not. */
    is_remote: 'boolean',
  },
  [],
  // Room for settlements, which change no index; and new pages soon known as visible to all, so that lists need only their index.
  'with (fillfactor = 85, autovacuum_vacuum_insert_scale_factor = 0.05)',
);

/** A row as it is written. */
type StoredCharge = RowOf<
  (typeof table)['definitions'],
  { readonly status: ChargeStatus; readonly settlement_status: SettlementStatus; readonly action_flow: ActionFlow }
>;

/** A charge as it is read; the names are those of the wire. Amounts are minor units, times as on the wire. */
export type ChargeRow = Omit<StoredCharge, 'cell' | 'block' | 'fee' | 'meta_data' | 'action' | 'earned_fee' | 'claimed_net_amount'> & {
  readonly fee: Fee;
  readonly meta_data: Readonly<Record<string, string>>;
  readonly action: InstructedAction | null;
};

/** The charges of a block: a range that cuts one counts at most about as many rows. */
export const BLOCK_SIZE = 4_096;

export const charges = chargesInBlocksOf(BLOCK_SIZE);

/** `blockSize`: charges in a block before the next one may begin; tests take small ones. */
export function chargesInBlocksOf(blockSize: number): LedgerReadModel {
  return {
    name: 'charges',
    version: 7,
    // Columns were added.
    bridge: { from: 4 },
    ddl: (schema) => countsTable.ddl(schema) + table.ddl(schema),
    // A list is a merge of the cells it shows, each read in order from one of the first three. The first holds the keys of the others
    // too: in a date range, which has no index of its own in their order, they are sorted.
    indexes: (schema) => [
      `create index charges_by_time on ${schema}.charges (merchant_id, cell, created_on) include (amount, id)`,
      `create index charges_by_amount on ${schema}.charges (merchant_id, cell, amount, id)`,
      `create index charges_by_id on ${schema}.charges (merchant_id, cell, id)`,
      `create index charges_reversed_with_fee on ${schema}.charges (merchant_id, currency, id) where ${REVERSED_WITH_FEE}`,
      `create index charges_expirable on ${schema}.charges (expires_on, id) where status = 'PENDING'`,
    ],

    async apply(tx, schema, batch) {
      const { created, changed } = fold(batch);
      const counts = new CountChanges();
      if (created.length > 0) await insert(tx, schema, blockSize, created, counts);
      if (changed.length > 0) await update(tx, schema, changed, counts);
      await counts.save(tx, schema);
    },
  };
}

/** A refund of it was under way, or has come back, when the rest was reversed. */
export const REVERSED_WITH_FEE = `settlement_status = 'REVERSED' and earned_fee <> 0`;

/** Columns that later events add to. */
const SUMS = ['refunded_amount', 'disputed_amount', 'taken_amount', 'earned_fee'] as const satisfies readonly (keyof StoredCharge)[];
type SumChanges = { -readonly [Sum in (typeof SUMS)[number]]?: number };

/** Columns that later events set. */
const CHANGEABLE = [
  'status',
  'settlement_status',
  'updated_by',
  'updated_on',
  'paid_on',
  'failed_on',
  'failure_reason',
  'settlement_date',
  'settlement_on',
  'revision',
  'reversed_on',
  'reversed_at',
  'claimed_net_amount',
  'processor_reference',
  'action',
  'failure_code',
] as const satisfies readonly (keyof StoredCharge)[];

/** Absent: unchanged. */
type Change = { -readonly [Column in (typeof CHANGEABLE)[number]]?: StoredCharge[Column] } & {
  /** By how much. */
  add?: SumChanges;
  /** The status before the first event of the batch that set one. */
  was?: ChargeStatus;
};

/** Cell and block are set once the status is known. */
type NewCharge = { -readonly [Column in keyof StoredCharge]: StoredCharge[Column] };

interface Folded {
  /** In log order; cell and block are still to be set. */
  readonly created: readonly NewCharge[];
  readonly changed: readonly [id: string, change: Change][];
}

const isIgnored = ignoring(
  'payouts',
  'settlements',
  'customers',
  'merchants',
  'webhooks',
  'operators',
  'PayoutRequested',
  'PayoutApproved',
  'PayoutApprovalVoided',
  'PayoutSubmitted',
  'PayoutSucceeded',
  'PayoutFailed',
  'PayoutCancelled',
  'RefundReserved',
  'RefundReleased',
  'RefundConfirmed',
);

/** What a batch does: rows of the charges that it creates; changes of others. The last event wins. Times as on the wire sort as text. */
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
    if (isIgnored(event)) continue;
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

function added(a: SumChanges | undefined, b: SumChanges): SumChanges {
  return Object.fromEntries(SUMS.map((sum) => [sum, (a?.[sum] ?? 0) + (b[sum] ?? 0)]));
}

type ChangeEvent = Exclude<ChargeEvent, { readonly type: 'ChargeCreated' | 'SettlementLineRefused' }>;

/** What an event in a charge's own stream changes of it. */
function changeOf(event: ChangeEvent & Pick<LoggedEvent, 'ordinal'>): Change {
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
      // Of a claimed charge, the settlement that takes the money back changes the status.
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
    case 'ChargeInstructing':
    case 'ChargeInstructionClosed':
    case 'ChargePaymentUnmatched':
    case 'ChargeReversalClaimed':
    case 'ChargeRefundDeclined':
    case 'ChargeRefundSubmitted':
    case 'ChargeLineClaimed':
    case 'ChargeDisputeOpened':
    case 'ChargeDisputeReopened':
    case 'ChargeDisputeChallenged':
    case 'ChargeDisputeSubmitted':
    case 'ChargeDisputeDueSoon':
    case 'ChargeDisputeEvidenceAdded':
    case 'ChargeDisputeEvidenceErased':
      return {};
    default:
      throw new Error(`charges do not know ${(event satisfies never as LoggedEvent).type}`);
  }
}

function rowOf(created: ChargeCreated, revision: number): NewCharge {
  return {
    // Field by field: a row that is spread from the event nearly doubles the CPU time of a replay.
    id: created.charge_id,
    merchant_id: created.merchant_id,
    created_on: created.created_on,
    amount: created.amount,
    fee_amount: created.fee_amount,
    net_amount: created.net_amount,
    charge_statement_id: created.charge_statement_id,
    expires_on: created.expires_on,
    currency: created.currency,
    channel_code: created.channel_code,
    action_flow: created.action_flow,
    code: created.code,
    reference_id: created.reference_id,
    description: created.description,
    processor: created.processor,
    settlement_cycle: created.settlement_cycle,
    created_by: created.created_by,
    status: 'PENDING',
    settlement_status: 'UNKNOWN',
    meta_data: JSON.stringify(created.meta_data),
    fee: JSON.stringify(created.fee),
    updated_by: created.created_by,
    updated_on: created.created_on,
    paid_on: null,
    failed_on: null,
    failure_reason: null,
    settlement_date: null,
    settlement_on: null,
    refunded_amount: 0,
    disputed_amount: 0,
    taken_amount: 0,
    earned_fee: 0,
    reversed_on: null,
    reversed_at: null,
    claimed_net_amount: null,
    return_url: created.return_url ?? null,
    processor_reference: null,
    action: null,
    failure_code: null,
    is_remote: created.remote ?? null,
    revision,
    cell: 0,
    block: '',
  };
}

async function insert(tx: PoolClient, schema: string, blockSize: number, created: Folded['created'], counts: CountChanges): Promise<void> {
  const blocks = await Blocks.load(tx, schema, blockSize, created);
  for (const row of created) {
    const channel = channelNumber(row.channel_code, row.currency);
    row.cell = cellOf(channel, row.status);
    row.block = blocks.place(row.merchant_id, row.created_on);
    counts.add(row.merchant_id, row.block, channel, row.status, row.created_on);
  }
  await table.add(tx, schema, created);
}

// A change may leave any column as it is.
const changedColumns = table.parameters(['id', ...CHANGEABLE, ...SUMS], 'n', { was: 'text', cell_step: 'integer' }) as Columns<
  Readonly<Record<(typeof CHANGEABLE)[number] | (typeof SUMS)[number] | 'id' | 'was' | 'cell_step', unknown>>
>;
const NO_CHANGE = Object.fromEntries(changedColumns.names.map((column) => [column, null])) as Record<(typeof changedColumns.names)[number], null>;

const NOTHING_ADDED = Object.fromEntries(SUMS.map((sum) => [sum, 0]));

async function update(tx: PoolClient, schema: string, changed: Folded['changed'], counts: CountChanges): Promise<void> {
  const assignments = CHANGEABLE.map((column) =>
    column === 'updated_on' ? 'updated_on = greatest(c.created_on, n.updated_on)' : `${column} = coalesce(n.${column}, c.${column})`,
  );
  assignments.push(...SUMS.map((sum) => `${sum} = c.${sum} + n.${sum}`));
  const rows = changed.map(([id, { add, ...change }]) => ({ ...NO_CHANGE, ...NOTHING_ADDED, ...add, ...change, id, cell_step: stepOf(change) }));
  const updated = await tx.query<{ merchant_id: string; block: string; cell: number; was: ChargeStatus | null; status: ChargeStatus }>({
    name: `${schema} charges: update`,
    text: `update ${schema}.charges c set ${assignments.join(', ')}, cell = c.cell + n.cell_step
             from ${changedColumns.rows}
            where c.id = n.id and (n.was is null or c.status = n.was)
        returning c.merchant_id, c.block, c.cell, n.was, c.status`,
    values: changedColumns.values(rows),
  });
  if (updated.rowCount !== changed.length) {
    throw new Error(`${changed.length - (updated.rowCount ?? 0)} charges of the batch do not exist, or not in the status that their facts speak of`);
  }
  for (const { merchant_id, block, cell, was, status } of updated.rows) {
    if (was !== null) counts.move(merchant_id, block, channelOf(cell), was, status);
  }
}

/** From the cell of the old status to that of the new one: cells of a channel stand side by side. */
function stepOf({ status, was }: Change): number {
  return status === undefined || was === undefined ? 0 : STATUSES.indexOf(status) - STATUSES.indexOf(was);
}
