import type { ClientBase, PoolClient } from 'pg';
import type { DifferenceAccount } from '../../../src/ledger/events/break.events.js';
import { handling, type HandledBy, type LedgerReadModel } from '../../../src/ledger/read-model.js';
import { Table, type RowOf } from '../../../src/platform/postgres/binary/table.js';
import { isClosed } from '../items/items-table.js';
import { openLinesAgain } from './open-lines.js';
import { batchesNamed, lookUp, matchesOfBatch } from '../planning.js';
import type { Tick } from '../days/tick.js';
import { unreachable } from '../../../src/ledger/unreachable.js';

export const BREAK_ACTS = ['ASSIGNED', 'NOTED', 'MATCHED', 'UNMATCHED', 'ACCEPTED'] as const;
export type BreakActKind = (typeof BREAK_ACTS)[number];

const table = new Table('break_acts', {
  /** Ordinal of its event. */
  ordinal: 'bigint not null primary key',
  break_id: 'uuid not null',
  act: 'text collate "C" not null',
  /** null: several operators, by a proposal. */
  person_id: 'uuid',
  reason: 'text not null',
  acted_on: 'timestamptz not null',
  /** ASSIGNED: the new owner; null: no owner. */
  owner: 'uuid',
  /** MATCHED: a line, and the event ids of items. */
  source: 'text collate "C"',
  line_key: 'text collate "C"',
  items: 'text[]',
  /** Replaces `items`: a batch that a processor pays as one credit. */
  batch_source: 'text collate "C"',
  batch: 'text',
  /** The line's amount less that of the items or batch, and the account where the difference is booked; null without a difference. */
  difference: 'bigint',
  difference_to: 'text collate "C"',
  /** ACCEPTED: the last day, and the proposal. */
  accepted_until: 'text collate "C"',
  proposal_id: 'uuid',
});
type Row = RowOf<(typeof table)['definitions'], { readonly act: BreakActKind; readonly difference_to: DifferenceAccount | null }>;

/** Decisions of operators about breaks, one row each. Matches among them take effect at ticks. */
export const breakActs: LedgerReadModel = {
  name: 'break_acts',
  version: 1,
  ddl: (schema) => `
    ${table.ddl(schema)}
    create index break_acts_of_break on ${schema}.break_acts (break_id, ordinal);
    create index break_acts_matched on ${schema}.break_acts (source) where act = 'MATCHED';
    create index break_acts_differing on ${schema}.break_acts (ordinal) where difference is not null;`,
  indexes: () => [],

  async apply(tx, schema, batch) {
    await table.add(tx, schema, batch.filter(isOfBreak).map(rowOf));
  },
};

const isOfBreak = handling({ recon: { except: ['statements', 'recon sources', 'DayCloseOpened', 'BankLinesBooked', 'DayClosed'] } });

const NOTHING = {
  person_id: null,
  owner: null,
  source: null,
  line_key: null,
  items: null,
  accepted_until: null,
  proposal_id: null,
  batch_source: null,
  batch: null,
  difference: null,
  difference_to: null,
};

function rowOf(event: HandledBy<typeof isOfBreak>): Row {
  const { break_id, reason } = event.data;
  const of = { ...NOTHING, ordinal: event.ordinal, break_id, reason };
  switch (event.type) {
    case 'BreakAssigned': {
      const { person_id, owner, assigned_on: acted_on } = event.data;
      return { ...of, act: 'ASSIGNED', person_id, owner, acted_on };
    }
    case 'BreakNoted':
      return { ...of, act: 'NOTED', person_id: event.data.person_id, acted_on: event.data.noted_on };
    case 'BreakMatched': {
      const { person_id, source, line_key, items, batch, difference, proposal_id, matched_on: acted_on } = event.data;
      const batchOf = { batch_source: batch?.source ?? null, batch: batch?.batch ?? null };
      const differing = { difference: difference?.amount ?? null, difference_to: difference?.account ?? null };
      return { ...of, act: 'MATCHED', person_id, source, line_key, items, ...batchOf, ...differing, proposal_id, acted_on };
    }
    case 'BreakUnmatched':
      return { ...of, act: 'UNMATCHED', person_id: event.data.person_id, acted_on: event.data.unmatched_on };
    case 'BreakAccepted': {
      const { until: accepted_until, proposal_id, accepted_on: acted_on } = event.data;
      return { ...of, act: 'ACCEPTED', accepted_until, proposal_id, acted_on };
    }
    default:
      return unreachable(event);
  }
}

/** The valid decision about a break is the newest one before the tick. */
const newestOf = (schema: string, breakId: string): string => `(
  select * from ${lookUp(`${schema}.break_acts`, `break_id = ${breakId}`)} a
   where a.ordinal < $2 and a.act in ('MATCHED', 'UNMATCHED') order by a.ordinal desc limit 1)`;

const wanted = (schema: string): string => `
  select w.* from (select distinct break_id from ${schema}.break_acts where source = $1 and act = 'MATCHED') of_source
   cross join lateral ${newestOf(schema, 'of_source.break_id')} w`;

/**
 * Pass 1 of a matcher applies the decisions before the tick. Withdrawn matches end. Decided matches begin if line and item are open and have the same
 * currency, and if their amounts differ by exactly the approved difference, or not at all. When two decisions want the same line or item, the earlier
 * one wins.
 */
export async function takeDecisions(tx: PoolClient, schema: string, { source, processor, mode, ordinal }: Tick): Promise<void> {
  await tx.query({
    name: `${schema} break acts: end matches`,
    text: `with undecided as (
             select m.line_id, m.matched_from
               from ${schema}.break_acts a
              cross join lateral ${lookUp(`${schema}.matches`, 'decided_by = a.ordinal')} m
               left join lateral ${newestOf(schema, 'a.break_id')} w on true
              where a.source = $1 and a.act = 'MATCHED' and m.source = $1 and m.matched_until is null and w.ordinal is distinct from a.ordinal
           ), gone as (
             update ${schema}.matches m set matched_until = $2 from undecided u where (m.line_id, m.matched_from) = (u.line_id, u.matched_from)
             returning m.line_id, m.item
           ), freed as (update ${schema}.item_states i set line_id = null from gone where i.ordinal = gone.item)
           ${openLinesAgain(schema)}`,
    values: [source, ordinal],
  });
  await tx.query({
    name: `${schema} break acts: match`,
    text: `with wanted as (${wanted(schema)}), pair as (
             select o.line_id, i.ordinal as item, w.ordinal as decided_by,
                    row_number() over (partition by o.line_id order by w.ordinal) as of_line,
                    row_number() over (partition by i.ordinal order by w.ordinal) as of_item
               from wanted w
               join lateral ${lookUp(`${schema}.open_lines`, 'line_key = w.line_key')} o on o.source = w.source
               join lateral ${lookUp(`${schema}.items`, 'id = w.items[1]::uuid')} i on i.currency = o.currency and i.line_id is null
                and i.amount + coalesce(w.difference, 0) = o.amount
              where w.act = 'MATCHED' and cardinality(w.items) = 1 and w.source = $1 and i.processor is not distinct from $3 and i.mode = $4 and i.ordinal < $2
                and not ${isClosed('i', '$2')}
                and (i.kind <> 'PAYOUT' or (i.submitted_from < $2 and (i.ended_from < $2) is not true))
           ), first as (select * from pair where of_line = 1 and of_item = 1
           ), taken as (update ${schema}.item_states i set line_id = first.line_id from first where i.ordinal = first.item
           ), added as (
             insert into ${schema}.matches (line_id, item, source, matched_from, decided_by) select line_id, item, $1, $2, decided_by from first
           )
           delete from ${schema}.open_lines o using first where o.line_id = first.line_id`,
    values: [source, ordinal, processor, mode],
  });
  await takeBatches(tx, schema, { source, mode, ordinal });
}

/** Does the same for credits and batches, which are in other tables. */
async function takeBatches(tx: PoolClient, schema: string, { source, mode, ordinal }: Pick<Tick, 'source' | 'mode' | 'ordinal'>): Promise<void> {
  await tx.query({
    name: `${schema} break acts: match batches`,
    text: `with wanted as (${wanted(schema)}), pair as (
             select o.line_id, g.source as batch_source, g.name as batch, w.ordinal as decided_by,
                    row_number() over (partition by o.line_id order by w.ordinal) as of_line,
                    row_number() over (partition by g.source, g.name order by w.ordinal) as of_batch
               from wanted w
               join lateral ${lookUp(`${schema}.open_lines`, 'line_key = w.line_key')} o on o.source = w.source
               join lateral ${batchesNamed(schema, 'w.batch')} g on g.source = w.batch_source and g.counted_from < $2 and (g.counted_until is null or g.counted_until > $2)
                and g.currency = o.currency and g.amount + w.difference = o.amount
              where w.act = 'MATCHED' and w.source = $1 and split_part(g.source, '-', 1) = $3
                and not exists (select from ${matchesOfBatch(schema, 'g')} m)
           ), first as (select * from pair where of_line = 1 and of_batch = 1
           ), added as (
             insert into ${schema}.matches (line_id, batch_source, batch, source, matched_from, decided_by)
             select line_id, batch_source, batch, $1, $2, decided_by from first
           )
           delete from ${schema}.open_lines o using first where o.line_id = first.line_id`,
    values: [source, ordinal, mode],
  });
}

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

export type BreakAct = Omit<Row, 'ordinal' | 'break_id' | 'source'>;

/**
 * Returns a condition: the stored break `b` is accepted until a day that has not ended at its source at the moment `now`, so it does not count as
 * open. The first clause avoids lookups for the others, because few breaks were ever accepted.
 */
export const isAccepted = (now: string): string => `(
  b.id in (select break_id from recon.break_acts where act = 'ACCEPTED')
  and (select accepted_until from recon.break_acts a where a.break_id = b.id and a.act = 'ACCEPTED' order by a.ordinal desc limit 1)
   ${hasNotEnded(now, "(select settings->>'time_zone' from recon.sources where id = b.source limit 1)")})`;

/** Behind a day: it has not ended in the time zone at the moment `now`. */
export const hasNotEnded = (now: string, timeZone: string): string => `>= (${now}::timestamptz at time zone ${timeZone})::date::text collate "C"`;

/** Returns the newest `limit` acts of a break, in their order. */
export async function findBreakActs(db: Db, breakId: string, limit: number): Promise<BreakAct[]> {
  const { rows } = await db.query<Omit<BreakAct, 'difference'> & { readonly difference: bigint | null }>(
    `select act, person_id, reason, acted_on, owner, line_key, items, batch_source, batch, difference, difference_to, accepted_until, proposal_id
       from (select * from recon.break_acts where break_id = $1 order by ordinal desc limit $2) newest order by ordinal`,
    [breakId, limit],
  );
  return rows.map(({ difference, ...row }) => ({ ...row, difference: difference === null ? null : Number(difference) }));
}
