import type { Pool } from 'pg';
import { spread } from '../async/spread.js';
import type { EventStore, Position, RecordedEvent } from '../event-store/event-store.js';
import { boundTo } from '../postgres/cancelling.js';
import { createPool } from '../postgres/pool.js';
import { BuildWriter } from './build-writer.js';
import { createReaderIndexes, openBuild } from './build.js';
import { Pace } from './pace.js';
import type { Projection, SkippedEvents } from './projection.js';
import { BATCH_SETTINGS, createPipeliningPool } from './projector.js';
import { eventsUpTo, forEachTable } from './replay.js';

const APPLICATION = 'chargebook-point-in-time';
const BATCH_TIMEOUT_MS = 60_000;
/** Connections that make the tables readable. */
const HANDS = 2;
/** A crash of the server may lose the last batches, which are then read again: the checkpoint is in the same transactions. */
const SETTINGS = { ...BATCH_SETTINGS, synchronous_commit: 'off' };

export interface BuildUpToOptions {
  /** Database of the read models; nothing else writes them. */
  readonly url: string;
  /** A log that ends at `head`. */
  readonly store: Pick<EventStore, 'subscribe' | 'read'>;
  readonly head: Position;
  readonly projections: readonly Projection[];
  readonly skipped: SkippedEvents;
  readonly signal: AbortSignal;
  /** Called with each pool of connections before it is used. */
  readonly onPool: (pool: Pool) => void;
  /** Called with the ordinal that all projections have reached. */
  readonly onProgress: (ordinal: number) => Promise<void>;
}

/**
 * Builds the read models of a log that ends, by one read of it, and makes them readable. A build that was interrupted is continued.
 * @throws EventNotApplied; errors of the database and the store; the reason of the signal
 */
export async function buildUpTo({ url, store, head, projections, skipped, signal, onPool, onProgress }: BuildUpToOptions): Promise<void> {
  const batches = createPipeliningPool(
    { url, applicationName: APPLICATION, statementTimeoutMs: BATCH_TIMEOUT_MS, settings: SETTINGS },
    projections.length,
  );
  const pool = createPool({ url, applicationName: APPLICATION, statementTimeoutMs: 0, maxConnections: projections.length });
  for (const each of [batches, pool]) onPool(each);
  const writers: BuildWriter[] = [];
  // Indexes of a large table take minutes.
  const bound = boundTo(pool, signal);
  try {
    const builds = [];
    for (const projection of projections) {
      const build = await openBuild(bound, projection);
      builds.push({ projection, build });
      writers.push(new BuildWriter(projection, build, batches, await skipped(projection.name), new Pace()));
    }
    for await (const events of eventsUpTo({ store, signal }, leastOf(writers), head)) {
      await Promise.all(writers.map((writer) => writer.write(eventsBehind(events, writer.position))));
      await onProgress(Math.min(...writers.map(({ ordinal }) => ordinal)));
    }
    const steps = builds.map(({ projection, build }) => async (): Promise<void> => {
      if (!build.checkpoint.indexed) await createReaderIndexes(bound, projection, build.schema);
    });
    await spread(Array.from({ length: HANDS }), steps);
    for (const { build } of builds) await forEachTable(bound, build.schema, (table) => `vacuum (analyze) ${table}`, HANDS);
  } finally {
    for (const writer of writers) writer.close();
    await Promise.all([batches.end(), pool.end()]);
  }
}

/** Position that all writers have reached; null: one of them is at the start. */
function leastOf(writers: readonly BuildWriter[]): Position | null {
  const positions = writers.map(({ position }) => position);
  return positions.reduce((least, each) => (least === null || each === null ? null : each < least ? each : least));
}

/** An interrupted build has projections that are further than others. */
function eventsBehind(events: readonly RecordedEvent[], position: Position | null): readonly RecordedEvent[] {
  return position === null || events[0]!.position > position ? events : events.filter((event) => event.position > position);
}
