import type { Pool, PoolClient } from 'pg';
import type { ActionFlow, ChargeCreated, ChargeStatus, SettlementStatus } from '../../src/ledger/events/charge.events.js';
import { readFact } from '../../src/ledger/catalogue.js';
import type { Fee } from '../../src/ledger/money.js';
import type { OrdinalEvent, ReadModel } from '../../src/platform/projector/projection.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Blocks, CountChanges, countsDdl } from './charge-blocks.js';
import { cellOf, channelNumber, channelOf, STATUSES } from './status-counts.js';
import { Columns, type ColumnTypes } from '../../src/platform/postgres/binary/columns.js';
import { NewRows } from '../../src/platform/postgres/binary/new-rows.js';

/** A charge as the columns say; the names are those of the wire. Amounts are minor units, times as on the wire. */
export interface ChargeRow {
  readonly id: string;
  readonly code: string;
  readonly merchant_id: string;
  readonly reference_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly channel_code: string;
  readonly action_flow: ActionFlow;
  readonly status: ChargeStatus;
  readonly settlement_status: SettlementStatus;
  readonly description: string | null;
  readonly meta_data: Readonly<Record<string, string>>;
  readonly fee: Fee;
  readonly fee_amount: number;
  readonly net_amount: number;
  readonly charge_statement_id: string;
  readonly processor: string;
  readonly settlement_cycle: string;
  readonly created_by: string;
  readonly created_on: string;
  readonly updated_by: string;
  readonly updated_on: string;
  readonly expires_on: string;
  readonly paid_on: string | null;
  readonly failed_on: string | null;
  readonly failure_reason: string | null;
  /** When the money is due; null until paid. */
  readonly settlement_date: string | null;
  /** When the money became available; null until then. */
  readonly settlement_on: string | null;
  /** Of the newest event in the charge's stream that happened to the charge: a refused settlement line did not. */
  readonly revision: number;
}

/** The charges of a block: a range that cuts one counts at most about as many rows. */
export const BLOCK_SIZE = 4_096;

export const charges = chargesInBlocksOf(BLOCK_SIZE);

/** `blockSize`: charges in a block before the next one may begin; tests take small ones. */
export function chargesInBlocksOf(blockSize: number): ReadModel {
  return {
    name: 'charges',
    version: 4,
    ddl: (schema) => `
${countsDdl(schema)};
create table ${schema}.charges (
  id uuid primary key,
  merchant_id uuid not null,
  created_on timestamptz not null,
  amount bigint not null,
  fee_amount bigint not null,
  net_amount bigint not null,
  charge_statement_id uuid not null,
  block timestamptz not null,
  updated_on timestamptz not null,
  expires_on timestamptz not null,
  revision integer not null,
  cell smallint not null,
  status text collate "C" not null,
  settlement_status text collate "C" not null,
  currency text collate "C" not null,
  channel_code text collate "C" not null,
  action_flow text collate "C" not null,
  code text collate "C" not null,
  reference_id text collate "C" not null,
  description text collate "C",
  meta_data json not null,
  fee json not null,
  processor text collate "C" not null,
  settlement_cycle text collate "C" not null,
  created_by text collate "C" not null,
  updated_by text collate "C" not null,
  paid_on timestamptz,
  failed_on timestamptz,
  failure_reason text collate "C",
  settlement_date timestamptz,
  settlement_on timestamptz
-- room for settlements, which change no index; and new pages soon known as visible to all, so that lists need only their index
) with (fillfactor = 85, autovacuum_vacuum_insert_scale_factor = 0.05)`,
    // A list is a merge of the cells it shows, each read in order from one of the first three. The first holds the keys of the others
    // too: in a date range, which has no index of its own in their order, they are sorted.
    indexes: (schema) => [
      `create index charges_by_time on ${schema}.charges (merchant_id, cell, created_on) include (amount, id)`,
      `create index charges_by_amount on ${schema}.charges (merchant_id, cell, amount, id)`,
      `create index charges_by_id on ${schema}.charges (merchant_id, cell, id)`,
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

/** Columns that later facts set; absent: unchanged. */
type Change = { -readonly [Column in keyof typeof changeable]?: ChargeRow[Column] } & {
  /** The status before the first fact of the batch that set one. */
  was?: ChargeStatus;
};

const changeable = {
  status: 'text?',
  settlement_status: 'text?',
  updated_by: 'text',
  updated_on: 'timestamptz',
  paid_on: 'timestamptz?',
  failed_on: 'timestamptz?',
  failure_reason: 'text?',
  settlement_date: 'timestamptz?',
  settlement_on: 'timestamptz?',
  revision: 'integer?',
} as const satisfies Partial<ColumnTypes<ChargeRow>>;

/** A row as it is written. */
type StoredCharge = { -readonly [Column in keyof Omit<ChargeRow, 'fee' | 'meta_data'>]: ChargeRow[Column] } & {
  readonly fee: string;
  readonly meta_data: string;
  /** See status-counts.ts; set once the status is known. */
  cell: number;
  /** Start of the block; see charge-blocks.ts. */
  block: string;
};

interface Folded {
  /** In log order; cell and block are still to be set. */
  readonly created: readonly StoredCharge[];
  readonly changed: readonly [id: string, change: Change][];
}

/** What a batch does: rows of the charges that it creates; changes of others. The last fact wins. Times as on the wire sort as text. */
function fold(batch: readonly OrdinalEvent[]): Folded {
  const created = new Map<string, StoredCharge>();
  const changed = new Map<string, Change>();
  const set = (id: string, { metadata: { actor, occurred_on } }: OrdinalEvent, change: Change): void => {
    const row = created.get(id);
    if (row) {
      Object.assign(row, change);
      row.updated_by = actor;
      row.updated_on = occurred_on < row.created_on ? row.created_on : occurred_on;
    } else {
      const earlier = changed.get(id);
      changed.set(id, { ...earlier, ...change, updated_by: actor, updated_on: occurred_on, ...(earlier?.was && { was: earlier.was }) });
    }
  };
  const touch = (event: OrdinalEvent & { readonly data: { readonly charge_id: string } }, change: Change): void => {
    change.revision = event.revision;
    set(event.data.charge_id, event, change);
  };
  for (const recorded of batch) {
    const event = readFact(recorded);
    switch (event.type) {
      case 'ChargeCreated':
        created.set(event.data.charge_id, rowOf(event.data, event.revision));
        break;
      case 'ChargePaid': {
        const { paid_on, settlement_date, late_after } = event.data;
        touch(event, { status: 'SUCCEEDED', was: late_after ?? 'PENDING', settlement_status: 'PENDING', paid_on, settlement_date });
        break;
      }
      case 'ChargeFailed':
        touch(event, { status: 'FAILED', was: 'PENDING', failed_on: event.data.failed_on, failure_reason: event.data.reason });
        break;
      case 'ChargeExpired':
        touch(event, { status: 'EXPIRED', was: 'PENDING' });
        break;
      case 'ChargeCancelled':
        touch(event, { status: 'CANCELLED', was: 'PENDING' });
        break;
      case 'ChargeSettlementClaimed':
        touch(event, { settlement_status: 'PROCESSING' });
        break;
      case 'ChargeReversed':
        // Of a claimed charge the settlement that takes the money back says so.
        touch(event, event.data.claimed_in === null ? { settlement_status: 'REVERSED' } : {});
        break;
      case 'ChargePaymentUnmatched':
      case 'ChargeReversalClaimed':
        touch(event, {});
        break;
      case 'FundsSettled':
        for (const { kind, record_id } of event.data.lines) {
          if (kind === 'charge') set(record_id, event, { settlement_status: 'SETTLED', settlement_on: event.data.settled_on });
          if (kind === 'reversal') set(record_id, event, { settlement_status: 'REVERSED' });
        }
        break;
    }
  }
  return { created: [...created.values()], changed: [...changed] };
}

function rowOf(fact: ChargeCreated, revision: number): StoredCharge {
  return {
    id: fact.charge_id,
    code: fact.code,
    merchant_id: fact.merchant_id,
    reference_id: fact.reference_id,
    amount: fact.amount,
    currency: fact.currency,
    channel_code: fact.channel_code,
    action_flow: fact.action_flow,
    status: 'PENDING',
    settlement_status: 'UNKNOWN',
    description: fact.description,
    meta_data: JSON.stringify(fact.meta_data),
    fee: JSON.stringify(fact.fee),
    fee_amount: fact.fee_amount,
    net_amount: fact.net_amount,
    charge_statement_id: fact.charge_statement_id,
    processor: fact.processor,
    settlement_cycle: fact.settlement_cycle,
    created_by: fact.created_by,
    created_on: fact.created_on,
    updated_by: fact.created_by,
    updated_on: fact.created_on,
    expires_on: fact.expires_on,
    paid_on: null,
    failed_on: null,
    failure_reason: null,
    settlement_date: null,
    settlement_on: null,
    revision,
    cell: 0,
    block: '',
  };
}

const newCharges = new NewRows<StoredCharge>({
  id: 'uuid',
  code: 'text',
  merchant_id: 'uuid',
  reference_id: 'text',
  amount: 'bigint',
  currency: 'text',
  channel_code: 'text',
  action_flow: 'text',
  status: 'text',
  settlement_status: 'text',
  description: 'text',
  meta_data: 'json',
  fee: 'json',
  fee_amount: 'bigint',
  net_amount: 'bigint',
  charge_statement_id: 'uuid',
  processor: 'text',
  settlement_cycle: 'text',
  created_by: 'text',
  created_on: 'timestamptz',
  updated_by: 'text',
  updated_on: 'timestamptz',
  expires_on: 'timestamptz',
  paid_on: 'timestamptz',
  failed_on: 'timestamptz',
  failure_reason: 'text',
  settlement_date: 'timestamptz',
  settlement_on: 'timestamptz',
  revision: 'integer',
  cell: 'smallint',
  block: 'timestamptz',
});

async function insert(tx: PoolClient, schema: string, blockSize: number, created: Folded['created'], counts: CountChanges): Promise<void> {
  const blocks = await Blocks.load(tx, schema, blockSize, created);
  for (const row of created) {
    const channel = channelNumber(row.channel_code, row.currency);
    row.cell = cellOf(channel, row.status);
    row.block = blocks.place(row.merchant_id, row.created_on);
    counts.add(row.merchant_id, row.block, channel, row.status, row.created_on);
  }
  await newCharges.add(tx, `${schema}.charges`, created);
}

const changedColumns = new Columns<Record<keyof typeof changeable | 'id' | 'was' | 'cell_step', unknown>>(
  { id: 'uuid', was: 'text?', cell_step: 'integer', ...changeable },
  'n',
);

const NO_CHANGE = Object.fromEntries(changedColumns.names.map((column) => [column, null])) as Record<(typeof changedColumns.names)[number], null>;

async function update(tx: PoolClient, schema: string, changed: Folded['changed'], counts: CountChanges): Promise<void> {
  const assignments = Object.keys(changeable).map((column) =>
    column === 'updated_on' ? 'updated_on = greatest(c.created_on, n.updated_on)' : `${column} = coalesce(n.${column}, c.${column})`,
  );
  const rows = changed.map(([id, change]) => ({ ...NO_CHANGE, ...change, id, cell_step: stepOf(change) }));
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

// --- reading ----------------------------------------------------------------------------------------------------------

export const CHARGES = 'ledger.charges';
const COLUMN_LIST = newCharges.names.filter((column) => column !== 'cell' && column !== 'block');

/** The columns of a ChargeRow, of the table called `table`. */
export const chargeColumns = (table: string): string => COLUMN_LIST.map((column) => `${table}.${column}`).join(', ');

/** The merchant's charge `id` (a UUID); undefined when it has none such. */
export async function findCharge(pool: Pool, merchantId: string, id: string): Promise<ChargeRow | undefined> {
  const charge = await findChargeById(pool, id);
  return charge?.merchant_id === merchantId ? charge : undefined;
}

/** The charge `id` (a UUID) of whatever merchant: for those whose address or process is their credential. */
export async function findChargeById(pool: Pool, id: string): Promise<ChargeRow | undefined> {
  const { rows } = await pool.query<ChargeRow>({
    name: 'charge by id',
    text: `select ${chargeColumns('c')} from ${CHARGES} c where id = $1`,
    values: [id],
  });
  return rows[0] && withNumbers(rows[0]);
}

/** Those of `ids` (UUIDs) that there are, of whatever merchant. */
export async function findChargesById(db: Pick<Pool, 'query'>, ids: readonly string[]): Promise<ChargeRow[]> {
  const { rows } = await db.query<ChargeRow>({
    name: 'charges by id',
    text: `select ${chargeColumns('c')} from ${CHARGES} c where id = any($1::uuid[])`,
    values: [ids],
  });
  return rows.map(withNumbers);
}

export type ExpirableCharge = Pick<ChargeRow, 'id' | 'merchant_id' | 'expires_on'>;

/** PENDING charges whose time is over at `now`, oldest first, behind `after` (the last one of the page before), at most `limit`. */
export async function findExpirableCharges(pool: Pool, now: Timestamp, after: ExpirableCharge | null, limit: number): Promise<ExpirableCharge[]> {
  const { rows } = await pool.query<ExpirableCharge>({
    name: 'expirable charges',
    text: `select id, merchant_id, expires_on from ${CHARGES}
            where status = 'PENDING' and expires_on <= $1
              and (expires_on, id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
            order by expires_on, id limit $4`,
    values: [now, after?.expires_on ?? null, after?.id ?? null, limit],
  });
  return rows;
}

/** Columns that a pool gives as bigint; all of them are safe integers. */
export function withNumbers(row: ChargeRow): ChargeRow {
  return { ...row, amount: Number(row.amount), fee_amount: Number(row.fee_amount), net_amount: Number(row.net_amount) };
}
