import type { PoolClient } from 'pg';
import { daysIn, endOfDay, lastDayOverdue } from '../../../src/ledger/days.js';
import type { SourceKind } from '../../../src/ledger/events/reconciliation.events.js';
import type { LedgerReadModel } from '../../../src/ledger/read-model.js';
import { milliseconds, timestamp } from '../../../src/ledger/time.js';
import { Table, type RowOf } from '../../../src/platform/postgres/binary/table.js';
import { breakId, firstFree } from '../break-id.js';
import { takeDecisions } from './break-acts.js';
import { openDay } from '../days/day-closes.js';
import { runRemittanceMatcher1 } from './remittance-matcher-1.js';
import type { Costs, FoundBreak, Tick } from '../days/tick.js';
import { REMITTED_KINDS } from './remittance-matcher-1-batches.js';
import { openLinesAgain, openLinesOfGroups, openLinesTable } from './open-lines.js';
import { addInPieces, batchesNamed, correctStatistics, linesOfGroup, matchesOfBatch, plannedForMany } from '../planning.js';
import { isOfSource, type OfSource } from '../sources.js';

/** Settings of sources, each valid from an event on. */
const rulesTable = new Table(
  'rules',
  {
    source: 'text collate "C" not null',
    ordinal: 'bigint not null',
    mode: 'text collate "C" not null',
    kind: 'text collate "C" not null',
    /** null for a BANK. */
    processor: 'text collate "C"',
    currencies: 'text[] not null',
    due_days: 'integer not null',
    time_zone: 'text not null',
    /** Costs of the processor by channel, and the tax on them. */
    costs: 'json not null',
    by_amount: 'boolean not null',
  },
  ['primary key (source, ordinal)'],
);

/** Runs that compare lines with the books. Lines, matches and breaks can be read as of any tick, or of any moment before the next one. */
const ticksTable = new Table('ticks', {
  /** Ordinal of its event. */
  ordinal: 'bigint not null primary key',
  source: 'text collate "C" not null',
  /** In the source's time zone; events that are overdue on this day are missing. Never before the source's previous day. */
  day: 'text collate "C" not null',
  /** Not before the previous tick of any source. */
  at: 'timestamptz not null',
  matcher: 'integer not null',
  new_breaks: 'integer not null',
});

/**
 * The match of a line: an item, a batch of a processor's source, or neither for the bank's own charges. Each is valid from one event until another,
 * so matches can be read as of any event.
 */
const matchesTable = new Table(
  'matches',
  {
    line_id: 'bigint not null',
    item: 'bigint',
    batch_source: 'text collate "C"',
    batch: 'text',
    source: 'text collate "C" not null',
    matched_from: 'bigint not null',
    matched_until: 'bigint',
    /** The act of the operator who decided it; null: it follows from line and item. */
    decided_by: 'bigint',
  },
  ['primary key (line_id, matched_from)'],
);

/** A break that reappears has the same id and a new row. */
const breaksTable = new Table(
  'breaks',
  {
    id: 'uuid not null',
    source: 'text collate "C" not null',
    kind: 'text collate "C" not null',
    /**
     * The subject from which the id is derived: the key of the line, the event of the item, the batch's source and the batch, or the day of a missing
     * file.
     */
    subject: 'text collate "C" not null',
    line_id: 'bigint',
    item: 'bigint',
    batch_source: 'text collate "C"',
    batch: 'text',
    of_mode: 'text collate "C"',
    opened_from: 'bigint not null',
    opened_on: 'timestamptz not null',
    resolved_from: 'bigint',
    resolved_on: 'timestamptz',
  },
  ['primary key (id, opened_from)'],
);

/**
 * Compares lines with the books at ticks: when a file of the source was accepted, or when an operator started a run. Events after a tick have no effect
 * on it, independent of how the log is split into batches. The passes of a matcher never change: a new matcher has a new number, and is used from the
 * first tick that names it.
 */
export const matching: LedgerReadModel = {
  name: 'matching',
  version: 2,
  ddl: (schema) => `
    ${[rulesTable, ticksTable, openLinesTable, matchesTable, breaksTable].map((table) => table.ddl(schema)).join('\n')}
    create index matches_of_tick on ${schema}.matches (matched_from);
    create index open_lines_of_source on ${schema}.open_lines (source);
    create index open_lines_by_key on ${schema}.open_lines using hash (line_key);
    create index matches_of_batch on ${schema}.matches (batch_source, batch) where batch is not null and matched_until is null;
    create index matches_decided on ${schema}.matches (decided_by) where decided_by is not null;
    create index ticks_of_source on ${schema}.ticks (source, ordinal);
    create index breaks_open on ${schema}.breaks (source) where resolved_from is null;`,
  indexes: (schema) => [
    `create index breaks_in_order on ${schema}.breaks (opened_from, id)`,
    `create index breaks_of_item on ${schema}.breaks (item) where item is not null`,
  ],

  async apply(tx, schema, batch) {
    const events = batch.filter(isOfSource);
    await rulesTable.add(tx, schema, events.flatMap(rulesOf));
    for (const event of events) if (isTick(event)) await plannedForMany(tx, () => applyTick(tx, schema, event));
  },
};

type TickEvent = Exclude<OfSource, { readonly type: 'ReconSourceSet' | 'BankLinesBooked' | 'DayClosed' }>;
const isTick = (event: OfSource): event is TickEvent => !['ReconSourceSet', 'BankLinesBooked', 'DayClosed'].includes(event.type);
type RulesRow = RowOf<(typeof rulesTable)['definitions'], { readonly kind: SourceKind }>;

function rulesOf(event: OfSource): RulesRow[] {
  if (event.type !== 'ReconSourceSet') return [];
  const { source, mode, kind, processor, currencies, due_days, time_zone, costs, tax = null, by_amount } = event.data;
  const expected = { costs: JSON.stringify({ by_channel: costs, tax }), by_amount };
  return [{ source, ordinal: event.ordinal, mode, kind, processor, currencies, due_days, time_zone, ...expected }];
}

async function applyTick(tx: PoolClient, schema: string, event: TickEvent): Promise<void> {
  const { ordinal, data } = event;
  await correctStatistics(tx, schema);
  const { rows } = await tx.query<StoredRules>({
    name: `${schema} matching: rules`,
    text: `select r.*, (select day from ${schema}.ticks t where t.source = $1 order by t.ordinal desc limit 1) as last_day,
                  (select at from ${schema}.ticks t order by t.ordinal desc limit 1) as last_at
             from ${schema}.rules r where source = $1 and ordinal < $2 order by ordinal desc limit 1`,
    values: [data.source, ordinal],
  });
  const rules = rows[0];
  if (!rules) throw new Error(`${event.type} of the source ${data.source}, which was never set`);
  if (event.type === 'StatementReplaced') {
    await takeBack(tx, schema, event.data.replaced_id, ordinal);
    await takeBackBatches(tx, schema, event.data.replaced_id, ordinal);
  }
  if (event.type === 'StatementAccepted' || event.type === 'StatementReplaced') await openLinesOf(tx, schema, event.data.statement_id, ordinal);
  const tick = tickOf(rules, event);
  await correctStatistics(tx, schema);
  await takeDecisions(tx, schema, tick);
  const found = await runRemittanceMatcher1(tx, schema, tick);
  const opened = { opened_from: ordinal, opened_on: tick.on, resolved_from: null, resolved_on: null };
  const { source, day } = tick;
  const ids = new Set<string>();
  const rowOf = (row: FoundBreak) => {
    const id = firstFree(ids, (more) => breakId(source, row.kind, row.subject + more), row.line_id);
    return { ...row, ...opened, source, id };
  };
  await addInPieces(found, rowOf, (piece) => breaksTable.add(tx, schema, piece));
  const at = rules.last_at !== null && milliseconds(rules.last_at) > milliseconds(tick.on) ? rules.last_at : tick.on;
  await ticksTable.add(tx, schema, [{ ordinal, source, day, at, matcher: tick.matcher, new_breaks: found.length }]);
  if (event.type === 'DayCloseOpened') await openDay(tx, schema, tick, event.id, event.data);
}

interface StoredRules extends Omit<RulesRow, 'costs'> {
  readonly costs: Costs;
  readonly last_day: string | null;
  readonly last_at: string | null;
}

/** Returns the tick of an event: its moment, its day, and the bounds before which events are overdue. */
function tickOf({ last_day, last_at: _, time_zone, due_days, ordinal: __, ...rules }: StoredRules, event: TickEvent): Tick {
  const dayAt = daysIn(time_zone);
  const on = momentOf(event);
  const today = 'day' in event.data ? event.data.day : dayAt(milliseconds(on));
  const day = last_day !== null && last_day > today ? last_day : today;
  const last_due = lastDayOverdue(day, due_days);
  const overdue_before = timestamp(endOfDay(last_due, dayAt));
  return {
    ...rules,
    time_zone,
    ordinal: event.ordinal,
    matcher: event.data.matcher,
    on,
    day,
    last_due,
    overdue_before,
    last_filed: lastDayOverdue(day, 1),
  };
}

function momentOf({ data }: TickEvent): string {
  if ('ran_on' in data) return data.ran_on;
  return 'opened_on' in data ? data.opened_on : data.accepted_on;
}

/** Stops counting the lines of a replaced file, and opens the items that they were matched with. */
async function takeBack(tx: PoolClient, schema: string, statementId: string, ordinal: number): Promise<void> {
  await tx.query({
    name: `${schema} matching: take back`,
    text: `with gone as (
             select l.id from ${schema}.groups g cross join lateral ${linesOfGroup(schema, 'g.statement_id', 'g.name')} l
              where g.statement_id = $1 and g.counted_until = $2
           ), closed as (delete from ${schema}.open_lines o using gone where o.line_id = gone.id
           ), ended as (
             update ${schema}.matches m set matched_until = $2 from gone where m.line_id = gone.id and m.matched_until is null returning m.item
           )
           update ${schema}.item_states i set line_id = null from ended where i.ordinal = ended.item`,
    values: [statementId, ordinal],
  });
}

/** Does the same for lines of a bank that were matched with batches of that file, when the new file has other values for the batch. */
async function takeBackBatches(tx: PoolClient, schema: string, statementId: string, ordinal: number): Promise<void> {
  await tx.query({
    name: `${schema} matching: take back batches`,
    text: `with gone as (
             select m.line_id, m.matched_from
               from ${schema}.groups was cross join lateral ${matchesOfBatch(schema, 'was')} m
              where was.statement_id = $1 and was.counted_until = $2 and was.number is null
                and not exists (select from ${batchesNamed(schema, 'was.name')} is_now where is_now.source = was.source and is_now.counted_from = $2
                                   and (is_now.name, is_now.currency, is_now.amount) = (was.name, was.currency, was.amount))
           ), ended as (
             update ${schema}.matches m set matched_until = $2 from gone where (m.line_id, m.matched_from) = (gone.line_id, gone.matched_from)
           )
           ${openLinesAgain(schema)}`,
    values: [statementId, ordinal],
  });
}

async function openLinesOf(tx: PoolClient, schema: string, statementId: string, ordinal: number): Promise<void> {
  await tx.query({
    name: `${schema} matching: open lines`,
    text: `${openLinesOfGroups(schema)} where g.statement_id = $1 and g.counted_from = $2 and (l.kind = any($3) or g.number is not null)`,
    values: [statementId, ordinal, REMITTED_KINDS],
  });
}
