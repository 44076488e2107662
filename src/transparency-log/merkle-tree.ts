import { hash } from 'node:crypto';

/**
 * The Merkle tree of RFC 9162 (2.1), SHA-256. Pure.
 *
 * A complete subtree never changes. The tree is therefore stored as the hashes of its complete subtrees, in the order in which they became complete:
 * a list that only grows. Leaf 0 completes one (number 0); leaf 1 completes two (itself, and the pair of both); in general a leaf completes itself
 * and every subtree whose last leaf it is.
 */
export const HASH_BYTES = 32;

const EMPTY_ROOT = hash('sha256', '', 'buffer');

/** @param bytes begins with a free byte, for the prefix 0x00. */
export function leafHash(bytes: Buffer): Buffer {
  bytes[0] = 0x00;
  return hash('sha256', bytes, 'buffer');
}

export function nodeHash(left: Buffer, right: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(1 + 2 * HASH_BYTES);
  bytes[0] = 0x01;
  left.copy(bytes, 1);
  right.copy(bytes, 1 + HASH_BYTES);
  return hash('sha256', bytes, 'buffer');
}

/** Returns the number of complete subtrees in a tree of `size` leaves: 2 · size minus the number of ones in its binary digits. */
export function hashCount(size: number): number {
  let ones = 0;
  for (let rest = size; rest > 0; rest = half(rest)) ones += rest % 2;
  return 2 * size - ones;
}

/** A complete subtree: the leaves `index · 2^level` up to the next multiple. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

/** Returns the subtree's index in the list of hashes. */
export function hashNumber({ level, index }: Subtree): number {
  const lastLeaf = (index + 1) * 2 ** level - 1;
  return hashCount(lastLeaf) + level;
}

/** Returns the complete subtrees that make up the leaves from `start` to before `end`, from left to right. `start` is a split point of the RFC. */
export function peaks(start: number, end: number): Subtree[] {
  const found: Subtree[] = [];
  for (let at = start; at < end;) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level += 1;
    found.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return found;
}

/** Returns the root over the hashes of peaks, from left to right. */
export function foldPeaks(hashes: readonly Buffer[]): Buffer {
  return hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** The peaks of a growing tree, which are all that the next leaf needs. */
export class GrowingTree {
  readonly #peaks: Buffer[];
  #size: number;

  /** @param peakHashes hashes of `peaks(0, size)` */
  constructor(size = 0, peakHashes: readonly Buffer[] = []) {
    this.#size = size;
    this.#peaks = [...peakHashes];
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the hashes of the subtrees that this leaf completes, its own first. */
  append(leaf: Buffer): Buffer[] {
    const completed = [leaf];
    for (let rest = this.#size; rest % 2 === 1; rest = half(rest)) completed.push(nodeHash(this.#peaks.pop()!, completed.at(-1)!));
    this.#peaks.push(completed.at(-1)!);
    this.#size += 1;
    return completed;
  }

  root(): Buffer {
    return foldPeaks(this.#peaks);
  }
}

/** PATH of the RFC (2.1.3.1): for each hash of the audit path, from the leaf upwards, the complete subtrees of which it is the root. */
export function auditPath(leaf: number, size: number): Subtree[][] {
  const path: Subtree[][] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const split = start + largestPowerBelow(end - start);
    if (leaf < split) {
      path.unshift(peaks(split, end));
      end = split;
    } else {
      path.unshift(peaks(start, split));
      start = split;
    }
  }
  return path;
}

/** Returns the root that a leaf and its audit path yield (2.1.3.2); undefined when the path has the wrong length for this tree. */
export function rootOfPath(leaf: Buffer, index: number, size: number, path: readonly Buffer[]): Buffer | undefined {
  if (!(index >= 0 && index < size)) return undefined;
  let [node, last, root] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return undefined;
    if (node % 2 === 1 || node === last) {
      root = nodeHash(sibling, root);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      root = nodeHash(root, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? root : undefined;
}

/**
 * PROOF of the RFC (2.1.4.1): for each hash of the consistency path between the trees of the first `first` and the first `second` leaves, the
 * complete subtrees of which it is the root. 1 ≤ first ≤ second.
 */
export function consistencyPath(first: number, second: number): Subtree[][] {
  const path: Subtree[][] = [];
  let [start, end] = [0, second];
  while (first < end) {
    const split = start + largestPowerBelow(end - start);
    if (first <= split) {
      path.unshift(peaks(split, end));
      end = split;
    } else {
      path.unshift(peaks(start, split));
      start = split;
    }
  }
  // The path omits the first tree itself: a verifier has its root.
  return start === 0 ? path : [peaks(start, end), ...path];
}

/** Size and root of a tree. */
export interface TreeHead {
  readonly events: number;
  readonly root: Buffer;
}

/** Returns whether the path proves that the second tree is the first with leaves added to its end (2.1.4.2). */
export function isAppended(first: TreeHead, second: TreeHead, path: readonly Buffer[]): boolean {
  if (!(first.events >= 1 && first.events <= second.events)) return false;
  if (first.events === second.events) return path.length === 0 && first.root.equals(second.root);
  let [node, last] = [first.events - 1, second.events - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  // A first tree that is a complete subtree is itself the start of the path.
  const [begin, ...rest] = node === 0 ? [first.root, ...path] : path;
  if (begin === undefined) return false;
  let [firstRoot, secondRoot] = [begin, begin];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [firstRoot, secondRoot] = [nodeHash(sibling, firstRoot), nodeHash(sibling, secondRoot)];
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      secondRoot = nodeHash(secondRoot, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && firstRoot.equals(first.root) && secondRoot.equals(second.root);
}

const half = (value: number): number => Math.floor(value / 2);

function largestPowerBelow(value: number): number {
  let power = 1;
  while (power * 2 < value) power *= 2;
  return power;
}
