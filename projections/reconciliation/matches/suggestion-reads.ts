import type { ClientBase } from 'pg';
import { addDays } from '../../../src/ledger/days.js';
import type { Mode } from '../../../src/ledger/mode.js';
import { breakId } from '../break-id.js';
import { ITEM_COLUMNS, itemOf, type Break, type BreakLine, type MatchedItem, type StoredItem } from './match-reads.js';
import { findSource } from '../sources.js';
import { BREAK_KINDS } from '../days/tick.js';

type Db = Pick<ClientBase, 'query'>;

/** A possible match for a break: an open item for its line, or an open line for its item. */
export interface Candidate {
  readonly line: BreakLine | null;
  readonly item: MatchedItem | null;
  /** The names of the candidate item, or of the break's item. */
  readonly names: readonly string[];
  readonly broken: BreakSubject;
}

/** The subject of breaks: a line or an item. */
export interface BreakSubject {
  readonly source: string;
  readonly subject: string;
}

/** Returns the possible ids of its breaks, one per kind. */
export const breaksOf = ({ source, subject }: BreakSubject): string[] => BREAK_KINDS.map((kind) => breakId(source, kind, subject));

/** Returns those of `ids` that are open. */
export async function findOpenBreaks(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>('select id from recon.breaks where id = any($1::uuid[]) and resolved_from is null', [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** Of very many, only the nearest by amount and day are read. */
const CANDIDATES_MAX = 2_000;
const DAYS_BEFORE = 30;
const DAYS_AFTER = 7;

/**
 * Returns unmatched items in the currency of the break's line, from a month before its day until a week after it: those of the same amount, and the
 * nearest of the others. The search by amount reads all open items; an index leads to the nearest ones.
 */
export async function findItemCandidates(db: Db, { source, line }: Pick<Break, 'source' | 'line'>): Promise<Candidate[]> {
  if (!line) return [];
  const { processor, mode } = (await findSource(db, source))!.settings;
  const open = (condition: string, order: string): string => `(
    select i.* from recon.items i
     where i.processor ${processor === null ? 'is null and $7::text is null' : '= $7'} and i.mode = $1 and i.line_id is null
       and i.closed_from is null and i.currency = $2 and i.amount ${condition} order by ${order} limit ${CANDIDATES_MAX / 2})`;
  const { rows } = await db.query<StoredItem & { readonly code: string }>(
    `select ${ITEM_COLUMNS}, i.code
       from (${open("= $6 and i.occurred_on between $3::timestamptz - $4 * interval '1 day' and $3::timestamptz + $5 * interval '1 day'", 'greatest(i.occurred_on - $3::timestamptz, $3::timestamptz - i.occurred_on)')}
             union all ${open("<> $6 and i.occurred_on between $3::timestamptz - $4 * interval '1 day' and $3::timestamptz", 'i.occurred_on desc')}
             union all ${open("<> $6 and i.occurred_on > $3::timestamptz and i.occurred_on <= $3::timestamptz + $5 * interval '1 day'", 'i.occurred_on')}) i`,
    [mode, line.currency, line.booking_date, DAYS_BEFORE, DAYS_AFTER + 1, line.amount, processor],
  );
  return rows.map((row) => {
    const item = itemOf(row)!;
    const names = [row.code, ...(item.payment_reference === null ? [] : [item.payment_reference])];
    return { line: null, item, names, broken: { source, subject: item.event_id } };
  });
}

type StoredLine = Omit<BreakLine, 'amount'> & { readonly amount: bigint; readonly code: string; readonly source: string; readonly line_key: string };

/** Returns unmatched lines of all sources of the processor, in the currency of the break's item. */
export async function findLineCandidates(db: Db, { source, item }: Pick<Break, 'source' | 'item'>): Promise<Candidate[]> {
  if (!item) return [];
  const day = item.occurred_on.slice(0, 10);
  const nearest = 'o.amount <> $5, abs(o.booked_on::date - $4::date), o.line_id';
  const { rows } = await db.query<StoredLine>(
    `select l.id::text as line_id, l.statement_id, l.batch, o.kind, o.currency, o.amount, l.booking_date, o.line_references as "references",
            o.source, o.line_key, (select i.code from recon.items i where i.id = $2) as code
       from (
         select o.*
           from recon.sources mine
           join recon.sources s on (s.settings->>'processor', s.settings->>'mode') is not distinct from (mine.settings->>'processor', mine.settings->>'mode')
           join recon.open_lines o on o.source = s.id
          where mine.id = $1 and o.currency = $3 and o.booked_on between $6 and $7
          order by ${nearest} limit ${CANDIDATES_MAX}) o
       join recon.lines l on l.id = o.line_id
      order by ${nearest}`,
    [source, item.event_id, item.currency, day, item.amount, addDays(day, -DAYS_AFTER), addDays(day, DAYS_BEFORE)],
  );
  const reference = item.payment_reference === null ? [] : [item.payment_reference];
  return rows.map(({ code, source: of, line_key, ...line }) => {
    return { line: { ...line, amount: Number(line.amount) }, item: null, names: [code, ...reference], broken: { source: of, subject: line_key } };
  });
}

/** An open line, with the key that an operator's decision names. */
export interface OpenLine {
  readonly source: string;
  readonly line_key: string;
  readonly currency: string;
  /** Minor units, before the processor's fee. */
  readonly amount: number;
  readonly mode: Mode;
  /** null for an account at a bank. */
  readonly processor: string | null;
}

/** @param id digits */
export async function findOpenLine(db: Db, id: string): Promise<OpenLine | undefined> {
  const { rows } = await db.query<Omit<OpenLine, 'amount'> & { readonly amount: bigint }>(
    `select o.source, o.line_key, o.currency, o.amount, s.settings->>'mode' as mode, s.settings->>'processor' as processor
       from recon.open_lines o join recon.sources s on s.id = o.source where o.line_id = $1::int8`,
    [id],
  );
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }))[0];
}

export interface OpenItem {
  readonly event_id: string;
  readonly currency: string;
  readonly amount: number;
  readonly mode: Mode;
  /** null for an account at a bank. */
  readonly processor: string | null;
}

/** Returns an item that is not matched with a line. @param eventId a UUID */
export async function findOpenItem(db: Db, eventId: string): Promise<OpenItem | undefined> {
  const { rows } = await db.query<Omit<OpenItem, 'amount'> & { readonly amount: bigint }>(
    `select id as event_id, currency, amount, mode, processor from recon.items
      where id = $1 and line_id is null and closed_from is null and (kind <> 'PAYOUT' or (submitted_from is not null and ended_from is null))`,
    [eventId],
  );
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }))[0];
}
