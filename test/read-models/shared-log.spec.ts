import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EventStore, Position, RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { SharedLog } from '../../src/platform/projector/shared-log.js';
import { newEvent } from '../support/events.js';
import { eventually } from '../support/eventually.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';

describe('the log, read once for many', () => {
  let store: InMemoryEventStore;
  let appended: number;
  /** Batches that were fetched from the store. */
  let fetched: number;
  let log: SharedLog;
  const end = new AbortController();

  beforeEach(() => {
    store = new InMemoryEventStore();
    appended = 0;
    fetched = 0;
    const counting: Pick<EventStore, 'subscribe'> = {
      async *subscribe(...args) {
        for await (const batch of store.subscribe(...args)) {
          fetched++;
          yield batch;
        }
      },
    };
    log = new SharedLog(counting);
  });
  afterEach(async () => {
    log.close();
    await store.close();
  });

  async function append(count: number, data: object = {}): Promise<void> {
    for (let n = 0; n < count; n++) await store.append(`some-${appended++}`, 'no-stream', [newEvent({ n, ...data })]);
  }

  /** Follows from `after`; waits for `pass` before each batch but the first. */
  function follow(after: Position | null, pass: () => Promise<unknown> = async () => undefined, signal = end.signal) {
    const seen: RecordedEvent[] = [];
    const follower = { seen, caughtUp: false, ended: false };
    void (async () => {
      for await (const { events, caughtUp } of log.subscribe(after, { signal, batchSize: 700 })) {
        seen.push(...events);
        follower.caughtUp = caughtUp;
        await pass();
      }
      follower.ended = true;
    })();
    return follower;
  }

  const ids = (events: readonly RecordedEvent[]): string[] => events.map(({ id }) => id);

  it('delivers every event once and in order to each follower, wherever it begins and however slow it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(40), fc.nat(5)), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(30), { maxLength: 20 }),
        async (followers, bursts) => {
          await append(40);
          const head = appended;
          const following = followers.map(([back, turns]) => {
            const after = head - back;
            const pass = async (): Promise<void> => {
              for (let turn = 0; turn < turns * 3; turn++) await new Promise((resolve) => setImmediate(resolve));
            };
            return { after, ...{ follower: follow(after === 0 ? null : BigInt(after), pass) } };
          });
          for (const burst of bursts) {
            await append(burst);
            await new Promise((resolve) => setImmediate(resolve));
          }
          await eventually(() => following.every(({ after, follower }) => follower.seen.length === appended - after && follower.caughtUp));
          const all = ids(store.all());
          for (const { after, follower } of following) expect(ids(follower.seen)).toEqual(all.slice(after));
        },
      ),
      { seed: 20_260_131, numRuns: 30 },
    );
  });

  it('delivers the stored texts to followers that ask for them, reading together or alone', async () => {
    // Not as JSON.stringify would have it.
    const text = '{ "amount": 1.0 }';
    const spaced: Pick<EventStore, 'subscribe'> = {
      async *subscribe(after, options) {
        for await (const { events, caughtUp } of store.subscribe(after, options)) {
          const withText = events.map((event) => (event.stored ? { ...event, stored: { ...event.stored, data: text } } : event));
          yield { events: withText, caughtUp };
        }
      },
    };
    const together = new SharedLog(spaced);
    await append(1);
    const seen: RecordedEvent[] = [];
    const ended = (async () => {
      for await (const { events } of together.subscribe(null, { signal: end.signal, stored: true })) seen.push(...events);
    })();
    await eventually(() => seen.length === 1);
    await append(1);
    await eventually(() => seen.length === 2);
    expect(seen.map(({ stored }) => stored?.data)).toEqual([text, text]);
    together.close();
    await ended;
  });

  it('fetches each new event once for all followers', async () => {
    const followers = [follow(null), follow(null), follow(null), follow(null)];
    await eventually(() => followers.every(({ caughtUp }) => caughtUp));
    await append(1);
    await eventually(() => followers.every(({ seen }) => seen.length === 1));
    const before = fetched;
    for (let n = 2; n <= 51; n++) {
      await append(1);
      await eventually(() => followers.every(({ seen }) => seen.length === n));
    }
    expect(fetched - before).toBe(50);
  });

  it('a follower that is far behind reads alone and delays no other', async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const quick = follow(null);
    const slow = follow(null, () => opened);
    await eventually(() => quick.caughtUp && slow.caughtUp);
    await append(9_000);
    await eventually(() => quick.seen.length === 9_000);
    open();
    await eventually(() => slow.seen.length === 9_000 && slow.caughtUp);
    expect(ids(slow.seen)).toEqual(ids(quick.seen));
  });

  it('keeps some megabytes for slow followers, however large events are', async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const quick = follow(null);
    const slow = follow(null, () => opened);
    await eventually(() => quick.caughtUp && slow.caughtUp);
    for (let burst = 0; burst < 10; burst++) {
      await append(100, { sealed: 's'.repeat(40_000) });
      await eventually(() => quick.seen.length === (burst + 1) * 100);
    }
    const before = fetched;
    open();
    await eventually(() => slow.seen.length === 1_000 && slow.caughtUp);
    expect(ids(slow.seen)).toEqual(ids(quick.seen));
    // 40 MB were not kept for it.
    expect(fetched - before).toBeGreaterThan(0);
    // And from then on both are served together again.
    const together = fetched;
    await append(1);
    await eventually(() => quick.seen.length === 1_001 && slow.seen.length === 1_001);
    expect(fetched - together).toBe(1);
  });

  it('a follower ends when its signal or the whole log is closed', async () => {
    const one = new AbortController();
    const [first, second] = [follow(null, undefined, one.signal), follow(null)];
    await append(1);
    await eventually(() => first.seen.length === 1 && second.seen.length === 1);
    one.abort();
    await eventually(() => first.ended);
    await append(1);
    await eventually(() => second.seen.length === 2);
    log.close();
    await eventually(() => second.ended);
  });

  it('followers end with the store, near its end and far behind', async () => {
    await append(3);
    const near = follow(null);
    await eventually(() => near.caughtUp);
    await store.close();
    await eventually(() => near.ended);
    const late = follow(null);
    await eventually(() => late.ended);
  });

  it('restarts after a failure of the store, which every waiting follower receives', async () => {
    let failing = true;
    const shaky = new SharedLog({
      async *subscribe(...args) {
        for await (const batch of store.subscribe(...args)) {
          if (failing && batch.events.length > 0) throw new Error('away');
          yield batch;
        }
      },
    });
    const read = async (): Promise<number> => {
      for await (const { events } of shaky.subscribe(null, { signal: end.signal })) if (events.length > 0) return events.length;
      return 0;
    };
    const both = Promise.allSettled([read(), read()]);
    await append(3);
    expect(await both).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    failing = false;
    expect(await read()).toBe(3);
    shaky.close();
  });
});
