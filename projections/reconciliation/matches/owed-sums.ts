import type { PoolClient } from 'pg';
import type { Mode } from '../../../src/ledger/mode.js';
import type { LedgerReadModel } from '../../../src/ledger/read-model.js';
import { Columns } from '../../../src/platform/postgres/binary/columns.js';
import { Table } from '../../../src/platform/postgres/binary/table.js';
import type { ItemRow } from '../items/items-table.js';
import { lookUp, plannedForMany } from '../planning.js';
import { isOfSource } from '../sources.js';
import { expectedFee, expectedTax } from './expected-costs.js';

const table = new Table(
  'owed_sums',
  {
    mode: 'text collate "C" not null',
    processor: 'text collate "C" not null',
    currency: 'text collate "C" not null',
    /** Day of the events in the time zone of the processor's source, UTC without one, `YYYY-MM-DD`. */
    day: 'text collate "C" not null',
    items: 'bigint not null',
    /** Minor units. */
    amount: 'numeric not null',
    /** Fees and tax that the processor deducts from the payments, by the present terms of its source, minor units. */
    cost: 'numeric not null',
    /** Payments whose channel has no cost in these terms. */
    items_without_cost: 'bigint not null',
  },
  ['primary key (mode, processor, currency, day)'],
  // Each batch updates the rows of the last days. Free space on their pages spares the index an update.
  'with (fillfactor = 50)',
);

const KEY = ['mode', 'processor', 'currency', 'day'] as const;
const SUMS = ['items', 'amount', 'cost', 'items_without_cost'] as const;

/** SQL of the newest settings of each processor's source. @param when condition on the `ordinal` of their events */
export const newestRules = (schema: string, when = 'true'): string => `
  select distinct on (mode, processor) mode, processor, due_days, time_zone, costs
    from ${schema}.rules where processor is not null and ${when} order by mode, processor, ordinal desc`;

/** SQL of the day of a moment, `YYYY-MM-DD`. @param zone an expression; UTC where it is null */
export const dayIn = (moment: string, zone: string): string => `to_char(${moment} at time zone coalesce(${zone}, 'UTC'), 'YYYY-MM-DD')`;

/** How an item changes the sums: once more or once less, and with its opposite amount when it is closed and booked. */
interface Change {
  /** SQL of 1 or -1. */
  readonly sign: string;
  readonly isNegated: string;
}

/** SQL of a statement that adds items of processors to the sums, or takes them out. @param items expression of their rows `i`, both parts */
const changeSums = (schema: string, items: string, { sign, isNegated }: Change): string => `
  insert into ${schema}.owed_sums as s (${[...KEY, ...SUMS].join(', ')})
  with rule as materialized (
    select mode, processor, time_zone, (costs->'by_channel')::jsonb as costs, (costs->>'tax')::numeric as tax from (${newestRules(schema)}) r
  ), priced as (
    select ${sign} as sign, i.mode, i.processor, i.currency, (i.occurred_on at time zone coalesce(r.time_zone, 'UTC'))::date as date,
           case when ${isNegated} then -i.amount else i.amount end as amount,
           case when i.kind = 'PAYMENT' and i.amount > 0 and not ${isNegated} then i.amount end as gross, r.tax, r.costs->i.channel as cost
      from ${items} left join rule r on r.mode = i.mode and r.processor = i.processor
  ), charged as (
    select l.*, case when l.gross is not null and l.cost is not null then ${expectedFee(`l.cost->>'type'`, `(l.cost->>'value')::numeric`)} end as fee
      from priced l
  )
  select mode, processor, currency, to_char(date, 'YYYY-MM-DD'), sum(sign), sum(sign * amount),
         coalesce(sum(sign * (fee + coalesce(${expectedTax('l.tax')}, 0))), 0),
         coalesce(sum(sign) filter (where gross is not null and l.cost is null), 0)
    from charged l group by mode, processor, currency, date
  on conflict (${KEY.join(', ')}) do update set ${SUMS.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ')}`;

/** SQL of a statement for items that it closes. @param closed name of rows with their `ordinal` */
export const closeOwed = (schema: string, closed: string): string =>
  changeSums(
    schema,
    `${closed} c cross join lateral ${lookUp(`${schema}.items`, 'ordinal = c.ordinal')} i
     cross join lateral (select ${isBooked(schema, 'c.ordinal')} as is_booked offset 0) k`,
    { sign: 'case when k.is_booked then 1 else -1 end', isNegated: 'k.is_booked' },
  );

/** SQL of a statement for items that it books, or that it frees. @param changed name of rows with their `item` */
export const bookOwed = (schema: string, changed: string, isBookedNow: boolean): string =>
  changeSums(schema, `${changed} c cross join lateral ${lookUp(`${schema}.items`, 'ordinal = c.item')} i`, {
    sign: `case when (i.closed_from is null) = ${isBookedNow} then -1 else 1 end`,
    isNegated: '(i.closed_from is not null)',
  });

const isBooked = (schema: string, item: string): string =>
  `exists (select from ${lookUp(`${schema}.booked_items`, `item = ${item}`)} k where k.booked_until is null)`;

/** SQL of a statement for new items. @param items expression of their rows `i`, with the columns of NEW */
export const countOwed = (schema: string, items: string): string => changeSums(schema, items, { sign: '1', isNegated: 'false' });

const NEW = new Columns<Pick<ItemRow, 'mode' | 'processor' | 'currency' | 'kind' | 'channel' | 'occurred_on' | 'amount'>>(
  { mode: 'text', processor: 'text', currency: 'text', kind: 'text', channel: 'text', occurred_on: 'timestamptz', amount: 'bigint' },
  'i',
);

/** Adds new items of processors. */
export async function addOwed(tx: PoolClient, schema: string, rows: readonly ItemRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query({ name: `${schema} owed sums: add`, text: countOwed(schema, NEW.rows), values: NEW.values(rows) });
}

/**
 * Number and amounts of the items that processors owe, by day, so that neither their debts nor a forecast of the cash read items. `items`, `house items`
 * and the closes of days change the sums; this read model, the last one of them, follows the terms of sources.
 */
export const owedSums: LedgerReadModel = {
  name: 'owed sums',
  version: 1,
  ddl: (schema) => table.ddl(schema),
  indexes: () => [],

  async apply(tx, schema, batch) {
    for (const processor of await changedTerms(tx, schema, batch)) await plannedForMany(tx, () => sumAgain(tx, schema, processor));
    // Only closes and adjustments take items out.
    if (batch.some(({ type }) => type === 'DayCloseOpened' || type === 'HouseAdjusted'))
      await tx.query({ name: `${schema} owed sums: remove`, text: `delete from ${schema}.owed_sums where items = 0` });
  },
};

interface Processor {
  readonly mode: Mode;
  readonly processor: string;
}

/** Returns the processors whose days or costs are others by these events. */
async function changedTerms(tx: PoolClient, schema: string, batch: Parameters<LedgerReadModel['apply']>[2]): Promise<Processor[]> {
  const set = batch.filter(isOfSource).flatMap(({ type, data }) => (type === 'ReconSourceSet' && data.processor !== null ? [data] : []));
  if (set.length === 0) return [];
  const { rows } = await tx.query<Processor>({
    name: `${schema} owed sums: changed terms`,
    text: `select r.mode, r.processor
             from (${newestRules(schema)}) r left join (${newestRules(schema, 'ordinal < $1')}) b using (mode, processor)
            where r.processor = any($2::text[]) and (b.time_zone, b.costs::text) is distinct from (r.time_zone, r.costs::text)`,
    values: [batch[0]!.ordinal, set.map(({ processor }) => processor)],
  });
  return rows;
}

async function sumAgain(tx: PoolClient, schema: string, { mode, processor }: Processor): Promise<void> {
  const values = [mode, processor];
  await tx.query({ name: `${schema} owed sums: forget`, text: `delete from ${schema}.owed_sums where mode = $1 and processor = $2`, values });
  await tx.query({
    name: `${schema} owed sums: sum again`,
    text: changeSums(
      schema,
      `(select ordinal, closed_from is not null as is_closed from ${schema}.item_states where mode = $1 and processor = $2 offset 0) c
       cross join lateral (select ${isBooked(schema, 'c.ordinal')} as is_booked offset 0) k
       join lateral ${lookUp(`${schema}.items`, 'ordinal = c.ordinal')} i on c.is_closed = k.is_booked`,
      { sign: '1', isNegated: 'c.is_closed' },
    ),
    values,
  });
}
