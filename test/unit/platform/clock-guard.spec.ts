import { beforeEach, describe, expect, it } from '@jest/globals';
import { ClockGuard, ClockRefused } from '../../../src/platform/event-store/clock-guard.js';
import { GuardedEventStore } from '../../../src/platform/event-store/guarded-event-store.js';
import { timestamp } from '../../../src/ledger/time.js';
import { newEvent } from '../../support/events.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

const NOW = Date.parse('2026-02-03T08:00:00.000Z');

describe('clock guard', () => {
  /** Real time, and the skew of the process's clock; the database answers after `answersMs` with the real time in the middle. */
  let world: { elapsed: number; skew: number; answersMs: number; away: boolean; asked: number; onAsk: () => void };
  let guard: ClockGuard;
  let reports: string[];

  beforeEach(() => {
    world = { elapsed: 0, skew: 0, answersMs: 2, away: false, asked: 0, onAsk: () => undefined };
    reports = [];
    guard = new ClockGuard({
      ask: async () => {
        world.asked += 1;
        world.elapsed += world.answersMs / 2;
        const theirs = NOW + world.elapsed;
        world.onAsk();
        world.elapsed += world.answersMs / 2;
        if (world.away) throw new Error('Connection terminated');
        return theirs;
      },
      clock: () => NOW + world.elapsed + world.skew,
      steady: () => world.elapsed,
    });
  });
  const begin = async (skew = 0): Promise<void> => {
    world.skew = skew;
    await guard.start((level, _fields, message) => reports.push(`${level}: ${message}`));
    await guard.stop();
  };

  it.each([
    [4_900, true],
    [5_100, false],
    [30 * 86_400_000, false],
    [-30 * 86_400_000, true],
  ])('with a skew of %d ms: decides %s', async (skew, decides) => {
    await begin(skew);
    expect(await guard.mayDecide()).toBe(decides);
    expect(guard.isBehind).toBe(skew < -5_000);
    expect(Math.round(guard.skewMs)).toBe(skew);
    expect(guard.common()).toBe(NOW + world.elapsed);
  });

  it('rounds its time down to whole milliseconds', async () => {
    await begin();
    world.elapsed += 0.75;
    expect(guard.common()).toBe(NOW + Math.floor(world.elapsed));
  });

  it('reports once that the clock is ahead, and decides nothing until it is less than a second off', async () => {
    await begin(6_000);
    for (const skew of [6_000, 4_000, 1_500]) {
      world.skew = skew;
      await guard.compare();
      expect(await guard.mayDecide()).toBe(false);
    }
    world.skew = 900;
    expect(await guard.mayDecide()).toBe(false);
    await guard.compare();
    expect(await guard.mayDecide()).toBe(true);
    expect(reports).toEqual([
      "error: the process's clock is ahead of the database's: writes are rejected",
      "warn: the process's clock is right again: writes are accepted",
    ]);
  });

  it('reports once that the clock is behind, and decides', async () => {
    await begin(-6_000);
    await guard.compare();
    world.skew = -2_000;
    await guard.compare();
    expect([guard.isBehind, await guard.mayDecide()]).toEqual([true, true]);
    world.skew = 0;
    await guard.compare();
    expect(guard.isBehind).toBe(false);
    expect(reports).toEqual(["warn: the process's clock is behind the database's", "warn: the process's clock is no longer behind the database's"]);
  });

  it('compares a clock that has jumped before the next decision, and no other clock', async () => {
    await begin();
    const { asked } = world;
    world.skew = 900;
    expect(guard.check()).toBeUndefined();
    world.skew = 60_000;
    await expect(guard.check()).rejects.toThrow('60 s ahead');
    expect(world.asked).toBe(asked + 1);
    // The guard has compared already: a further refusal asks nothing.
    expect(() => guard.check()).toThrow(ClockRefused);
    expect(world.asked).toBe(asked + 1);
    world.skew = 0;
    await guard.check();
    expect(world.asked).toBe(asked + 2);
  });

  it('ignores an answer that was slow, or during which the clock jumped', async () => {
    await begin();
    world.answersMs = 60_000;
    await guard.compare();
    expect(guard.check()).toBeUndefined();
    world.answersMs = 2;
    world.onAsk = () => (world.skew += 700);
    await guard.compare();
    expect(Math.round(guard.skewMs)).toBe(2_100);
    world.onAsk = () => undefined;
    await guard.compare();
    expect(guard.check()).toBeUndefined();
  });

  it('decides nothing while a clock that jumped, or was never compared, cannot be compared', async () => {
    world.away = true;
    await begin();
    await expect(guard.check()).rejects.toThrow('cannot compare its clock');
    world.away = false;
    expect(await guard.mayDecide()).toBe(true);
    world.away = true;
    expect(await guard.mayDecide()).toBe(true);
    world.skew = -3_600_000;
    await expect(guard.check()).rejects.toThrow('cannot compare its clock');
  });

  describe('before an event store', () => {
    let engine: InMemoryEventStore;
    let store: GuardedEventStore;
    const entry = (ms: number) => {
      const event = newEvent();
      return { ...event, metadata: { ...event.metadata, occurred_on: timestamp(ms) } };
    };
    beforeEach(() => {
      engine = new InMemoryEventStore();
      store = new GuardedEventStore(engine, guard);
    });

    it('rejects events dated by a clock that jumped between two comparisons', async () => {
      await begin();
      await store.append('a', 'no-stream', [entry(guard.clock())]);
      world.skew = 30 * 86_400_000;
      await expect(store.append('b', 'no-stream', [entry(guard.clock())])).rejects.toThrow(ClockRefused);
      world.skew = 0;
      expect(await engine.read('b')).toEqual([]);
      await store.append('b', 'no-stream', [entry(guard.clock())]);
      expect(await engine.read('b')).toHaveLength(1);
    });

    it('rejects events dated before the clock was right again', async () => {
      await begin();
      world.skew = 60_000;
      const early = entry(guard.clock());
      world.skew = 0;
      await expect(store.append('a', 'no-stream', [early])).rejects.toThrow(ClockRefused);
      expect(await engine.read('a')).toEqual([]);
    });

    it('raises an alarm about events ahead of the clock, read or subscribed to, once a minute', async () => {
      await begin();
      for (const [stream, ms] of Object.entries({ a: 4_000, b: 60_000, c: -60_000 })) await engine.append(stream, 'no-stream', [entry(NOW + ms)]);
      await store.read('a');
      await store.read('c');
      expect([guard.eventsAhead, reports]).toEqual([0, []]);
      await store.read('b');
      for await (const { caughtUp } of store.subscribe(null, { signal: new AbortController().signal })) if (caughtUp) break;
      expect(guard.eventsAhead).toBe(2);
      expect(reports).toEqual(['error: an event is ahead of the clock: a process with a wrong clock wrote it']);
    });
  });
});
