import type { LineKind } from '../../src/ledger/events/reconciliation.events.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';

/** PAYOUT and RETURN move the house's account at its bank, the others a processor's. */
export const ITEM_KINDS = ['PAYMENT', 'REVERSAL', 'REFUND', 'DISPUTE', 'PAYOUT', 'RETURN'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** What a processor owes us, or we owe it: one for each event that moves its money, and for payments that no charge could take. And payouts, from their request on, and what came back of them. */
export const itemsTable = new Table('items', {
  /** Of its event. */
  ordinal: 'bigint not null primary key',
  /** Of its event. */
  id: 'uuid not null',
  merchant_id: 'uuid not null',
  charge_id: 'uuid',
  payout_id: 'uuid',
  /** null of payouts. */
  processor: 'text collate "C"',
  /** How it was paid; null of payouts. */
  channel: 'text collate "C"',
  mode: 'text collate "C" not null',
  kind: 'text collate "C" not null',
  /** Of the charge; of a payout what the simulator's bank calls it. */
  code: 'text collate "C" not null',
  /** As it was when the event came: facts that follow change no item. */
  payment_reference: 'text collate "C"',
  currency: 'text collate "C" not null',
  /** Minor units: what the processor owes us more, before its fee; or what the bank has more. */
  amount: 'bigint not null',
  occurred_on: 'timestamptz not null',
  /** Of a payout: from which event on it was at the bank, had failed or been cancelled, and was paid. */
  submitted_from: 'bigint',
  ended_from: 'bigint',
  succeeded_from: 'bigint',
  succeeded_on: 'timestamptz',
  /** At a processor: from which event on nothing is to come any more, and as what that was booked. */
  closed_from: 'bigint',
  closed_as: 'text collate "C"',
  /** That it is matched with now. */
  line_id: 'bigint',
});

export type ItemRow = RowOf<(typeof itemsTable)['definitions'], { readonly kind: ItemKind; readonly closed_as: 'WRITE_OFF' | 'OPENING' | null }>;

/** Nothing is to come of the item `i` at a tick of this ordinal, or has come since: no line is of it. */
export const isClosed = (i: string, ordinal: string): string => `coalesce(${i}.closed_from < ${ordinal}, false)`;

/** Kinds that stand in remittances. */
export type RemittedKind = Exclude<LineKind, 'CHARGE' | 'TRANSFER'>;
