import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';
import { isOfMode } from '../merchants/owners.js';
import { ofMode } from './as-of.js';
import { ITEM_KINDS, type ItemKind } from './items/items-table.js';

/** CHARGE: as its processor names it, also before it is paid; LINE: a line of a file that matches nothing yet; the others: a movement of money. */
export const FOUND_KINDS = ['CHARGE', ...ITEM_KINDS, 'LINE'] as const satisfies readonly (ItemKind | 'CHARGE' | 'LINE')[];
export type FoundKind = (typeof FOUND_KINDS)[number];

/** A record of the books, or a line of a processor's or bank's file. */
export interface FoundRecord {
  readonly kind: FoundKind;
  /** As the processor, the bank or the file has it; null without one. Of a line: the searched one, or its first. */
  readonly reference: string | null;
  /** null for a line. */
  readonly merchant_id: string | null;
  readonly charge_id: string | null;
  readonly payout_id: string | null;
  /** Source and file of a line, and its open break; null for a record of the books. */
  readonly source: string | null;
  readonly statement_id: string | null;
  readonly break_id: string | null;
  readonly currency: string;
  /** Minor units: amount of the charge; otherwise the change of the processor's debt before its fee, or of the bank's balance. */
  readonly amount: number;
  /** null for a line, which has a booking date. */
  readonly occurred_on: string | null;
  readonly booking_date: string | null;
}

export interface FoundRecords {
  readonly items: readonly FoundRecord[];
  /** There are more than the limit. */
  readonly has_more: boolean;
}

interface FoundQuery {
  readonly mode?: Mode | undefined;
  readonly limit: number;
}

type Db = Pick<ClientBase, 'query'>;
type Stored = Omit<FoundRecord, 'amount'> & { readonly amount: bigint };

/**
 * Finds records by references of processors and banks that begin with `reference` (case-sensitive), and open lines with exactly this reference.
 * Sorted by reference, kind and time.
 */
export function findByReference(db: Db, reference: string, query: FoundQuery): Promise<FoundRecords> {
  return find(db, query, [reference, `${reference}\u{10ffff}`], (when, limit) => {
    const begins = (column: string): string => `${column} >= $1 collate "C" and ${column} < $2 collate "C"`;
    return `
with payments as (
  select * from recon.item_details where ${begins('payment_reference')} ${when((mode) => `mode = ${mode}`)}
   order by payment_reference, ordinal limit ${limit}
), transfers as (
  select distinct reference, payout_id
    from (select * from recon.payout_references where ${begins('reference')} order by reference, known_from limit ${limit}) named
), open_lines as materialized (
  select *, $1 as found_by from recon.open_lines where $1 = any(line_references) ${when((mode) => ofMode('source', mode))} order by line_id limit ${limit}
)${LINES}
select * from (
  (select 'CHARGE' as kind, processor_reference as reference, merchant_id, id as charge_id, null::uuid as payout_id, ${NO_LINE}, currency, amount,
          created_on as occurred_on, null::text as booking_date
     from ledger.charges where ${begins('processor_reference')} ${when(isOfMode)} order by processor_reference, id limit ${limit})
  union all
  select s.kind, d.payment_reference, ${ITEM} from payments d join recon.item_states s on s.ordinal = d.ordinal
  union all
  select s.kind, t.reference, ${ITEM}
    from transfers t join recon.item_details d on d.payout_id = t.payout_id join recon.item_states s on s.ordinal = d.ordinal
   where true ${when((mode) => `d.mode = ${mode}`)}
  union all
  select * from lines
) found
order by reference, array_position(array[${FOUND_KINDS.map((kind) => `'${kind}'`).join(', ')}], kind), occurred_on, booking_date`;
  });
}

/** An amount of either direction. */
export interface WantedAmount {
  readonly currency: string;
  /** Minor units, positive. */
  readonly amount: number;
}

/** Finds movements of money and open lines of any of these amounts, in or out, the newest first. */
export function findByAmount(db: Db, wanted: readonly WantedAmount[], query: FoundQuery): Promise<FoundRecords> {
  const values = [wanted.map(({ currency }) => currency), wanted.map(({ amount }) => amount)];
  return find(
    db,
    query,
    values,
    (when, limit) => `
with wanted as (
  select * from unnest($1::text[], $2::int8[]) w (currency, amount)
), moved as (
  select d.* from wanted cross join lateral (
    select * from recon.item_details i where i.currency = wanted.currency and abs(i.amount) = wanted.amount ${when((mode) => `i.mode = ${mode}`)}
     order by i.ordinal desc limit ${limit}
  ) d
), open_lines as materialized (
  select o.*, o.line_references[1] as found_by from recon.open_lines o join wanted on o.currency = wanted.currency and abs(o.amount) = wanted.amount
   where true ${when((mode) => ofMode('o.source', mode))} order by o.line_id desc limit ${limit}
)${LINES}
select * from (
  select s.kind, d.payment_reference as reference, ${ITEM} from moved d join recon.item_states s on s.ordinal = d.ordinal
  union all
  select * from lines
) found
order by coalesce(occurred_on, booking_date::timestamptz) desc, kind`,
  );
}

const NO_LINE = 'null::text as source, null::uuid as statement_id, null::uuid as break_id';
const ITEM = `d.merchant_id, s.charge_id, d.payout_id, ${NO_LINE}, d.currency, d.amount, s.occurred_on, null::text as booking_date`;
/** The open lines as records, each with its open break. */
const LINES = `, open_breaks as materialized (
  select id, line_id from recon.breaks where resolved_from is null and line_id = any(array(select line_id from open_lines))
), lines as (
  select 'LINE' as kind, o.found_by as reference, null::uuid as merchant_id, null::uuid as charge_id, null::uuid as payout_id, o.source, l.statement_id,
         b.id as break_id, o.currency, o.amount, null::timestamptz as occurred_on, o.booked_on as booking_date
    from open_lines o join recon.lines l on l.id = o.line_id left join open_breaks b on b.line_id = o.line_id
)`;

type When = (condition: (parameter: string) => string) => string;

/**
 * Each part of the query reads one entry of its index more than the limit, which shows that there are more; the lines are those of one scan, because
 * few lines are open.
 */
async function find(
  db: Db,
  { mode, limit }: FoundQuery,
  values: readonly unknown[],
  sql: (when: When, limit: string) => string,
): Promise<FoundRecords> {
  const when: When = (condition) => (mode === undefined ? '' : `and ${condition('$4')}`);
  const { rows } = await db.query<Stored>(sql(when, '$3'), [...values, limit + 1, ...(mode === undefined ? [] : [mode])]);
  return { items: rows.slice(0, limit).map((row) => ({ ...row, amount: Number(row.amount) })), has_more: rows.length > limit };
}
