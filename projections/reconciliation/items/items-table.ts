import type { PoolClient } from 'pg';
import type { LineKind } from '../../../src/ledger/events/reconciliation.events.js';
import { Table, type RowOf } from '../../../src/platform/postgres/binary/table.js';

/** PAYOUT and RETURN move the house account at our bank; the others move a processor's account. */
export const ITEM_KINDS = ['PAYMENT', 'REVERSAL', 'REFUND', 'DISPUTE', 'PAYOUT', 'RETURN'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** The part of an item that never changes, with the names by which lines find it. */
const detailsTable = new Table('item_details', {
  /** Ordinal of its event. */
  ordinal: 'bigint not null primary key',
  /** Id of its event. */
  id: 'uuid not null',
  merchant_id: 'uuid not null',
  /** As in its state: a verification finds the closed days of the mode by it. */
  mode: 'text collate "C" not null',
  payout_id: 'uuid',
  /** Payment method; null for payouts. */
  channel: 'text collate "C"',
  /** Code of the charge; for a payout, the name that the simulated bank gives it. */
  code: 'text collate "C" not null',
  /** As known at the event; later events do not change the item. */
  payment_reference: 'text collate "C"',
  currency: 'text collate "C" not null',
  /** Minor units: change of the processor's debt before its fee, or of the bank's balance. */
  amount: 'bigint not null',
});

/** The part that changes, with the columns that its indexes need. */
const statesTable = new Table('item_states', {
  ordinal: 'bigint not null primary key',
  charge_id: 'uuid',
  /** null for payouts. */
  processor: 'text collate "C"',
  mode: 'text collate "C" not null',
  kind: 'text collate "C" not null',
  occurred_on: 'timestamptz not null',
  /** Only for a payout: ordinals of the events that sent it to the bank, that failed or cancelled it, and that paid it. */
  submitted_from: 'bigint',
  ended_from: 'bigint',
  succeeded_from: 'bigint',
  succeeded_on: 'timestamptz',
  /** Only at a processor: the event from which on no money is expected, and the kind of that booking. */
  closed_from: 'bigint',
  closed_as: 'text collate "C"',
  /** The line that it is matched with now. */
  line_id: 'bigint',
  /** Only for a payout and its return: a close has booked its line, and none has taken it back. */
  is_held: 'boolean not null',
});

const ONLY_DETAILS = detailsTable.names.filter((name) => !(statesTable.names as readonly string[]).includes(name));

type Narrowed = { readonly kind: ItemKind; readonly closed_as: 'WRITE_OFF' | 'OPENING' | null };

/**
 * Claims on a processor and debts to it: one item per event that moves its money, including unmatched payments. Payouts are items from their request
 * on, and so are their returns.
 */
export type ItemRow = RowOf<(typeof detailsTable)['definitions']> & RowOf<(typeof statesTable)['definitions'], Narrowed>;

/**
 * Two tables, and `items`, a view of both. A match and a close change each item of a file, and each change writes a row to every index of its table:
 * those of names took half of the time of a match.
 */
export const itemsDdl = (schema: string): string => `
  ${detailsTable.ddl(schema)}
  ${statesTable.ddl(schema)}
  create view ${schema}.items as
    select ${statesTable.names.map((name) => `s.${name}`).join(', ')}, ${ONLY_DETAILS.map((name) => `d.${name}`).join(', ')}
      from ${schema}.item_states s join ${schema}.item_details d on d.ordinal = s.ordinal;
  create index items_by_event on ${schema}.item_details (id);
  create index items_by_code on ${schema}.item_details (code);
  create index items_by_payment_reference on ${schema}.item_details (payment_reference);
  create index items_open on ${schema}.item_states (processor, mode, occurred_on) where line_id is null;
  create index items_reversed on ${schema}.item_states (charge_id) where kind = 'REVERSAL';`;

/** Adds both parts of new items; `items` itself takes no rows. */
export async function addItems(tx: PoolClient, schema: string, rows: readonly ItemRow[]): Promise<void> {
  await detailsTable.add(tx, schema, rows);
  await statesTable.add(tx, schema, rows);
}

/** SQL: ordinals of the items of a charge or payout. Their codes and payouts have indexes; their charges have none. */
export const ITEMS_OF = {
  charge: (id: string): string => `select ordinal from recon.item_details where code = (select code from recon.charges where charge_id = ${id})`,
  payout: (id: string): string => `select ordinal from recon.item_details where payout_id = ${id}`,
} as const;

/** SQL: the item `i` is closed before the tick with this ordinal, so no line can match it. */
export const isClosed = (i: string, ordinal: string): string => `coalesce(${i}.closed_from < ${ordinal}, false)`;

/** Kinds of lines in remittances. */
export type RemittedKind = Exclude<LineKind, 'CHARGE' | 'TRANSFER'>;
