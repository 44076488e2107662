import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventStoreDBEventStore, type EventStoreDBOptions } from '../../src/platform/event-store/eventstoredb/eventstoredb-event-store.js';
import { OutcomeUnknown, StoreUnavailable, StoreRestored, type RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { collect, newEvent } from '../support/events.js';
import { eventually, within } from '../support/eventually.js';
import { EventStoreDBServer, type AppendFault } from '../support/eventstoredb-server.js';
import { expectLogOrder } from './event-store.contract.js';

describe('EventStoreDB when something breaks', () => {
  let server: EventStoreDBServer;
  let store: EventStoreDBEventStore;
  const opened: EventStoreDBEventStore[] = [];

  function open(options: Partial<EventStoreDBOptions> = {}): EventStoreDBEventStore {
    const engine = new EventStoreDBEventStore({ url: server.url, ...options });
    opened.push(engine);
    return engine;
  }

  beforeEach(async () => {
    server = await EventStoreDBServer.start();
    store = open();
  });
  afterEach(async () => {
    server.onAppend = () => undefined;
    await Promise.all(opened.splice(0).map((engine) => engine.close()));
    await server.stop();
  });

  const many = (count: number) => Array.from({ length: count }, () => newEvent());
  const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
  const idsIn = (stream: string) => server.log.stream(stream).map(({ id }) => id);

  it.each<AppendFault>(['cut-before', 'cut-after', 'timeout-before', 'timeout-after', 'silent-before', 'silent-after', 'busy', 'without-position'])(
    'acknowledges an append once when it is sent again: %s',
    async (fault) => {
      const faults = [fault, fault];
      server.onAppend = () => faults.shift();
      const event = newEvent();
      const result = await store.append('a', 'no-stream', [event]);
      expect(result).toEqual({ ok: true, revision: 0, position: server.log.events[0]!.position });
      expect(idsIn('a')).toEqual([event.id]);
    },
  );

  it('treats every append on a broken call as unknown, and writes each once in the end', async () => {
    let seen = 0;
    server.onAppend = () => (++seen === 50 ? 'cut-after' : seen === 120 ? 'cut-before' : undefined);
    const results = await Promise.all(many(200).map((event, index) => store.append(`s-${index}`, 'no-stream', [event])));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(server.log.events).toHaveLength(200);
  });

  it('an append with an unknown outcome does not take the event of a rival for its own', async () => {
    const rival = newEvent();
    const faults: (AppendFault | undefined)[] = ['timeout-before'];
    server.onAppend = () => {
      const fault = faults.shift();
      if (fault) server.log.append('a', -1, [{ id: rival.id, type: rival.type, isJson: true, data: Buffer.from('{}'), metadata: Buffer.from('{}') }]);
      return fault;
    };
    expect(await store.append('a', 'no-stream', [newEvent()])).toEqual({ ok: false, actual: 0 });
    expect(idsIn('a')).toEqual([rival.id]);
  });

  it('rejects an append behind an event that a restored server has lost, although the revision matches again', async () => {
    const [first, second, rival] = [newEvent(), newEvent(), newEvent()];
    await store.append('a', 'no-stream', [first]);
    await store.append('a', { revision: 0, id: first.id }, [second]);
    server.cut();
    server.log.lose(1);
    server.log.append('a', 0, [{ id: rival.id, type: rival.type, isJson: true, data: Buffer.from('{}'), metadata: Buffer.from('{}') }]);
    expect(await store.append('a', { revision: 1, id: second.id }, [newEvent()])).toEqual({ ok: false, actual: 1 });
    expect(idsIn('a')).toEqual([first.id, rival.id]);
    expect(await store.append('a', { revision: 1, id: rival.id }, [newEvent()])).toMatchObject({ ok: true, revision: 2 });
  });

  it('writes nothing that depends on an event of another stream that a restored server has lost', async () => {
    const [first, second] = [newEvent(), newEvent()];
    await store.append('a', 'no-stream', [first]);
    await store.append('a', { revision: 0, id: first.id }, [second]);
    const [stood, lost] = [
      { stream: 'a', revision: 0, id: first.id },
      { stream: 'a', revision: 1, id: second.id },
    ];
    expect(await store.append('b', 'no-stream', [newEvent()], [lost])).toMatchObject({ ok: true });
    server.cut();
    server.log.lose(2);
    await expect(store.append('b', 'no-stream', [newEvent()], [stood, lost])).rejects.toThrow(StoreRestored);
    expect(idsIn('b')).toEqual([]);
    expect(await store.append('b', 'no-stream', [newEvent()], [stood])).toMatchObject({ ok: true, revision: 0 });
  });

  it.each(['', 'a'])('ends subscriptions with prefix "%s" that delivered events which a restored server has lost', async (streamPrefix) => {
    await store.append('a', 'no-stream', many(3));
    const subscription = store.subscribe(null, { signal: new AbortController().signal, streamPrefix })[Symbol.asyncIterator]();
    let seen = 0;
    while (seen < 3) seen += (await subscription.next()).value!.events.length;
    await store.head();
    server.log.lose(2);
    for (let revision = 0; revision < 4; revision += 1) {
      server.log.append('a', revision, [{ id: newEvent().id, type: 'T', isJson: true, data: Buffer.from('{}'), metadata: Buffer.from('{}') }]);
    }
    server.cut();
    const next = async (): Promise<void> => {
      for (;;) if ((await subscription.next()).done === true) return;
    };
    await expect(next()).rejects.toThrow(StoreRestored);
    // A new subscription receives the current events.
    expect(await collect(store, null, ({ length }) => length === 5)).toHaveLength(5);
  });

  it.each(['', 'a'])('names a position at which no event begins, and continues behind those that it knows: prefix "%s"', async (streamPrefix) => {
    await store.append('a', 'no-stream', many(3));
    const [first, , last] = server.log.events;
    const followed = async (after: bigint): Promise<number> => {
      const end = new AbortController();
      let count = 0;
      for await (const { events, caughtUp } of store.subscribe(after, { signal: end.signal, streamPrefix })) {
        count += events.length;
        if (caughtUp) end.abort();
      }
      return count;
    };
    for (const unknown of [1n, first!.position + 1n, last!.position - 1n]) {
      await expect(followed(unknown)).rejects.toThrow(`the event store does not hold the log up to position ${unknown}`);
    }
    expect(await followed(first!.position)).toBe(2);
    expect(await followed(last!.position)).toBe(0);
  });

  it('an election that lasts longer than the refusals of a wrong position does not end a subscription', async () => {
    let lost = 0;
    const watched = open({ onConnectionLost: () => (lost += 1) });
    await store.append('a', 'no-stream', many(2));
    const subscription = watched.subscribe(server.log.events[0]!.position, { signal: new AbortController().signal })[Symbol.asyncIterator]();
    expect((await subscription.next()).value!.events).toHaveLength(1);
    const calls = server.reads;
    server.isLeaderless = true;
    server.cut();
    const next = subscription.next();
    await eventually(() => server.reads >= calls + 10);
    server.isLeaderless = false;
    await store.append('a', 1, [newEvent()]);
    expect(lost).toBeGreaterThan(0);
    expect((await next).value!.events).toHaveLength(1);
  });

  it('repeats no append at a restored server', async () => {
    const [first, second] = [newEvent(), newEvent()];
    await store.append('a', 'no-stream', [first]);
    server.onAppend = () => {
      server.onAppend = () => undefined;
      server.log.lose(1);
      server.log.append('a', -1, [{ id: second.id, type: second.type, isJson: true, data: Buffer.from('{}'), metadata: Buffer.from('{}') }]);
      return 'cut-before';
    };
    expect(await store.append('a', { revision: 0, id: first.id }, [newEvent()])).toEqual({ ok: false, actual: 0 });
    expect(idsIn('a')).toEqual([second.id]);
  });

  it('treats a repeated response as one', async () => {
    server.onAppend = () => 'answered-twice';
    const results = await Promise.all(many(20).map((event, index) => store.append(`s-${index}`, 'no-stream', [event])));
    expect(results.map((result) => result.ok && result.position)).toEqual(server.log.events.map(({ position }) => position));
  });

  it('reports within five seconds whether an append is unknown or not written, and recovers', async () => {
    const [away, busy] = [await EventStoreDBServer.start(), await EventStoreDBServer.start()];
    await away.refuse();
    const started = performance.now();
    // Too late for an answer: an append that was not written must not become unknown by a last attempt.
    busy.onAppend = () => (performance.now() - started > 3_600 ? 'silent-before' : 'busy');
    server.onAppend = () => 'silent-before';
    const lost = open({ url: away.url });
    const event = newEvent();
    const [unknown, ...notWritten] = await within(5_000, () =>
      Promise.all([
        failureOf(store.append('a', 'no-stream', [event])),
        failureOf(open({ url: busy.url }).append('a', 'no-stream', [event])),
        failureOf(lost.append('a', 'no-stream', [event])),
        failureOf(lost.read('a')),
        failureOf(lost.head()),
      ]),
    );
    expect(unknown).toBeInstanceOf(OutcomeUnknown);
    for (const failure of notWritten) {
      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect(failure).not.toBeInstanceOf(OutcomeUnknown);
    }
    server.onAppend = () => undefined;
    await away.accept();
    expect(await store.append('a', 'no-stream', [event])).toMatchObject({ ok: true });
    expect(await lost.append('a', 'no-stream', [event])).toMatchObject({ ok: true });
    await Promise.all([away.stop(), busy.stop()]);
  });

  it('reports at once that access is denied and nothing was written', async () => {
    server.onAppend = () => 'denied';
    const failure = await failureOf(store.append('a', 'no-stream', [newEvent()]));
    expect(failure).toMatchObject({ name: 'StoreUnavailable', message: expect.stringContaining('access denied') });
  });

  it('rejects at once beyond the limits of its queue in number and bytes', async () => {
    const [few, small] = [open({ maxQueued: 10 }), open({ maxQueuedBytes: 200_000 })];
    const fits = [
      ...many(10).map((event, index) => few.append(`few-${index}`, 'no-stream', [event])),
      ...Array.from({ length: 3 }, (_, index) => small.append(`small-${index}`, 'no-stream', [newEvent({ text: 'x'.repeat(60_000) })])),
    ];
    for (const refused of [
      few.append('full', 'no-stream', [newEvent()]),
      small.append('full', 'no-stream', [newEvent({ text: 'x'.repeat(60_000) })]),
    ]) {
      expect(await failureOf(refused)).toMatchObject({ name: 'StoreUnavailable', message: expect.stringContaining('queue is full') });
    }
    expect((await Promise.all(fits)).every(({ ok }) => ok)).toBe(true);
    expect(await few.append('full', 'no-stream', [newEvent()])).toMatchObject({ ok: true });
  });

  it.each(['one node', 'a cluster'])('follows the leader with appends, reads and subscriptions: %s', async (kind) => {
    const next = await EventStoreDBServer.start(server.log);
    const url = kind === 'one node' ? server.url : `esdb://127.0.0.1:${server.port},127.0.0.1:${next.port}?tls=false`;
    next.leader = server;
    const engine = open({ url });
    const followed = collect(engine, null, ({ length }) => length === 60);
    const append = (from: number) => Promise.all(many(20).map((event, index) => engine.append(`s-${from + index}`, 'no-stream', [event])));
    await append(0);
    server.leader = next;
    next.leader = undefined;
    expect((await append(20)).every(({ ok }) => ok)).toBe(true);
    expect(next.batchCalls).toBe(1);
    // The old leader is gone altogether.
    if (kind === 'a cluster') await server.refuse();
    expect((await append(40)).every(({ ok }) => ok)).toBe(true);
    expect(await engine.read('s-59')).toHaveLength(1);
    expect((await followed).map(({ id }) => id)).toEqual(server.log.events.map(({ id }) => id));
    await engine.close();
    await next.stop();
  });

  it('keeps the connection to a cluster when a reader leaves: running appends and other readers continue on it', async () => {
    const lost: string[] = [];
    const { host } = new URL(server.url.replace('esdb:', 'http:'));
    const cluster = open({ url: `esdb://${host},${host}?tls=false`, onConnectionLost: (error) => lost.push(error.message) });
    await cluster.append('a', 'no-stream', [newEvent()]);
    server.onAppend = (stream) => (stream === 'slow' ? 'silent-before' : undefined);
    const other = collect(cluster, null, (events) => events.length === 3);
    const slow = cluster.append('slow', 'no-stream', [newEvent()]);
    for (let reader = 0; reader < 3; reader += 1) {
      await collect(cluster, null, (_, caughtUp) => caughtUp);
      await cluster.head();
    }
    await cluster.append('b', 'no-stream', [newEvent()]);
    server.onAppend = () => undefined;
    expect([(await slow).ok, (await other).length, lost]).toEqual([true, 3, []]);
  });

  it('delivers each event once when the server sends it twice', async () => {
    server.sendsTwice = true;
    await store.append('a', 'no-stream', many(100));
    const followed = collect(store, null, ({ length }) => length >= 150, { batchSize: 7 });
    for (let index = 0; index < 50; index += 1) await store.append(`b-${index}`, 'no-stream', [newEvent()]);
    expect((await followed).map(({ id }) => id)).toEqual(server.log.events.map(({ id }) => id));
  });

  it('resumes without gap or repeat when the server drops it as too slow', async () => {
    const end = new AbortController();
    const seen: RecordedEvent[] = [];
    const large = { text: 'x'.repeat(200_000) };
    let revision = -1;
    for await (const { events } of store.subscribe(null, { signal: end.signal, batchSize: 2 })) {
      seen.push(...events);
      if (seen.length >= 120) end.abort();
      // More than two batches and the buffer of the connection ahead: the server's buffer overflows.
      for (let turn = 0; revision < 119 && turn < 40; turn += 1) {
        await store.append('a', revision === -1 ? 'no-stream' : revision, [newEvent(large)]);
        revision += 1;
      }
    }
    expect(server.tooSlow).toBeGreaterThan(0);
    expect(seen.map(({ id }) => id)).toEqual(idsIn('a'));
  });

  it.each([
    ['whole', {}],
    ['of a prefix', { streamPrefix: 'a-' }],
    ['in small batches', { batchSize: 3 }],
  ])('follows in pages during heavy writing, %s, and when each event is sent again afterwards: no gap, no repeat', async (_, options) => {
    const end = new AbortController();
    const seen: RecordedEvent[] = [];
    let [latest, isCaughtUp] = [false, false];
    const following = (async () => {
      for await (const { events, caughtUp } of store.subscribe(null, { ...options, signal: end.signal })) {
        seen.push(...events);
        isCaughtUp = caughtUp;
        latest = events.some(({ stream }) => stream === 'a-last');
      }
    })();
    const own = { id: '0', type: '$metadata', isJson: true, data: Buffer.from('no JSON'), metadata: Buffer.alloc(0) };
    const write = async (index: number): Promise<unknown> => {
      if (index % 10 === 0) server.log.append(`$$a-${index}`, 'any', [own]);
      return store.append(`${index % 3 === 0 ? 'b' : 'a'}-${index}`, 'no-stream', [newEvent()]);
    };
    let index = 0;
    const writeSome = () => Promise.all(Array.from({ length: 30 }, () => write((index += 1))));
    while (server.pages < 20) await writeSome();
    // Connections may break meanwhile.
    server.cut();
    await writeSome();
    const pagesOf = async (): Promise<number> => {
      const before = server.pages;
      await setTimeout(100);
      return server.pages - before;
    };
    await eventually(async () => (await pagesOf()) === 0);
    await store.append('a-last', 'no-stream', [newEvent()]);
    await eventually(() => latest && isCaughtUp);
    end.abort();
    await following;
    expectLogOrder(seen);
    const prefix = 'streamPrefix' in options ? options.streamPrefix : '';
    const written = server.log.events.filter(({ stream, type }) => stream.startsWith(prefix) && !type.startsWith('$'));
    expect(seen.map(({ id }) => id)).toEqual(written.map(({ id }) => id));
  });

  it('ignores a checkpoint at the maximum position, which an empty log sends', async () => {
    server.sendsCheckpointOfNowhere = true;
    const followed = collect(store, null, ({ length }) => length === 3);
    const merchants = collect(store, null, ({ length }) => length === 1, { streamPrefix: 'b' });
    await eventually(() => server.subscriptions === 2);
    for (const stream of ['a', 'b', 'c']) await store.append(stream, 'no-stream', [newEvent()]);
    expect((await followed).map(({ stream }) => stream)).toEqual(['a', 'b', 'c']);
    expect((await merchants).map(({ stream }) => stream)).toEqual(['b']);
  });

  it('restarts a silent subscription when the log moves, and keeps one without new events', async () => {
    const lost: string[] = [];
    const watchful = open({ silentMaxMs: 200, onConnectionLost: (error) => lost.push(error.message) });
    await watchful.append('a', 'no-stream', [newEvent()]);
    const followed = collect(watchful, null, ({ length }) => length === 3);
    await eventually(() => server.subscriptions === 1);
    // Longer than silence is allowed to last.
    await setTimeout(600);
    expect([server.subscriptions, lost]).toEqual([1, []]);
    server.isMute = true;
    await watchful.append('b', 'no-stream', [newEvent()]);
    await eventually(() => lost.length > 0);
    expect(lost[0]).toBe(`the subscription sends no events although the log has reached ${server.log.events[1]!.position}`);
    server.isMute = false;
    await watchful.append('c', 'no-stream', [newEvent()]);
    expect((await followed).map(({ stream }) => stream)).toEqual(['a', 'b', 'c']);
  });

  it('skips events of the server, and stops at an event of another writer', async () => {
    const raw = (stream: string, type: string, data: string) =>
      server.log.append(stream, 'any', [
        { id: crypto.randomUUID(), type, isJson: data.startsWith('{'), data: Buffer.from(data), metadata: Buffer.from('{}') },
      ]);
    raw('$users', '$User', '{}');
    raw('$ce-a', '$>', '0@a');
    await store.append('a', 'no-stream', [newEvent()]);
    raw('$stats', '$statsCollected', '{}');
    raw('$own', 'Emitted', '{}');
    expect((await collect(store, null, (_, caughtUp) => caughtUp)).map(({ stream }) => stream)).toEqual(['a']);
    raw('foreign', 'Picture', '\u0089PNG');
    await expect(collect(store, null, () => false)).rejects.toThrow('revision 0 of "foreign"');
  });

  it('stores the exact bytes of data and metadata, as JSON', async () => {
    const data = JSON.parse('{"z":1,"a":  {"__proto__":[1.50,1e21],"é":"\\u0000\\ud83c\\udfe6"},"10":null,"9":9007199254740991}') as object;
    const event = newEvent(data);
    await store.append('a', 'no-stream', [event]);
    const [stored] = server.log.stream('a');
    expect(stored).toMatchObject({ isJson: true, type: event.type, id: event.id });
    expect(Buffer.from(stored!.data).toString()).toBe(JSON.stringify(data));
    expect(Buffer.from(stored!.metadata).toString()).toBe(JSON.stringify(event.metadata));
  });

  it('keeps every acknowledged append once, and the order of followers, while connections break again and again', async () => {
    const [ACKNOWLEDGED_MIN, CUTS] = [400, 12];
    const acknowledged = new Map<string, bigint>();
    const unknown = new Set<string>();
    const followers = [100, 7].map((batchSize) => ({ end: new AbortController(), batchSize, seen: [] as RecordedEvent[] }));
    const reader = open();
    const following = followers.map(async ({ end, batchSize, seen }) => {
      for await (const { events } of reader.subscribe(null, { signal: end.signal, batchSize })) seen.push(...events);
    });
    let cuts = 0;
    let appends = 0;
    const isOver = (): boolean => cuts >= CUTS && acknowledged.size >= ACKNOWLEDGED_MIN;
    server.onAppend = () => {
      if (++appends % 40 !== 0 || cuts >= CUTS) return undefined;
      return (cuts += 1) % 2 === 0 ? 'cut-after' : 'cut-before';
    };
    await Promise.all(
      Array.from({ length: 32 }, async (_, writer) => {
        while (!isOver()) {
          const event = newEvent({ writer });
          try {
            const result = await store.append(`cut-${event.id}`, 'no-stream', [event]);
            // No other writer uses this stream: a refusal would mean that a retry did not recognise itself.
            if (!result.ok) throw new Error(`refused at ${result.actual}`);
            acknowledged.set(event.id, result.position);
          } catch (error) {
            if (!(error instanceof OutcomeUnknown)) throw error;
            unknown.add(event.id);
          }
        }
      }),
    );
    const stored = new Map(server.log.events.map(({ id, position }) => [id, position]));
    expect(stored.size).toBe(server.log.events.length);
    expect(acknowledged.size).toBeGreaterThan(0);
    for (const [id, position] of acknowledged) expect(stored.get(id)).toBe(position);
    for (const id of stored.keys()) expect(acknowledged.has(id) || unknown.has(id)).toBe(true);
    for (const { end, seen } of followers) {
      await eventually(() => seen.length >= server.log.events.length);
      end.abort();
      expectLogOrder(seen);
      expect(seen.map(({ id }) => id)).toEqual(server.log.events.map(({ id }) => id));
    }
    await Promise.all(following);
  });

  it('leaves no connection when it is closed while it connects', async () => {
    const asked = failureOf(store.head());
    await new Promise(setImmediate);
    await store.close();
    expect(await asked).toBeInstanceOf(StoreUnavailable);
    // Its connection is open only after one that was begun before.
    const later = open();
    await later.head();
    await later.close();
    await eventually(() => server.connections === 0, 5_000);
  });

  it('answers its accepted appends before it closes, and rejects later ones', async () => {
    const accepted = many(50).map((event, index) => store.append(`closing-${index}`, 'no-stream', [event]));
    const following = collect(store, null, () => false);
    await Promise.all([store.close(), store.close()]);
    expect((await Promise.all(accepted)).every(({ ok }) => ok)).toBe(true);
    await following;
    await expect(store.append('closed', 'no-stream', [newEvent()])).rejects.toThrow(StoreUnavailable);
    await expect(store.read('closed')).rejects.toThrow(StoreUnavailable);
  });

  it.each(['kurrentdb', 'KurrentDB'])('accepts the later name of the server, and options for its default behaviour: %s', async (scheme) => {
    const named = open({ url: `${server.url.replace('esdb', scheme)}&nodePreference=leader&tlsVerifyCert=true&defaultDeadline=10000` });
    expect(await named.append('a', 'no-stream', [newEvent()])).toMatchObject({ ok: true });
  });

  it.each([
    ['esdb://', 'expected esdb://'],
    ['esdb://user:secret@:2113', 'expected'],
    ['esdb://user:secret@host:port', 'expected port number'],
    ['kurrentdb://user:secret@:2113', 'expected'],
    ['esdb://user:secret@host?readTimeout=5', 'the option "readTimeout" is not supported'],
    ['esdb://user:secret@host?tlsVerifyCert=false', 'this value of the option "tlsVerifyCert" is not supported'],
    ['kurrentdb://user:secret@host?nodePreference=follower', 'this value of the option "nodePreference" is not supported'],
    ['esdb://user:secret@host?tls=maybe', 'expected true or false'],
    ['esdb://user:secret@host?tlsCAFile=/nowhere', 'tlsCAFile "/nowhere" cannot be read'],
    ['esdb://user:secret@host?userKeyFile=/nowhere', 'belong together'],
  ])('rejects a wrong connection string without showing its secret: %s', (url, words) => {
    let failure: Error | undefined;
    try {
      open({ url });
    } catch (error) {
      failure = error as Error;
    }
    expect(failure).toMatchObject({ name: 'InvalidConnectionString', message: expect.stringContaining(words) });
    expect(failure!.message).not.toContain('secret');
  });
});
