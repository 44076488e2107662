/** Resolution of due times, ms. */
const SLOT_MS = 100;

/**
 * Items with separate due times: to add one, and to take those that are due, costs the same however many wait. Times are milliseconds of a clock that
 * never runs backwards.
 */
export class DueLater<Item> {
  readonly #slots = new Map<number, Item[]>();
  #taken: number;

  constructor(nowMs: number) {
    this.#taken = slotOf(nowMs) - 1;
  }

  /** Adds an item, which the next `take` returns at the earliest. */
  add(item: Item, dueMs: number): void {
    const slot = Math.max(Math.ceil(dueMs / SLOT_MS), this.#taken + 1);
    const items = this.#slots.get(slot);
    if (items) items.push(item);
    else this.#slots.set(slot, [item]);
  }

  /** Returns the items that have become due since the last call, the longest due first. */
  take(nowMs: number): Item[] {
    const from = this.#taken + 1;
    this.#taken = Math.max(this.#taken, slotOf(nowMs));
    const passed = this.#taken - from + 1;
    // After a long sleep there are fewer slots with items than slots that have passed.
    const slots =
      passed <= this.#slots.size
        ? Array.from({ length: passed }, (_, n) => from + n)
        : [...this.#slots.keys()].filter((slot) => slot <= this.#taken).sort((a, b) => a - b);
    return slots.flatMap((slot) => {
      const items = this.#slots.get(slot) ?? [];
      this.#slots.delete(slot);
      return items;
    });
  }

  /** Removes and returns the items that are `wanted`, whenever they are due. Costs as much as there are items. */
  takeEarly(wanted: (item: Item) => boolean): Item[] {
    const taken: Item[] = [];
    for (const [slot, items] of this.#slots) {
      const kept = items.filter((item) => !wanted(item) || taken.push(item) === 0);
      if (kept.length === items.length) continue;
      if (kept.length === 0) this.#slots.delete(slot);
      else this.#slots.set(slot, kept);
    }
    return taken;
  }

  clear(): void {
    this.#slots.clear();
  }
}

const slotOf = (ms: number): number => Math.floor(ms / SLOT_MS);
