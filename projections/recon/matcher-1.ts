import type { PoolClient } from 'pg';
import type { ItemKind } from './items.js';

/** Matcher 1: its passes are never changed, so that no past day changes. In SQL over all open lines of a source at once. */
export interface Tick {
  /** Of its event: nothing that came later plays a part. */
  readonly ordinal: number;
  readonly on: string;
  readonly source: string;
  readonly mode: string;
  readonly processor: string;
  readonly currencies: readonly string[];
  /** Items from before it should have been remitted. */
  readonly overdue_before: string;
}

/** Charges of the processor, and transfers, have no items. */
export const MATCHED_KINDS: readonly ItemKind[] = ['PAYMENT', 'REVERSAL', 'REFUND', 'DISPUTE'];

/** `i` is an item of the tick. */
const OF_TICK = 'i.processor = $2 and i.mode = $3 and i.ordinal < $4';

/** What a line `o` names payments by is known: then its other references say nothing. */
const namesPayment = (schema: string): string =>
  `exists (select from ${schema}.items i where i.payment_reference = any(o.line_references) and i.processor = $2 and i.ordinal < $4)`;

/**
 * Matches lines with items of the same reference, kind, currency and amount: by the processor's own reference of a payment, which
 * no other payment has, before our code of the charge, which a second payment shares. Equal ones in the order of the log.
 */
export async function matchExactly(tx: PoolClient, schema: string, tick: Tick): Promise<void> {
  for (const column of ['payment_reference', 'code'] as const) {
    // A line with several references may leave what it could have had to another, and be left over itself.
    for (let matched = 1; matched > 0;) matched = await pass(tx, schema, tick, column);
  }
}

async function pass(tx: PoolClient, schema: string, tick: Tick, column: 'payment_reference' | 'code'): Promise<number> {
  const isOpen = `${OF_TICK} and i.line_id is null`;
  const { rowCount } = await tx.query({
    name: `${schema} matcher 1: by ${column}`,
    text: `with line as (
             select distinct on (o.line_id) o.line_id, i.${column} as reference, o.kind, o.currency, o.amount
               from ${schema}.open_lines o
              cross join lateral unnest(o.line_references) with ordinality r(reference, place)
               join ${schema}.items i on i.${column} = r.reference and i.kind = o.kind and i.currency = o.currency and i.amount = o.amount and ${isOpen}
              where o.source = $1 ${column === 'code' ? `and not ${namesPayment(schema)}` : ''}
              order by o.line_id, r.place
           ), numbered_line as (
             select *, row_number() over (partition by reference, kind, currency, amount order by line_id) as n from line
           ), numbered_item as (
             select i.ordinal, i.${column} as reference, i.kind, i.currency, i.amount,
                    row_number() over (partition by i.${column}, i.kind, i.currency, i.amount order by i.ordinal) as n
               from ${schema}.items i where i.${column} in (select reference from line) and ${isOpen}
           ), pair as (
             select line_id, ordinal from numbered_line join numbered_item using (reference, kind, currency, amount, n)
           ), taken as (update ${schema}.items i set line_id = pair.line_id from pair where i.ordinal = pair.ordinal
           ), added as (
             insert into ${schema}.matches (line_id, item, source, matched_from) select line_id, ordinal, $1, $4 from pair
           )
           delete from ${schema}.open_lines o using pair where o.line_id = pair.line_id`,
    values: [tick.source, tick.processor, tick.mode, tick.ordinal],
  });
  return rowCount ?? 0;
}

export const BREAK_KINDS = ['LEDGER_ONLY', 'PROCESSOR_ONLY', 'AMOUNT', 'CURRENCY', 'DUPLICATE'] as const;
export type BreakKind = (typeof BREAK_KINDS)[number];

export interface FoundBreak {
  readonly kind: BreakKind;
  readonly subject: string;
  readonly line_id: number | bigint | null;
  readonly item: number | bigint | null;
  readonly of_mode: string | null;
}

/** Of the items that a line `o` names, the one that tells most about it. */
const nearest = (schema: string): string => `
  select case when i.mode <> $3 then 'PROCESSOR_ONLY' when i.line_id is not null then 'DUPLICATE'
              when i.currency = o.currency then 'AMOUNT' else 'CURRENCY' end as kind,
         i.ordinal as item, nullif(i.mode, $3) as of_mode
    from ${schema}.items i
   where (i.payment_reference = any(o.line_references) or (i.code = any(o.line_references) and not ${namesPayment(schema)}))
     and i.processor = $2 and i.ordinal < $4 and i.kind = o.kind
   order by i.mode <> $3, i.line_id is not null, i.currency <> o.currency, i.ordinal limit 1`;

/** What is left over is a break. Ends those that are none any more, and answers those that are new. */
export async function replaceBreaks(tx: PoolClient, schema: string, tick: Tick): Promise<FoundBreak[]> {
  const { rows } = await tx.query<FoundBreak>({
    name: `${schema} matcher 1: breaks`,
    text: `with of_line as (
             select coalesce(near.kind, 'PROCESSOR_ONLY') as kind, o.line_key as subject, o.line_id, near.item, near.of_mode
               from ${schema}.open_lines o left join lateral (${nearest(schema)}) near on true
              where o.source = $1
           ), found as (
             select * from of_line
             union all
             select 'LEDGER_ONLY', i.id::text, null, i.ordinal, null from ${schema}.items i
              where ${OF_TICK} and i.line_id is null and i.currency = any($5) and i.occurred_on < $6
                and i.ordinal not in (select item from of_line where kind in ('AMOUNT', 'CURRENCY'))
           ), known as (
             select b.*, f.kind is not null as stays from ${schema}.breaks b
               left join found f on (f.kind, f.subject) = (b.kind, b.subject)
                and (f.line_id, f.item, f.of_mode) is not distinct from (b.line_id, b.item, b.of_mode)
              where b.source = $1 and b.resolved_from is null
           ), resolved as (
             update ${schema}.breaks b set resolved_from = $4, resolved_on = $7
               from known where not known.stays and (b.id, b.opened_from) = (known.id, known.opened_from)
           )
           select f.* from found f
            where not exists (select from known where stays and (known.kind, known.subject) = (f.kind, f.subject))
            order by f.line_id, f.item`,
    values: [tick.source, tick.processor, tick.mode, tick.ordinal, tick.currencies, tick.overdue_before, tick.on],
  });
  return rows;
}
