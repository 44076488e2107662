import type { ClientBase } from 'pg';
import { HOUSE_OWNERS, isSuspenseKind, SUSPENSE_ADJUSTMENTS } from '../../src/ledger/events/adjustment.events.js';
import type { ChargePaymentUnmatched } from '../../src/ledger/events/charge.events.js';
import type { BankLinesBooked } from '../../src/ledger/events/day-close.events.js';
import { MODES, type Mode } from '../../src/ledger/mode.js';
import { handling, type LedgerReadModel, type LoggedEvent } from '../../src/ledger/read-model.js';
import { answered, type Stored } from '../../src/platform/postgres/answered.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { readBehind } from '../../src/platform/postgres/list-page.js';
import { findOpenProposals, passesProposalFilter, type ProposalFilter } from './proposals.js';
import { ofMerchants, type MerchantsQuery } from '../merchants/list-queries.js';
import { unreachable } from '../../src/ledger/unreachable.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { ageSql, type BreakAge } from '../reconciliation/matches/ages.js';

/** Reasons for suspense: a payment that its charge cannot take; a line of a bank, or of a batch that the bank paid, that matches no known record. */
export const SUSPENSE_REASONS = ['SECOND_PAYMENT', 'OTHER_AMOUNT', 'BANK_UNKNOWN', 'REMITTED_UNKNOWN'] as const;
export type SuspenseReason = (typeof SUSPENSE_REASONS)[number];

/** OPEN: its owner is not decided. CLAIMED: an approved proposal is about to decide it. */
export const SUSPENSE_STATUSES = ['OPEN', 'CLAIMED', 'RESOLVED'] as const;
export type SuspenseStatus = (typeof SUSPENSE_STATUSES)[number];

const table = new Table('suspense_items', {
  /** Id of the event that opened the item. An item of a line has a separate id. */
  id: 'uuid not null primary key',
  ordinal: 'bigint not null',
  /** The ordinal times ITEMS_PER_EVENT plus the index in the event, so that it sorts in the order of the log. */
  came: 'bigint not null',
  stream: 'text collate "C" not null',
  revision: 'integer not null',
  reason: 'text collate "C" not null',
  /** A merchant, or the owner of the house accounts for an item of a bank's line. */
  merchant_id: 'uuid not null',
  charge_id: 'uuid',
  processor: 'text collate "C"',
  payment_reference: 'text collate "C"',
  /** Source and key of the line; null for an item of a payment. */
  source: 'text collate "C"',
  line_key: 'text collate "C"',
  currency: 'text collate "C" not null',
  /** Minor units. */
  amount: 'bigint not null',
  since: 'timestamptz not null',
  item_status: 'text collate "C" not null',
  /** The proposal that claimed or resolved it. */
  proposal_id: 'uuid',
  resolved_as: 'text collate "C"',
  resolved_on: 'timestamptz',
  /** Ordinal of the event that resolved it. */
  resolved_from: 'bigint',
});

/** How an item ended: by an adjustment, or because its line was matched later. */
export const SUSPENSE_ENDS = [...SUSPENSE_ADJUSTMENTS, 'MATCHED'] as const;
export type SuspenseEnd = (typeof SUSPENSE_ENDS)[number];

type Row = RowOf<
  (typeof table)['definitions'],
  { readonly reason: SuspenseReason; readonly item_status: SuspenseStatus; readonly resolved_as: SuspenseEnd | null }
>;

const REASONS: Readonly<Record<ChargePaymentUnmatched['reason'], SuspenseReason>> = {
  'second-payment': 'SECOND_PAYMENT',
  'other-amount': 'OTHER_AMOUNT',
};

const isHandled = handling({
  charges: { except: ['ChargeCreated', 'ChargePaid', 'unpaid charges', 'settlement claims', 'refunds', 'ChargeReversed'] },
  accounts: { except: ['FundsSettled', 'account payouts', 'account refunds', 'AdjustmentRefused'] },
  recon: { except: ['statements', 'recon sources', 'breaks', 'DayCloseOpened', 'DayClosed'] },
});

/**
 * Money without a known owner, one row per item. Items that are not RESOLVED add up to the account `suspense`. RESOLVED is final: a proposal may claim
 * an item whose line a close has just matched, and then fails.
 */
export const suspense: LedgerReadModel = {
  name: 'suspense',
  version: 1,
  ddl: (schema) => table.ddl(schema),
  indexes: (schema) => [
    `create unique index suspense_items_came on ${schema}.suspense_items (came)`,
    `create index suspense_items_by_event on ${schema}.suspense_items (ordinal)`,
    `create index suspense_items_open on ${schema}.suspense_items (came) where item_status <> 'RESOLVED'`,
  ],
  async apply(tx, schema, batch) {
    const came = new Map<string, Row>();
    const changed = new Map<string, Change>();
    for (const event of batch) {
      if (!isHandled(event)) continue;
      if (event.type === 'ChargePaymentUnmatched') {
        came.set(event.id, rowOf(event, event.data));
        continue;
      }
      if (event.type === 'BankLinesBooked') for (const row of rowsOf(event, event.data)) came.set(row.id, row);
      for (const change of changesOf(event)) {
        const row = came.get(change.id);
        if ((row ?? changed.get(change.id))?.item_status === 'RESOLVED') continue;
        if (row) came.set(row.id, { ...row, ...change });
        else changed.set(change.id, change);
      }
    }
    if (came.size > 0) await table.add(tx, schema, [...came.values()]);
    if (changed.size > 0) await tx.query(update(schema, [...changed.values()]));
  },
};

function rowOf({ id, ordinal, stream, revision }: LoggedEvent, { received_on: since, reason, ...data }: ChargePaymentUnmatched): Row {
  const { merchant_id, charge_id, processor, payment_reference, currency, amount } = data;
  return {
    ...{
      id,
      ordinal,
      came: ordinal * ITEMS_PER_EVENT,
      stream,
      revision,
      source: null,
      line_key: null,
      reason: REASONS[reason],
      merchant_id,
      charge_id,
      processor,
      payment_reference,
      currency,
      amount,
      since,
    },
    ...OPEN,
  };
}

/** Larger than the number of items that one event opens. */
const ITEMS_PER_EVENT = 1_000;
const OPEN = { item_status: 'OPEN', proposal_id: null, resolved_as: null, resolved_on: null, resolved_from: null } as const;

function rowsOf({ ordinal, stream, revision }: LoggedEvent, { mode, currency, rows, booked_on: since }: BankLinesBooked): Row[] {
  const of = { ordinal, stream, revision, merchant_id: HOUSE_OWNERS[mode], charge_id: null, payment_reference: null, currency, since, ...OPEN };
  return rows.flatMap(({ reversed, item_id: id, movement, line_source: source, line_key, processor, amount }, place): Row[] => {
    if (reversed || id === null) return [];
    const reason = movement === 'UNREMITTED' ? 'REMITTED_UNKNOWN' : 'BANK_UNKNOWN';
    return [{ ...of, id, came: ordinal * ITEMS_PER_EVENT + place, reason, processor, source, line_key, amount }];
  });
}

type Change = Pick<Row, 'id' | (typeof CHANGEABLE)[number]>;

type ChangeEvent = Extract<LoggedEvent, { readonly type: 'SuspenseItemClaimed' | 'AccountAdjusted' | 'HouseAdjusted' | 'BankLinesBooked' }>;

function changesOf(event: ChangeEvent): Change[] {
  switch (event.type) {
    case 'SuspenseItemClaimed': {
      const { item_id: id, proposal_id } = event.data;
      return [{ ...OPEN, id, item_status: 'CLAIMED', proposal_id }];
    }
    case 'AccountAdjusted':
    case 'HouseAdjusted': {
      const { item_id: id, kind, proposal_id, adjusted_on: resolved_on } = event.data;
      if (id === null || !isSuspenseKind(kind)) return [];
      return [{ id, item_status: 'RESOLVED', proposal_id, resolved_as: kind, resolved_on, resolved_from: event.ordinal }];
    }
    case 'BankLinesBooked': {
      const taken = event.data.rows.flatMap(({ reversed, item_id }) => (reversed && item_id !== null ? [item_id] : []));
      const how = { item_status: 'RESOLVED', proposal_id: null, resolved_as: 'MATCHED', resolved_on: event.data.booked_on } as const;
      return taken.map((id) => ({ id, ...how, resolved_from: event.ordinal }));
    }
    default:
      return unreachable(event);
  }
}

const CHANGEABLE = ['item_status', 'proposal_id', 'resolved_as', 'resolved_on', 'resolved_from'] as const;
const changedColumns = table.parameters(['id', ...CHANGEABLE], 'n');

const update = (schema: string, changes: readonly Change[]) => ({
  name: `${schema} suspense: update`,
  text: `update ${schema}.suspense_items i set ${CHANGEABLE.map((column) => `${column} = n.${column}`).join(', ')} from ${changedColumns.rows}
          where i.id = n.id and i.item_status <> 'RESOLVED'`,
  values: changedColumns.values(changes),
});

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

const TABLE = 'ledger.suspense_items';
const COLUMNS = table.names.join(', ');

export type ListedSuspenseItem = Omit<Row, 'merchant_id'> & {
  readonly merchant_id: string | null;
  readonly mode: Mode;
  /** The open proposal about it. */
  readonly pending_proposal_id: string | null;
};

export interface SuspenseQuery extends MerchantsQuery {
  readonly id?: string | undefined;
  readonly item_status?: SuspenseStatus | undefined;
  /** Returns only items that are not RESOLVED. */
  readonly is_open?: boolean;
  readonly proposal?: ProposalFilter | undefined;
  readonly is_descending?: boolean;
}

/** Returns the oldest first, unless `is_descending`; undefined when there is no item `after`. */
export async function findSuspenseItems(db: Db, query: SuspenseQuery): Promise<ListedSuspenseItem[] | undefined> {
  const { id, item_status, is_open, proposal, after, is_descending } = query;
  const conditions = ofMerchants(query).equal({ id, item_status });
  if (is_open === true) conditions.always(`item_status <> 'RESOLVED'`);
  if (proposal !== undefined) conditions.always(passesProposalFilter(proposal));
  const columns = `${COLUMNS}, (select o.mode from ledger.owners o where o.merchant_id = suspense_items.merchant_id) as mode`;
  const rows = await readBehind<Stored<Row> & { readonly mode: Mode }>(db, {
    table: TABLE,
    columns,
    conditions,
    after,
    order: 'came',
    is_descending,
  });
  if (!rows) return undefined;
  const pending = await findOpenProposals(
    db,
    rows.map((row) => row.id),
  );
  const isHouse = (id: string): boolean => Object.values<string>(HOUSE_OWNERS).includes(id);
  return rows.map((row) => {
    const item = answered<Row, keyof Row>(table.names, row);
    const merchant_id = isHouse(item.merchant_id) ? null : item.merchant_id;
    return { ...item, merchant_id, mode: row.mode, pending_proposal_id: pending.get(item.id)?.id ?? null };
  });
}

/** Items of one age that are not resolved. */
export interface SuspenseAge {
  readonly mode: Mode;
  readonly currency: string;
  /** Whole days since the money arrived. */
  readonly age: BreakAge;
  readonly items: number;
  /** Minor units; negative for missing money. */
  readonly amount: bigint;
}

/** Returns the sums of all items that are not resolved, which are the account `suspense`: live first, by currency and age. */
export async function findSuspenseAges(db: Db, mode: Mode | undefined, now: Timestamp): Promise<SuspenseAge[]> {
  const { rows } = await db.query<Omit<SuspenseAge, 'items' | 'amount'> & { readonly items: bigint; readonly amount: string }>(
    `select mode, currency, ${ageSql('days')} as age, count(*) as items, sum(amount)::text as amount
       from (select o.mode, i.currency, i.amount, floor(extract(epoch from $2::timestamptz - i.since) / 86400) as days
               from ${TABLE} i join ledger.owners o using (merchant_id)
              where i.item_status <> 'RESOLVED' and ($1::text is null or o.mode = $1)) aged
      group by 1, 2, 3 order by array_position($3::text[], mode), currency, min(days)`,
    [mode ?? null, now, MODES],
  );
  return rows.map(({ items, amount, ...row }) => ({ ...row, items: Number(items), amount: BigInt(amount) }));
}

/** Returns the stream and revision of the event that opened an item; undefined while the projection has not processed it. @param id a UUID */
export async function findSuspensePlace(db: Db, id: string): Promise<Pick<Row, 'stream' | 'revision'> | undefined> {
  const { rows } = await db.query<Pick<Row, 'stream' | 'revision'>>({
    name: 'suspense: place',
    text: `select stream, revision from ${TABLE} where id = $1`,
    values: [id],
  });
  return rows[0];
}
