import type { PoolClient } from 'pg';
import type { FoundSql, Tick } from '../days/tick.js';
import { bankingDaysUpTo } from '../days/banking-days.js';
import { openLinesAgain } from './open-lines.js';
import { batchesNamed, lookUp, matchesOfBatch, NAMED } from '../planning.js';

/** Passes 4 to 6 of matcher 1: lines of a bank, batches of the same mode's processors, payouts, and the bank's own charges. */

/** Maximum banking days between a credit and a batch that match by amount alone. */
const BY_AMOUNT_DAYS = 5;

/** `g` is a batch that counts at the tick. */
const COUNTS = 'g.number is null and g.counted_from < $4 and (g.counted_until is null or g.counted_until > $4)';
const MODE = `split_part(g.source, '-', 1)`;
const isMatched = (schema: string): string => `exists (select from ${matchesOfBatch(schema, 'g')} m)`;
const isOpenBatch = (schema: string): string =>
  `${COUNTS} and ${MODE} = $3 and g.currency = o.currency and g.amount = o.amount and not ${isMatched(schema)}`;
/** At the tick, `i` is at the bank and has neither failed nor been cancelled. */
const IS_ORDERED = '(i.submitted_from < $4 and (i.ended_from is null or i.ended_from >= $4))';

const referencesNamed = (schema: string): string => lookUp(`${schema}.payout_references`, 'reference = named.reference');
const itemsOfPayout = (schema: string): string => lookUp(`${schema}.items`, 'payout_id = r.payout_id');

const ofTick = ({ source, mode, ordinal }: Tick): unknown[] => [source, 'TRANSFER', mode, ordinal];
const IS_OPEN = 'o.source = $1 and o.kind = $2';

const take = (schema: string, columns: 'item' | 'batch_source, batch'): string => `added as (
    insert into ${schema}.matches (line_id, ${columns}, source, matched_from) select line_id, ${columns}, $1, $4 from pair
  )
  delete from ${schema}.open_lines o using pair where o.line_id = pair.line_id`;

/**
 * Ends matches with payouts that have failed since: the bank has paid a payout that it had rejected. Also ends matches with items that were closed
 * since.
 */
export async function endContradicted(tx: PoolClient, schema: string, { source, ordinal }: Tick): Promise<void> {
  await tx.query({
    name: `${schema} matcher 1: end contradicted`,
    text: `with gone as (
             select m.line_id, m.matched_from, m.item
               from (select ordinal, line_id from ${schema}.item_states where ended_from < $2 and line_id is not null
                      union select ordinal, line_id from ${schema}.item_states where closed_from < $2 and line_id is not null) i
               join lateral ${lookUp(`${schema}.matches`, 'line_id = i.line_id')} m on m.item = i.ordinal and m.matched_until is null
              where m.source = $1
           ), ended as (
             update ${schema}.matches m set matched_until = $2 from gone where (m.line_id, m.matched_from) = (gone.line_id, gone.matched_from)
           ), freed as (update ${schema}.item_states i set line_id = null from gone where i.ordinal = gone.item
           )
           ${openLinesAgain(schema)}`,
    values: [source, ordinal],
  });
}

/** Pass 4: matches a credit with a batch of the same net amount that the credit names, in the order of the log. */
export async function matchBatches(tx: PoolClient, schema: string, tick: Tick): Promise<void> {
  const query = {
    name: `${schema} matcher 1: batches`,
    text: `with line as (
             select distinct on (o.line_id) o.line_id, g.source as batch_source, g.name as batch
               from ${schema}.open_lines o
              cross join lateral unnest(o.line_references) with ordinality r(reference, place)
               join lateral ${batchesNamed(schema, 'r.reference')} g on ${isOpenBatch(schema)}
              where ${IS_OPEN}
              order by o.line_id, r.place, g.source
           ), pair as (
             select distinct on (batch_source, batch) * from line order by batch_source, batch, line_id
           ), ${take(schema, 'batch_source, batch')}`,
    values: ofTick(tick),
  };
  while (((await tx.query(query)).rowCount ?? 0) > 0);
}

/** Matches a credit with a batch by amount alone, if they are each other's only candidate and the credit names no batch or payout. */
export async function matchBatchesByAmount(tx: PoolClient, schema: string, tick: Tick): Promise<void> {
  await tx.query({
    name: `${schema} matcher 1: batches by amount`,
    text: `with possible as (
             select o.line_id, g.source as batch_source, g.name as batch, count(*) over (partition by o.line_id) as of_line,
                    count(*) over (partition by g.source, g.name) as of_batch
               from ${schema}.open_lines o
               join lateral ${lookUp(`${schema}.groups`, 'amount = o.amount and number is null')} g on ${isOpenBatch(schema)} and abs(${bankingDaysUpTo('o.booked_on::date')} - ${bankingDaysUpTo('g.day::date')}) <= ${BY_AMOUNT_DAYS}
              where ${IS_OPEN} and o.amount > 0
                and not exists (select from ${NAMED} cross join lateral ${referencesNamed(schema)} r where r.known_from < $4)
                and not exists (select from ${NAMED} cross join lateral ${batchesNamed(schema, 'named.reference')} g where ${COUNTS})
           ), pair as (
             select line_id, batch_source, batch from possible where of_line = 1 and of_batch = 1
           ), ${take(schema, 'batch_source, batch')}`,
    values: ofTick(tick),
  });
}

/** Pass 5: matches a debit with a payout of the same net amount if it names one of its attempts; a credit that does is the payout's return. */
export async function matchPayouts(tx: PoolClient, schema: string, tick: Tick): Promise<void> {
  const query = {
    name: `${schema} matcher 1: payouts`,
    text: `with line as (
             select distinct on (o.line_id) o.line_id, i.ordinal as item
               from ${schema}.open_lines o
              cross join lateral unnest(o.line_references) with ordinality named(reference, place)
               join lateral ${referencesNamed(schema)} r on r.known_from < $4
               join lateral ${itemsOfPayout(schema)} i on i.kind = case when o.amount < 0 then 'PAYOUT' else 'RETURN' end
                and i.currency = o.currency and i.amount = o.amount and i.mode = $3 and i.ordinal < $4 and i.line_id is null
                and (i.kind = 'RETURN' or ${IS_ORDERED})
              where ${IS_OPEN}
              order by o.line_id, named.place, i.ordinal
           ), pair as (
             select distinct on (item) * from line order by item, line_id
           ), taken as (update ${schema}.item_states i set line_id = pair.line_id from pair where i.ordinal = pair.item
           ), ${take(schema, 'item')}`,
    values: ofTick(tick),
  };
  while (((await tx.query(query)).rowCount ?? 0) > 0);
}

/** Pass 6: matches the bank's own charges, which the bank marks with a code. They have no item. */
export async function matchCharges(tx: PoolClient, schema: string, { source, ordinal }: Tick): Promise<void> {
  await tx.query({
    name: `${schema} matcher 1: charges`,
    text: `with charge as (delete from ${schema}.open_lines where source = $1 and kind = 'CHARGE' returning line_id)
           insert into ${schema}.matches (line_id, source, matched_from) select line_id, $1, $2 from charge`,
    values: [source, ordinal],
  });
}

/** Kind of break for a line `o` that names a payout. */
const nearestPayout = (schema: string): string => `
  select case when i.mode <> $3 then 'BANK_UNKNOWN'
              when o.amount >= 0 then
                case when back.ordinal is null then 'PAYOUT_RETURNED' when back.line_id is not null then 'DUPLICATE'
                     when back.currency <> o.currency then 'CURRENCY' else 'AMOUNT' end
              when ${IS_ORDERED} is not true then 'PAYOUT_UNORDERED' when i.line_id is not null then 'PAYOUT_TWICE'
              when i.currency <> o.currency then 'CURRENCY' else 'PAYOUT_AMOUNT' end as kind,
         case when o.amount >= 0 then coalesce(back.ordinal, i.ordinal) else i.ordinal end as item, nullif(i.mode, $3) as of_mode
    from ${NAMED} cross join lateral ${referencesNamed(schema)} r
    join lateral ${itemsOfPayout(schema)} i on i.kind = 'PAYOUT' and i.ordinal < $4
    left join lateral ${itemsOfPayout(schema)} back on back.kind = 'RETURN' and back.ordinal < $4
   where r.known_from < $4
   order by i.mode <> $3, i.ordinal, back.ordinal limit 1`;

/** Kind of break for a line `o` that names a batch. A credit that exceeds the batch contains other money, so the batch counts as missing. */
const nearestBatch = (schema: string): string => `
  select * from (
    select case when ${MODE} <> $3 then 'BANK_UNKNOWN' when ${isMatched(schema)} then 'DUPLICATE' when g.currency <> o.currency then 'CURRENCY'
                when o.amount > 0 and o.amount < g.amount then 'REMITTANCE_SHORT' end as kind,
           g.source as batch_source, g.name as batch, nullif(${MODE}, $3) as of_mode
      from ${NAMED} cross join lateral ${batchesNamed(schema, 'named.reference')} g where ${COUNTS}
  ) named where kind is not null
  order by of_mode is not null, kind = 'DUPLICATE', kind, batch_source, batch limit 1`;

/** The remaining differences on both sides. */
export const foundAtBank = (schema: string, tick: Tick): FoundSql => ({
  with: `of_line as (
           select coalesce(payout.kind, batch.kind, 'BANK_UNKNOWN') as kind, o.line_key as subject, o.line_id, payout.item,
                  case when payout.kind is null then batch.batch_source end as batch_source, case when payout.kind is null then batch.batch end as batch,
                  case when payout.kind is null then batch.of_mode else payout.of_mode end as of_mode
             from ${schema}.open_lines o
             left join lateral (${nearestPayout(schema)}) payout on true
             left join lateral (${nearestBatch(schema)}) batch on true
            where o.source = $1
         ), held as (select * from of_line where kind in ('AMOUNT', 'CURRENCY', 'PAYOUT_AMOUNT', 'REMITTANCE_SHORT'))`,
  found: `select kind, subject, line_id, item, batch_source, batch, of_mode from of_line
           union all
          select 'REMITTANCE_MISSING', g.source || ' ' || g.name, null, null, g.source, g.name, null from ${schema}.groups g
           where ${COUNTS} and ${MODE} = $3 and g.currency = any($5) and g.amount > 0 and g.day <= $2 and not ${isMatched(schema)}
             and (g.source, g.name) not in (select batch_source, batch from held where batch is not null)
           union all
          select case i.kind when 'PAYOUT' then 'PAYOUT_NOT_PRESENTED' else 'LEDGER_ONLY' end, i.id::text, null, i.ordinal, null, null, null
            from ${schema}.items i
           where i.processor is null and i.line_id is null and i.mode = $3 and i.currency = any($5)
             and case i.kind when 'PAYOUT' then i.succeeded_from < $4 and i.succeeded_on < $6 else i.ordinal < $4 and i.occurred_on < $6 end
             and i.ordinal not in (select item from held where item is not null)`,
  values: { second: tick.last_due, more: [] },
});
