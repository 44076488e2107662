import type { Pool } from 'pg';
import { readEvent } from '../../ledger/catalogue.js';
import type { EventStore, RecordedEvent } from '../../platform/event-store/event-store.js';
import type { Migration } from '../../platform/postgres/migrations.js';
import { stepBackBehind } from '../../platform/postgres/background-work.js';
import { createPool } from '../../platform/postgres/pool.js';
import { AMOUNTS, WhatIfAnswer, type AnswerRow, type AnswerTotal, type Uncovered } from './answer.js';
import { ChangedEventStore, withMembers } from './changed-event-store.js';
import { readStored, type StoredScenario } from './scenario.js';

/** Tables of a moment in which the fees of a scenario apply. Ids 745–749. */
export const whatIfMigrations: readonly Migration[] = [
  {
    id: 745,
    name: 'what_if',
    sql: `
create schema what_if;

-- members: those of the event's data that the scenario changes, in the order of the event
create table what_if.changes (
  position bigint not null primary key,
  members json not null
);

create table what_if.answer (
  answer json not null
);
`,
  },
];

/** Maximum uncovered requests that a page shows. */
const UNCOVERED_MAX = 500;

/** The answer of a scenario, for its page. */
export interface StoredAnswer {
  readonly totals: readonly AnswerTotal[];
  readonly rows: readonly AnswerRow[];
  /** The first ones. */
  readonly uncovered: readonly Uncovered[];
  readonly uncovered_count: number;
}

export interface PricedBuild {
  /** Database of the read models. */
  readonly url: string;
  readonly scenario: StoredScenario;
  /** IANA name of the time zone of the books. */
  readonly timeZone: string;
  /** A log that ends. */
  readonly store: EventStore;
  /** Builds the read models by one read of the log that it is given, from the start. */
  readonly build: (store: EventStore) => Promise<void>;
}

/** Builds the read models of a log at the prices of a scenario, and keeps the changed members of its events and the answer beside them. @throws NotReproduced */
export async function buildPriced({ url, scenario: stored, timeZone, store, build }: PricedBuild): Promise<void> {
  const { scenario, period } = readStored(stored);
  const answer = new WhatIfAnswer(scenario, period, timeZone);
  const pool = createPool({ url, applicationName: 'chargebook-point-in-time', maxConnections: 1, statementTimeoutMs: 0 });
  stepBackBehind(pool);
  let ordinal = 0;
  const priced = async (events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> => {
    const changes: [RecordedEvent, Record<string, unknown>][] = [];
    const all = events.map((event) => {
      const read = readEvent({ ...event, ordinal: (ordinal += 1) });
      const repriced = answer.take(read);
      if (repriced === read) return event;
      const members = changedMembers(read.data, repriced.data);
      changes.push([event, members]);
      return withMembers(event, members);
    });
    if (changes.length > 0)
      await pool.query('insert into what_if.changes select * from unnest($1::bigint[], $2::json[])', [
        changes.map(([{ position }]) => position),
        changes.map(([, members]) => JSON.stringify(members)),
      ]);
    return all;
  };
  try {
    await build(new ChangedEventStore(store, priced));
    const uncovered = answer.uncovered();
    const document: StoredAnswer = {
      totals: answer.totals(),
      rows: answer.rows(),
      uncovered: uncovered.slice(0, UNCOVERED_MAX),
      uncovered_count: uncovered.length,
    };
    await pool.query('insert into what_if.answer values ($1)', [JSON.stringify(document, asText)]);
  } finally {
    await pool.end();
  }
}

const changedMembers = (before: object, after: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(after).filter(([name, member]) => (before as Readonly<Record<string, unknown>>)[name] !== member));

/** Sums may pass 2^53. */
const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);

/** Returns a log that ends, at the prices that were computed for its read models. @param pool on their database */
export function pricedLog(store: EventStore, pool: Pick<Pool, 'query'>): EventStore {
  return new ChangedEventStore(store, async (events) => {
    const priceable = events.filter(({ stream }) => PRICED.test(stream));
    if (priceable.length === 0) return events;
    const { rows } = await pool.query<{ position: bigint; members: Readonly<Record<string, unknown>> }>(
      'select position, members from what_if.changes where position = any($1::bigint[])',
      [priceable.map(({ position }) => position)],
    );
    const changes = new Map(rows.map(({ position, members }) => [position, members]));
    return events.map((event) => {
      const members = changes.get(event.position);
      return members ? withMembers(event, members) : event;
    });
  });
}

/** Streams with amounts that follow from fees. */
const PRICED = /^(?:charge|account|payout|settlement)-/;

/** @param pool on the read models of a scenario */
export async function findAnswer(pool: Pick<Pool, 'query'>): Promise<StoredAnswer> {
  const { rows } = await pool.query<{ answer: StoredAnswer }>('select answer from what_if.answer');
  const { totals, rows: groups, ...answer } = rows[0]!.answer;
  return { ...answer, totals: totals.map(withSums), rows: groups.map(withSums) };
}

const withSums = <Row extends Pick<AnswerTotal, (typeof AMOUNTS)[number]>>(row: Row): Row => ({
  ...row,
  ...Object.fromEntries(AMOUNTS.map((name) => [name, BigInt(row[name])])),
});
