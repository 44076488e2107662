import pg from 'pg';
import { int4Array, jsonArray, textArray, uuidArray } from '../../postgres/binary/binary-arrays.js';
import { isConnectionFailure } from '../../postgres/connection-failure.js';
import type { EncodedAppend } from '../append-rules.js';
import { StoreRestored, type AppendResult } from '../event-store.js';
import { BatchFailure, type AppendVerdict, type FailureOutcome } from './group-commit.js';

/** See event_store.append and append_resting in the migrations for the meaning of the columns. */
type AppendRow = [before: bigint, moved: number[] | null, newest: number[] | null, standing: (bigint | null)[] | null, gone?: number[] | null];

const APPEND = {
  name: 'event_store_append',
  text: 'select before, moved, newest, standing from event_store.append($1, $2, $3, $4, $5, $6, $7, $8)',
  rowMode: 'array',
};
const APPEND_RESTING = {
  name: 'event_store_append_resting',
  text: 'select before, moved, newest, standing, gone from event_store.append_resting($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
  rowMode: 'array',
};

/** Sends a batch in one transaction and one call, and again without the appends whose dependencies are gone. @throws BatchFailure */
export async function appendBatch(pool: pg.Pool, batch: readonly EncodedAppend[], onSending: () => void): Promise<AppendVerdict[]> {
  const client = await pool.connect().catch((error: Error) => {
    throw new BatchFailure('not-written', error);
  });
  try {
    onSending();
  } catch (error) {
    client.release();
    throw error;
  }
  try {
    const verdicts = await send(client, batch);
    client.release();
    return verdicts;
  } catch (error) {
    client.release(error as Error);
    throw new BatchFailure(outcomeOf(error), error as Error);
  }
}

async function send(client: pg.PoolClient, batch: readonly EncodedAppend[]): Promise<AppendVerdict[]> {
  const isResting = batch.some(({ dependsOn }) => dependsOn.length > 0);
  const { rows } = await client.query<AppendRow>(
    isResting ? { ...APPEND_RESTING, values: [...columnsOf(batch), ...restColumnsOf(batch)] } : { ...APPEND, values: columnsOf(batch) },
  );
  const gone = rows[0]![4] ?? null;
  if (gone === null) return verdicts(batch, rows[0]!);
  const others = batch.filter((_, nth) => !gone.includes(nth));
  const results = others.length > 0 ? await send(client, others) : [];
  return batch.map(({ stream }, nth) => (gone.includes(nth) ? new StoreRestored(`an event before an append to "${stream}"`) : results.shift()!));
}

function restColumnsOf(batch: readonly EncodedAppend[]): Buffer[] {
  const rests = batch.flatMap(({ dependsOn }, nth) => dependsOn.map((place) => ({ nth, ...place })));
  return [
    int4Array(rests.map(({ nth }) => nth)),
    textArray(rests.map(({ stream }) => stream)),
    int4Array(rests.map(({ revision }) => revision)),
    uuidArray(rests.map(({ id }) => id)),
  ];
}

function columnsOf(batch: readonly EncodedAppend[]): Buffer[] {
  const nth: number[] = [];
  const streams: string[] = [];
  const revisions: number[] = [];
  const after: (string | null)[] = [];
  for (const { stream, revision, after: expected, events } of batch) {
    for (let index = 0; index < events.length; index += 1) {
      nth.push(index);
      streams.push(stream);
      revisions.push(revision + index);
      after.push(index === 0 ? expected : null);
    }
  }
  const events = batch.flatMap((append) => append.events);
  return [
    int4Array(nth),
    textArray(streams),
    int4Array(revisions),
    uuidArray(events.map(({ id }) => id)),
    textArray(events.map(({ type }) => type)),
    jsonArray(events.map(({ data }) => data)),
    jsonArray(events.map(({ metadata }) => metadata)),
    uuidArray(after),
  ];
}

function verdicts(batch: readonly EncodedAppend[], [before, moved, newest, standing]: AppendRow): AppendResult[] {
  let place = 1;
  let position = before;
  return batch.map(({ revision, events }) => {
    const index = moved?.indexOf(place) ?? -1;
    place += events.length;
    const last = revision + events.length - 1;
    if (index === -1) {
      position += BigInt(events.length);
      return { ok: true, revision: last, position };
    }
    const there = standing?.[index] ?? null;
    if (there !== null) return { ok: true, revision: last, position: there };
    const actual = newest?.[index] ?? -1;
    return { ok: false, actual: actual === -1 ? null : actual };
  });
}

/** Failures that a running server reports: it has rolled back, and a repeat may succeed. */
const ROLLED_BACK_STATES = new Set(['57014', '55P03', '25006', '25P03', '40001', '40P01']);

function outcomeOf(error: unknown): FailureOutcome {
  const state = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  if (ROLLED_BACK_STATES.has(state) || state.startsWith('53')) return 'not-written';
  return isConnectionFailure(error) ? 'maybe-written' : 'refused';
}
