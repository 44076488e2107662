import type { ClientBase } from 'pg';
import { adjustedAvailable, HOUSE_OWNERS, type AccountAdjustmentKind, type AdjustmentKind } from '../../src/ledger/events/adjustment.events.js';
import type { Mode } from '../../src/ledger/mode.js';
import { handling, type LedgerReadModel, type LoggedEvent } from '../../src/ledger/read-model.js';
import { answered, type Stored } from '../../src/platform/postgres/answered.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { readBehind, readTablePage } from '../../src/platform/postgres/list-page.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { ofMerchant, ofMerchants, type MerchantQuery, type MerchantsQuery } from '../merchants/list-queries.js';
import { unreachable } from '../../src/ledger/unreachable.js';

const table = new Table('adjustments', {
  /** Id of the proposal whose effect this is. */
  id: 'uuid not null primary key',
  ordinal: 'bigint not null',
  event_id: 'uuid not null',
  /** A merchant, or the owner of a mode's house accounts (HOUSE_OWNERS). */
  merchant_id: 'uuid not null',
  currency: 'text collate "C" not null',
  kind: 'text collate "C" not null',
  /** Minor units. */
  amount: 'bigint not null',
  fee_amount: 'bigint not null',
  /** Change of the merchant's available balance, below zero for a decrease; 0 for house accounts. */
  available_change: 'bigint not null',
  item_id: 'uuid',
  charge_id: 'uuid',
  /** The source that an opening is for; null for other kinds. */
  source: 'text collate "C"',
  relates_to: 'text collate "C" not null',
  adjusted_on: 'timestamptz not null',
});

type Row = RowOf<(typeof table)['definitions'], { readonly kind: AdjustmentKind }>;

const isHandled = handling({ accounts: { except: ['FundsSettled', 'account payouts', 'account refunds', 'unbooked adjustments'] } });

/** Adjustments of the books, one row each. Rows never change. */
export const adjustments: LedgerReadModel = {
  name: 'adjustments',
  version: 1,
  ddl: (schema) => table.ddl(schema),
  indexes: (schema) => [
    `create unique index adjustments_made on ${schema}.adjustments (ordinal)`,
    `create index adjustments_of_merchant on ${schema}.adjustments (merchant_id, currency, ordinal)`,
  ],
  async apply(tx, schema, batch) {
    const rows = batch.flatMap(rowOf);
    if (rows.length > 0) await table.add(tx, schema, rows);
  },
};

function rowOf(event: LoggedEvent): Row[] {
  if (!isHandled(event)) return [];
  const { ordinal, id: event_id } = event;
  const { proposal_id: id, currency, kind, amount, item_id, charge_id, relates_to, adjusted_on } = event.data;
  const row = { id, ordinal, event_id, currency, kind, amount, item_id, charge_id, relates_to, adjusted_on };
  switch (event.type) {
    case 'AccountAdjusted': {
      const { merchant_id, fee_amount } = event.data;
      return [{ ...row, merchant_id, fee_amount, available_change: Number(adjustedAvailable(event.data)), source: null }];
    }
    case 'HouseAdjusted':
      return [{ ...row, merchant_id: HOUSE_OWNERS[event.data.mode], fee_amount: 0, available_change: 0, source: event.data.source }];
    default:
      return unreachable(event);
  }
}

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

/** `merchant_id` is null for house accounts. */
export type StoredAdjustment = Omit<Row, 'merchant_id'> & { readonly merchant_id: string | null; readonly mode: Mode };

export interface AdjustmentsQuery extends MerchantsQuery {
  readonly kind?: AdjustmentKind | undefined;
}

const COLUMNS = `${table.names.join(', ')}, (select o.mode from ledger.owners o where o.merchant_id = adjustments.merchant_id) as mode`;
const HOUSE: readonly string[] = Object.values(HOUSE_OWNERS);

function adjustmentOf(row: Stored<Row> & { readonly mode: Mode }): StoredAdjustment {
  const { merchant_id, ...rest } = answered<Row, keyof Row>(table.names, row);
  return { ...rest, mode: row.mode, merchant_id: HOUSE.includes(merchant_id) ? null : merchant_id };
}

/** Returns the oldest first; undefined when there is no adjustment `after`. */
export async function findAdjustments(db: Db, query: AdjustmentsQuery): Promise<StoredAdjustment[] | undefined> {
  const { kind, after } = query;
  const conditions = ofMerchants(query).equal({ kind });
  const rows = await readBehind<Stored<Row> & { readonly mode: Mode }>(db, { table: 'ledger.adjustments', columns: COLUMNS, conditions, after });
  return rows?.map(adjustmentOf);
}

/** An adjustment as its merchant reads it. */
export interface MerchantAdjustment extends Pick<Row, 'id' | 'currency' | 'available_change' | 'fee_amount' | 'charge_id' | 'relates_to'> {
  readonly kind: AccountAdjustmentKind;
  readonly created_on: Timestamp;
}

const SHOWN = ['id', 'currency', 'kind', 'available_change', 'fee_amount', 'charge_id', 'relates_to', 'created_on'] as const;

/** Returns the adjustments of one merchant by booking time; `total` counts all pages. */
export async function findAdjustmentsOf(
  db: Db,
  merchantId: string,
  query: Omit<MerchantQuery, 'date_from' | 'date_to'>,
): Promise<{ total: number; items: MerchantAdjustment[] }> {
  return readTablePage<MerchantAdjustment, Stored<MerchantAdjustment>>(db, query, {
    table: 'ledger.adjustments',
    columns: `${SHOWN.slice(0, -1).join(', ')}, adjusted_on as created_on`,
    conditions: ofMerchant(merchantId, query),
    order_by: 'created_on',
    item: (row) => answered<MerchantAdjustment, keyof MerchantAdjustment>(SHOWN, row),
  });
}
