interface Group<Item> {
  readonly name: string;
  /** Taken from the front; taken items are removed from time to time. */
  waiting: Item[];
  taken: number;
  underWay: number;
}

/** Number of taken items from which on they are removed at once, when they make up half of the array. */
const CUT_FROM = 64;

/**
 * Selects the next item: takes one item of each group in turn, so that a group with thousands of items costs another one only its turn. A group has
 * at most `underWayMax` items in work, all groups together `totalMax`.
 */
export class RoundRobinQueue<Item> {
  readonly #groups = new Map<string, Group<Item>>();
  /** Groups that have an item to take, the next one first. */
  readonly #turns = new Set<Group<Item>>();
  #underWay = 0;

  constructor(
    private readonly totalMax: number,
    private readonly underWayMax: number,
  ) {}

  /** Number of items in work. */
  get underWay(): number {
    return this.#underWay;
  }

  add(name: string, item: Item): void {
    const group = this.#groups.get(name) ?? { name, waiting: [], taken: 0, underWay: 0 };
    this.#groups.set(name, group);
    group.waiting.push(item);
    this.#settle(group);
  }

  /** Returns the next item, which is in work until `done` is called with the name of its group; undefined when none may begin. */
  next(): Item | undefined {
    if (this.#underWay >= this.totalMax) return undefined;
    const [group] = this.#turns;
    if (group === undefined) return undefined;
    const item = group.waiting[group.taken++]!;
    if (group.taken >= CUT_FROM && group.taken * 2 >= group.waiting.length) {
      group.waiting = group.waiting.slice(group.taken);
      group.taken = 0;
    }
    group.underWay++;
    this.#underWay++;
    // Moves to the end.
    this.#turns.delete(group);
    this.#settle(group);
    return item;
  }

  done(name: string): void {
    const group = this.#groups.get(name)!;
    group.underWay--;
    this.#underWay--;
    this.#settle(group);
  }

  /** Removes all items that are not in work. */
  clear(): void {
    for (const group of this.#groups.values()) {
      group.waiting = [];
      group.taken = 0;
      this.#settle(group);
    }
  }

  #settle(group: Group<Item>): void {
    const hasMore = group.taken < group.waiting.length;
    if (hasMore && group.underWay < this.underWayMax) this.#turns.add(group);
    else this.#turns.delete(group);
    if (!hasMore && group.underWay === 0) this.#groups.delete(group.name);
  }
}
