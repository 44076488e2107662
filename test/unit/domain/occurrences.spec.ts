import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Occurrences } from '../../../src/domain/reconciliation/statements/occurrences.js';

describe('occurrences', () => {
  it('counts as a Map does, also numbers that share a slot, however many there are', () => {
    // Few low bits, many high ones: they meet.
    const numbers = fc.tuple(fc.nat(15), fc.nat(3)).map(([low, high]) => high * 2 ** 40 + low);
    fc.assert(
      fc.property(fc.array(fc.oneof(numbers, fc.nat(5_000)), { maxLength: 3_000, size: 'max' }), (all) => {
        const [counted, counts] = [new Occurrences(), new Map<number, number>()];
        for (const number of all) {
          counts.set(number, (counts.get(number) ?? 0) + 1);
          expect(counted.add(number)).toBe(counts.get(number));
        }
      }),
      { seed: 20261124, numRuns: 30 },
    );
  });
});
