import { beforeEach, describe, expect, it } from '@jest/globals';
import { sparedLook } from '../../../src/platform/worker/spared-look.js';

describe('repeated look', () => {
  let rows: string[];
  let place: bigint | null;
  let nowMs: number;
  let taken: number;
  let look: (after: number) => Promise<readonly string[]>;

  beforeEach(() => {
    [rows, place, nowMs, taken] = [[], 7n, 5_000, 0];
    look = sparedLook({
      async look(after: number) {
        taken += 1;
        return rows.slice(after);
      },
      isNothing: (found) => found.length === 0,
      place: () => place,
      elapsedMs: () => nowMs,
    });
  });

  it('skips a look that would find nothing again', async () => {
    for (let times = 0; times < 3; times += 1) expect(await look(0)).toEqual([]);
    expect(taken).toBe(1);
  });

  it('looks again once there is something new, and as long as it finds something', async () => {
    await look(0);
    [rows, place] = [['a'], 8n];
    for (let times = 0; times < 2; times += 1) expect(await look(0)).toEqual(['a']);
    expect(taken).toBe(3);
  });

  it('looks again after another position', async () => {
    await look(0);
    await look(1);
    expect(taken).toBe(2);
  });

  it('looks again when something arrived during the look', async () => {
    const slow = sparedLook({
      async look() {
        taken += 1;
        place = 8n;
        return rows;
      },
      isNothing: (found) => found.length === 0,
      place: () => place,
      elapsedMs: () => nowMs,
    });
    await slow();
    await slow();
    expect(taken).toBe(2);
  });

  it('looks again after a second at any rate, and always while the position is unknown', async () => {
    await look(0);
    nowMs += 999;
    await look(0);
    expect(taken).toBe(1);
    nowMs += 1;
    await look(0);
    expect(taken).toBe(2);
    place = null;
    await look(0);
    await look(0);
    expect(taken).toBe(4);
  });
});
