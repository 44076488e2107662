interface Group<Item> {
  readonly name: string;
  /** Taken from the front; what was taken is cut off now and then. */
  waiting: Item[];
  taken: number;
  underWay: number;
}

/** So many taken items are cut off at once, when they are half of what is held. */
const CUT_FROM = 64;

/**
 * Who is next: items of many groups, one of each group in turn, so that a group with thousands of them costs another one no more
 * than its turn. A group has `underWayMax` items in work at most, all of them together `totalMax`.
 */
export class RoundRobinQueue<Item> {
  readonly #groups = new Map<string, Group<Item>>();
  /** Groups whose turn may come, the next one first. */
  readonly #turns = new Set<Group<Item>>();
  #underWay = 0;

  constructor(
    private readonly totalMax: number,
    private readonly underWayMax: number,
  ) {}

  /** Items in work. */
  get underWay(): number {
    return this.#underWay;
  }

  add(name: string, item: Item): void {
    const group = this.#groups.get(name) ?? { name, waiting: [], taken: 0, underWay: 0 };
    this.#groups.set(name, group);
    group.waiting.push(item);
    this.#settle(group);
  }

  /** The next item, which is in work until `done` is called with the name of its group; undefined when none may begin. */
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
    // Behind all others.
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

  /** Forgets what is not in work. */
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
