import { beforeEach, describe, expect, it } from '@jest/globals';
import { CpuQuota } from '../../../src/platform/http/edge/cpu-quota.js';
import { MINUTE_MS } from '../../../src/ledger/time.js';

describe('share of a caller’s long work', () => {
  let nowMs: number;
  let share: CpuQuota;
  const signal = new AbortController().signal;
  const worked: Record<string, number> = {};

  beforeEach(() => {
    nowMs = 0;
    for (const caller of Object.keys(worked)) delete worked[caller];
    share = new CpuQuota(
      0.25,
      () => nowMs,
      async (ms) => void (nowMs += ms),
    );
  });

  const piece = (caller: string, ms: number): Promise<void> =>
    share.take(caller, signal, async () => {
      nowMs += ms;
      worked[caller] = (worked[caller] ?? 0) + ms;
    });

  it('allows a second at once, and a quarter of the time afterwards, however small the pieces are', async () => {
    for (let n = 0; n < 100; n += 1) await piece('one', 10);
    expect(nowMs).toBe(1_000);
    while (nowMs < MINUTE_MS) await piece('one', 10);
    expect(worked['one']! / nowMs).toBeGreaterThan(0.25);
    expect(worked['one']! / nowMs).toBeLessThan(0.28);
    // After a pause there is a second again, and no more.
    nowMs += MINUTE_MS;
    const from = nowMs;
    for (let n = 0; n < 200; n += 1) await piece('one', 10);
    expect(nowMs - from).toBeGreaterThan(3_900);
  });

  it('runs concurrent pieces of one caller one after the other, within the same share', async () => {
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 200 }, () =>
        share.take('one', signal, async () => {
          most = Math.max(most, (running += 1));
          nowMs += 20;
          await Promise.resolve();
          running -= 1;
        }),
      ),
    );
    expect(most).toBe(1);
    expect(nowMs).toBeGreaterThan(4_000 / 0.28 - 4_000);
  });

  it('counts all work that is under way at a time, where pieces need not wait for each other', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const pieces = Array.from({ length: 10 }, () => share.spend('one', () => ended));
    nowMs += 200;
    end();
    await Promise.all(pieces);
    // 2,000 ms were worked in 200: a second of them was saved, the other one takes four.
    await share.rest('one', signal);
    expect(nowMs).toBe(4_000);
    await share.rest('two', signal);
    expect(nowMs).toBe(4_000);
  });

  it('each caller has a separate share', async () => {
    for (let n = 0; n < 500; n += 1) await piece('one', 10);
    const from = nowMs;
    await piece('two', 10);
    expect(nowMs - from).toBe(10);
  });

  it('continues after a piece that failed', async () => {
    await expect(share.take('one', signal, () => Promise.reject(new Error('the database went away')))).rejects.toThrow('went away');
    await piece('one', 10);
    expect(worked['one']).toBe(10);
  });
});
