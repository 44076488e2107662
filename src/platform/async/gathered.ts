interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends one statement for many callers: items that arrive while one is under way are sent together in the next one, so all waiting callers share its
 * cost and that of its commit. A single caller does not wait.
 */
export class Gathered<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #isBusy = false;

  /**
   * @param send returns a result for each item, in their order; its error is thrown to each caller
   * @param itemsMax maximum items of one statement
   * @param keyOf items with the same key are sent one after the other
   */
  constructor(
    private readonly send: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly itemsMax: number,
    private readonly keyOf?: (item: Item) => string,
  ) {}

  do(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** Includes the items that arrive in this turn of the event loop. */
  #schedule(): void {
    if (this.#isBusy || this.#waiting.length === 0) return;
    this.#isBusy = true;
    setImmediate(() => void this.#sendNext());
  }

  async #sendNext(): Promise<void> {
    const together = this.#take();
    try {
      const results = await this.send(together.map(({ item }) => item));
      for (const [index, { resolve }] of together.entries()) resolve(results[index]!);
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
    this.#isBusy = false;
    this.#schedule();
  }

  /** Takes the oldest items; items whose key is already taken stay in their order. */
  #take(): Waiting<Item, Result>[] {
    const { itemsMax, keyOf } = this;
    const keys = new Set<string>();
    const taken: Waiting<Item, Result>[] = [];
    this.#waiting = this.#waiting.filter((waiting) => {
      const key = keyOf?.(waiting.item);
      if (taken.length >= itemsMax || (key !== undefined && keys.has(key))) return true;
      if (key !== undefined) keys.add(key);
      taken.push(waiting);
      return false;
    });
    return taken;
  }
}
