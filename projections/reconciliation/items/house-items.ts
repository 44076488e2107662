import type { PoolClient } from 'pg';
import { handling, type HandledBy, type LedgerReadModel } from '../../../src/ledger/read-model.js';
import { Table } from '../../../src/platform/postgres/binary/table.js';
import { closeOwed, countOwed } from '../matches/owed-sums.js';
import { correctStatistics, lookUp } from '../planning.js';
import { unreachable } from '../../../src/ledger/unreachable.js';

/** Openings of processors' sources, with the items that they state and those that they closed. */
const openingsTable = new Table('openings', {
  /** Ordinal of its event. */
  ordinal: 'bigint not null primary key',
  source: 'text collate "C"',
  currency: 'text collate "C" not null',
  /** Minor units. */
  amount: 'bigint not null',
  /** null: the event is of a schema version without the number. */
  items: 'integer',
  closed_amount: 'bigint not null',
  closed_items: 'integer not null',
  adjusted_on: 'timestamptz not null',
});

/**
 * Effects of house account adjustments at a processor: money that is sent back to the processor is a separate item, and items that are written off or
 * covered by an opening are closed. Applied after `items`, whose table it uses.
 */
export const houseItems: LedgerReadModel = {
  name: 'house items',
  version: 1,
  ddl: (schema) => `${openingsTable.ddl(schema)}
    create index items_closed on ${schema}.item_states (closed_from) where closed_from is not null and line_id is not null;`,
  indexes: () => [],

  async apply(tx, schema, batch) {
    const events = batch.filter(isOfHouse);
    await sendBack(tx, schema, events);
    for (const event of events) await close(tx, schema, event);
  },
};

const isOfHouse = handling({
  accounts: { except: ['FundsSettled', 'account payouts', 'account refunds', 'AccountAdjusted', 'unbooked adjustments'] },
});
type OfHouse = HandledBy<typeof isOfHouse>;

/** Adds a refund of the original payment: the processor deducts it from its remittances. */
async function sendBack(tx: PoolClient, schema: string, events: readonly OfHouse[]): Promise<void> {
  const back = events.filter(({ data: { kind, processor } }) => kind === 'UNMATCHED_SENT_BACK' && processor !== null);
  if (back.length === 0) return;
  const { rowCount } = await tx.query({
    name: `${schema} house items: send back`,
    text: `with back as (
             select n.ordinal, n.id, p.merchant_id, p.charge_id, p.processor, p.channel, p.mode, p.code, p.payment_reference, p.currency, n.amount, n.occurred_on
               from unnest($1::int8[], $2::uuid[], $3::uuid[], $4::int8[], $5::timestamptz[]) n (ordinal, id, item, amount, occurred_on)
               join ${schema}.items p on p.id = n.item and p.kind = 'PAYMENT'
           ), states as (
             insert into ${schema}.item_states (ordinal, charge_id, processor, mode, kind, occurred_on, is_held)
             select ordinal, charge_id, processor, mode, 'REFUND', occurred_on, false from back
           ), counted as (
             ${countOwed(schema, `(select mode, processor, currency, 'REFUND' as kind, channel, occurred_on, -amount as amount from back) i`)}
           )
           insert into ${schema}.item_details (ordinal, id, merchant_id, mode, channel, code, payment_reference, currency, amount)
           select ordinal, id, merchant_id, mode, channel, code, payment_reference, currency, -amount from back`,
    values: [
      back.map(({ ordinal }) => ordinal),
      back.map(({ id }) => id),
      back.map(({ data }) => data.item_id),
      back.map(({ data }) => data.amount),
      back.map(({ metadata }) => metadata.occurred_on),
    ],
  });
  if (rowCount !== back.length) throw new Error(`${back.length - (rowCount ?? 0)} returned payments were never received`);
}

/** An item is closed only once, by the first event. */
async function close(tx: PoolClient, schema: string, { ordinal, data }: OfHouse): Promise<void> {
  const { kind, item_id, processor, mode, currency, position, source, amount, items, adjusted_on } = data;
  switch (kind) {
    case 'WRITE_OFF':
      await tx.query({
        name: `${schema} house items: write off`,
        text: `with closed as (
                 update ${schema}.item_states i set closed_from = $2, closed_as = $3 from ${lookUp(`${schema}.item_details`, 'id = $1')} d
                  where i.ordinal = d.ordinal and i.ordinal < $2 and i.processor is not null and i.closed_from is null returning i.ordinal
               )
               ${closeOwed(schema, 'closed')}`,
        values: [item_id, ordinal, kind],
      });
      return;
    case 'OPENING':
      if (processor === null || position === null) return;
      await correctStatistics(tx, schema);
      await tx.query({
        name: `${schema} house items: open`,
        text: `with closed as (
                 update ${schema}.item_states i set closed_from = $5, closed_as = $6
                  where i.processor = $1 and i.mode = $2 and i.ordinal <= $4 and i.ordinal < $5 and i.closed_from is null
                    and exists (select from ${lookUp(`${schema}.item_details`, 'ordinal = i.ordinal')} d where d.currency = $3)
                 returning i.ordinal, (select d.amount from ${schema}.item_details d where d.ordinal = i.ordinal)
               ), counted as (${closeOwed(schema, 'closed')})
               insert into ${schema}.openings (ordinal, source, currency, amount, items, closed_amount, closed_items, adjusted_on)
               select $5, $7, $3, $8, $9, coalesce(sum(amount), 0), count(*), $10 from closed`,
        values: [processor, mode, currency, position, ordinal, kind, source, amount, items, adjusted_on],
      });
      return;
    case 'UNMATCHED_SENT_BACK':
    case 'COST':
    case 'LOSS':
    case 'GAIN':
      return;
    default:
      return unreachable(kind);
  }
}

// --- reading ----------------------------------------------------------------------------------------------------------

/**
 * Query for the alarms of openings that closed other items than they state. An opening is decided when the read model has applied its position, so only
 * an event of a schema version without the number, or a defect, causes one.
 */
export const DIFFERING_OPENINGS = `
  select 'OPENING_DIFFERS' as kind, source as subject, adjusted_on as since,
         'The opening states ' || coalesce(items || ' ', '') || 'items of ' || amount || ' ' || currency || ', but it closed ' || closed_items || ' items of '
           || closed_amount || ' ' || currency || ': the debt of the processor is wrong.' as detail
    from recon.openings where closed_amount <> amount or closed_items <> items`;
