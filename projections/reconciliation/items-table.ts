import type { LineKind } from '../../src/ledger/events/reconciliation.events.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';

/** PAYOUT and RETURN move the house account at our bank; the others move a processor's account. */
export const ITEM_KINDS = ['PAYMENT', 'REVERSAL', 'REFUND', 'DISPUTE', 'PAYOUT', 'RETURN'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/**
 * Claims on a processor and debts to it: one item per event that moves its money, including unmatched payments. Payouts are items from their request
 * on, and so are their returns.
 */
export const itemsTable = new Table('items', {
  /** Ordinal of its event. */
  ordinal: 'bigint not null primary key',
  /** Id of its event. */
  id: 'uuid not null',
  merchant_id: 'uuid not null',
  charge_id: 'uuid',
  payout_id: 'uuid',
  /** null for payouts. */
  processor: 'text collate "C"',
  /** Payment method; null for payouts. */
  channel: 'text collate "C"',
  mode: 'text collate "C" not null',
  kind: 'text collate "C" not null',
  /** Code of the charge; for a payout, the name that the simulated bank gives it. */
  code: 'text collate "C" not null',
  /** As known at the event; later events do not change the item. */
  payment_reference: 'text collate "C"',
  currency: 'text collate "C" not null',
  /** Minor units: change of the processor's debt before its fee, or of the bank's balance. */
  amount: 'bigint not null',
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

export type ItemRow = RowOf<(typeof itemsTable)['definitions'], { readonly kind: ItemKind; readonly closed_as: 'WRITE_OFF' | 'OPENING' | null }>;

/** SQL: the item `i` is closed before the tick with this ordinal, so no line can match it. */
export const isClosed = (i: string, ordinal: string): string => `coalesce(${i}.closed_from < ${ordinal}, false)`;

/** Kinds of lines in remittances. */
export type RemittedKind = Exclude<LineKind, 'CHARGE' | 'TRANSFER'>;
