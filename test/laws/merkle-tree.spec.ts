import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sized } from '../support/nightly.js';
import {
  auditPath,
  consistencyPath,
  foldPeaks,
  GrowingTree,
  hashCount,
  hashNumber,
  isAppended,
  leafHash,
  peaks,
  rootOfPath,
  type Subtree,
} from '../../src/transparency-log/merkle-tree.js';

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

/** SUBPROOF of RFC 9162, 2.1.4.1, word for word; PROOF is SUBPROOF with `b` true. */
function subproof(m: number, entries: readonly Buffer[], b: boolean): Buffer[] {
  if (m === entries.length) return b ? [] : [mth(entries)];
  const k = split(entries.length);
  return m <= k
    ? [...subproof(m, entries.slice(0, k), b), mth(entries.slice(k))]
    : [...subproof(m - k, entries.slice(k), false), mth(entries.slice(0, k))];
}

/** 2.1.4.2 of the RFC, step by step, with shifts of integers as it has them. */
function isConsistent(first: number, second: number, firstHash: Buffer, secondHash: Buffer, given: readonly Buffer[]): boolean {
  if (given.length === 0) return false;
  const consistencyPath = Number.isInteger(Math.log2(first)) ? [firstHash, ...given] : [...given];
  let [fn, sn] = [BigInt(first - 1), BigInt(second - 1)];
  while (fn & 1n) [fn, sn] = [fn >> 1n, sn >> 1n];
  let [fr, sr] = [consistencyPath[0]!, consistencyPath[0]!];
  for (const c of consistencyPath.slice(1)) {
    if (sn === 0n) return false;
    if (fn & 1n || fn === sn) {
      fr = sha256(Buffer.of(1), c, fr);
      sr = sha256(Buffer.of(1), c, sr);
      if (!(fn & 1n)) {
        do [fn, sn] = [fn >> 1n, sn >> 1n];
        while (!(fn & 1n) && fn !== 0n);
      }
    } else {
      sr = sha256(Buffer.of(1), sr, c);
    }
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return fr.equals(firstHash) && sr.equals(secondHash) && sn === 0n;
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

const consistencyOf = (first: number, second: number): Buffer[] => consistencyPath(first, second).map((subtrees) => foldPeaks(subtrees.map(hashOf)));

const sizes = fc.integer({ min: 1, max: MOST });
const places = fc.tuple(sizes, fc.nat()).map(([size, any]) => [any % size, size] as const);
const check = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void): void =>
  fc.assert(fc.property(arbitrary, holds), { seed: SEED, numRuns: 100 });

/** Both trees of a pair have at most so many leaves. */
const PAIRS = sized(33, 64);

describe('the Merkle tree', () => {
  it('the Merkle tree has the roots of RFC 9162, also when it is empty', () => {
    check(fc.integer({ min: 0, max: MOST }), (size) => expect(grown(size).tree.root()).toEqual(mth(leaves.slice(0, size))));
  });

  it('the Merkle tree completes each subtree once, in the order of their numbers', () => {
    for (let size = 0; size <= MOST; size += 1) expect(grown(size).list).toHaveLength(hashCount(size));
    check(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.nat()), ([level, any]) => {
      const index = any % Math.floor(MOST / 2 ** level);
      expect(hashOf({ level, index })).toEqual(mth(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)));
    });
  });

  it('the Merkle tree numbers subtrees of trees beyond 32-bit sizes', () => {
    expect(hashCount(2 ** 40)).toBe(2 ** 41 - 1);
    expect(hashNumber({ level: 40, index: 0 })).toBe(2 ** 41 - 2);
    expect(auditPath(2 ** 40, 2 ** 40 + 2).flat()).toEqual([
      { level: 0, index: 2 ** 40 + 1 },
      { level: 40, index: 0 },
    ]);
  });

  it('the Merkle tree continues from its peaks', () => {
    check(places, ([taken, size]) => {
      const tree = new GrowingTree(taken, peaks(0, taken).map(hashOf));
      for (const leaf of hashed.slice(taken, size)) tree.append(leaf);
      expect(tree.root()).toEqual(mth(leaves.slice(0, size)));
    });
  });

  it('audit paths are those of RFC 9162 and lead to the root', () => {
    check(places, ([leaf, size]) => {
      expect(pathOf(leaf, size)).toEqual(path(leaf, leaves.slice(0, size)));
      expect(rootOfPath(hashed[leaf]!, leaf, size, pathOf(leaf, size))).toEqual(mth(leaves.slice(0, size)));
    });
  });

  it('an audit path does not lead to the root with another leaf, index or path', () => {
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

  const roots = Array.from({ length: MOST + 1 }, (_, size) => mth(leaves.slice(0, size)));
  const head = (events: number, root = roots[events]!) => ({ events, root });

  it(`consistency proofs are those of RFC 9162 and show that leaves were only added, for every pair up to ${PAIRS}`, () => {
    for (let second = 1; second <= PAIRS; second += 1) {
      for (let first = 1; first <= second; first += 1) {
        const proof = consistencyOf(first, second);
        expect(proof).toEqual(subproof(first, leaves.slice(0, second), true));
        expect(isAppended(head(first), head(second), proof)).toBe(true);
        if (first < second) expect(isConsistent(first, second, roots[first]!, roots[second]!, proof)).toBe(true);
      }
    }
  });

  it('a consistency proof fails when it is changed, cut or longer, and for another root or size', () => {
    const refused = (first: number, second: number, proof: readonly Buffer[], from = roots[first]!, to = roots[second]!): void => {
      expect(isAppended({ events: first, root: from }, { events: second, root: to }, proof)).toBe(false);
      if (first !== second) expect(isConsistent(first, second, from, to, proof)).toBe(false);
    };
    for (let second = 1; second <= PAIRS; second += 1) {
      for (let first = 1; first <= second; first += 1) {
        const proof = consistencyOf(first, second);
        const forged = sha256(Buffer.from(`${first} ${second}`));
        refused(first, second, proof, forged);
        refused(first, second, proof, roots[first], forged);
        refused(first, second, [...proof, forged]);
        for (const [place, hash] of proof.entries()) {
          const bent = Buffer.from(hash);
          bent[(first * second) % 32]! ^= 1 << (place % 8);
          refused(first, second, proof.with(place, bent));
          refused(first, second, proof.toSpliced(place, 1));
        }
      }
    }
    for (const [first, second] of [
      [0, 5],
      [6, 5],
      [-1, 5],
      [NaN, 5],
    ] as const) {
      expect(isAppended(head(first, roots[0]), head(second), [])).toBe(false);
    }
    expect(isAppended(head(5), head(5, roots[6]), [])).toBe(false);
  });

  it('proves consistency of trees whose leaves are too many to hash one by one', () => {
    // Every leaf is the same: a complete subtree is known by its level.
    const levels = [sha256(Buffer.of(0), Buffer.from('leaf'))];
    for (let level = 1; level < 53; level += 1) levels.push(sha256(Buffer.of(1), levels[level - 1]!, levels[level - 1]!));
    const rootOf = (subtrees: readonly Subtree[]): Buffer => foldPeaks(subtrees.map(({ level }) => levels[level]!));
    const large = fc
      .tuple(fc.maxSafeNat(), fc.maxSafeNat())
      .map(([a, b]) => [1 + Math.min(a, b) / 2, 1 + Math.max(a, b) / 2].map(Math.floor) as [number, number]);
    fc.assert(
      fc.property(large, fc.nat(), ([first, second], any) => {
        const [from, to] = [rootOf(peaks(0, first)), rootOf(peaks(0, second))];
        const proof = consistencyPath(first, second).map(rootOf);
        expect(isAppended(head(first, from), head(second, to), proof)).toBe(true);
        if (first === second) return;
        expect(isConsistent(first, second, from, to, proof)).toBe(true);
        expect(proof.length).toBeLessThanOrEqual(54);
        const place = any % proof.length;
        const bent = proof.with(place, sha256(proof[place]!));
        expect(isAppended(head(first, from), head(second, to), bent)).toBe(false);
        expect(isConsistent(first, second, from, to, bent)).toBe(false);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });
});
