import type { ClientBase } from 'pg';
import { bankingDaysBetween, daysIn } from '../../src/ledger/days.js';
import { milliseconds } from '../../src/ledger/time.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import type { ItemKind } from './items.js';
import type { BreakKind } from './matcher-1.js';

type Db = Pick<ClientBase, 'query'>;

/** What the books have, of which a line is, or should be. */
export interface MatchedItem {
  /** Of its event. */
  readonly event_id: string;
  readonly merchant_id: string;
  readonly charge_id: string;
  readonly kind: ItemKind;
  readonly currency: string;
  readonly amount: number;
  readonly payment_reference: string | null;
  readonly occurred_on: string;
}

type StoredItem = { readonly [Column in keyof MatchedItem as `item_${Column}`]: MatchedItem[Column] | null };

const ITEM_COLUMNS = `i.id as item_event_id, i.merchant_id as item_merchant_id, i.charge_id as item_charge_id, i.kind as item_kind,
  i.currency as item_currency, i.amount as item_amount, i.payment_reference as item_payment_reference, i.occurred_on as item_occurred_on`;

function itemOf(row: StoredItem): MatchedItem | null {
  if (row.item_event_id === null) return null;
  return {
    event_id: row.item_event_id,
    merchant_id: row.item_merchant_id!,
    charge_id: row.item_charge_id!,
    kind: row.item_kind!,
    currency: row.item_currency!,
    amount: Number(row.item_amount),
    payment_reference: row.item_payment_reference,
    occurred_on: row.item_occurred_on!,
  };
}

export interface Match {
  readonly line_id: string;
  readonly source: string;
  readonly statement_id: string;
  readonly batch: string | null;
  readonly item: MatchedItem;
}

export interface MatchesQuery {
  readonly source?: string | undefined;
  readonly statement_id?: string | undefined;
  readonly charge_id?: string | undefined;
  /** Id of the line to go on behind. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Those that hold, in the order of their lines. */
export async function findMatches(db: Db, { source, statement_id, charge_id, after, limit }: MatchesQuery): Promise<Match[]> {
  const conditions = new Conditions(limit, after ?? '0')
    .always('m.matched_until is null and m.line_id > $2::int8')
    .where(source, (p) => `m.source = ${p}`)
    .where(statement_id, (p) => `l.statement_id = ${p}::uuid`)
    .where(charge_id, (p) => `i.charge_id = ${p}::uuid`);
  const { rows } = await db.query<Omit<Match, 'item' | 'line_id'> & StoredItem & { readonly line_id: bigint }>(
    `select m.line_id, m.source, l.statement_id, l.batch, ${ITEM_COLUMNS}
       from recon.matches m join recon.lines l on l.id = m.line_id join recon.items i on i.ordinal = m.item
      where ${conditions.sql()} order by m.line_id limit $1`,
    conditions.values,
  );
  return rows.map((row) => ({
    ...{ line_id: `${row.line_id}`, source: row.source, statement_id: row.statement_id, batch: row.batch },
    item: itemOf(row)!,
  }));
}

export const BREAK_STATUSES = ['OPEN', 'RESOLVED'] as const;
export type BreakStatus = (typeof BREAK_STATUSES)[number];

/** What the processor says. */
export interface BreakLine {
  readonly line_id: string;
  readonly statement_id: string;
  readonly batch: string | null;
  readonly kind: string;
  readonly currency: string;
  /** Minor units, before the processor's fee. */
  readonly amount: number;
  readonly booking_date: string;
  readonly references: readonly string[];
}

export interface Break {
  readonly id: string;
  readonly source: string;
  readonly kind: BreakKind;
  readonly status: BreakStatus;
  /** Banking days that it was open, or has been. */
  readonly age: number;
  readonly of_mode: string | null;
  readonly line: BreakLine | null;
  readonly item: MatchedItem | null;
  readonly opened_on: string;
  readonly resolved_on: string | null;
}

type StoredBreak = Pick<Break, 'id' | 'source' | 'kind' | 'of_mode' | 'opened_on' | 'resolved_on'> &
  StoredItem & {
    readonly time_zone: string;
    readonly line_id: bigint | null;
    readonly statement_id: string;
    readonly batch: string | null;
    readonly line_kind: string;
    readonly line_currency: string;
    readonly line_amount: bigint;
    readonly booking_date: string;
    readonly references: readonly string[];
  };

/** The newest of each id: one that came again is open again. */
const BREAKS = `
  select b.id, b.source, b.kind, b.of_mode, b.opened_on, b.resolved_on, b.opened_from, s.settings->>'time_zone' as time_zone,
         l.id as line_id, l.statement_id, l.batch, l.kind as line_kind, l.currency as line_currency, coalesce(l.gross, l.amount) as line_amount,
         l.booking_date, l.line_references as "references", ${ITEM_COLUMNS}
    from recon.breaks b join recon.sources s on s.id = b.source
    left join recon.lines l on l.id = b.line_id left join recon.items i on i.ordinal = b.item
   where not exists (select from recon.breaks newer where newer.id = b.id and newer.opened_from > b.opened_from)`;

function breakOf(row: StoredBreak, now: number): Break {
  const { id, source, kind, of_mode, opened_on, resolved_on } = row;
  const dayAt = daysIn(row.time_zone);
  const until = resolved_on === null ? now : milliseconds(resolved_on);
  const line = row.line_id === null ? null : lineOf(row, row.line_id);
  const age = bankingDaysBetween(dayAt(milliseconds(opened_on)), dayAt(until));
  return { id, source, kind, status: resolved_on === null ? 'OPEN' : 'RESOLVED', age, of_mode, line, item: itemOf(row), opened_on, resolved_on };
}

function lineOf({ statement_id, batch, booking_date, references, ...row }: StoredBreak, id: bigint): BreakLine {
  const figures = { kind: row.line_kind, currency: row.line_currency, amount: Number(row.line_amount) };
  return { line_id: `${id}`, statement_id, batch, ...figures, booking_date, references };
}

export interface BreaksQuery {
  readonly source?: string | undefined;
  readonly kind?: BreakKind | undefined;
  readonly status?: BreakStatus | undefined;
  /** Id (a UUID) of the break to go on behind. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** The oldest first; undefined when there is no break `after`. @param now milliseconds since the epoch, for their age */
export async function findBreaks(db: Db, { source, kind, status, after, limit }: BreaksQuery, now: number): Promise<Break[] | undefined> {
  const conditions = new Conditions(limit)
    .where(source, (p) => `source = ${p}`)
    .where(kind, (p) => `kind = ${p}`)
    .where(status && status === 'OPEN', (p) => `(resolved_on is null) = ${p}::boolean`);
  if (after !== undefined) {
    const found = await db.query<{ opened_from: bigint }>(
      'select max(opened_from) as opened_from from recon.breaks where id = $1 having count(*) > 0',
      [after],
    );
    if (!found.rows[0]) return undefined;
    conditions.always(`(opened_from, id) > (${conditions.parameter(found.rows[0].opened_from)}, ${conditions.parameter(after)}::uuid)`);
  }
  const text = `select * from (${BREAKS}) b where ${conditions.sql()} order by opened_from, id limit $1`;
  const { rows } = await db.query<StoredBreak>(text, conditions.values);
  return rows.map((row) => breakOf(row, now));
}

/** @param id a UUID @param now milliseconds since the epoch, for its age */
export async function findBreak(db: Db, id: string, now: number): Promise<Break | undefined> {
  const { rows } = await db.query<StoredBreak>(`${BREAKS} and b.id = $1`, [id]);
  return rows.map((row) => breakOf(row, now))[0];
}
