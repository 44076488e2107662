import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { auditPath, foldPeaks, GrowingTree, hashCount, hashNumber, leafHash, peaks, rootOfPath, type Subtree } from '../../src/audit/merkle-tree.js';

const SEED = 20_260_131;
const MOST = 70;

const sha256 = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const leaves = Array.from({ length: MOST }, (_, index) => Buffer.from(`leaf ${index}`));
const split = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1);

/** MTH of RFC 9162, 2.1.1, word for word. */
function mth(entries: readonly Buffer[]): Buffer {
  if (entries.length === 0) return sha256();
  if (entries.length === 1) return sha256(Buffer.of(0), entries[0]!);
  const k = split(entries.length);
  return sha256(Buffer.of(1), mth(entries.slice(0, k)), mth(entries.slice(k)));
}

/** PATH of RFC 9162, 2.1.3.1, word for word. */
function path(m: number, entries: readonly Buffer[]): Buffer[] {
  if (entries.length === 1) return [];
  const k = split(entries.length);
  return m < k ? [...path(m, entries.slice(0, k)), mth(entries.slice(k))] : [...path(m - k, entries.slice(k)), mth(entries.slice(0, k))];
}

const hashed = leaves.map((leaf) => leafHash(Buffer.concat([Buffer.of(7), leaf])));
/** Every hash that the first `size` leaves complete, in order. */
function grown(size: number): { tree: GrowingTree; list: Buffer[] } {
  const tree = new GrowingTree();
  return { tree, list: hashed.slice(0, size).flatMap((leaf) => tree.append(leaf)) };
}
const { list } = grown(MOST);
const hashOf = (subtree: Subtree): Buffer => list[hashNumber(subtree)]!;
const pathOf = (leaf: number, size: number): Buffer[] => auditPath(leaf, size).map((subtrees) => foldPeaks(subtrees.map(hashOf)));

const sizes = fc.integer({ min: 1, max: MOST });
const places = fc.tuple(sizes, fc.nat()).map(([size, any]) => [any % size, size] as const);
const check = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void): void =>
  fc.assert(fc.property(arbitrary, holds), { seed: SEED, numRuns: 100 });

describe('the Merkle tree', () => {
  it('has the roots of RFC 9162, the empty one too', () => {
    check(fc.integer({ min: 0, max: MOST }), (size) => expect(grown(size).tree.root()).toEqual(mth(leaves.slice(0, size))));
  });

  it('completes each subtree once, in the order of their numbers', () => {
    for (let size = 0; size <= MOST; size += 1) expect(grown(size).list).toHaveLength(hashCount(size));
    check(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.nat()), ([level, any]) => {
      const index = any % Math.floor(MOST / 2 ** level);
      expect(hashOf({ level, index })).toEqual(mth(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)));
    });
  });

  it('numbers subtrees of trees larger than any integer of 32 bits', () => {
    expect(hashCount(2 ** 40)).toBe(2 ** 41 - 1);
    expect(hashNumber({ level: 40, index: 0 })).toBe(2 ** 41 - 2);
    expect(auditPath(2 ** 40, 2 ** 40 + 2).flat()).toEqual([
      { level: 0, index: 2 ** 40 + 1 },
      { level: 40, index: 0 },
    ]);
  });

  it('grows on from its peaks', () => {
    check(places, ([taken, size]) => {
      const tree = new GrowingTree(taken, peaks(0, taken).map(hashOf));
      for (const leaf of hashed.slice(taken, size)) tree.append(leaf);
      expect(tree.root()).toEqual(mth(leaves.slice(0, size)));
    });
  });

  it('has the audit paths of RFC 9162, which lead to the root', () => {
    check(places, ([leaf, size]) => {
      expect(pathOf(leaf, size)).toEqual(path(leaf, leaves.slice(0, size)));
      expect(rootOfPath(hashed[leaf]!, leaf, size, pathOf(leaf, size))).toEqual(mth(leaves.slice(0, size)));
    });
  });

  it('leads nowhere else: another leaf, index, or path', () => {
    check(fc.tuple(places, fc.nat(), fc.nat()), ([[leaf, size], other, bit]) => {
      const root = mth(leaves.slice(0, size));
      const good = pathOf(leaf, size);
      const reached = (hash: Buffer, index: number, hashes: Buffer[]): boolean => rootOfPath(hash, index, size, hashes)?.equals(root) ?? false;
      expect(reached(sha256(Buffer.from('forged')), leaf, good)).toBe(false);
      if (other % size !== leaf) expect(reached(hashed[leaf]!, other % size, good)).toBe(false);
      expect(reached(hashed[leaf]!, size, good)).toBe(false);
      expect(reached(hashed[leaf]!, leaf, [...good, root])).toBe(false);
      if (good.length === 0) return;
      expect(reached(hashed[leaf]!, leaf, good.slice(1))).toBe(false);
      const bent = good.map((hash) => Buffer.from(hash));
      const place = bit % (bent.length * 256);
      bent[Math.floor(place / 256)]![Math.floor((place % 256) / 8)]! ^= 1 << (place % 8);
      expect(reached(hashed[leaf]!, leaf, bent)).toBe(false);
    });
  });
});
