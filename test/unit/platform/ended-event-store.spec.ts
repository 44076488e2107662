import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EndedEventStore, LogEnded } from '../../../src/platform/event-store/ended-event-store.js';
import { READ_EVENTS_MAX, StreamTooLong, type ReadOptions, type RecordedEvent } from '../../../src/platform/event-store/event-store.js';
import { collect, newEvent } from '../../support/events.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

const SEED = 20_261_129;
const STREAMS = ['a-1', 'a-2', 'b-1'];

/** Stores with the same events, one of which has only the first `end`. */
async function stores(streams: readonly string[], end: number) {
  const [whole, first] = [new InMemoryEventStore(), new InMemoryEventStore()];
  const revisions = new Map<string, number>();
  for (const [place, stream] of streams.entries()) {
    const revision = revisions.get(stream) ?? -1;
    const event = newEvent({ place });
    for (const store of place < end ? [whole, first] : [whole]) {
      expect(await store.append(stream, revision === -1 ? 'no-stream' : revision, [event])).toMatchObject({ ok: true });
    }
    revisions.set(stream, revision + 1);
  }
  return { ended: new EndedEventStore(whole, BigInt(end)), first };
}

const read = (store: Pick<EndedEventStore, 'read'>, stream: string, options: ReadOptions): Promise<RecordedEvent[] | string> =>
  store.read(stream, options).catch((error: unknown) => (error instanceof StreamTooLong ? error.message : Promise.reject(error as Error)));

describe('a log that ends', () => {
  it('answers every read and subscription as the store did when it had exactly these events', async () => {
    const options = fc.record(
      {
        from: fc.nat(14),
        direction: fc.constantFrom('forwards' as const, 'backwards' as const),
        limit: fc.integer({ min: 1, max: 14 }),
        stored: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const log = fc
      .array(fc.constantFrom(...STREAMS), { minLength: 1, maxLength: 30 })
      .chain((streams) => fc.record({ streams: fc.constant(streams), end: fc.integer({ min: 1, max: streams.length }) }));
    const subscribed = fc.record({ after: fc.nat(30), batchSize: fc.integer({ min: 1, max: 7 }), prefix: fc.constantFrom('', 'a-', 'b-', 'c-') });
    await fc.assert(
      fc.asyncProperty(log, fc.array(options, { maxLength: 8 }), subscribed, async ({ streams, end }, reads, { after, batchSize, prefix }) => {
        const { ended, first } = await stores(streams, end);
        for (const stream of [...STREAMS, 'c-1'])
          for (const asked of [{}, ...reads]) expect(await read(ended, stream, asked)).toEqual(await read(first, stream, asked));
        expect(await ended.head()).toBe(await first.head());
        const from = after === 0 || after > end ? null : BigInt(after);
        const all = (store: EndedEventStore | InMemoryEventStore) => collect(store, from, (_, isAll) => isAll, { batchSize, streamPrefix: prefix });
        expect(await all(ended)).toEqual(await all(first));
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  it('reads a stream that has become too long for one read since, and refuses one that was', async () => {
    const streams = Array.from({ length: READ_EVENTS_MAX + 20 }, () => 'a-1');
    for (const end of [1, READ_EVENTS_MAX - 1, READ_EVENTS_MAX, READ_EVENTS_MAX + 1]) {
      const { ended, first } = await stores(streams, end);
      for (const direction of ['forwards', 'backwards'] as const)
        expect(await read(ended, 'a-1', { direction })).toEqual(await read(first, 'a-1', { direction }));
    }
  });

  it('takes no events, and its subscriptions stay open at the end until they are aborted or it is closed', async () => {
    const { ended } = await stores(['a-1', 'a-1', 'a-1'], 2);
    await expect(ended.append('a-1')).rejects.toThrow(LogEnded);
    const batches = ended.subscribe(null, { signal: new AbortController().signal });
    expect((await batches.next()).value).toMatchObject({ caughtUp: true, events: [{ revision: 0 }, { revision: 1 }] });
    const next = batches.next();
    expect(await Promise.race([next, Promise.resolve('open')])).toBe('open');
    await ended.close();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
