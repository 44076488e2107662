import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PersistentMap } from '../../../src/domain/accounts/persistent-map.js';

/** Few and short keys, so that they meet again, and long ones. */
const key = fc.oneof(fc.string({ maxLength: 2 }), fc.uuid());
const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), key, value: fc.integer() }),
  fc.record({ kind: fc.constant('delete' as const), key }),
);

describe('a persistent map', () => {
  it('behaves as a Map, and leaves every earlier version unchanged', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        let map = PersistentMap.empty<number>();
        const model = new Map<string, number>();
        const versions: [PersistentMap<number>, [string, number][]][] = [];
        for (const step of steps) {
          versions.push([map, [...model]]);
          if (step.kind === 'set') {
            map = map.set(step.key, step.value);
            model.set(step.key, step.value);
          } else {
            map = map.delete(step.key);
            model.delete(step.key);
          }
          expect(map.get(step.key)).toBe(model.get(step.key));
        }
        versions.push([map, [...model]]);
        for (const [version, entries] of versions) {
          expect(version.size).toBe(entries.length);
          expect(new Map(version.entries())).toEqual(new Map(entries));
        }
      }),
      { seed: 20_260_203, numRuns: 60 },
    );
  });

  it('holds keys whose hashes are the same', () => {
    // Two pairs of equal FNV-1a hashes.
    const keys = ['costarring', 'liquid', 'declinate', 'macallums'];
    const map = PersistentMap.from([...Array.from({ length: 500 }, (_, i) => [`k${i}`, i] as const), ...keys.map((k, i) => [k, -i] as const)]);
    expect(keys.map((k) => map.get(k))).toEqual([-0, -1, -2, -3]);
    expect(map.delete('costarring').get('liquid')).toBe(-1);
  });
});
