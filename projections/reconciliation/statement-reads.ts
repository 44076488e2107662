import type { ClientBase } from 'pg';
import type { LineSums, StatementLine } from '../../src/ledger/events/reconciliation.events.js';
import type { UnfinishedErasures } from '../../src/ledger/crypto/erasure.worker.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import { readBehind, type PartQuery } from '../../src/platform/postgres/list-page.js';
import { heldAt, ofMode, type ReconciliationQuery } from './as-of.js';
import { LINES_PER_EVENT, type GroupRow, type StatementRow, type StatementStatus } from './statements.js';

type Db = Pick<ClientBase, 'query'>;

/** In the order of the response. */
const STATEMENT_COLUMNS =
  'id, source, status, sha256, size::float8, lines, lines_read, booked_from, booked_to, sums, dropped_lines, replaces, replaced_by, received_by, received_on, accepted_by, accepted_on, forgotten_on';

export type Statement = Omit<StatementRow, 'ordinal' | 'sums'> & { readonly sums: readonly LineSums[] };

export interface StatementsQuery extends PartQuery {
  readonly source?: string | undefined;
  readonly status?: StatementStatus | undefined;
}

/** Returns files in the order of the log; undefined when there is no file `after`. */
export function findStatements(db: Db, { source, status, after, limit }: StatementsQuery): Promise<Statement[] | undefined> {
  const conditions = new Conditions(limit).equal({ source, status });
  return readBehind<Statement>(db, { table: 'recon.statements', columns: STATEMENT_COLUMNS, conditions, after });
}

/** Returns files of a source, the newest first. @param before id (a UUID) of a file: returns only earlier files, and none for an unknown id */
export async function findNewestStatements(db: Db, source: string, limit: number, before?: string): Promise<Statement[]> {
  const { rows } = await db.query<Statement>(
    `select ${STATEMENT_COLUMNS} from recon.statements
      where source = $1 and ($3::uuid is null or ordinal < (select ordinal from recon.statements where id = $3)) order by ordinal desc limit $2`,
    [source, limit, before],
  );
  return rows;
}

/** @param id a UUID */
export async function findStatement(db: Db, id: string): Promise<Statement | undefined> {
  return (await db.query<Statement>(`select ${STATEMENT_COLUMNS} from recon.statements where id = $1`, [id])).rows[0];
}

/** Returns files whose import was interrupted, the oldest first. */
export async function findUnfinished(db: Db, limit: number): Promise<Pick<Statement, 'id' | 'source' | 'lines' | 'lines_read' | 'received_on'>[]> {
  const { rows } = await db.query<Statement>(
    `select id, source, lines, lines_read, received_on from recon.statements where status in ('RECEIVED', 'READ') order by ordinal limit $1`,
    [limit],
  );
  return rows;
}

/** Returns files that were received before `before`, were not accepted, and still name persons, the oldest first. */
export async function findAbandoned(db: Db, before: Timestamp, limit: number): Promise<Pick<Statement, 'id' | 'source' | 'sha256'>[]> {
  const { rows } = await db.query<Statement>({
    name: 'statements: abandoned',
    text: `select s.id, s.source, s.sha256 from recon.statements s join statement_keys k on k.statement_id = s.id
            where s.status in ('RECEIVED', 'READ') and s.received_on < $1 and s.forgotten_on is null and k.destroyed_on is null
            order by s.ordinal limit $2`,
    values: [before, limit],
  });
  return rows;
}

/** Checks up to `limit` forgotten files that were received after `after`. Encrypted names under a destroyed key are unfinished as well. */
export async function findUnfinishedForgetting(db: Db, after: bigint, limit: number): Promise<UnfinishedErasures> {
  const { rows } = await db.query<{ ordinal: bigint; id: string; is_done: boolean }>({
    name: 'statements: unfinished erasures',
    text: `select s.ordinal, s.id,
                  k.destroyed_on is not null and not exists (select from statement_people p where p.statement_id = s.id) as is_done
             from (select ordinal, id from recon.statements where ordinal > $1 and forgotten_on is not null order by ordinal limit $2) s
             left join statement_keys k on k.statement_id = s.id
            order by s.ordinal`,
    values: [after, limit],
  });
  return { ids: rows.filter(({ is_done }) => !is_done).map(({ id }) => id), looked_to: rows.at(-1)?.ordinal ?? after };
}

/** A statement or batch of a file that counts, or has counted. */
export type StatementGroup = Pick<GroupRow, 'name' | 'number' | 'currency' | 'amount' | 'day'> & { readonly counts: boolean };

/** Returns the groups of a file by day. The maximum per file bounds the result. */
export async function findGroups(db: Db, statementId: string): Promise<StatementGroup[]> {
  const { rows } = await db.query<Omit<StatementGroup, 'amount'> & { amount: bigint }>(
    `select name, number, currency, amount, day, counted_until is null as counts from recon.groups where statement_id = $1 order by day, name`,
    [statementId],
  );
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }));
}

const AMOUNTS = ['amount', 'gross', 'fee', 'tax'] as const;

export interface Line extends Omit<StatementLine, 'group'> {
  readonly id: string;
  readonly statement_id: string;
  readonly source: string;
  /** False for lines of a file that is not accepted or was replaced, and for dropped lines. */
  readonly counts: boolean;
}

/** Location of the names and texts of a line. */
export interface LinePlace {
  readonly part: number;
  readonly place: number;
}

type StoredLine = Omit<Line, 'id' | (typeof AMOUNTS)[number]> & { readonly id: bigint } & Record<(typeof AMOUNTS)[number], bigint | null>;

const countsAt = (until: string | undefined): string =>
  `coalesce(${heldAt('g.counted_from', 'g.counted_until', until)} and g.name is not null, false)`;
const lineColumns = (
  until?: string,
): string => `l.id, l.statement_id, l.source, l.at, l.line_key, l.entry_key, l.booking_date, l.value_date, l.amount, l.currency,
  l.kind, l.gross, l.fee, l.tax, l.batch, l.line_references as "references", ${countsAt(until)} as counts`;
const LINES = 'recon.lines l left join recon.groups g on g.statement_id = l.statement_id and g.name = l.group_name';

function lineOf(row: StoredLine): Line {
  const figures = AMOUNTS.map((name) => [name, row[name] === null ? null : Number(row[name])]);
  return { ...row, id: `${row.id}`, ...(Object.fromEntries(figures) as Pick<Line, (typeof AMOUNTS)[number]>) };
}

export interface LinesQuery extends ReconciliationQuery, PartQuery {
  readonly statement_id?: string | undefined;
  /** Days, inclusive. */
  readonly booked_from?: string | undefined;
  readonly booked_to?: string | undefined;
  /** Returns only lines that count, or only the others. */
  readonly counts?: boolean | undefined;
}

/** Returns lines in the order of the log. As of a tick: lines that existed by then, and whether they counted. */
export async function findLines(db: Db, query: LinesQuery): Promise<Line[]> {
  const conditions = new Conditions(query.limit, query.after ?? '0').always('l.id > $2::int8');
  const until = query.as_of === undefined ? undefined : `${conditions.parameter(query.as_of)}::int8`;
  if (until !== undefined) conditions.always(`l.id < (${until} + 1) * ${LINES_PER_EVENT}`);
  conditions
    .equal({ 'l.source': query.source, 'l.statement_id': query.statement_id })
    .where(query.mode, (p) => ofMode('l.source', p))
    .within('l.booking_date', query.booked_from, query.booked_to)
    .where(query.counts, (p) => `${countsAt(until)} = ${p}`);
  const text = `select ${lineColumns(until)} from ${LINES} where ${conditions.sql()} order by l.id limit $1`;
  return (await db.query<StoredLine>(text, conditions.values)).rows.map(lineOf);
}

/** @param id digits */
export async function findLine(db: Db, id: string): Promise<(Line & LinePlace) | undefined> {
  const { rows } = await db.query<StoredLine & LinePlace>(`select ${lineColumns()}, l.part, l.place from ${LINES} where l.id = $1::int8`, [id]);
  return rows.map((row) => ({ ...lineOf(row), part: row.part, place: row.place }))[0];
}
