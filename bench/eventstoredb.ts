import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, excludeSystemEvents, jsonEvent, NO_STREAM, START, type JSONType } from '@eventstore/db-client';
import { PROJECTIONS } from '../src/app/projections.js';
import { EventStoreDBEventStore } from '../src/platform/event-store/eventstoredb/eventstoredb-event-store.js';
import { measureRate, sampleEvent, type Rate } from './appends.js';
import { appendLog, measureCatchUp } from './catch-up.js';
import type { Load } from './load.js';

const IN_FLIGHT = 64;
/** Charges appended after those of the service, about 1.7 events each. Reading a shorter log would measure mostly start and end. */
const CHARGES = 50_000;

export interface OnEventStoreDB {
  /** Appends of one event to a new stream each, by the client library alone. */
  readonly raw_appends: Rate;
  /** Creates through the whole service. */
  readonly creates: Load;
  /** Rate of creates divided by that of raw appends. */
  readonly ratio: number;
  /** Events per second that the client library reads from `$all`. */
  readonly raw_read_per_second: number;
  /** Events per second of each projection while it catches up. */
  readonly catch_up: Readonly<Record<string, number>>;
}

/**
 * Measures the service and the client library on the same server in turns. The server's log must be new.
 * @param databaseUrl of the service's database, where the projections run
 */
export async function measureOnEventStoreDB(
  url: string,
  databaseUrl: string,
  seconds: number,
  drive: (inFlight: number, seconds: number) => Promise<Load>,
  stopService: () => Promise<void>,
): Promise<OnEventStoreDB> {
  // The library knows the server by its former name only.
  const client = EventStoreDBClient.connectionString(url.replace(/^kurrentdb(?=[:+])/, 'esdb'));
  // The service skips types that begin with `$`, because the server's own events have them.
  const append = (inFlight: number, forSeconds: number): Promise<Rate> =>
    measureRate(inFlight, forSeconds, async () => {
      const { id, data, metadata } = sampleEvent();
      await client.appendToStream(`bench-${randomUUID()}`, jsonEvent({ id, type: '$bench', data: data as JSONType, metadata }), {
        expectedRevision: NO_STREAM,
      });
    });
  await append(IN_FLIGHT, 2);
  await drive(IN_FLIGHT, 3);
  const before = await append(IN_FLIGHT, seconds / 2);
  const creates = await drive(IN_FLIGHT, seconds);
  const after = await append(IN_FLIGHT, seconds / 2);
  const perSecond = (before.perSecond + after.perSecond) / 2;
  await stopService();

  const store = new EventStoreDBEventStore({ url });
  await appendLog(store, CHARGES);
  await readAll(client);
  const readBefore = await readAll(client);
  const catch_up: Record<string, number> = {};
  for (const projection of PROJECTIONS) catch_up[projection.name] = (await measureCatchUp(databaseUrl, store, projection)).events_per_second;
  const raw_read_per_second = Math.round((readBefore + (await readAll(client))) / 2);
  await Promise.all([client.dispose(), store.close()]);
  return { raw_appends: { ...before, perSecond }, creates, ratio: creates.per_second / perSecond, raw_read_per_second, catch_up };
}

async function readAll(client: EventStoreDBClient): Promise<number> {
  const begun = performance.now();
  let count = 0;
  const subscription = client.subscribeToAll({ fromPosition: START, filter: excludeSystemEvents() });
  await new Promise<void>((resolve, reject) => {
    subscription
      .on('data', () => (count += 1))
      .on('caughtUp', resolve)
      .on('error', reject);
  });
  const seconds = (performance.now() - begun) / 1_000;
  await subscription.unsubscribe();
  return Math.round(count / seconds);
}
