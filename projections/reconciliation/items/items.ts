import type { PoolClient } from 'pg';
import { moneyMove, movesMoney } from '../../../src/ledger/postings.js';
import { handling, type HandledBy, type LedgerReadModel, type LoggedEvent } from '../../../src/ledger/read-model.js';
import { Table, type RowOf } from '../../../src/platform/postgres/binary/table.js';
import { addItems, itemsDdl, type ItemRow, type RemittedKind } from './items-table.js';
import { addOwed } from '../matches/owed-sums.js';
import { ownersDdl, registeredIn, saveOwners } from '../../merchants/owners.js';
import { unreachable } from '../../../src/ledger/unreachable.js';

/** The codes and references that a processor may use for a charge. */
const chargesTable = new Table('charges', {
  charge_id: 'uuid not null primary key',
  code: 'text collate "C" not null',
  payment_reference: 'text collate "C"',
  mode: 'text collate "C" not null',
  channel: 'text collate "C" not null',
});

type ChargeRow = RowOf<(typeof chargesTable)['definitions']>;

/** Items that remittances are compared with. `matching` sets the line that each item is matched with. */
export const items: LedgerReadModel = {
  name: 'items',
  version: 1,
  ddl: (schema) => `
    ${ownersDdl(schema)}
    ${chargesTable.ddl(schema)}
    ${itemsDdl(schema)}`,
  // Details never change, so each entry is written once.
  indexes: (schema) => [`create index items_by_amount on ${schema}.item_details (currency, abs(amount), ordinal)`],

  async apply(tx, schema, batch) {
    const registered = registeredIn(batch);
    if (registered.size > 0) await saveOwners(tx, schema, registered);
    const events = batch.filter(isOfItem);
    if (events.length === 0) return;
    const { charges, stored } = await load(tx, schema, events);
    const rows = events.flatMap((event) => fold(charges, event));
    if (stored.length > 0) {
      await tx.query({
        name: `${schema} items: replace charges`,
        text: `delete from ${schema}.charges where charge_id = any($1::uuid[])`,
        values: [stored],
      });
    }
    await chargesTable.add(tx, schema, [...charges.values()]);
    await addItems(tx, schema, rows);
    await addOwed(tx, schema, rows);
  },
};

const isOfItem = handling({
  charges: { except: ['unpaid charges', 'settlement claims', 'ChargeRefundClaimed', 'refund submissions'] },
  disputes: { except: ['dispute proceedings', 'ChargeDisputeHeld'] },
});
type OfItem = HandledBy<typeof isOfItem>;

/** The charges of these events, including those that the events create. */
interface Charges {
  readonly charges: Map<string, ChargeRow>;
  /** Ids of charges that already have a row. */
  readonly stored: readonly string[];
}

async function load(tx: PoolClient, schema: string, events: readonly OfItem[]): Promise<Charges> {
  const { rows: found } = await tx.query<ChargeRow>({
    name: `${schema} items: load charges`,
    text: `select * from ${schema}.charges where charge_id = any($1::uuid[])`,
    values: [[...new Set(events.map(({ data }) => data.charge_id))]],
  });
  const charges = new Map(found.map((row) => [row.charge_id, row]));
  const stored = [...charges.keys()];
  const created = events.filter((event) => event.type === 'ChargeCreated');
  if (created.length === 0) return { charges, stored };
  const { rows: owners } = await tx.query<{ merchant_id: string; mode: string }>({
    name: `${schema} items: load owners`,
    text: `select merchant_id, mode from ${schema}.owners where merchant_id = any($1::uuid[])`,
    values: [[...new Set(created.map(({ data }) => data.merchant_id))]],
  });
  const modes = new Map(owners.map(({ merchant_id, mode }) => [merchant_id, mode]));
  for (const { data } of created) {
    const mode = modes.get(data.merchant_id);
    if (mode === undefined) throw new Error(`a charge of the merchant ${data.merchant_id}, which was never registered`);
    charges.set(data.charge_id, { charge_id: data.charge_id, code: data.code, payment_reference: null, mode, channel: data.channel_code });
  }
  return { charges, stored };
}

function fold(charges: Map<string, ChargeRow>, event: OfItem): ItemRow[] {
  const charge = charges.get(event.data.charge_id);
  if (!charge) throw new Error(`${event.type} of the charge ${event.data.charge_id}, which was never created`);
  switch (event.type) {
    case 'ChargeCreated':
      return [];
    case 'ChargePaid': {
      const paid = { ...charge, payment_reference: event.data.payment_reference };
      charges.set(charge.charge_id, paid);
      return itemOf(event, paid, 'PAYMENT');
    }
    case 'ChargePaymentUnmatched':
      return itemOf(event, { ...charge, payment_reference: event.data.payment_reference }, 'PAYMENT');
    case 'ChargeReversed':
      return itemOf(event, charge, 'REVERSAL');
    case 'ChargeRefundSucceeded':
    case 'ChargeRefundFailed':
    case 'ChargeRefundCancelled':
    case 'ChargeRefundBounced':
      return itemOf(event, charge, 'REFUND');
    case 'ChargeDisputeWon':
    case 'ChargeDisputeLost':
      return itemOf(event, charge, 'DISPUTE');
    default:
      return unreachable(event);
  }
}

function itemOf(
  event: Exclude<OfItem, { readonly type: 'ChargeCreated' }>,
  { code, payment_reference, mode, channel }: ChargeRow,
  kind: RemittedKind,
): ItemRow[] {
  const amount = event.type === 'ChargePaymentUnmatched' ? event.data.amount : owedMore(event);
  if (amount === 0) return [];
  const { ordinal, id, metadata } = event;
  const { merchant_id, charge_id, processor, currency } = event.data;
  // One object literal: merging several objects took most of the CPU time of the fold.
  return [
    {
      ordinal,
      id,
      merchant_id,
      charge_id,
      processor,
      channel,
      mode,
      kind,
      payout_id: null,
      submitted_from: null,
      ended_from: null,
      succeeded_from: null,
      succeeded_on: null,
      closed_from: null,
      closed_as: null,
      line_id: null,
      is_held: false,
      code,
      payment_reference,
      currency,
      amount,
      occurred_on: metadata.occurred_on,
    },
  ];
}

/** Returns the increase of the processor's debt by the event: the amount that the books take from its account. */
function owedMore(event: LoggedEvent): number {
  if (!movesMoney(event)) return 0;
  const moved = moneyMove(event).postings.map(({ from, to, amount }) => (from === 'processor' ? amount : to === 'processor' ? -amount : 0n));
  return Number(moved.reduce((sum, amount) => sum + amount, 0n));
}
