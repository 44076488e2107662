/**
 * An immutable map from ids to values. `set` and `delete` return a new map that shares all but one path with the old one, so that a
 * batch can be decided on a state of 100,000 open payouts and discarded without a copy.
 *
 * A 16-way tree over a hash of the key; its leaves hold a few entries each.
 */
export class PersistentMap<Value> {
  private constructor(
    private readonly root: Tree<Value> | undefined,
    readonly size: number,
  ) {}

  static empty<Value>(): PersistentMap<Value> {
    return new PersistentMap<Value>(undefined, 0);
  }

  static from<Value>(entries: Iterable<readonly [string, Value]>): PersistentMap<Value> {
    let map = PersistentMap.empty<Value>();
    for (const [key, value] of entries) map = map.set(key, value);
    return map;
  }

  get(key: string): Value | undefined {
    const hash = hashOf(key);
    let tree = this.root;
    for (let depth = 0; tree !== undefined && !isLeaf(tree); depth++) tree = tree[digit(hash, depth)];
    return tree?.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: Value): PersistentMap<Value> {
    return new PersistentMap(withEntry(this.root, hashOf(key), 0, key, value), this.has(key) ? this.size : this.size + 1);
  }

  delete(key: string): PersistentMap<Value> {
    return this.has(key) ? new PersistentMap(withoutEntry(this.root, hashOf(key), 0, key), this.size - 1) : this;
  }

  /** Returns the entries in no particular order. */
  *entries(): IterableIterator<[string, Value]> {
    if (this.root !== undefined) yield* entriesOf(this.root);
  }
}

type Leaf<Value> = ReadonlyMap<string, Value>;
type Branch<Value> = readonly (Tree<Value> | undefined)[];
type Tree<Value> = Leaf<Value> | Branch<Value>;

const BITS_PER_LEVEL = 4;
const CHILDREN = 1 << BITS_PER_LEVEL;
/** A hash has no more digits: entries that still collide share a leaf. */
const DEPTH_MAX = 32 / BITS_PER_LEVEL;
const LEAF_SIZE_MAX = 12;

function isLeaf<Value>(tree: Tree<Value>): tree is Leaf<Value> {
  return tree instanceof Map;
}

function withEntry<Value>(tree: Tree<Value> | undefined, hash: number, depth: number, key: string, value: Value): Tree<Value> {
  if (tree === undefined) return new Map([[key, value]]);
  if (!isLeaf(tree)) {
    const branch = tree.slice();
    const at = digit(hash, depth);
    branch[at] = withEntry(branch[at], hash, depth + 1, key, value);
    return branch;
  }
  const leaf = new Map(tree).set(key, value);
  return leaf.size <= LEAF_SIZE_MAX || depth === DEPTH_MAX ? leaf : split(leaf, depth);
}

function split<Value>(leaf: Leaf<Value>, depth: number): Tree<Value> {
  let branch: Tree<Value> = new Array<Tree<Value> | undefined>(CHILDREN).fill(undefined);
  for (const [key, value] of leaf) branch = withEntry(branch, hashOf(key), depth, key, value);
  return branch;
}

function withoutEntry<Value>(tree: Tree<Value> | undefined, hash: number, depth: number, key: string): Tree<Value> | undefined {
  if (tree === undefined) return undefined;
  if (isLeaf(tree)) {
    const leaf = new Map(tree);
    leaf.delete(key);
    return leaf.size > 0 ? leaf : undefined;
  }
  const branch = tree.slice();
  const at = digit(hash, depth);
  branch[at] = withoutEntry(branch[at], hash, depth + 1, key);
  return branch.some((child) => child !== undefined) ? branch : undefined;
}

function* entriesOf<Value>(tree: Tree<Value>): IterableIterator<[string, Value]> {
  if (isLeaf(tree)) yield* tree.entries();
  else for (const child of tree) if (child !== undefined) yield* entriesOf(child);
}

function digit(hash: number, depth: number): number {
  return (hash >>> (depth * BITS_PER_LEVEL)) & (CHILDREN - 1);
}

/** FNV-1a, 32 bits. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
