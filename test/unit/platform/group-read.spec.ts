import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../../src/platform/event-store/event-store.js';
import { GroupRead, type GroupReadLimits, type ReadMany } from '../../../src/platform/event-store/embedded/group-read.js';

const LIMITS: GroupReadLimits = { statementsMax: 1, readsMax: 3, waitMs: 1_000 };
const turn = (): Promise<void> => new Promise(setImmediate);

/** Records the streams of each statement; each call of `answer` answers the next statement in order. */
function byHand(): { asked: string[][]; readMany: ReadMany; answer: (error?: Error) => Promise<void> } {
  const asked: string[][] = [];
  const open: ((error?: Error) => void)[] = [];
  return {
    asked,
    readMany: (reads) =>
      new Promise((resolve, reject) => {
        asked.push(reads.map(({ stream }) => stream));
        const events = reads.map(({ stream }) => ({ events: [{ stream } as RecordedEvent], isCut: false }));
        open.push((error) => (error ? reject(error) : resolve(events)));
      }),
    answer: async (error) => {
      open.shift()!(error);
      // One turn for the answer, one for the statement that it makes room for.
      await turn();
      await turn();
    },
  };
}

describe('group read', () => {
  it('reads concurrent requests in one statement, and returns to each its own events', async () => {
    const { asked, readMany, answer } = byHand();
    const reads = new GroupRead(readMany, LIMITS);
    const found = Promise.all(['a', 'b'].map((stream) => reads.read({ stream })));
    await turn();
    await answer();
    expect((await found).map(([event]) => event!.stream)).toEqual(['a', 'b']);
    expect(asked).toEqual([['a', 'b']]);
  });

  it('gathers reads while the maximum of statements is under way, and sends no more than fit', async () => {
    const { asked, readMany, answer } = byHand();
    const reads = new GroupRead(readMany, LIMITS);
    const all = [reads.read({ stream: 'a' })];
    await turn();
    for (const stream of ['b', 'c', 'd', 'e']) all.push(reads.read({ stream }));
    await turn();
    expect(asked).toEqual([['a']]);
    await answer();
    await answer();
    await answer();
    await Promise.all(all);
    expect(asked).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
  });

  it('never reads both directions, or both forms, in one statement', async () => {
    const { asked, readMany, answer } = byHand();
    const reads = new GroupRead(readMany, LIMITS);
    const all = Promise.all([
      reads.read({ stream: 'a' }),
      reads.read({ stream: 'b', direction: 'backwards' }),
      reads.read({ stream: 'c', stored: true }),
      reads.read({ stream: 'd', direction: 'forwards', stored: false }),
    ]);
    await turn();
    for (let n = 0; n < 3; n++) await answer();
    await all;
    expect(asked).toEqual([['a', 'd'], ['b'], ['c']]);
  });

  it('rejects the reads of a failed statement, and continues with the next', async () => {
    const { readMany, answer } = byHand();
    const reads = new GroupRead(readMany, LIMITS);
    const failed = Promise.allSettled([reads.read({ stream: 'a' }), reads.read({ stream: 'b' })]);
    await turn();
    const next = reads.read({ stream: 'c' });
    await answer(new Error('lost'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await answer();
    expect((await next)[0]!.stream).toBe('c');
  });

  it('rejects reads that have waited too long, and does not send them', async () => {
    const { asked, readMany, answer } = byHand();
    const reads = new GroupRead(readMany, { ...LIMITS, waitMs: 0 });
    const first = reads.read({ stream: 'a' });
    // A clock reading later than that of the call.
    for (const begun = performance.now(); performance.now() === begun;);
    await expect(first).rejects.toThrow('waited too long');
    const patient = new GroupRead(readMany, LIMITS).read({ stream: 'b' });
    await turn();
    await answer();
    await patient;
    expect(asked).toEqual([['b']]);
  });

  it('reads again the streams that found no room in a statement, and rejects one that is too long', async () => {
    const asked: string[][] = [];
    const events = (n: number): RecordedEvent[] => Array.from({ length: n }, () => ({}) as RecordedEvent);
    // Room for three events in a statement; every stream has two, `long` has four.
    const readMany: ReadMany = async (reads) => {
      asked.push(reads.map(({ stream }) => stream));
      let room = 3;
      return reads.map(({ stream }) => {
        const there = stream === 'long' ? 4 : 2;
        const found = events(Math.min(there, room));
        room -= found.length;
        return { events: found, isCut: found.length < there };
      });
    };
    const reads = new GroupRead(readMany, { ...LIMITS, readsMax: 5 });
    const [a, b, page, later, long] = await Promise.allSettled([
      reads.read({ stream: 'a' }),
      reads.read({ stream: 'b' }),
      reads.read({ stream: 'page', limit: 2 }),
      reads.read({ stream: 'later', limit: 2 }),
      reads.read({ stream: 'long' }),
    ]);
    expect([a, b].map((read) => read?.status === 'fulfilled' && read.value.length)).toEqual([2, 2]);
    // Not without an event while there is one.
    expect([page, later].map((read) => read?.status === 'fulfilled' && read.value.length)).toEqual([1, 2]);
    expect(long).toMatchObject({ status: 'rejected', reason: { name: 'StreamTooLong' } });
    expect(asked).toEqual([['a', 'b', 'page', 'later', 'long'], ['b', 'page', 'later', 'long'], ['later', 'long'], ['long']]);
  });
});
