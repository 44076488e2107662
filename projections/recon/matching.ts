import type { PoolClient } from 'pg';
import { daysIn, endOfDay, lastDayOverdue } from '../../src/ledger/days.js';
import { derivedId } from '../../src/ledger/idempotency.js';
import type { LedgerReadModel } from '../../src/ledger/read-model.js';
import { milliseconds, timestamp } from '../../src/ledger/time.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { MATCHED_KINDS, matchExactly, replaceBreaks, type Tick } from './matcher-1.js';
import { isOfSource, type OfSource } from './sources.js';

/** Settings of sources of remittances, from which event on. */
const rulesTable = new Table(
  'rules',
  {
    source: 'text collate "C" not null',
    ordinal: 'bigint not null',
    mode: 'text collate "C" not null',
    processor: 'text collate "C" not null',
    currencies: 'text[] not null',
    due_days: 'integer not null',
    time_zone: 'text not null',
  },
  ['primary key (source, ordinal)'],
);

/** Remittance lines that count and are not matched. */
const openLinesTable = new Table('open_lines', {
  line_id: 'bigint not null primary key',
  source: 'text collate "C" not null',
  line_key: 'text collate "C" not null',
  line_references: 'text[] not null',
  kind: 'text collate "C" not null',
  currency: 'text collate "C" not null',
  /** Minor units, before the processor's fee. */
  amount: 'bigint not null',
});

/** Each from which event on until which: the matches as of any event can be told. */
const matchesTable = new Table(
  'matches',
  {
    line_id: 'bigint not null',
    item: 'bigint not null',
    source: 'text collate "C" not null',
    matched_from: 'bigint not null',
    matched_until: 'bigint',
  },
  ['primary key (line_id, matched_from)'],
);

/** One that comes again has the same id, and a row of its own. */
const breaksTable = new Table(
  'breaks',
  {
    id: 'uuid not null',
    source: 'text collate "C" not null',
    kind: 'text collate "C" not null',
    /** Of the line, or the item: what the id is derived of. */
    subject: 'text collate "C" not null',
    line_id: 'bigint',
    item: 'bigint',
    of_mode: 'text collate "C"',
    opened_from: 'bigint not null',
    opened_on: 'timestamptz not null',
    resolved_from: 'bigint',
    resolved_on: 'timestamptz',
  },
  ['primary key (id, opened_from)'],
);

/**
 * Remittance lines held against items, at ticks: a file of the source was accepted. What came later plays no part, however the log
 * is cut into batches. The passes of a matcher are never changed: a new one has a number of its own, and begins with the tick that names it.
 */
export const matching: LedgerReadModel = {
  name: 'matching',
  version: 1,
  ddl: (schema) => `
    ${[rulesTable, openLinesTable, matchesTable, breaksTable].map((table) => table.ddl(schema)).join('\n')}
    create index open_lines_of_source on ${schema}.open_lines (source);
    create index breaks_open on ${schema}.breaks (source) where resolved_from is null;`,
  indexes: (schema) => [
    `create index matches_in_order on ${schema}.matches (matched_from, line_id)`,
    `create index breaks_in_order on ${schema}.breaks (opened_from, id)`,
  ],

  async apply(tx, schema, batch) {
    const events = batch.filter(isOfSource);
    await rulesTable.add(tx, schema, events.flatMap(rulesOf));
    for (const event of events) if (event.type !== 'ReconSourceSet') await applyFile(tx, schema, event);
  },
};

type FileEvent = Exclude<OfSource, { readonly type: 'ReconSourceSet' }>;

type RulesRow = RowOf<(typeof rulesTable)['definitions']>;

/** Of a PROCESSOR: statements of a bank are not matched yet. */
function rulesOf(event: OfSource): RulesRow[] {
  if (event.type !== 'ReconSourceSet' || event.data.processor === null) return [];
  const { source, mode, processor, currencies, due_days, time_zone } = event.data;
  return [{ source, ordinal: event.ordinal, mode, processor, currencies, due_days, time_zone }];
}

async function applyFile(tx: PoolClient, schema: string, event: FileEvent): Promise<void> {
  const { ordinal, data } = event;
  const { rows } = await tx.query<RulesRow>({
    name: `${schema} matching: rules`,
    text: `select * from ${schema}.rules where source = $1 and ordinal < $2 order by ordinal desc limit 1`,
    values: [data.source, ordinal],
  });
  const rules = rows[0];
  if (!rules) return;
  if (event.type === 'StatementReplaced') await takeBack(tx, schema, event.data.replaced_id, ordinal);
  await openLines(tx, schema, data.statement_id, ordinal);
  const { source, mode, processor, currencies } = rules;
  await run(tx, schema, rules, { ordinal, source, mode, processor, currencies, ...dayOf(rules, data.accepted_on) });
}

/** The moment of a tick, and until when what is overdue by then had happened. */
function dayOf({ time_zone, due_days }: RulesRow, on: string): Pick<Tick, 'on' | 'overdue_before'> {
  const dayAt = daysIn(time_zone);
  const last = lastDayOverdue(dayAt(milliseconds(on)), due_days);
  return { on, overdue_before: timestamp(endOfDay(last, dayAt)) };
}

async function run(tx: PoolClient, schema: string, { source }: RulesRow, tick: Tick): Promise<void> {
  await matchExactly(tx, schema, tick);
  const found = await replaceBreaks(tx, schema, tick);
  const opened = { opened_from: tick.ordinal, opened_on: tick.on, resolved_from: null, resolved_on: null };
  await breaksTable.add(
    tx,
    schema,
    found.map((row) => ({ ...row, ...opened, source, id: derivedId(source, `break\0${row.kind}\0${row.subject}`) })),
  );
}

/** Lines of a file in whose place another one stands count no more, and what they were matched with is open again. */
async function takeBack(tx: PoolClient, schema: string, statementId: string, ordinal: number): Promise<void> {
  await tx.query({
    name: `${schema} matching: take back`,
    text: `with gone as (
             select l.id from ${schema}.groups g join ${schema}.lines l on l.statement_id = g.statement_id and l.group_name = g.name
              where g.statement_id = $1 and g.counted_until = $2
           ), closed as (delete from ${schema}.open_lines o using gone where o.line_id = gone.id
           ), ended as (
             update ${schema}.matches m set matched_until = $2 from gone where m.line_id = gone.id and m.matched_until is null returning m.item
           )
           update ${schema}.items i set line_id = null from ended where i.ordinal = ended.item`,
    values: [statementId, ordinal],
  });
}

async function openLines(tx: PoolClient, schema: string, statementId: string, ordinal: number): Promise<void> {
  await tx.query({
    name: `${schema} matching: open lines`,
    text: `insert into ${schema}.open_lines (${openLinesTable.names.join(', ')})
           select l.id, l.source, l.line_key, l.line_references, l.kind, l.currency, coalesce(l.gross, l.amount)
             from ${schema}.groups g join ${schema}.lines l on l.statement_id = g.statement_id and l.group_name = g.name
            where g.statement_id = $1 and g.counted_from = $2 and l.kind = any($3)`,
    values: [statementId, ordinal, MATCHED_KINDS],
  });
}
