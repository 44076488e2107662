import type { PoolClient } from 'pg';
import type { FoundSql, Tick } from '../days/tick.js';
import { isClosed, type RemittedKind } from '../items/items-table.js';
import { lookUp, NAMED } from '../planning.js';
import { expectedFee, expectedTax } from './expected-costs.js';

/** Passes 2 and 3 of matcher 1: remittance lines, and the items of the processor. */

/** The processor's own charges and transfers have no items. */
export const REMITTED_KINDS: readonly RemittedKind[] = ['PAYMENT', 'REVERSAL', 'REFUND', 'DISPUTE'];

/** `i` is an item of the tick. */
const OF_TICK = 'i.processor = $2 and i.mode = $3 and i.ordinal < $4';
const IS_OPEN = `${OF_TICK} and i.line_id is null and not ${isClosed('i', '$4')}`;

/** A line `o` has a known payment reference. Its other references are then ignored. */
const namesPayment = (schema: string): string =>
  `exists (select from ${NAMED} cross join lateral ${lookUp(`${schema}.items`, 'payment_reference = named.reference')} i where i.processor = $2 and i.ordinal < $4)`;

/** Reversals without a line that take back the whole payment `i`. */
const reversals = (schema: string): string => `
  select from ${lookUp(`${schema}.items`, "charge_id = i.charge_id and kind = 'REVERSAL'")} v
   where v.amount = -i.amount and v.payment_reference = i.payment_reference
     and v.line_id is null and v.ordinal < $4 and not ${isClosed('v', '$4')}`;

type ReferenceColumn = 'payment_reference' | 'code';
const COLUMNS: readonly ReferenceColumn[] = ['payment_reference', 'code'];

/**
 * Matches lines with items of the same reference, kind, currency and amount. The processor's own reference of a payment, which is unique, precedes
 * our code of the charge, which a second payment shares. Equal candidates are matched in the order of the log. Payments are matched after reversals,
 * refunds and disputes: a payment that was reversed before the day of its batch, and whose reversal has no line, should not have been remitted.
 */
export async function matchRemitted(tx: PoolClient, schema: string, tick: Tick): Promise<void> {
  for (const kinds of [REMITTED_KINDS.filter((kind) => kind !== 'PAYMENT'), ['PAYMENT'] as const]) {
    // A line with several references may leave a candidate to another line and stay open, so each pass is repeated.
    for (const column of COLUMNS) while ((await pass(tx, schema, tick, column, kinds)) > 0);
  }
  for (const column of COLUMNS) while ((await passReversed(tx, schema, tick, column)) > 0);
}

/** Matches pairs of a line and an item, and removes them from the open ones; must be the end of a statement. */
const take = (schema: string): string => `taken as (update ${schema}.item_states i set line_id = pair.line_id from pair where i.ordinal = pair.ordinal
  ), added as (
    insert into ${schema}.matches (line_id, item, source, matched_from) select line_id, ordinal, $1, $4 from pair
  )
  delete from ${schema}.open_lines o using pair where o.line_id = pair.line_id`;

/** Candidate items `i` of a line `o`, by its reference `r`. */
const candidates = (schema: string, column: ReferenceColumn): string => `
  ${schema}.open_lines o
  cross join lateral unnest(o.line_references) with ordinality r(reference, place)
  join lateral ${lookUp(`${schema}.items`, `${column} = r.reference`)} i on i.kind = o.kind and i.currency = o.currency and i.amount = o.amount and ${IS_OPEN}`;

const isNamed = (schema: string, column: ReferenceColumn): string => (column === 'code' ? `and not ${namesPayment(schema)}` : '');

/**
 * Leaves out payments that were reversed and whose reversal has no line. Lines with a common candidate have the same reference, kind, currency and
 * amount, and no other line has their candidates. The first candidate therefore identifies the group, and the n-th line and the n-th item of a group
 * are a pair.
 */
async function pass(tx: PoolClient, schema: string, tick: Tick, column: ReferenceColumn, kinds: readonly RemittedKind[]): Promise<number> {
  const { rowCount } = await tx.query({
    name: `${schema} matcher 1: by ${column}`,
    text: `with possible as (
             select o.line_id, i.ordinal, r.place, first_value(r.place) over of_line as first_place,
                    first_value(i.ordinal) over of_line as first_item, row_number() over of_line as item
               from ${candidates(schema, column)}
              where o.source = $1 and o.kind = any($5) ${isNamed(schema, column)} and not exists (${reversals(schema)})
             window of_line as (partition by o.line_id order by r.place, i.ordinal)
           ), numbered as (
             select line_id, ordinal, item, dense_rank() over (partition by first_item order by line_id) as line
               from possible where place = first_place
           ), pair as (
             select line_id, ordinal from numbered where item = line
           ), ${take(schema)}`,
    values: [tick.source, tick.processor, tick.mode, tick.ordinal, kinds],
  });
  return rowCount ?? 0;
}

/** Matches payments that were reversed on the day of their batch or later. Each round takes pairs that are first on both sides. */
async function passReversed(tx: PoolClient, schema: string, tick: Tick, column: ReferenceColumn): Promise<number> {
  const { rowCount } = await tx.query({
    name: `${schema} matcher 1: reversed, by ${column}`,
    text: `with possible as (
             select o.line_id, i.ordinal, min(i.ordinal) over (partition by o.line_id) as of_line, min(o.line_id) over (partition by i.ordinal) as of_item
               from ${candidates(schema, column)}
              where o.source = $1 and o.kind = 'PAYMENT' ${isNamed(schema, column)}
                and not exists (${reversals(schema)} and to_char(v.occurred_on at time zone $5, 'YYYY-MM-DD') < o.group_day)
           ), pair as (
             select distinct line_id, ordinal from possible where ordinal = of_line and line_id = of_item
           ), ${take(schema)}`,
    values: [tick.source, tick.processor, tick.mode, tick.ordinal, tick.time_zone],
  });
  return rowCount ?? 0;
}

/** The most specific item among those that a line `o` names. */
const nearest = (schema: string): string => `
  select case when i.mode <> $3 then 'PROCESSOR_ONLY' when i.line_id is not null then 'DUPLICATE' when ${isClosed('i', '$4')} then 'STATUS'
              when i.currency <> o.currency then 'CURRENCY' when i.amount <> o.amount then 'AMOUNT' else 'STATUS' end as kind,
         i.ordinal as item, nullif(i.mode, $3) as of_mode
    from ${lookUp(`${schema}.items`, 'payment_reference = any(o.line_references) or code = any(o.line_references)')} i
   where (i.payment_reference = any(o.line_references) or (i.code = any(o.line_references) and not ${namesPayment(schema)}))
     and i.processor = $2 and i.ordinal < $4 and i.kind = o.kind
   order by i.mode <> $3, i.line_id is not null, i.currency <> o.currency, i.ordinal limit 1`;

/** Compares fee and tax with the source's settings: its cost `c` for the channel of the payment, and the tax on the charged fee. */
const judged = `
  select case when c.channel is not null and l.fee <> ${expectedFee('c.type', 'c.value')} then 'FEE'
              when l.tax <> ${expectedTax('$12::numeric')} then 'TAX' end as kind`;

/**
 * The remaining differences on both sides. A payment that was never remitted and its reversal that was never deducted cancel out, unless a line names
 * the payment with another amount or currency. Also lines matched at this tick whose fee or tax differs from the source's settings.
 */
export const foundInRemittances = (schema: string, tick: Tick): FoundSql => {
  const costs = Object.entries(tick.costs.by_channel);
  return {
    with: `cost as materialized (select * from unnest($9::text[], $10::text[], $11::numeric[]) c (channel, type, value)
           ), of_line as (
             select coalesce(near.kind, 'PROCESSOR_ONLY') as kind, o.line_key as subject, o.line_id, near.item, near.of_mode
               from ${schema}.open_lines o left join lateral (${nearest(schema)}) near on true
              where o.source = $1
           )`,
    found: `select kind, subject, line_id, item, null, null, of_mode from of_line
             union all
            select 'LEDGER_ONLY', i.id::text, null, i.ordinal, null, null, null from ${schema}.items i
              where ${IS_OPEN} and i.currency = any($5) and i.occurred_on < $6
                and i.ordinal not in (select item from of_line where kind in ('AMOUNT', 'CURRENCY', 'STATUS'))
                and not (i.kind = 'PAYMENT' and exists (${reversals(schema)}))
                and not (i.kind = 'REVERSAL' and exists (
                      select from ${lookUp(`${schema}.items`, 'payment_reference = i.payment_reference')} p
                       where p.charge_id = i.charge_id and p.kind = 'PAYMENT' and p.amount = -i.amount
                         and p.line_id is null and p.ordinal < $4 and not ${isClosed('p', '$4')}
                         and p.ordinal not in (select item from of_line where kind in ('AMOUNT', 'CURRENCY'))))
             union all
            select j.kind, l.line_key, l.id, m.item, null, null, null
              from ${schema}.matches m
             cross join lateral ${lookUp(`${schema}.lines`, 'id = m.line_id')} l
             cross join lateral ${lookUp(`${schema}.item_details`, 'ordinal = m.item')} i
              left join cost c on c.channel = i.channel
             cross join lateral (${judged}) j
             where m.source = $1 and m.matched_from = $4 and l.kind = 'PAYMENT' and j.kind is not null`,
    values: {
      second: tick.processor,
      more: [costs.map(([channel]) => channel), costs.map(([, { type }]) => type), costs.map(([, { value }]) => `${value}`), tick.costs.tax],
    },
  };
};
