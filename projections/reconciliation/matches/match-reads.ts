import type { ClientBase } from 'pg';
import type { DifferenceAccount } from '../../../src/ledger/events/break.events.js';
import { timestamp, type Timestamp } from '../../../src/ledger/time.js';
import { Conditions } from '../../../src/platform/postgres/conditions.js';
import type { PartQuery } from '../../../src/platform/postgres/list-page.js';
import { heldAt, ofMode, type ReconciliationQuery } from '../as-of.js';
import { bankingDaysUpTo } from '../days/banking-days.js';
import { BREAK_AGES, type BreakAge } from './ages.js';
import { hasNotEnded, isAccepted } from './break-acts.js';
import { expectedFee, expectedTax } from './expected-costs.js';
import { ITEMS_OF, type ItemKind } from '../items/items-table.js';
import type { Line } from '../statement-reads.js';
import type { BreakKind } from '../days/tick.js';

type Db = Pick<ClientBase, 'query'>;

/** The item of the books that a line matches, or should match. */
export interface MatchedItem {
  /** Id of its event. */
  readonly event_id: string;
  readonly merchant_id: string;
  /** null for payouts, which have a payout_id. */
  readonly charge_id: string | null;
  readonly payout_id: string | null;
  readonly kind: ItemKind;
  readonly currency: string;
  readonly amount: number;
  readonly payment_reference: string | null;
  readonly occurred_on: string;
}

export type StoredItem = { readonly [Column in keyof MatchedItem as `item_${Column}`]: MatchedItem[Column] | null };

export const ITEM_COLUMNS = `i.id as item_event_id, i.merchant_id as item_merchant_id, i.charge_id as item_charge_id, i.payout_id as item_payout_id, i.kind as item_kind,
  i.currency as item_currency, i.amount as item_amount, i.payment_reference as item_payment_reference, i.occurred_on as item_occurred_on`;

export function itemOf(row: StoredItem): MatchedItem | null {
  if (row.item_event_id === null) return null;
  return {
    event_id: row.item_event_id,
    merchant_id: row.item_merchant_id!,
    charge_id: row.item_charge_id,
    payout_id: row.item_payout_id,
    kind: row.item_kind!,
    currency: row.item_currency!,
    amount: Number(row.item_amount),
    payment_reference: row.item_payment_reference,
    occurred_on: row.item_occurred_on!,
  };
}

/** The batch of a processor that a credit matches, or should match. */
export interface MatchedBatch {
  readonly source: string;
  readonly batch: string;
  readonly currency: string;
  /** Net, minor units. */
  readonly amount: number;
  readonly day: string;
}

type StoredBatch = { readonly [Column in keyof MatchedBatch as `of_${Column}`]: MatchedBatch[Column] | null };

const BATCH_COLUMNS = 'of.source as of_source, of.name as of_batch, of.currency as of_currency, of.amount as of_amount, of.day as of_day';

/** Joins the newest batch with that name, as of `until`. */
const joinBatch = (row: string, until: string | undefined): string => `
  left join lateral (
    select * from recon.groups g
     where g.source = ${row}.batch_source and g.name = ${row}.batch ${until === undefined ? '' : `and g.counted_from <= ${until}`}
     order by g.counted_from desc limit 1
  ) of on true`;

function batchOf(row: StoredBatch): MatchedBatch | null {
  if (row.of_source === null) return null;
  return { source: row.of_source, batch: row.of_batch!, currency: row.of_currency!, amount: Number(row.of_amount), day: row.of_day! };
}

export interface Match {
  readonly line_id: string;
  readonly source: string;
  readonly statement_id: string;
  readonly batch: string | null;
  /** The match of the line: an item, a batch of a processor, or neither for the bank's own charges. */
  readonly item: MatchedItem | null;
  readonly remittance: MatchedBatch | null;
  /** The line's amount less that of its match, minor units, and the account for which operators approved it; null without a difference. */
  readonly difference: number | null;
  readonly difference_to: DifferenceAccount | null;
}

/** A charge or a payout, each a UUID. */
interface OfRecord {
  readonly charge_id?: string | undefined;
  readonly payout_id?: string | undefined;
}

export interface MatchesQuery extends ReconciliationQuery, PartQuery, OfRecord {
  readonly statement_id?: string | undefined;
}

/** Returns valid matches in the order of their lines. */
export async function findMatches(db: Db, { source, mode, as_of, statement_id, charge_id, payout_id, after, limit }: MatchesQuery): Promise<Match[]> {
  const conditions = new Conditions(limit, after ?? '0');
  const until = as_of === undefined ? undefined : conditions.parameter(as_of);
  // Without the bounds, all matches before and after those of the file are looked through.
  const idsWithin = (file: string): string => {
    const bound = (which: 'min' | 'max'): string => `(select ${which}(id) from recon.lines where statement_id = ${file})`;
    return `m.line_id between ${bound('min')} and ${bound('max')}`;
  };
  // An item names the line that it is matched with now; earlier matches are looked through.
  const isOf = (items: string): string =>
    until === undefined
      ? `m.line_id = any(array(select line_id from recon.item_states where ordinal = any(array(${items}))))`
      : `m.item = any(array(${items}))`;
  conditions
    .always(`m.line_id > $2::int8 and ${heldAt('m.matched_from', 'm.matched_until', until)}`)
    .where(mode, (p) => ofMode('m.source', p))
    .equal({ 'm.source': source, 'l.statement_id': statement_id })
    .where(statement_id, idsWithin)
    .where(charge_id, (p) => isOf(ITEMS_OF.charge(p)))
    .where(payout_id, (p) => isOf(ITEMS_OF.payout(p)));
  type Stored = Omit<Match, 'item' | 'line_id' | 'difference'> &
    StoredItem &
    StoredBatch &
    Record<'line_id', bigint> &
    Record<'difference', bigint | null>;
  const { rows } = await db.query<Stored>(
    `select m.line_id, m.source, l.statement_id, l.batch, ${ITEM_COLUMNS}, ${BATCH_COLUMNS}, a.difference, a.difference_to
       from recon.matches m join recon.lines l on l.id = m.line_id left join recon.items i on i.ordinal = m.item ${joinBatch('m', until)}
       left join recon.break_acts a on a.ordinal = m.decided_by
      where ${conditions.sql()} order by m.line_id limit $1`,
    conditions.values,
  );
  return rows.map((row) => ({
    line_id: `${row.line_id}`,
    source: row.source,
    statement_id: row.statement_id,
    batch: row.batch,
    item: itemOf(row),
    remittance: batchOf(row),
    difference: numberOrNull(row.difference),
    difference_to: row.difference_to,
  }));
}

const numberOrNull = (amount: bigint | string | null): number | null => (amount === null ? null : Number(amount));

/** RESOLVED: later events resolved it, never an operator directly. ACCEPTED: accepted until a day. */
export const BREAK_STATUSES = ['OPEN', 'ACCEPTED', 'RESOLVED'] as const;
export type BreakStatus = (typeof BREAK_STATUSES)[number];

/** A line of the processor's or bank's file. */
export interface BreakLine extends Pick<Line, 'statement_id' | 'batch' | 'currency' | 'booking_date' | 'references'> {
  readonly line_id: string;
  readonly kind: string;
  /** Minor units, before the processor's fee. */
  readonly amount: number;
}

export interface Break {
  readonly id: string;
  readonly source: string;
  readonly kind: BreakKind;
  readonly status: BreakStatus;
  /** Banking days for which it has been or was open. */
  readonly age: number;
  readonly of_mode: string | null;
  readonly line: BreakLine | null;
  readonly item: MatchedItem | null;
  readonly remittance: MatchedBatch | null;
  /** FEE, TAX: the fee or the tax of the line, and that which the source expected of it, minor units; null for other kinds. */
  readonly charged: number | null;
  readonly expected: number | null;
  /** The operator to whom it is assigned. */
  readonly owner: string | null;
  /** The last day of the acceptance, if it was ever accepted. */
  readonly accepted_until: string | null;
  /** The day of the missing file. */
  readonly day: string | null;
  readonly opened_on: string;
  readonly resolved_on: string | null;
}

type StoredBreak = Omit<Break, 'line' | 'item' | 'remittance' | 'charged' | 'expected'> &
  Pick<BreakLine, 'statement_id' | 'batch' | 'booking_date' | 'references'> &
  StoredItem &
  StoredBatch & {
    readonly line_id: bigint | null;
    readonly line_kind: string;
    readonly line_currency: string;
    readonly line_amount: bigint;
    readonly charged: bigint | null;
    readonly expected: string | null;
  };

const dayIn = (moment: string): string => `(${moment} at time zone s.time_zone)::date`;
const ageAt = (now: string): string =>
  `greatest(0, ${bankingDaysUpTo(dayIn(`coalesce(b.resolved_on, ${now}::timestamptz)`))} - ${bankingDaysUpTo(dayIn('b.opened_on'))})`;

/** SQL for the newest act of a kind, as of `until`. */
const newestAct = (act: 'ASSIGNED' | 'ACCEPTED', until: string | undefined): string => `
  select * from recon.break_acts a where a.break_id = b.id and a.act = '${act}' ${until === undefined ? '' : `and a.ordinal <= ${until}`}
   order by a.ordinal desc limit 1`;

/** As of a tick, later events are ignored. */
const storedBreaks = (until: string | undefined): string =>
  until === undefined
    ? 'recon.breaks'
    : `(select id, source, kind, subject, line_id, item, batch_source, batch, of_mode, opened_from, opened_on, resolved_from as resolved_at_last,
               case when resolved_from <= ${until} then resolved_from end as resolved_from, case when resolved_from <= ${until} then resolved_on end as resolved_on
          from recon.breaks where opened_from <= ${until})`;

/** Condition on stored rows, as of `until`. */
const isResolved = (until: string | undefined): string => (until === undefined ? 'resolved_from is not null' : `resolved_at_last <= ${until}`);
const isUnresolved = (until: string | undefined): string =>
  until === undefined ? 'resolved_from is null' : `(resolved_at_last is null or resolved_at_last > ${until})`;

/** Ticks whose unresolved breaks have reached an age: all breaks of a tick have the same age, and ticks are few. */
const ticksOfAge = (now: string, min: string, max: string | undefined): string => `
  select t.ordinal from recon.ticks t
   cross join lateral (select settings->>'time_zone' as time_zone from recon.sources where id = t.source limit 1) s
   cross join lateral (select opened_on, null::timestamptz as resolved_on from recon.breaks where opened_from = t.ordinal limit 1) b
   where t.new_breaks > 0 and ${ageAt(now)} >= ${min} ${max === undefined ? '' : `and ${ageAt(now)} <= ${max}`}`;

/** SQL for the fee or tax that a source's settings expected when the break opened, of a line `l` and an item `i`. */
const expectedOfBreak = `
  select case b.kind when 'FEE' then ${expectedFee(`cost->>'type'`, `(cost->>'value')::numeric`)} else ${expectedTax(`(r.costs->>'tax')::numeric`)} end as expected
    from recon.rules r cross join lateral (select r.costs->'by_channel'->i.channel as cost) of_channel
   where b.kind in ('FEE', 'TAX') and r.source = b.source and r.ordinal < b.opened_from order by r.ordinal desc limit 1`;

/**
 * Returns the newest row of each id, as of `until`: a break that reappears is open again. Joined rows are looked up one by one in the order of the
 * list, so a page of a long list costs only its own rows.
 * @param now parameter of the moment for their age @param wanted conditions on the stored rows
 */
const breaksAt = (now: string, until: string | undefined, wanted: string): string => `
  select b.id, b.source, b.kind, b.of_mode, b.opened_on, b.resolved_on, b.opened_from, ${ageAt(now)} as age,
         case when b.resolved_from is not null then 'RESOLVED'
              when accepted.accepted_until ${hasNotEnded(now, 's.time_zone')} then 'ACCEPTED' else 'OPEN' end as status,
         accepted.accepted_until ${hasNotEnded(now, 's.time_zone')} as is_accepted,
         case b.kind when 'FILE_MISSING' then b.subject end as day, assigned.owner, accepted.accepted_until,
         l.id as line_id, l.statement_id, l.batch, l.kind as line_kind, l.currency as line_currency, coalesce(l.gross, l.amount) as line_amount,
         l.booking_date, l.line_references as "references", ${ITEM_COLUMNS}, ${BATCH_COLUMNS},
         case b.kind when 'FEE' then l.fee when 'TAX' then l.tax end as charged, rules.expected
    from (select * from ${storedBreaks(until)} stored where ${wanted} order by opened_from, id) b
    cross join lateral (select settings->>'time_zone' as time_zone from recon.sources where id = b.source limit 1) s
    left join lateral (${newestAct('ASSIGNED', until)}) assigned on true
    left join lateral (${newestAct('ACCEPTED', until)}) accepted on true
    left join recon.lines l on l.id = b.line_id left join recon.items i on i.ordinal = b.item ${joinBatch('b', until)}
    left join lateral (${expectedOfBreak}) rules on true
   where (select max(newer.opened_from) from recon.breaks newer
           where newer.id = b.id ${until === undefined ? '' : `and newer.opened_from <= ${until}`}) <= b.opened_from`;

function breakOf(row: StoredBreak): Break {
  const { id, source, kind, status, age, of_mode, owner, accepted_until, day, opened_on, resolved_on } = row;
  const line = row.line_id === null ? null : lineOf(row, row.line_id);
  const sides = { line, item: itemOf(row), remittance: batchOf(row), charged: numberOrNull(row.charged), expected: numberOrNull(row.expected) };
  return { id, source, kind, status, age, of_mode, ...sides, owner, accepted_until, day, opened_on, resolved_on };
}

function lineOf({ statement_id, batch, booking_date, references, ...row }: StoredBreak, id: bigint): BreakLine {
  const figures = { kind: row.line_kind, currency: row.line_currency, amount: Number(row.line_amount) };
  return { line_id: `${id}`, statement_id, batch, ...figures, booking_date, references };
}

export interface BreaksQuery extends ReconciliationQuery, PartQuery, OfRecord {
  readonly kind?: BreakKind | undefined;
  readonly status?: BreakStatus | undefined;
  /** The operator (a UUID) to whom they are assigned. */
  readonly owner?: string | undefined;
  readonly age?: BreakAge | undefined;
  /** SQL for one more condition, on the column `id`. */
  readonly condition?: string | undefined;
}

/** Returns the oldest first; undefined when there is no break `after`. @param now milliseconds since the epoch, for their age */
export async function findBreaks(db: Db, query: BreaksQuery, now: number): Promise<Break[] | undefined> {
  const { source, mode, as_of, kind, status, owner, age, charge_id, payout_id, condition, after, limit } = query;
  const wanted = new Conditions(limit, timestamp(now));
  const until = as_of === undefined ? undefined : wanted.parameter(as_of);
  const [min, max] = age === undefined ? [undefined, undefined] : BREAK_AGES[age];
  wanted.equal({ source, kind }).where(mode, (p) => ofMode('source', p));
  wanted.where(charge_id, (p) => `item = any(array(${ITEMS_OF.charge(p)}))`).where(payout_id, (p) => `item = any(array(${ITEMS_OF.payout(p)}))`);
  if (status !== undefined) wanted.always((status === 'RESOLVED' ? isResolved : isUnresolved)(until));
  if (min !== undefined) {
    const [from, to] = [wanted.parameter(min), max === null ? undefined : wanted.parameter(max)];
    const isOfAge = `opened_from = any(array(${ticksOfAge('$2', from, to)}))`;
    wanted.always(status === 'OPEN' || status === 'ACCEPTED' ? isOfAge : `(${isResolved(until)} or ${isOfAge})`);
  }
  // Few of many breaks are assigned or were ever accepted. These conditions avoid lookups for the others.
  wanted.where(owner, (p) => `id in (select break_id from recon.break_acts where act = 'ASSIGNED' and owner = ${p}::uuid)`);
  if (status === 'ACCEPTED') wanted.always(`id in (select break_id from recon.break_acts where act = 'ACCEPTED')`);
  if (condition !== undefined) wanted.always(condition);
  if (after !== undefined) {
    const found = await db.query<{ opened_from: bigint }>(
      'select max(opened_from) as opened_from from recon.breaks where id = $1 and opened_from <= coalesce($2, opened_from) having count(*) > 0',
      [after, as_of],
    );
    if (!found.rows[0]) return undefined;
    wanted.always(`(opened_from, id) > (${wanted.parameter(found.rows[0].opened_from)}, ${wanted.parameter(after)}::uuid)`);
  }
  const breaks = breaksAt('$2', until, wanted.sql());
  const shown = new Conditions(...wanted.values).equal({ owner }).within('age', min, max ?? undefined);
  if (status === 'OPEN' || status === 'ACCEPTED') shown.always(`is_accepted is ${status === 'OPEN' ? 'not ' : ''}true`);
  const text = `select * from (${breaks}) b where ${shown.sql()} order by opened_from, id limit $1`;
  const { rows } = await db.query<StoredBreak>(text, shown.values);
  return rows.map(breakOf);
}

/** @param id a UUID @param now milliseconds since the epoch, for its age */
export async function findBreak(db: Db, id: string, now: number): Promise<Break | undefined> {
  const { rows } = await db.query<StoredBreak>(breaksAt('$2', undefined, 'id = $1'), [id, timestamp(now)]);
  return rows.map(breakOf)[0];
}

/** Returns the ids of the open breaks of these lines of one source, by line. @param lines digits */
export async function findOpenBreaksOfLines(db: Db, source: string, lines: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ line_id: bigint; id: string }>(
    'select line_id, id from recon.breaks where source = $1 and resolved_from is null and line_id = any($2::int8[])',
    [source, lines],
  );
  return new Map(rows.map(({ line_id, id }) => [`${line_id}`, id]));
}

/** Counts the open breaks of one source at the moment `now`. */
export async function countOpenBreaks(db: Db, source: string, now: Timestamp): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>(
    `select count(*) as count from recon.breaks b where source = $1 and resolved_from is null and not ${isAccepted('$2')}`,
    [source, now],
  );
  return Number(rows[0]!.count);
}
