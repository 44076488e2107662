import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { APPEND_BYTES_MAX, APPEND_EVENTS_MAX, InvalidAppend } from '../../src/platform/event-store/append-rules.js';
import {
  READ_BYTES_MAX,
  READ_EVENTS_MAX,
  StoreRestored,
  StreamTooLong,
  type EventRef,
  type EventStore,
  type NewEvent,
  type RecordedEvent,
} from '../../src/platform/event-store/event-store.js';
import { pagesOf } from '../../src/platform/event-store/pages-of.js';
import { ANY_CHARACTER } from '../support/any-character.js';
import { collect, newEvent } from '../support/events.js';

/** Most of its text is the same in each line, as in statements. */
const LINE = {
  ...{ at: 1, entry_key: 'e', group: '1', booking_date: '2026-11-20', value_date: '2026-11-20', amount: -150_000, currency: 'IDR', kind: 'TRANSFER' },
  ...{ gross: null, fee: null, tax: null, batch: null, references: ['P0123456789ABCDE'] },
};

/** An engine under test. Its log need not be empty: the suite looks at its own streams only. */
export interface EngineUnderTest {
  readonly store: EventStore;
  /** Another process's view of the same log. */
  readonly other: EventStore;
  dispose(): Promise<void>;
}

const SEED = 20_260_131;
const WRITERS = 32;

/** Holds an engine to every sentence of the port. */
export function eventStoreContract(name: string, makeEngine: () => Promise<EngineUnderTest>): void {
  describe(name, () => {
    let engine: EngineUnderTest;
    let store: EventStore;
    const run = randomUUID();
    let streams = 0;
    const newStream = (kind = 'thing'): string => `${kind}-${run}-${(streams += 1)}`;

    /** A stream that holds these events, each appended by itself. */
    async function streamOf(...events: readonly NewEvent[]): Promise<string> {
      const stream = newStream();
      for (const [index, event] of events.entries()) {
        expect(await store.append(stream, index === 0 ? 'no-stream' : index - 1, [event])).toMatchObject({ ok: true });
      }
      return stream;
    }
    async function allOf(stream: string): Promise<RecordedEvent[]> {
      const events: RecordedEvent[] = [];
      for await (const page of pagesOf(store, stream)) events.push(...page);
      return events;
    }
    const idsOf = async (stream: string): Promise<string[]> => (await store.read(stream)).map(({ id }) => id);

    beforeAll(async () => {
      engine = await makeEngine();
      ({ store } = engine);
    });
    afterAll(() => engine.dispose());

    describe('append', () => {
      it('append writes all events and returns the revision and position of the last', async () => {
        const stream = newStream();
        const events = [newEvent({ n: 1 }, 'First'), newEvent({ n: 2 }, 'Second'), newEvent({ n: 3 }, 'Third')];
        const result = await store.append(stream, 'no-stream', events);
        const recorded = await store.read(stream);
        expect(result).toEqual({ ok: true, revision: 2, position: recorded[2]!.position });
        expect(recorded).toEqual(events.map((event, revision) => ({ ...event, stream, revision, position: recorded[revision]!.position })));
        expect(recorded[0]!.position < recorded[1]!.position && recorded[1]!.position < recorded[2]!.position).toBe(true);
      });

      it('append continues a stream at the revision of its newest event', async () => {
        const stream = await streamOf(newEvent(), newEvent());
        expect(await store.append(stream, 1, [newEvent(), newEvent()])).toMatchObject({ ok: true, revision: 3 });
      });

      it.each([
        ['no-stream', 1],
        [0, 1],
        [2, 1],
        [1_000_000, 1],
      ] as const)('append refuses %s for a stream whose newest revision is %d, and writes nothing', async (expected, actual) => {
        const stream = await streamOf(newEvent(), newEvent());
        expect(await store.append(stream, expected, [newEvent(), newEvent()])).toEqual({ ok: false, actual });
        expect(await store.read(stream)).toHaveLength(2);
      });

      it('append refuses a revision of a stream that does not exist', async () => {
        const stream = newStream();
        expect(await store.append(stream, 0, [newEvent()])).toEqual({ ok: false, actual: null });
        expect(await store.read(stream)).toEqual([]);
      });

      it('append returns a separate verdict for each of many concurrent appends', async () => {
        const taken = await streamOf(newEvent());
        const results = await Promise.all([
          store.append(newStream(), 'no-stream', [newEvent()]),
          store.append(taken, 'no-stream', [newEvent()]),
          store.append(newStream(), 'no-stream', [newEvent(), newEvent()]),
          store.append(newStream(), 7, [newEvent()]),
          store.append(taken, 0, [newEvent()]),
        ]);
        expect(results).toMatchObject([
          { ok: true, revision: 0 },
          { ok: false },
          { ok: true, revision: 1 },
          { ok: false, actual: null },
          { ok: true, revision: 1 },
        ]);
      });

      it('append accepts one of fifty concurrent first events', async () => {
        const stream = newStream();
        const events = Array.from({ length: 50 }, () => newEvent());
        const views = [store, engine.other];
        const results = await Promise.all(events.map((event, index) => views[index % 2]!.append(stream, 'no-stream', [event])));
        const winners = events.filter((_, index) => results[index]!.ok);
        expect(winners).toHaveLength(1);
        expect(results.filter(({ ok }) => !ok)).toEqual(Array.from({ length: 49 }, () => ({ ok: false, actual: 0 })));
        expect(await idsOf(stream)).toEqual([winners[0]!.id]);
      });

      it('append accepts one writer per revision of a contended stream', async () => {
        const stream = await streamOf(newEvent());
        const views = [store, engine.other];
        for (let revision = 0; revision < 10; revision += 1) {
          const events = Array.from({ length: 16 }, () => newEvent());
          const results = await Promise.all(events.map((event, index) => views[index % 2]!.append(stream, revision, [event])));
          expect(results.filter(({ ok }) => ok)).toHaveLength(1);
          expect((await store.read(stream, { from: revision + 1 })).map(({ id }) => id)).toEqual(
            events.filter((_, index) => results[index]!.ok).map(({ id }) => id),
          );
        }
      });

      it('append stores the values of the call, also when the caller changes its objects afterwards', async () => {
        const stream = newStream();
        const data = { state: 'given' };
        const appended = store.append(stream, 'no-stream', [newEvent(data)]);
        data.state = 'changed';
        await appended;
        expect((await store.read(stream))[0]!.data).toEqual({ state: 'given' });
      });
    });

    describe('an append that names its previous event', () => {
      it('writes an append behind the event that it names', async () => {
        const [first, second, third] = [newEvent(), newEvent(), newEvent()];
        const stream = await streamOf(first, second);
        expect(await store.append(stream, { revision: 1, id: second.id }, [third])).toMatchObject({ ok: true, revision: 2 });
        expect(await engine.other.append(stream, { revision: 2, id: third.id }, [newEvent(), newEvent()])).toMatchObject({ ok: true, revision: 4 });
      });

      it('refuses an append when another event has that revision, and writes nothing', async () => {
        const first = newEvent();
        const stream = await streamOf(first, newEvent());
        for (const view of [store, engine.other]) {
          expect(await view.append(stream, { revision: 1, id: randomUUID() }, [newEvent(), newEvent()])).toEqual({ ok: false, actual: 1 });
          // An event of the stream, but not the one at that place.
          expect(await view.append(stream, { revision: 1, id: first.id }, [newEvent()])).toEqual({ ok: false, actual: 1 });
        }
        expect(await store.read(stream)).toHaveLength(2);
      });

      it('refuses an append when the stream is longer, shorter or missing', async () => {
        const [first, second] = [newEvent(), newEvent()];
        const stream = await streamOf(first, second);
        expect(await store.append(stream, { revision: 0, id: first.id }, [newEvent()])).toEqual({ ok: false, actual: 1 });
        expect(await store.append(stream, { revision: 2, id: randomUUID() }, [newEvent()])).toEqual({ ok: false, actual: 1 });
        expect(await store.append(newStream(), { revision: 0, id: first.id }, [newEvent()])).toEqual({ ok: false, actual: null });
        expect(await store.read(stream)).toHaveLength(2);
      });

      it('an append that names its previous event finds the events of an earlier attempt, also in a longer stream', async () => {
        const [first, ...more] = [newEvent(), newEvent(), newEvent()];
        const stream = await streamOf(first);
        const written = await store.append(stream, { revision: 0, id: first.id }, more);
        await store.append(stream, { revision: 2, id: more[1].id }, [newEvent()]);
        expect(await engine.other.append(stream, { revision: 0, id: first.id }, more)).toEqual(written);
        expect(await store.read(stream)).toHaveLength(4);
      });

      it('a refused previous event does not affect concurrent appends', async () => {
        const events = Array.from({ length: 20 }, () => newEvent());
        const streams = await Promise.all(events.map((event) => streamOf(event)));
        const results = await Promise.all(
          streams.map((stream, index) => store.append(stream, { revision: 0, id: index % 2 === 0 ? events[index]!.id : randomUUID() }, [newEvent()])),
        );
        expect(results.map(({ ok }) => ok)).toEqual(streams.map((_, index) => index % 2 === 0));
        expect(await Promise.all(streams.map(async (stream) => (await store.read(stream)).length))).toEqual(
          streams.map((_, index) => (index % 2 === 0 ? 2 : 1)),
        );
      });
    });

    describe('an append that depends on events of other streams', () => {
      const resting = async (): Promise<{ readonly places: EventRef[]; readonly ids: string[] }> => {
        const [first, second, alone] = [newEvent(), newEvent(), newEvent()];
        const [two, one] = [await streamOf(first, second), await streamOf(alone)];
        const places = [
          { stream: two, revision: 0, id: first.id },
          { stream: two, revision: 1, id: second.id },
          { stream: one, revision: 0, id: alone.id },
        ];
        return { places, ids: [first.id, second.id, alone.id] };
      };

      it('writes an append while the events that it depends on exist, whatever follows them', async () => {
        const { places } = await resting();
        const [stream, event] = [newStream(), newEvent()];
        expect(await store.append(stream, 'no-stream', [event], places)).toMatchObject({ ok: true, revision: 0 });
        expect(await engine.other.append(stream, { revision: 0, id: event.id }, [newEvent(), newEvent()], places)).toMatchObject({
          ok: true,
          revision: 2,
        });
        expect(await store.append(newStream(), 'no-stream', [newEvent()], [])).toMatchObject({ ok: true });
      });

      it('rejects an append when an event that it depends on is another one, elsewhere or missing', async () => {
        const { places, ids } = await resting();
        const [two, , one] = places as [EventRef, EventRef, EventRef];
        const wrong: EventRef[] = [
          { ...two, id: randomUUID() },
          { ...two, revision: 1 },
          { ...two, revision: 2 },
          { ...one, id: ids[0]! },
          { ...one, stream: newStream() },
        ];
        const stream = newStream();
        for (const view of [store, engine.other]) {
          for (const place of wrong) await expect(view.append(stream, 'no-stream', [newEvent()], [one, place])).rejects.toThrow(StoreRestored);
        }
        expect(await store.read(stream)).toEqual([]);
      });

      it('a missing dependency does not affect concurrent appends', async () => {
        const [place] = (await resting()).places;
        const streams = Array.from({ length: 20 }, () => newStream());
        const results = await Promise.allSettled(
          streams.map((stream, index) => {
            if (index % 3 === 0) return store.append(stream, 'no-stream', [newEvent(), newEvent()]);
            return store.append(stream, 'no-stream', [newEvent(), newEvent()], [index % 3 === 1 ? place! : { ...place!, id: randomUUID() }]);
          }),
        );
        const isGone = (index: number): boolean => index % 3 === 2;
        expect(results.map(({ status }) => status)).toEqual(streams.map((_, index) => (isGone(index) ? 'rejected' : 'fulfilled')));
        const there = await Promise.all(streams.map((stream) => store.read(stream)));
        expect(there.map(({ length }) => length)).toEqual(streams.map((_, index) => (isGone(index) ? 0 : 2)));
        for (const [index, result] of results.entries()) {
          if (result.status === 'fulfilled') expect(result.value).toEqual({ ok: true, revision: 1, position: there[index]!.at(-1)!.position });
        }
      });

      it('an append with dependencies finds the events of an earlier attempt, and returns a conflict', async () => {
        const { places } = await resting();
        const [stream, events] = [newStream(), [newEvent(), newEvent()]];
        const written = await store.append(stream, 'no-stream', events, places);
        await store.append(stream, 1, [newEvent()]);
        expect(await engine.other.append(stream, 'no-stream', events, places)).toEqual(written);
        expect(await store.append(stream, 'no-stream', [newEvent()], places)).toEqual({ ok: false, actual: 2 });
      });

      it('an append may depend on a settlement and a thousand lines, and not on an invalid event', async () => {
        const [place] = (await resting()).places;
        const many = (count: number): EventRef[] => Array.from({ length: count }, () => place!);
        expect(await store.append(newStream(), 'no-stream', [newEvent()], many(1_001))).toMatchObject({ ok: true });
        for (const wrong of [many(1_002), [{ ...place!, revision: -1 }], [{ ...place!, id: 'x' }], [{ ...place!, stream: '' }]]) {
          await expect(store.append(newStream(), 'no-stream', [newEvent()], wrong)).rejects.toThrow(InvalidAppend);
        }
      });
    });

    describe('a retry', () => {
      it('a retry finds its events and writes nothing', async () => {
        const stream = newStream();
        const events = [newEvent(), newEvent()];
        const first = await store.append(stream, 'no-stream', events);
        expect(await store.append(stream, 'no-stream', events)).toEqual(first);
        expect(await store.read(stream)).toHaveLength(2);
      });

      it('a retry finds its events in a longer stream', async () => {
        const stream = await streamOf(newEvent());
        const events = [newEvent(), newEvent()];
        const first = await store.append(stream, 0, events);
        await store.append(stream, 2, [newEvent(), newEvent()]);
        expect(await engine.other.append(stream, 0, events)).toEqual(first);
        expect(await store.read(stream)).toHaveLength(5);
      });

      it('a retry finds its events while another process runs the same append', async () => {
        const stream = newStream();
        const events = [newEvent(), newEvent()];
        const views = [store, engine.other, store, engine.other];
        const results = await Promise.all(views.map((view) => view.append(stream, 'no-stream', events)));
        expect(results.every(({ ok }) => ok)).toBe(true);
        expect(new Set(results.map((result) => result.ok && result.position)).size).toBe(1);
        expect(await store.read(stream)).toHaveLength(2);
      });

      it('a retry finds the beginning of a longer append', async () => {
        const [one, two, three] = [newEvent(), newEvent(), newEvent()];
        const stream = newStream();
        await store.append(stream, 'no-stream', [one, two, three]);
        expect(await store.append(stream, 'no-stream', [one, two])).toMatchObject({ ok: true, revision: 1 });
      });

      it('a retry with new events among the old ones returns a wrong revision', async () => {
        const [old, following] = [newEvent(), newEvent()];
        const stream = await streamOf(old, following);
        expect(await store.append(stream, 'no-stream', [old, newEvent()])).toEqual({ ok: false, actual: 1 });
        expect(await store.append(stream, 'no-stream', [newEvent(), following])).toEqual({ ok: false, actual: 1 });
        expect(await store.append(stream, 'no-stream', [old, following, newEvent()])).toEqual({ ok: false, actual: 1 });
        expect(await idsOf(stream)).toEqual([old.id, following.id]);
      });

      it('a retry at another revision or in another order returns a wrong revision', async () => {
        const [one, two] = [newEvent(), newEvent()];
        const stream = await streamOf(one, two, newEvent());
        expect(await store.append(stream, 'no-stream', [two, one])).toEqual({ ok: false, actual: 2 });
        expect(await store.append(stream, 'no-stream', [two])).toEqual({ ok: false, actual: 2 });
        expect(await store.append(stream, 0, [one])).toEqual({ ok: false, actual: 2 });
      });

      it('the same event in another stream is not a retry', async () => {
        const event = newEvent();
        const [one, two] = [await streamOf(event), await streamOf(event)];
        expect([await idsOf(one), await idsOf(two)]).toEqual([[event.id], [event.id]]);
      });
    });

    describe('an invalid append', () => {
      const wide = (bytes: number): object => ({ text: 'x'.repeat(bytes) });
      const twice = newEvent();

      it.each<[string, (stream: string) => [string, number | 'no-stream', readonly NewEvent[]]]>([
        ['without events', (stream) => [stream, 'no-stream', []]],
        ['of too many events', (stream) => [stream, 'no-stream', Array.from({ length: APPEND_EVENTS_MAX + 1 }, () => newEvent())]],
        ['of too many bytes', (stream) => [stream, 'no-stream', [newEvent(wide(APPEND_BYTES_MAX))]]],
        ['of too many bytes in sum', (stream) => [stream, 'no-stream', [newEvent(wide(600_000)), newEvent(wide(600_000))]]],
        ['with an id twice', (stream) => [stream, 'no-stream', [twice, twice]]],
        ['with an id that is no UUID', (stream) => [stream, 'no-stream', [{ ...newEvent(), id: 'one' }]]],
        ['of an event without a type', (stream) => [stream, 'no-stream', [newEvent({}, '')]]],
        ['of an event whose data is a list', (stream) => [stream, 'no-stream', [newEvent([])]]],
        ['of an event whose data is nothing', (stream) => [stream, 'no-stream', [newEvent(null as unknown as object)]]],
        ['to a stream without a name', () => ['', 'no-stream', [newEvent()]]],
        ['to a stream of the engine itself', () => ['$all', 'no-stream', [newEvent()]]],
        ['to a name with a NUL', (stream) => [`${stream}\0`, 'no-stream', [newEvent()]]],
        ['to a name with letters beyond ASCII', (stream) => [`${stream}é`, 'no-stream', [newEvent()]]],
        ['behind a negative revision', (stream) => [stream, -1, [newEvent()]]],
        ['behind half a revision', (stream) => [stream, 0.5, [newEvent()]]],
      ])('rejects an append as a fault of the caller: %s', async (_, make) => {
        const stream = newStream();
        await expect(store.append(...make(stream))).rejects.toThrow(InvalidAppend);
        expect(await store.read(stream)).toEqual([]);
      });

      it('accepts an append at the limits', async () => {
        const stream = newStream();
        const most = Array.from({ length: APPEND_EVENTS_MAX }, () => newEvent());
        expect(await store.append(stream, 'no-stream', most)).toMatchObject({ ok: true, revision: APPEND_EVENTS_MAX - 1 });
        expect(await store.append(stream, APPEND_EVENTS_MAX - 1, [newEvent(wide(1_000_000))])).toMatchObject({ ok: true });
      });
    });

    describe('data and metadata of events', () => {
      it.each([
        ['a key named __proto__', JSON.parse('{"__proto__":{"a":1},"constructor":"x","toString":null}') as object],
        ['text of every plane', { text: 'Ünïcode – 日本語 – 🏦 – \u0000\u001f\u007f "quoted" \\back\\ {brace},' }],
        ['a lone surrogate', { text: '\ud800' }],
        ['large safe integers', { most: Number.MAX_SAFE_INTEGER, least: Number.MIN_SAFE_INTEGER, small: 1e-7, zero: 0 }],
        ['nothing', {}],
        ['deep nesting', { list: [[[[[[[[[[{ a: [] }]]]]]]]]]] }],
      ])('reads data and metadata back as written: %s', async (_, data) => {
        const event = { ...newEvent(data), metadata: { ...newEvent().metadata, fingerprint: JSON.stringify(data) } };
        const [recorded] = await store.read(await streamOf(event));
        expect(JSON.stringify(recorded!.data)).toBe(JSON.stringify(data));
        expect(recorded!.metadata).toEqual(event.metadata);
      });

      it('reads data and metadata back as written: any JSON', async () => {
        const texts = fc.sample(fc.json({ maxDepth: 4, stringUnit: ANY_CHARACTER }), { numRuns: 300, seed: SEED });
        const events = texts.map((text) => newEvent({ value: JSON.parse(text) as unknown }));
        const stream = newStream();
        await store.append(stream, 'no-stream', events);
        const recorded = await store.read(stream);
        expect(recorded.map(({ data }) => JSON.stringify(data))).toEqual(events.map(({ data }) => JSON.stringify(data)));
      });

      it('returns the stored texts of data and metadata on request', async () => {
        const event = newEvent({ text: 'Ünïcode 🏦 \ud800', small: 1e-7, 10: 'first', list: [{}] });
        const texts = { data: JSON.stringify(event.data), metadata: JSON.stringify(event.metadata) };
        const stream = await streamOf(event);
        expect(await store.read(stream, { stored: true })).toEqual([expect.objectContaining({ ...event, stored: texts })]);
        for (const streamPrefix of [stream, '']) {
          const log = await collect(store, null, (events) => events.some(({ id }) => id === event.id), { streamPrefix, stored: true });
          expect(log.find(({ id }) => id === event.id)).toMatchObject({ ...event, stored: texts });
        }
        expect((await store.read(stream))[0]).not.toHaveProperty('stored');
      });
    });

    describe('read', () => {
      let stream: string;
      const revisions = async (...options: Parameters<EventStore['read']> extends [string, ...infer Rest] ? Rest : never): Promise<number[]> =>
        (await store.read(stream, ...options)).map(({ revision }) => revision);

      beforeAll(async () => {
        stream = newStream();
        await store.append(stream, 'no-stream', [newEvent(), newEvent(), newEvent(), newEvent(), newEvent()]);
      });

      it('reads forwards from the first event', async () => {
        expect(await revisions()).toEqual([0, 1, 2, 3, 4]);
        expect(await revisions({ limit: 2 })).toEqual([0, 1]);
        expect(await revisions({ from: 3 })).toEqual([3, 4]);
        expect(await revisions({ from: 1, limit: 2 })).toEqual([1, 2]);
        expect(await revisions({ from: 4, limit: 100 })).toEqual([4]);
        expect(await revisions({ from: 5 })).toEqual([]);
      });

      it('reads backwards from the newest event', async () => {
        expect(await revisions({ direction: 'backwards' })).toEqual([4, 3, 2, 1, 0]);
        expect(await revisions({ direction: 'backwards', limit: 1 })).toEqual([4]);
        expect(await revisions({ direction: 'backwards', from: 2 })).toEqual([2, 1, 0]);
        expect(await revisions({ direction: 'backwards', from: 2, limit: 2 })).toEqual([2, 1]);
        expect(await revisions({ direction: 'backwards', from: 99, limit: 2 })).toEqual([4, 3]);
      });

      it('returns no events for a stream that does not exist', async () => {
        expect(await store.read(newStream())).toEqual([]);
        expect(await store.read(newStream(), { direction: 'backwards', limit: 1 })).toEqual([]);
      });

      describe('a stream larger than the limit of a read', () => {
        const EVENTS = 60;
        /** As many bytes in every engine, whichever of them compresses. */
        const large = (): NewEvent => newEvent({ noise: randomBytes(75_000).toString('base64') });
        const bytesOf = (events: readonly RecordedEvent[]): number => events.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
        const bytesMax = READ_BYTES_MAX + JSON.stringify(large().data).length;

        beforeAll(async () => {
          stream = newStream();
          for (let revision = 0; revision < EVENTS; revision += 10) {
            await store.append(stream, revision === 0 ? 'no-stream' : revision - 1, Array.from({ length: 10 }, large));
          }
        });

        it('ends a page at its limit of bytes, and the next page continues there', async () => {
          for (const direction of ['forwards', 'backwards'] as const) {
            const page = await store.read(stream, { direction, limit: EVENTS });
            expect(page.length).toBeGreaterThan(1);
            expect(bytesOf(page)).toBeLessThanOrEqual(bytesMax);
            const [first, next] = direction === 'forwards' ? [0, page.length] : [EVENTS - 1, EVENTS - 1 - page.length];
            expect([page[0]!.revision, page.at(-1)!.revision]).toEqual([first, direction === 'forwards' ? next - 1 : next + 1]);
            expect((await store.read(stream, { direction, from: next, limit: 1 })).map(({ revision }) => revision)).toEqual([next]);
          }
        });

        it('refuses to read a large stream at once, with an error that names the reason', async () => {
          await expect(store.read(stream)).rejects.toThrow(StreamTooLong);
          await expect(store.read(stream, { direction: 'backwards' })).rejects.toThrow(StreamTooLong);
          expect(await store.read(stream, { from: EVENTS - 5 })).toHaveLength(5);
        });

        it('returns pages of bounded size to any number of concurrent reads, and the whole stream when it fits', async () => {
          const [pages, whole, refused] = await Promise.all([
            Promise.all(Array.from({ length: 6 }, (_, from) => store.read(stream, { from, limit: EVENTS }))),
            Promise.all(Array.from({ length: 6 }, () => store.read(stream, { from: EVENTS - 20 }))),
            Promise.allSettled(Array.from({ length: 3 }, () => store.read(stream))),
          ]);
          for (const [from, page] of pages.entries()) {
            expect(page[0]!.revision).toBe(from);
            expect(bytesOf(page)).toBeLessThanOrEqual(bytesMax);
          }
          expect(whole.map((events) => events.length)).toEqual(Array(6).fill(20));
          expect(refused.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
        });

        it('reads a large stream completely in pages within the limit', async () => {
          const revisions: number[] = [];
          for await (const page of pagesOf(store, stream, 3)) {
            expect(bytesOf(page)).toBeLessThanOrEqual(bytesMax);
            revisions.push(...page.map(({ revision }) => revision));
          }
          expect(revisions).toEqual(Array.from({ length: EVENTS - 3 }, (_, index) => index + 3));
        });
      });

      it('a read of events that an engine compresses is bounded by the length of their texts', async () => {
        stream = newStream();
        const lineOf = () => ({ ...LINE, line_key: randomBytes(16).toString('hex') });
        const part = () => newEvent({ lines: Array.from({ length: 800 }, lineOf) });
        for (let revision = 0; revision < 60; revision += 4)
          await store.append(stream, revision === 0 ? 'no-stream' : revision - 1, Array.from({ length: 4 }, part));
        await expect(store.read(stream)).rejects.toThrow(StreamTooLong);
        const page = await store.read(stream, { limit: 60 });
        expect(JSON.stringify(page.map(({ data }) => data)).length).toBeLessThan(2 * READ_BYTES_MAX);
      });

      it('one read returns up to the maximum number of events and no more', async () => {
        stream = newStream();
        await store.append(
          stream,
          'no-stream',
          Array.from({ length: READ_EVENTS_MAX }, () => newEvent()),
        );
        expect(await store.read(stream)).toHaveLength(READ_EVENTS_MAX);
        await store.append(stream, READ_EVENTS_MAX - 1, [newEvent()]);
        await expect(store.read(stream)).rejects.toThrow(StreamTooLong);
        expect(await store.read(stream, { limit: 5_000 })).toHaveLength(READ_EVENTS_MAX);
        const lengths: number[] = [];
        for await (const page of pagesOf(store, stream)) lengths.push(page.length);
        expect(lengths).toEqual([READ_EVENTS_MAX, 1]);
      });

      it('a read sees the appends of another process at once', async () => {
        const other = newStream();
        for (let revision = 0; revision < 20; revision += 1) {
          await engine.other.append(other, revision === 0 ? 'no-stream' : revision - 1, [newEvent()]);
          expect(await store.read(other)).toHaveLength(revision + 1);
        }
      });
    });

    describe('head', () => {
      it('the head is the position of the newest event', async () => {
        const result = await store.append(newStream(), 'no-stream', [newEvent(), newEvent()]);
        expect(result).toMatchObject({ ok: true, position: await store.head() });
        expect(await engine.other.head()).toBe(await store.head());
      });
    });

    describe('subscribe', () => {
      const ofRun = (events: readonly RecordedEvent[]): RecordedEvent[] => events.filter(({ stream }) => stream.includes(run));

      it('a subscription delivers the whole log from the start and then reports that it caught up', async () => {
        const last = await store.append(newStream(), 'no-stream', [newEvent()]);
        const events = await collect(store, null, (_, caughtUp) => caughtUp);
        expectLogOrder(events);
        expect(events.at(-1)!.position).toBe(last.ok && last.position);
        for (const stream of new Set(ofRun(events).map((event) => event.stream))) {
          expect(events.filter((event) => event.stream === stream)).toEqual(await allOf(stream));
        }
      });

      it('a subscription begins behind the given position', async () => {
        const stream = await streamOf(newEvent(), newEvent(), newEvent());
        const [first, ...rest] = await store.read(stream);
        const events = await collect(store, first!.position, (_, caughtUp) => caughtUp);
        expect(events).toEqual(rest);
      });

      it('a subscription reports that it caught up when there is nothing to deliver', async () => {
        const end = new AbortController();
        for await (const batch of store.subscribe(await store.head(), { signal: end.signal })) {
          expect(batch).toEqual({ events: [], caughtUp: true });
          end.abort();
        }
      });

      it('a subscription follows later appends of this and another process', async () => {
        const after = await store.head();
        const stream = newStream();
        const events = collect(engine.other, after, ({ length }) => length === 20);
        for (let revision = 0; revision < 20; revision += 1) {
          const writer = revision % 2 === 0 ? store : engine.other;
          await writer.append(stream, revision === 0 ? 'no-stream' : revision - 1, [newEvent()]);
        }
        expect(await events).toEqual(await store.read(stream));
      });

      it('a subscription delivers at most the batch size at once', async () => {
        const after = await store.head();
        const stream = newStream();
        await store.append(
          stream,
          'no-stream',
          Array.from({ length: 25 }, () => newEvent()),
        );
        const sizes: number[] = [];
        const end = new AbortController();
        for await (const { events, caughtUp } of store.subscribe(after, { signal: end.signal, batchSize: 10 })) {
          sizes.push(events.length);
          if (caughtUp) end.abort();
        }
        // A busy engine may send less at once.
        expect(sizes.filter((size) => size > 10)).toEqual([]);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(25);
      });

      it('a subscription reports that it caught up also when the last batch was full', async () => {
        const after = await store.head();
        await store.append(
          newStream(),
          'no-stream',
          Array.from({ length: 20 }, () => newEvent()),
        );
        expect(await collect(store, after, (_, caughtUp) => caughtUp, { batchSize: 10 })).toHaveLength(20);
      });

      it('a subscription with a prefix delivers only the streams with that prefix', async () => {
        const after = await store.head();
        const wanted = [`apple-${run}-1`, `apple-${run}-2`];
        for (const stream of [...wanted, `apple.${run}`, `app-${run}`, `applf-${run}`, `Apple-${run}`, `apple`, `pineapple-${run}`]) {
          await store.append(`${stream}`, 'no-stream', [newEvent(), newEvent()]);
        }
        const options = { streamPrefix: 'apple-', batchSize: 3 };
        const events = await collect(store, after, (_, caughtUp) => caughtUp, options);
        expect(events.map(({ stream, revision }) => [stream, revision])).toEqual([
          [wanted[0], 0],
          [wanted[0], 1],
          [wanted[1], 0],
          [wanted[1], 1],
        ]);
        const live = collect(store, events.at(-1)!.position, ({ length }) => length === 1, options);
        await store.append(newStream(), 'no-stream', [newEvent()]);
        await store.append(wanted[0]!, 1, [newEvent()]);
        expect(await live).toEqual(await store.read(wanted[0]!, { from: 2 }));
      });

      it('a subscription ends when its signal aborts: at once, while it waits, and while the consumer has a batch', async () => {
        const head = await store.head();
        for await (const batch of store.subscribe(head, { signal: AbortSignal.abort() }))
          throw new Error(`ended, yet gave ${batch.events.length} events`);

        const waiting = new AbortController();
        const batches = store.subscribe(head, { signal: waiting.signal })[Symbol.asyncIterator]();
        expect(await batches.next()).toEqual({ done: false, value: { events: [], caughtUp: true } });
        const next = batches.next();
        waiting.abort();
        expect(await next).toEqual({ done: true, value: undefined });

        await store.append(newStream(), 'no-stream', [newEvent(), newEvent()]);
        const inHand = new AbortController();
        let count = 0;
        for await (const { events } of store.subscribe(head, { signal: inHand.signal, batchSize: 1 })) {
          count += events.length;
          inHand.abort();
        }
        expect(count).toBe(1);
      });

      it('a subscription ends when the consumer leaves', async () => {
        const after = await store.head();
        await store.append(newStream(), 'no-stream', [newEvent()]);
        for await (const { events } of store.subscribe(after, { signal: new AbortController().signal })) {
          expect(events).toHaveLength(1);
          break;
        }
      });

      it('a slow consumer of a subscription loses nothing', async () => {
        const after = await store.head();
        const stream = newStream();
        await store.append(stream, 'no-stream', [newEvent()]);
        const end = new AbortController();
        const seen: RecordedEvent[] = [];
        for await (const { events } of store.subscribe(after, { signal: end.signal, batchSize: 50 })) {
          const revision = seen.push(...events) - 1;
          // While it holds this batch, others write, and another subscriber is not held up.
          if (revision < 200)
            await store.append(
              stream,
              revision,
              Array.from({ length: 40 }, () => newEvent()),
            );
          else end.abort();
          expect(await collect(store, after, (_, caughtUp) => caughtUp)).toHaveLength((await store.read(stream)).length);
        }
        expect(seen).toEqual(await store.read(stream));
      });

      it(`a subscription delivers every event once and in order while ${WRITERS} writers race`, async () => {
        const after = await store.head();
        const [PER_WRITER, STREAMS] = [60, 40];
        const total = WRITERS * PER_WRITER;
        const contended = Array.from({ length: STREAMS }, () => newStream());
        const subscribers = [
          collect(store, after, ({ length }) => length >= total, { batchSize: 100 }),
          collect(engine.other, after, ({ length }) => length >= total),
          collect(engine.other, after, ({ length }) => length >= total, { streamPrefix: 'thing-', batchSize: 64 }),
        ];
        const acknowledged = new Map<string, { stream: string; revision: number; position: bigint }>();
        const chance = fc.sample(fc.nat({ max: STREAMS - 1 }), { numRuns: total, seed: SEED });

        await Promise.all(
          Array.from({ length: WRITERS }, async (_, writer) => {
            const view = writer % 2 === 0 ? store : engine.other;
            for (let turn = 0; turn < PER_WRITER; turn += 1) {
              const stream = contended[chance[writer * PER_WRITER + turn]!]!;
              const event = newEvent({ writer, turn });
              let actual: number | null = null;
              for (;;) {
                const result = await view.append(stream, actual ?? 'no-stream', [event]);
                if (result.ok) {
                  acknowledged.set(event.id, { stream, revision: result.revision, position: result.position });
                  break;
                }
                ({ actual } = result);
              }
            }
          }),
        );

        const [first, ...others] = await Promise.all(subscribers);
        expectLogOrder(first!);
        for (const other of others) expect(other).toEqual(first);
        expect(acknowledged.size).toBe(total);
        expect(new Map(first!.map(({ id, stream, revision, position }) => [id, { stream, revision, position }]))).toEqual(acknowledged);
      });
    });
  });
}

/** Positions rise, no event comes twice, and each stream's revisions come one by one. */
export function expectLogOrder(events: readonly RecordedEvent[]): void {
  const newest = new Map<string, number>();
  for (const [index, { stream, revision, position }] of events.entries()) {
    const before = events[index - 1];
    if (before && before.position >= position) throw new Error(`position ${position} comes after ${before.position}`);
    const previous = newest.get(stream);
    if (previous !== undefined && revision !== previous + 1) throw new Error(`${stream}: revision ${revision} comes after ${previous}`);
    newest.set(stream, revision);
  }
}
