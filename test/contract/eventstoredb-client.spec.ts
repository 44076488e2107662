import { randomUUID } from 'node:crypto';
import {
  EventStoreDBClient,
  FORWARDS,
  jsonEvent,
  NO_STREAM,
  StreamNotFoundError,
  streamNameFilter,
  WrongExpectedVersionError,
  type JSONRecordedEvent,
  type JSONType,
  type Position as ClientPosition,
} from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewEvent, RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { EventStoreDBEventStore } from '../../src/platform/event-store/eventstoredb/eventstoredb-event-store.js';
import { collect, newEvent, someMetadata } from '../support/events.js';
import { EventStoreDBServer } from '../support/eventstoredb-server.js';

const realServer = process.env['EVENTSTORE_URL'];
/** JSON values that a wrong encoding corrupts. */
const DATA = { text: 'Rp 10.000 · “é” 😀 \u0000 \\', amount: 9_007_199_254_740_991, part: 0.1, list: [1, null, { deep: true }], none: null };
/** The clock of a real server may be another machine's. */
const CLOCKS_APART_MS = 300_000;

describe(`the client library beside our engine${realServer === undefined ? '' : ' on a real server'}`, () => {
  let server: EventStoreDBServer | undefined;
  let client: EventStoreDBClient;
  let store: EventStoreDBEventStore;
  const run = randomUUID();
  let streams = 0;
  const newStream = (kind = 'client'): string => `${kind}-${run}-${(streams += 1)}`;
  const eventsOf = (count: number): NewEvent[] => Array.from({ length: count }, (_, n) => newEvent({ ...DATA, n }, `Happened${n}`));
  const asTheirs = ({ id, type, data, metadata }: NewEvent) =>
    jsonEvent({ id, type, data: data as JSONType, metadata: metadata as unknown as Record<string, JSONType> });

  beforeAll(async () => {
    server = realServer === undefined ? await EventStoreDBServer.start() : undefined;
    const url = realServer ?? server!.url;
    // The library knows the server by its former name only.
    client = EventStoreDBClient.connectionString(url.replace(/^kurrentdb(?=[:+])/, 'esdb'));
    store = new EventStoreDBEventStore({ url });
  });
  afterAll(async () => {
    await Promise.all([client.dispose(), store.close()]);
    await server?.stop();
  });

  /** Their append, and where its last event stands. */
  async function theyWrite(stream: string, events: readonly NewEvent[], expectedRevision: typeof NO_STREAM | bigint = NO_STREAM) {
    const { success, nextExpectedRevision, position } = await client.appendToStream(stream, events.map(asTheirs), { expectedRevision });
    return { success, revision: nextExpectedRevision, position: position! };
  }
  async function weWrite(stream: string, events: readonly NewEvent[]): Promise<ClientPosition> {
    const written = await store.append(stream, 'no-stream', events);
    if (!written.ok) throw new Error(`${stream} was not written`);
    return { commit: written.position, prepare: written.position };
  }
  async function theyRead(stream: string): Promise<JSONRecordedEvent[]> {
    const events: JSONRecordedEvent[] = [];
    for await (const { event } of client.readStream(stream)) events.push(event as JSONRecordedEvent);
    return events;
  }
  /** The fields of an event that both sides have. */
  const ours = ({ stream, id, type, data, metadata, revision, position }: RecordedEvent) => ({
    stream,
    id,
    type,
    data,
    metadata,
    revision,
    position,
  });
  const theirs = ({ streamId, id, type, data, metadata, revision, position }: JSONRecordedEvent) => ({
    ...{ stream: streamId, id, type, data, metadata },
    ...{ revision: Number(revision), position: position!.commit },
  });

  describe('events written by the library', () => {
    it('our engine reads the ids, types, data, metadata, revisions and positions that the library wrote', async () => {
      const [stream, events] = [newStream(), eventsOf(3)];
      const written = await theyWrite(stream, events);
      const read = await store.read(stream);
      expect(read.map(ours)).toEqual(events.map((event, revision) => ({ ...event, stream, revision, position: read[revision]!.position })));
      expect(written).toEqual({ success: true, revision: 2n, position: { commit: read[2]!.position, prepare: read[2]!.position } });
      expect(read[0]!.position < read[1]!.position && read[1]!.position < read[2]!.position).toBe(true);
    });

    it('our engine reads events of the library byte for byte, from any revision and backwards', async () => {
      const [stream, events] = [newStream(), eventsOf(5)];
      await theyWrite(stream, events);
      const [newest] = await store.read(stream, { direction: 'backwards', limit: 1, stored: true });
      expect(newest!.stored).toEqual({ data: JSON.stringify(events[4]!.data), metadata: JSON.stringify(someMetadata) });
      expect((await store.read(stream, { from: 2, limit: 2 })).map(({ id }) => id)).toEqual([events[2]!.id, events[3]!.id]);
    });

    it('our engine follows events of the library in log order, and the newest is the head', async () => {
      const [first, second] = [newStream('followed'), newStream('followed')];
      const following = collect(store, null, ({ length }) => length === 5, { streamPrefix: `followed-${run}` });
      await theyWrite(first, eventsOf(2));
      await theyWrite(second, eventsOf(2));
      const last = await theyWrite(first, eventsOf(1), 1n);
      const [ofFirst, ofSecond] = [await store.read(first), await store.read(second)];
      expect(await following).toEqual([...ofFirst.slice(0, 2), ...ofSecond, ...ofFirst.slice(2)]);
      expect(await store.head()).toBe(last.position.commit);
    });

    it('our engine checks expected revisions against events of the library', async () => {
      const [stream, [first, second]] = [newStream(), eventsOf(2)];
      await theyWrite(stream, [first!]);
      expect(await store.append(stream, 'no-stream', [newEvent()])).toEqual({ ok: false, actual: 0 });
      expect(await store.append(stream, 1, [newEvent()])).toEqual({ ok: false, actual: 0 });
      expect(await store.append(stream, { revision: 0, id: randomUUID() }, [newEvent()])).toEqual({ ok: false, actual: 0 });
      expect(await store.append(stream, { revision: 0, id: first!.id }, [second!])).toMatchObject({ ok: true, revision: 1 });
      expect((await theyRead(stream)).map(({ id }) => id)).toEqual([first!.id, second!.id]);
    });

    it('our repeat finds an event of the library with the same id, and it is written once', async () => {
      const [stream, [event]] = [newStream(), eventsOf(1)];
      const { position } = await theyWrite(stream, [event!]);
      expect(await store.append(stream, 'no-stream', [event!])).toEqual({ ok: true, revision: 0, position: position.commit });
      expect(await store.read(stream)).toHaveLength(1);
    });
  });

  describe('events written by our engine', () => {
    it('the library reads our events as JSON with the same ids, types, data, metadata, revisions and positions', async () => {
      const [stream, events] = [newStream(), eventsOf(3)];
      const position = await weWrite(stream, events);
      const read = await theyRead(stream);
      expect(read.map(theirs)).toEqual((await store.read(stream)).map(ours));
      expect(read.map(({ isJson, data, metadata }) => ({ isJson, data, metadata }))).toEqual(
        events.map(({ data }) => ({ isJson: true, data, metadata: someMetadata })),
      );
      expect(read[2]!.position).toEqual(position);
    });

    it('our events have the time of the server as their creation time', async () => {
      const stream = newStream();
      const before = Date.now();
      await weWrite(stream, eventsOf(1));
      const [{ created }] = (await theyRead(stream)) as [JSONRecordedEvent];
      expect(created.getTime()).toBeGreaterThanOrEqual(before - CLOCKS_APART_MS);
      expect(created.getTime()).toBeLessThanOrEqual(Date.now() + CLOCKS_APART_MS);
    });

    it('the readAll of the library returns our events at their positions, in log order', async () => {
      const [first, second] = [newStream(), newStream()];
      const from = await weWrite(first, eventsOf(1));
      await weWrite(second, eventsOf(2));
      const read: JSONRecordedEvent[] = [];
      for await (const { event } of client.readAll({ direction: FORWARDS, fromPosition: from, maxCount: 1_000 })) {
        if (event?.streamId === first || event?.streamId === second) read.push(event as JSONRecordedEvent);
      }
      expect(read.map(theirs)).toEqual([...(await store.read(first)), ...(await store.read(second))].map(ours));
    });

    it('the subscribeToAll of the library delivers our events, filtered and not, behind a position and live', async () => {
      const [behind, live] = [newStream(), newStream()];
      const from = await weWrite(newStream(), eventsOf(1));
      await weWrite(behind, eventsOf(2));
      const wanted = [behind, live];
      const subscriptions = [
        client.subscribeToAll({ fromPosition: from }),
        client.subscribeToAll({ fromPosition: from, filter: streamNameFilter({ prefixes: wanted }) }),
      ];
      const received = subscriptions.map(async (subscription) => {
        const events: JSONRecordedEvent[] = [];
        for await (const { event } of subscription) {
          if (event && wanted.includes(event.streamId) && events.push(event as JSONRecordedEvent) === 4) break;
        }
        return events;
      });
      await weWrite(live, eventsOf(2));
      const expected = [...(await store.read(behind)), ...(await store.read(live))].map(ours);
      for (const events of await Promise.all(received)) expect(events.map(theirs)).toEqual(expected);
    });

    it('the library checks expected revisions against our events', async () => {
      const [stream, [first, second]] = [newStream(), eventsOf(2)];
      await weWrite(stream, [first!]);
      const refused = await theyWrite(stream, [newEvent()]).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(WrongExpectedVersionError);
      expect(refused).toMatchObject({ streamName: stream, expectedVersion: NO_STREAM, actualVersion: 0n });
      await expect(theyWrite(stream, [newEvent()], 1n)).rejects.toMatchObject({ expectedVersion: 1n, actualVersion: 0n });
      expect(await theyWrite(stream, [second!], 0n)).toMatchObject({ success: true, revision: 1n });
      expect((await store.read(stream)).map(({ id }) => id)).toEqual([first!.id, second!.id]);
    });

    it("the library's repeat finds our event with the same id, and it is written once", async () => {
      const [stream, [event]] = [newStream(), eventsOf(1)];
      const position = await weWrite(stream, [event!]);
      expect(await theyWrite(stream, [event!])).toEqual({ success: true, revision: 0n, position });
      expect(await theyRead(stream)).toHaveLength(1);
    });
  });

  it('one of fifty writers of a first event, half of each kind, succeeds, and both sides read it', async () => {
    const [stream, events] = [newStream(), eventsOf(50)];
    const won = await Promise.all(
      events.map(async (event, index) => {
        if (index % 2 === 0) return (await store.append(stream, 'no-stream', [event])).ok;
        return theyWrite(stream, [event]).then(
          () => true,
          (error: unknown) => {
            if (error instanceof WrongExpectedVersionError) return false;
            throw error;
          },
        );
      }),
    );
    const winners = events.filter((_, index) => won[index]);
    expect(winners).toHaveLength(1);
    expect((await store.read(stream)).map(({ id }) => id)).toEqual([winners[0]!.id]);
    expect((await theyRead(stream)).map(({ id }) => id)).toEqual([winners[0]!.id]);
  });

  it('a stream without events is empty to our engine, and not found to the library', async () => {
    const stream = newStream();
    expect(await store.read(stream)).toEqual([]);
    await expect(theyRead(stream)).rejects.toBeInstanceOf(StreamNotFoundError);
  });
});
