import type { PoolClient } from 'pg';
import { handling, type HandledBy, type LedgerReadModel } from '../../src/ledger/read-model.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { unreachable } from '../../src/ledger/unreachable.js';

export const STATEMENT_STATUSES = ['RECEIVED', 'READ', 'ACCEPTED', 'REPLACED'] as const;
export type StatementStatus = (typeof STATEMENT_STATUSES)[number];

const statementsTable = new Table('statements', {
  id: 'uuid not null primary key',
  source: 'text collate "C" not null',
  /** Ordinal of its receipt. A reader of new files continues after the last one. */
  ordinal: 'bigint not null',
  status: 'text collate "C" not null',
  sha256: 'text collate "C" not null',
  size: 'bigint not null',
  lines: 'integer not null',
  /** Number of its lines that are in the log. */
  lines_read: 'integer not null',
  booked_from: 'text collate "C"',
  booked_to: 'text collate "C"',
  sums: 'json not null',
  /** Number of lines that earlier files already contained. */
  dropped_lines: 'integer not null',
  replaced_by: 'uuid',
  replaces: 'uuid',
  received_by: 'uuid not null',
  received_on: 'timestamptz not null',
  accepted_by: 'uuid',
  accepted_on: 'timestamptz',
  /** Time at which the names in the file were erased. */
  forgotten_on: 'timestamptz',
});

/** Statements and batches of files, which count as a whole, from one event until another. Lines can therefore be read as of any event. */
const groupsTable = new Table(
  'groups',
  {
    statement_id: 'uuid not null',
    name: 'text not null',
    source: 'text collate "C" not null',
    /** Number of a bank's statement; null for a batch. */
    number: 'text',
    currency: 'text collate "C" not null',
    /** Closing balance of the statement, or sum of the batch's lines. */
    amount: 'bigint not null',
    day: 'text collate "C" not null',
    /** Number of its lines. */
    lines: 'integer not null',
    counted_from: 'bigint not null',
    counted_until: 'bigint',
  },
  ['primary key (statement_id, name)'],
);

/** Postgres has no year 0. Files that earlier versions accepted may have days of it. */
export const EARLIEST_DAY = '0001-01-01';
const storedDay = (day: string): string => (day < EARLIEST_DAY ? EARLIEST_DAY : day);

const linesTable = new Table('lines', {
  /** The ordinal of its event times LINES_PER_EVENT plus the index in the event, so that it sorts in the order of the log. */
  id: 'bigint not null primary key',
  statement_id: 'uuid not null',
  part: 'integer not null',
  place: 'smallint not null',
  source: 'text collate "C" not null',
  at: 'integer not null',
  line_key: 'text collate "C" not null',
  entry_key: 'text collate "C"',
  group_name: 'text not null',
  booking_date: 'text collate "C" not null',
  value_date: 'text collate "C"',
  amount: 'bigint not null',
  currency: 'text collate "C" not null',
  kind: 'text collate "C" not null',
  gross: 'bigint',
  fee: 'bigint',
  tax: 'bigint',
  batch: 'text',
  line_references: 'text[] not null',
});

/** Days on which the lines of a group are booked. */
const groupDaysTable = new Table(
  'group_days',
  {
    statement_id: 'uuid not null',
    name: 'text not null',
    day: 'text collate "C" not null',
  },
  ['primary key (statement_id, name, day)'],
);

/** Larger than the number of lines in an event. */
export const LINES_PER_EVENT = 1_000;

export type GroupRow = RowOf<(typeof groupsTable)['definitions']>;
export type StatementRow = RowOf<(typeof statementsTable)['definitions'], { readonly status: StatementStatus }>;

/** Files of sources, their groups that count, and all of their lines. Lines are added and never changed. */
export const statements: LedgerReadModel = {
  name: 'statements',
  version: 2,
  ddl: (schema) => `
    ${[statementsTable, groupsTable, linesTable, groupDaysTable].map((table) => table.ddl(schema)).join('\n')}
    create index lines_of_group on ${schema}.lines (statement_id, group_name);
    create index groups_by_amount on ${schema}.groups (amount) where number is null;
    create index groups_by_name on ${schema}.groups (name) where number is null;
    create index groups_of_source on ${schema}.groups (source, day);`,
  indexes: (schema) => [
    `create unique index statements_received on ${schema}.statements (ordinal)`,
    `create index statements_of_source on ${schema}.statements (source, ordinal)`,
    `create index statements_unfinished on ${schema}.statements (ordinal) where status in ('RECEIVED', 'READ')`,
    `create index lines_of_statement on ${schema}.lines (statement_id, id)`,
    `create index lines_by_day on ${schema}.lines (source, booking_date, id)`,
  ],

  async apply(tx, schema, batch) {
    const events = batch.filter(isOfStatement);
    if (events.length === 0) return;
    const ids = events.flatMap(({ type, data }) => (type === 'StatementReplaced' ? [data.statement_id, data.replaced_id] : [data.statement_id]));
    const rows = await load(tx, schema, [...new Set(ids)]);
    for (const event of events) fold(rows, event);
    await tx.query({
      name: `${schema} statements: replace`,
      text: `delete from ${schema}.statements where id = any($1::uuid[])`,
      values: [[...rows.keys()]],
    });
    await statementsTable.add(tx, schema, [...rows.values()]);
    const lines = events.flatMap(linesOf);
    await linesTable.add(tx, schema, lines);
    await addGroupDays(tx, schema, lines);
    await applyGroups(tx, schema, events);
  },
};

const isOfStatement = handling({ recon: { except: ['recon sources', 'breaks', 'DayCloseOpened', 'BankLinesBooked', 'DayClosed'] } });
type OfStatement = HandledBy<typeof isOfStatement>;

async function load(tx: PoolClient, schema: string, ids: readonly string[]): Promise<Map<string, StatementRow>> {
  const { rows } = await tx.query<StatementRow & { readonly sums: object }>({
    name: `${schema} statements: load`,
    text: `select * from ${schema}.statements where id = any($1::uuid[])`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, { ...row, ordinal: Number(row.ordinal), size: Number(row.size), sums: JSON.stringify(row.sums) }]));
}

function fold(rows: Map<string, StatementRow>, event: OfStatement): void {
  const { statement_id } = event.data;
  const change = (id: string, of: (before: StatementRow) => Partial<StatementRow>): void => {
    const before = rows.get(id);
    if (!before) throw new Error(`${event.type} of statement ${id}, which was never received`);
    rows.set(id, { ...before, ...of(before) });
  };
  switch (event.type) {
    case 'StatementReceived':
      rows.set(statement_id, received(event.data, event.ordinal));
      return;
    case 'StatementLines':
      return change(statement_id, ({ lines_read }) => ({ lines_read: lines_read + event.data.lines.length }));
    case 'StatementRead': {
      const { booked_from, booked_to, sums } = event.data;
      return change(statement_id, () => ({ status: 'READ', booked_from, booked_to, sums: JSON.stringify(sums) }));
    }
    case 'StatementReplaced':
      change(event.data.replaced_id, () => ({ status: 'REPLACED', replaced_by: statement_id }));
      change(statement_id, () => ({ replaces: event.data.replaced_id }));
      return change(statement_id, () => accepted(event.data));
    case 'StatementForgotten':
      return change(statement_id, () => ({ forgotten_on: event.data.forgotten_on }));
    case 'StatementAccepted':
      return change(statement_id, () => accepted(event.data));
    default:
      return unreachable(event);
  }
}

type DataOf<Type extends OfStatement['type']> = Extract<OfStatement, { readonly type: Type }>['data'];

function received(data: DataOf<'StatementReceived'>, ordinal: number): StatementRow {
  const { statement_id: id, source, sha256, size, lines, person_id: received_by, received_on } = data;
  const none = { booked_from: null, booked_to: null, sums: '[]', dropped_lines: 0, replaced_by: null, replaces: null };
  const notYet = { status: 'RECEIVED', lines_read: 0, accepted_by: null, accepted_on: null, forgotten_on: null } as const;
  return { id, source, ordinal, sha256, size, lines, received_by, received_on, ...none, ...notYet };
}

function accepted({ dropped, person_id, accepted_on }: DataOf<'StatementAccepted'>): Partial<StatementRow> {
  return { status: 'ACCEPTED', dropped_lines: dropped.lines, accepted_by: person_id, accepted_on };
}

/** Written field by field: for a million lines, object spreads and rests cost more than all other work here. */
function linesOf(event: OfStatement): RowOf<(typeof linesTable)['definitions']>[] {
  if (event.type !== 'StatementLines') return [];
  const { statement_id, source, part, lines } = event.data;
  return lines.map((line, place) => ({
    id: event.ordinal * LINES_PER_EVENT + place,
    statement_id,
    part,
    place,
    source,
    at: line.at,
    line_key: line.line_key,
    entry_key: line.entry_key,
    group_name: line.group,
    booking_date: storedDay(line.booking_date),
    value_date: line.value_date,
    amount: line.amount,
    currency: line.currency,
    kind: line.kind,
    gross: line.gross,
    fee: line.fee,
    tax: line.tax,
    batch: line.batch,
    line_references: line.references,
  }));
}

async function addGroupDays(tx: PoolClient, schema: string, lines: readonly RowOf<(typeof linesTable)['definitions']>[]): Promise<void> {
  const days = new Map(
    lines.map(({ statement_id, group_name, booking_date }) => [
      `${statement_id} ${booking_date} ${group_name}`,
      { statement_id, group_name, booking_date },
    ]),
  );
  if (days.size === 0) return;
  const rows = [...days.values()];
  await tx.query({
    name: `${schema} group days: add`,
    text: `insert into ${schema}.group_days (statement_id, name, day) select * from unnest($1::uuid[], $2::text[], $3::text[]) on conflict do nothing`,
    values: [rows.map(({ statement_id }) => statement_id), rows.map(({ group_name }) => group_name), rows.map(({ booking_date }) => booking_date)],
  });
}

async function applyGroups(tx: PoolClient, schema: string, events: readonly OfStatement[]): Promise<void> {
  const deciding = events.filter((event) => event.type === 'StatementAccepted' || event.type === 'StatementReplaced');
  await groupsTable.add(
    tx,
    schema,
    deciding.flatMap(({ ordinal, data: { statement_id, source, statements, batches } }) => [
      ...statements.map(({ group: name, number, currency, closing: amount, closes_on, lines }) => {
        return { statement_id, name, source, number, currency, amount, day: storedDay(closes_on), lines, counted_from: ordinal, counted_until: null };
      }),
      ...batches.map(({ batch: name, currency, amount, booked_on, lines }) => {
        const group = { statement_id, name, source, number: null, currency, amount, day: storedDay(booked_on), lines };
        return { ...group, counted_from: ordinal, counted_until: null };
      }),
    ]),
  );
  const replacing = deciding.filter((event) => event.type === 'StatementReplaced');
  if (replacing.length === 0) return;
  await tx.query({
    name: `${schema} groups: end`,
    text: `update ${schema}.groups g set counted_until = n.ordinal from unnest($1::uuid[], $2::int8[]) n (id, ordinal) where g.statement_id = n.id`,
    values: [replacing.map(({ data }) => data.replaced_id), replacing.map(({ ordinal }) => ordinal)],
  });
}
