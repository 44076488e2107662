import type { ClientBase } from 'pg';
import type { ChargePaid, ChargePaymentUnmatched } from '../../src/ledger/events/charge.events.js';
import type { Mode } from '../../src/ledger/mode.js';
import { handling, type LedgerReadModel, type LoggedEvent } from '../../src/ledger/read-model.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { ofMerchants, type MerchantsQuery } from '../merchants/list-queries.js';
import { isOfMode } from '../merchants/owners.js';
import { unreachable } from '../../src/ledger/unreachable.js';

const table = new Table('exceptional_payments', {
  /** Ordinal of the event that recorded the payment. */
  ordinal: 'bigint not null primary key',
  charge_id: 'uuid not null',
  merchant_id: 'uuid not null',
  received_on: 'timestamptz not null',
  amount: 'bigint not null',
  currency: 'text collate "C" not null',
  reason: 'text collate "C" not null',
});

/** `LATE_AFTER_…`: the charge had ended and took the payment. The others put the money into suspense. */
export type ExceptionalReason = Uppercase<`late_after_${NonNullable<ChargePaid['late_after']>}`> | 'SECOND_PAYMENT' | 'OTHER_AMOUNT';

type Row = RowOf<(typeof table)['definitions'], { readonly reason: ExceptionalReason }>;

const UNMATCHED: Readonly<Record<ChargePaymentUnmatched['reason'], ExceptionalReason>> = {
  'second-payment': 'SECOND_PAYMENT',
  'other-amount': 'OTHER_AMOUNT',
};

const isHandled = handling({ charges: { except: ['ChargeCreated', 'unpaid charges', 'settlement claims', 'refunds', 'ChargeReversed'] } });

/** Payments that finance reviews: payments that no charge could take, and payments that arrived after their charge had ended. Rows never change. */
export const exceptionalPayments: LedgerReadModel = {
  name: 'exceptional_payments',
  version: 1,
  ddl: (schema) => table.ddl(schema),
  indexes: () => [],
  async apply(tx, schema, batch) {
    const rows = batch.flatMap(rowOf);
    if (rows.length > 0) await table.add(tx, schema, rows);
  },
};

function rowOf(event: LoggedEvent): Row[] {
  if (!isHandled(event)) return [];
  const { ordinal } = event;
  switch (event.type) {
    case 'ChargePaid': {
      const { charge_id, merchant_id, currency, amount, paid_on, late_after } = event.data;
      return late_after === null
        ? []
        : [{ ordinal, charge_id, merchant_id, received_on: paid_on, amount, currency, reason: `LATE_AFTER_${late_after}` }];
    }
    case 'ChargePaymentUnmatched': {
      const { charge_id, merchant_id, currency, amount, received_on, reason } = event.data;
      return [{ ordinal, charge_id, merchant_id, received_on, amount, currency, reason: UNMATCHED[reason] }];
    }
    default:
      return unreachable(event);
  }
}

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

const TABLE = 'event_index.exceptional_payments';
const IS_LATE = `reason like 'LATE%'`;
/** The owner of the money is not decided yet, as far as the ledger projection has read. */
const IS_OPEN = `not exists (select from ledger.suspense_items i where i.ordinal = exceptional_payments.ordinal and i.item_status = 'RESOLVED')`;

/** Amounts are minor units. */
export type ExceptionalPayment = Row & { readonly code: string | null };

export interface ExceptionalQuery extends Omit<MerchantsQuery, 'currency' | 'after'> {
  /** `open`: unmatched and not resolved. */
  readonly kind?: 'late' | 'unmatched' | 'open' | undefined;
  /** Returns payments before the one with this ordinal. */
  readonly before?: number | undefined;
}

/** Returns the last received first: a processor may report a payment hours later. The table is small enough to be sorted. */
export async function findExceptionalPayments(db: Db, query: ExceptionalQuery): Promise<ExceptionalPayment[]> {
  const { kind, before } = query;
  const conditions = ofMerchants(query)
    .where(before, (p) => `(received_on, ordinal) < (select received_on, ordinal from ${TABLE} where ordinal = ${p}::bigint)`)
    .where(kind && kind === 'late', (p) => `(${IS_LATE}) = ${p}::boolean`);
  if (kind === 'open') conditions.always(IS_OPEN);
  const { rows } = await db.query<Omit<ExceptionalPayment, 'ordinal' | 'amount'> & Record<'ordinal' | 'amount', bigint>>(
    `select p.*, c.code
       from (select * from ${TABLE} where ${conditions.sql()} order by received_on desc, ordinal desc limit $1) p
       left join ledger.charges c on c.id = p.charge_id
      order by p.received_on desc, p.ordinal desc`,
    conditions.values,
  );
  return rows.map((row) => ({ ...row, ordinal: Number(row.ordinal), amount: Number(row.amount) }));
}

/** Counts payments; `unmatched` leaves out the resolved ones. */
export async function countExceptionalPayments(db: Db, mode: Mode): Promise<{ late: number; unmatched: number }> {
  const { rows } = await db.query<{ late: bigint; unmatched: bigint }>(
    `select count(*) filter (where ${IS_LATE}) as late, count(*) filter (where not ${IS_LATE} and ${IS_OPEN}) as unmatched from ${TABLE} where ${isOfMode('$1')}`,
    [mode],
  );
  return { late: Number(rows[0]!.late), unmatched: Number(rows[0]!.unmatched) };
}
