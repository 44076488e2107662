import { describe, expect, it } from '@jest/globals';
import { floorsOf, trendOf, type Point } from '../soak/trend.js';
import { randomNumbers } from '../support/random-numbers.js';

const MEMORY = { perMinute: 1, growth: 32 };
const SAMPLES_A_MINUTE = 20;

/** Thirty minutes around 220 MB, up and down by 20 as a garbage collector has it. */
function thirtyMinutes(seed: number, at: (minute: number) => number): Point[] {
  const random = randomNumbers(seed);
  return Array.from({ length: 30 * SAMPLES_A_MINUTE }, (_, n) => {
    const minute = n / SAMPLES_A_MINUTE;
    return { minute, value: 200 + (n % 25) * 0.8 + random(20) + at(minute) };
  });
}

describe('a trend of a soak', () => {
  it.each([1, 2, 3, 4, 5])('finds no leak in flat noise (%d)', (seed) => {
    const trend = trendOf(
      thirtyMinutes(seed, () => 0),
      MEMORY,
    );
    expect(trend.isLeak).toBe(false);
    expect(Math.abs(trend.perMinute)).toBeLessThan(MEMORY.perMinute / 2);
  });

  it.each([3, 5, 20])('finds a leak of %d MB a minute in the same noise', (leak) => {
    const trend = trendOf(
      thirtyMinutes(7, (minute) => leak * minute),
      MEMORY,
    );
    expect(trend.isLeak).toBe(true);
    expect(trend.perMinute).toBeCloseTo(leak, 0);
  });

  it('finds no leak in warming up', () => {
    expect(
      trendOf(
        thirtyMinutes(1, (minute) => Math.min(minute, 14) * 20),
        MEMORY,
      ).isLeak,
    ).toBe(false);
  });

  it('finds no leak in the way out of a hollow, and finds a leak behind it', () => {
    const hollow = (minute: number): number => (minute > 12 && minute < 22 ? -5 * (22 - minute) : 0);
    expect(trendOf(thirtyMinutes(1, hollow), { perMinute: 0.2, growth: 4 }).isLeak).toBe(false);
    const leaking = trendOf(
      thirtyMinutes(1, (minute) => hollow(minute) + 3 * minute),
      MEMORY,
    );
    expect(leaking.isLeak).toBe(true);
  });

  it('finds no leak in some wild samples, and is not misled by them', () => {
    const wild = (minute: number): number => (Math.round(minute * SAMPLES_A_MINUTE) % 10 === 0 && minute > 22 ? 500 : 0);
    expect(trendOf(thirtyMinutes(1, wild), MEMORY).isLeak).toBe(false);
    expect(
      trendOf(
        thirtyMinutes(1, (minute) => 5 * minute - wild(minute)),
        MEMORY,
      ).isLeak,
    ).toBe(true);
  });

  it('requires both a pace and a growth', () => {
    const slow = Array.from({ length: 40 }, (_, n) => ({ minute: n, value: n * 0.9 }));
    expect(trendOf(slow, { perMinute: 1, growth: 0 }).isLeak).toBe(false);
    expect(trendOf(slow, { perMinute: 0.5, growth: 17 }).isLeak).toBe(true);
    expect(trendOf(slow, { perMinute: 0.5, growth: 18 }).isLeak).toBe(false);
  });

  it('finds a small leak below high waves of garbage, and none in waves that grow higher', () => {
    const FLOORS = 40;
    const waves = (height: (minute: number) => number, leak: number): Point[] =>
      floorsOf(
        thirtyMinutes(3, (minute) => leak * minute + ((minute * 6.3) % 1) * height(minute)),
        FLOORS,
      );
    const limit = { perMinute: 1, growth: 16 };
    const high = (): number => 100;
    expect(floorsOf(waves(high, 0), 1_000)).toHaveLength(FLOORS);
    expect(trendOf(waves(high, 0), limit).isLeak).toBe(false);
    expect(
      trendOf(
        waves((minute) => 60 + minute, 0),
        limit,
      ).isLeak,
    ).toBe(false);
    expect(trendOf(waves(high, 2), limit).isLeak).toBe(true);
  });

  it('rejects too few samples', () => {
    expect(() => trendOf([{ minute: 0, value: 1 }], MEMORY)).toThrow(RangeError);
  });
});
