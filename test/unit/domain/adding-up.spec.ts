import { describe, expect, it } from '@jest/globals';
import { addingUp } from '../../../src/domain/reconciliation/breaks/adding-up.js';
import { randomNumbers } from '../../support/random-numbers.js';

const ALL = { most: 3, max: 1_000_000 } as const;

/** Every set of at most three, one after the other. */
function bySearch(amounts: readonly number[], sum: number): number[][] {
  const found: number[][] = [];
  for (let a = 0; a < amounts.length; a += 1) {
    if (amounts[a] === sum) found.push([a]);
    for (let b = a + 1; b < amounts.length; b += 1) {
      if (amounts[a]! + amounts[b]! === sum) found.push([a, b]);
      for (let c = b + 1; c < amounts.length; c += 1) if (amounts[a]! + amounts[b]! + amounts[c]! === sum) found.push([a, b, c]);
    }
  }
  return found;
}

const sorted = (sets: readonly (readonly number[])[]): string[] => sets.map((set) => set.join(' ')).sort();

describe('amounts that add up to a sum', () => {
  it('finds the same sets as an exhaustive search, also among equal and negative amounts', () => {
    const random = randomNumbers(7);
    let found = 0;
    for (let run = 0; run < 300; run += 1) {
      const amounts = Array.from({ length: random(13) }, () => random(21) - 5);
      const sum = random(30) - 2;
      const sets = addingUp(amounts, sum, ALL);
      expect({ amounts, sum, sets: sorted(sets) }).toEqual({ amounts, sum, sets: sorted(bySearch(amounts, sum)) });
      found += sets.length;
    }
    expect(found).toBeGreaterThan(500);
  });

  it('prefers sets of fewer amounts, then sets of earlier amounts', () => {
    expect(addingUp([1, 9, 4, 6, 10, 2, 4], 10, ALL)).toEqual([[4], [0, 1], [2, 3], [3, 6], [2, 5, 6]]);
    expect(addingUp([5, 5, 5, 5], 10, { most: 3, max: 2 })).toEqual([
      [0, 1],
      [0, 2],
    ]);
    expect(addingUp([1, 2, 3], 6, { most: 2, max: 9 })).toEqual([]);
    expect(addingUp([1, 2, 3], 3, { most: 1, max: 9 })).toEqual([[2]]);
    expect(addingUp([], 0, ALL)).toEqual([]);
  });

  it('searches two hundred amounts without trying every set of three', () => {
    const looked = { count: 0 };
    const amounts = Array.from({ length: 200 }, (_, at) => ({ valueOf: () => ((looked.count += 1), 1_000_003 * (at + 1)) }) as unknown as number);
    expect(addingUp(amounts, 7, { most: 3, max: 5 })).toEqual([]);
    expect(looked.count).toBeLessThan(50_000);
  });
});
