import type { PoolClient } from 'pg';
import type { ChargeRefundClaimed, RefundReason, RefundSource } from '../../src/ledger/events/refund.events.js';
import { handling, type LedgerReadModel, type LoggedEvent } from '../../src/ledger/read-model.js';
import { later } from '../../src/ledger/time.js';
import type { Columns } from '../../src/platform/postgres/binary/columns.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { unreachable } from '../../src/ledger/unreachable.js';

export const REFUND_STATUSES = ['PENDING', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];
export const REFUND_STATUS_REASONS = ['REJECTED', 'BOUNCED', 'REQUESTED', 'CHARGE_DISPUTED'] as const;
export type RefundStatusReason = (typeof REFUND_STATUS_REASONS)[number];

const refundsTable = new Table('refunds', {
  id: 'uuid not null primary key',
  charge_id: 'uuid not null',
  merchant_id: 'uuid not null',
  /** Ordinal of its claim. A reader of new refunds continues after the last one. */
  ordinal: 'bigint not null',
  created_on: 'timestamptz not null',
  amount: 'bigint not null',
  fee_amount: 'bigint not null',
  net_amount: 'bigint not null',
  currency: 'text collate "C" not null',
  source: 'text collate "C" not null',
  refund_status: 'text collate "C" not null',
  status_reason: 'text collate "C"',
  processor_reason: 'text',
  reason: 'text collate "C"',
  reference_id: 'text',
  description: 'text',
  meta_data: 'json not null',
  submitted_on: 'timestamptz',
  succeeded_on: 'timestamptz',
  failed_on: 'timestamptz',
  cancelled_on: 'timestamptz',
  created_by: 'text not null',
  updated_by: 'text not null',
  updated_on: 'timestamptz not null',
  /** Ordinals of the events that set SUCCEEDED, and FAILED or CANCELLED. They give the state of the refund at an earlier event. */
  succeeded_at: 'bigint',
  ended_at: 'bigint',
  /** Starts at 1; each change adds one. */
  version: 'integer not null',
});
/** Reservations that accounts hold for refunds until the charge has decided. No list shows them. */
const reservationsTable = new Table('refund_reservations', {
  reservation_id: 'uuid not null primary key',
  refund_id: 'uuid not null',
  charge_id: 'uuid not null',
  merchant_id: 'uuid not null',
  currency: 'text collate "C" not null',
  amount: 'bigint not null',
  net_amount: 'bigint not null',
  ordinal: 'bigint not null',
  reserved_on: 'timestamptz not null',
  /** The charge has claimed the reservation: the refund is shown, and the account may drop the reservation. */
  is_claimed: 'boolean not null',
});
/** Revisions of events about a charge's refunds in its account's stream. */
const accountEventsTable = new Table('refund_account_events', { charge_id: 'uuid not null', revision: 'integer not null' }, [
  'primary key (charge_id, revision)',
]);

export type RefundRow = RowOf<
  (typeof refundsTable)['definitions'],
  {
    readonly refund_status: RefundStatus;
    readonly status_reason: RefundStatusReason | null;
    readonly source: RefundSource;
    readonly reason: RefundReason | null;
  }
>;
type ReservationRow = RowOf<(typeof reservationsTable)['definitions']>;
type AccountEventRow = RowOf<(typeof accountEventsTable)['definitions']>;

/** Refunds of charges, one row each, and the reservations of refunds that are not shown yet. */
export const refunds: LedgerReadModel = {
  name: 'refunds',
  version: 1,
  ddl: (schema) => refundsTable.ddl(schema) + reservationsTable.ddl(schema) + accountEventsTable.ddl(schema),
  indexes: (schema) => [
    `create index refunds_created on ${schema}.refunds (merchant_id, created_on, id)`,
    `create index refunds_of_charge on ${schema}.refunds (charge_id, created_on, id)`,
    `create unique index refunds_claimed on ${schema}.refunds (ordinal)`,
    `create index refunds_open on ${schema}.refunds (ordinal) where refund_status in ('PENDING', 'PROCESSING')`,
    `create index refunds_bouncing on ${schema}.refunds (updated_on) where refund_status = 'SUCCEEDED' and meta_data ->> 'simulate' = 'bounce'`,
    `create index refund_reservations_open on ${schema}.refund_reservations (ordinal)`,
  ],

  async apply(tx, schema, batch) {
    const { claimed, changed, reserved, reservationsClaimed, forgotten, accountEvents } = fold(batch);
    await Promise.all([
      refundsTable.add(tx, schema, [...claimed.values()]),
      changed.size > 0 && update(tx, schema, [...changed]),
      reservationsTable.add(tx, schema, [...reserved.values()]),
      reservationsClaimed.length > 0 &&
        tx.query(`update ${schema}.refund_reservations set is_claimed = true where reservation_id = any($1::uuid[])`, [reservationsClaimed]),
      forgotten.length > 0 && tx.query(`delete from ${schema}.refund_reservations where reservation_id = any($1::uuid[])`, [forgotten]),
      accountEventsTable.add(tx, schema, accountEvents),
    ]);
  },
};

/** Columns that later events set. */
const CHANGEABLE = [
  ...(['refund_status', 'status_reason', 'processor_reason', 'submitted_on', 'succeeded_on', 'failed_on', 'cancelled_on'] as const),
  ...(['updated_by', 'updated_on', 'succeeded_at', 'ended_at'] as const),
] as const satisfies readonly (keyof RefundRow)[];

/** Absent columns are unchanged. */
type Change = { -readonly [Column in (typeof CHANGEABLE)[number]]?: RefundRow[Column] };

interface Folded {
  readonly claimed: ReadonlyMap<string, RefundRow>;
  readonly changed: ReadonlyMap<string, Change & { readonly times: number }>;
  readonly reserved: ReadonlyMap<string, ReservationRow>;
  readonly reservationsClaimed: readonly string[];
  readonly forgotten: readonly string[];
  readonly accountEvents: readonly AccountEventRow[];
}

const isHandled = handling({
  charges: { except: ['ChargeCreated', 'payments', 'unpaid charges', 'settlement claims', 'ChargeReversed'] },
  accounts: { except: ['FundsSettled', 'account payouts', 'adjustments'] },
});

/** A reservation that begins and ends within the batch leaves no row. */
function fold(batch: readonly LoggedEvent[]): Folded {
  const claimed = new Map<string, RefundRow>();
  const changed = new Map<string, Change & { times: number }>();
  const reserved = new Map<string, ReservationRow>();
  const reservationsClaimed: string[] = [];
  const forgotten: string[] = [];
  const accountEvents: AccountEventRow[] = [];
  for (const event of batch) {
    if (!isHandled(event)) continue;
    const { charge_id, refund_id, merchant_id, currency, amount, net_amount } = event.data;
    switch (event.type) {
      case 'ChargeRefundDeclined':
        break;
      case 'ChargeRefundClaimed': {
        const { reservation_id } = event.data;
        claimed.set(refund_id, rowOf(event.data, event.ordinal, event.metadata.actor));
        const row = reservation_id === null ? undefined : reserved.get(reservation_id);
        if (row) reserved.set(row.reservation_id, { ...row, is_claimed: true });
        else if (reservation_id !== null) reservationsClaimed.push(reservation_id);
        break;
      }
      case 'RefundReserved': {
        const { reservation_id, reserved_on } = event.data;
        const of = { reservation_id, refund_id, charge_id, merchant_id, currency, amount, net_amount };
        reserved.set(reservation_id, { ...of, ordinal: event.ordinal, reserved_on, is_claimed: false });
        accountEvents.push({ charge_id, revision: event.revision });
        break;
      }
      case 'RefundReleased':
      case 'RefundConfirmed':
        if (!reserved.delete(event.data.reservation_id)) forgotten.push(event.data.reservation_id);
        accountEvents.push({ charge_id, revision: event.revision });
        break;
      default: {
        const { actor: updated_by, occurred_on: updated_on } = event.metadata;
        const change = { ...changeOf(event), updated_by };
        const row = claimed.get(refund_id);
        if (row) claimed.set(refund_id, { ...row, ...change, updated_on: later(row.created_on, updated_on), version: row.version + 1 });
        else {
          const before = changed.get(refund_id);
          changed.set(refund_id, { ...before, ...change, updated_on, times: (before?.times ?? 0) + 1 });
        }
      }
    }
  }
  return { claimed, changed, reserved, reservationsClaimed, forgotten, accountEvents };
}

type Step = Extract<LoggedEvent, { readonly type: `ChargeRefund${'Submitted' | 'Succeeded' | 'Failed' | 'Cancelled' | 'Bounced'}` }>;

function changeOf(event: Step): Change {
  const { ordinal } = event;
  switch (event.type) {
    case 'ChargeRefundSubmitted':
      return { refund_status: 'PROCESSING', submitted_on: event.data.submitted_on };
    case 'ChargeRefundSucceeded':
      return { refund_status: 'SUCCEEDED', succeeded_on: event.data.succeeded_on, succeeded_at: ordinal };
    case 'ChargeRefundFailed': {
      const { reason: processor_reason, failed_on } = event.data;
      return { refund_status: 'FAILED', status_reason: 'REJECTED', processor_reason, failed_on, ended_at: ordinal };
    }
    case 'ChargeRefundBounced': {
      const { reason: processor_reason, bounced_on: failed_on } = event.data;
      return { refund_status: 'FAILED', status_reason: 'BOUNCED', processor_reason, failed_on, ended_at: ordinal };
    }
    case 'ChargeRefundCancelled': {
      const { reason: status_reason, cancelled_on } = event.data;
      return { refund_status: 'CANCELLED', status_reason, cancelled_on, ended_at: ordinal };
    }
    default:
      return unreachable(event);
  }
}

function rowOf(claimed: ChargeRefundClaimed, ordinal: number, actor: string): RefundRow {
  return {
    id: claimed.refund_id,
    charge_id: claimed.charge_id,
    merchant_id: claimed.merchant_id,
    ordinal,
    created_on: claimed.claimed_on,
    amount: claimed.amount,
    fee_amount: claimed.fee_amount,
    net_amount: claimed.net_amount,
    currency: claimed.currency,
    source: claimed.source,
    refund_status: 'PENDING',
    status_reason: null,
    processor_reason: null,
    reason: claimed.reason,
    reference_id: claimed.reference_id,
    description: claimed.description,
    meta_data: JSON.stringify(claimed.meta_data),
    submitted_on: null,
    succeeded_on: null,
    failed_on: null,
    cancelled_on: null,
    created_by: claimed.created_by,
    updated_by: actor,
    updated_on: claimed.claimed_on,
    succeeded_at: null,
    ended_at: null,
    version: 1,
  };
}

// null leaves a column unchanged.
const changedColumns = refundsTable.parameters(['id', ...CHANGEABLE], 'n', { times: 'integer' }) as Columns<
  Readonly<Record<(typeof CHANGEABLE)[number] | 'id' | 'times', unknown>>
>;
const NO_CHANGE = Object.fromEntries(changedColumns.names.map((column) => [column, null])) as Record<(typeof changedColumns.names)[number], null>;

async function update(tx: PoolClient, schema: string, changed: readonly (readonly [string, Change & { times: number }])[]): Promise<void> {
  const assignments = CHANGEABLE.map((column) =>
    column === 'updated_on' ? 'updated_on = greatest(r.created_on, n.updated_on)' : `${column} = coalesce(n.${column}, r.${column})`,
  );
  const { rowCount } = await tx.query({
    name: `${schema} refunds: update`,
    text: `update ${schema}.refunds r set ${assignments.join(', ')}, version = r.version + n.times from ${changedColumns.rows} where r.id = n.id`,
    values: changedColumns.values(changed.map(([id, change]) => ({ ...NO_CHANGE, ...change, id }))),
  });
  if (rowCount !== changed.length) throw new Error(`${changed.length - (rowCount ?? 0)} refunds of the batch were never claimed`);
}
