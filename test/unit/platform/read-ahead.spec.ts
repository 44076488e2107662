import { describe, expect, it } from '@jest/globals';
import { readAhead } from '../../../src/platform/async/read-ahead.js';

describe('readAhead', () => {
  const log: string[] = [];

  /** Yields 1 to 3, or throws in place of `failing`. */
  async function* numbers(failing?: number): AsyncGenerator<number> {
    try {
      for (const n of [1, 2, 3]) {
        await Promise.resolve();
        log.push(`made ${n}`);
        if (n === failing) throw new Error(`no ${n}`);
        yield n;
      }
    } finally {
      log.push('ended');
    }
  }

  async function use(failing?: number, until = 3): Promise<void> {
    log.length = 0;
    for await (const n of readAhead(numbers(failing))) {
      // As long as any item takes to make.
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      log.push(`used ${n}`);
      if (n === until) break;
    }
  }

  it('makes the next item while the last one is used, and no more', async () => {
    await use();
    expect(log).toEqual(['made 1', 'made 2', 'used 1', 'made 3', 'used 2', 'ended', 'used 3']);
  });

  it('throws an error where its item would be', async () => {
    await expect(use(2)).rejects.toThrow('no 2');
    expect(log).toEqual(['made 1', 'made 2', 'ended', 'used 1']);
  });

  it.each([undefined, 2])('ends the items when the caller does, also when the next one fails (%p)', async (failing) => {
    await use(failing, 1);
    expect(log).toEqual(['made 1', 'made 2', ...(failing ? ['ended'] : []), 'used 1', ...(failing ? [] : ['ended'])]);
  });

  it('yields nothing when there is no item', async () => {
    const read: unknown[] = [];
    for await (const item of readAhead((async function* () {})())) read.push(item);
    expect(read).toEqual([]);
  });
});
