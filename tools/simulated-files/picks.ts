import { createHash } from 'node:crypto';

const BASE = 36n;

/** Selects by a seed, always the same, and remembers the selected items, so that no two defects affect the same one. */
export class Picks {
  readonly #taken = new Set<object>();

  constructor(
    private readonly seed: number,
    private readonly day: string,
  ) {}

  isFree(item: object): boolean {
    return !this.#taken.has(item);
  }

  take(item: object): void {
    this.#taken.add(item);
  }

  /** Returns a free one of `items`, or undefined. `what` is the purpose: selections for other purposes are independent. */
  of<Item>(items: readonly Item[], what: string): Item | undefined {
    const free = items.filter((item) => typeof item !== 'object' || item === null || this.isFree(item));
    return free.length === 0 ? undefined : free[Number(this.#number(what) % BigInt(free.length))];
  }

  /** `length` characters of 0-9A-Z. */
  letters(length: number, what: string): string {
    return (this.#number(what) % BASE ** BigInt(length)).toString(36).toUpperCase().padStart(length, '0');
  }

  /** A whole number of `min` to `max`. */
  between(min: number, max: number, what: string): number {
    return min + Number(this.#number(what) % BigInt(max - min + 1));
  }

  #number(what: string): bigint {
    return BigInt(`0x${createHash('sha256').update(`${this.seed}/${this.day}/${what}`).digest('hex')}`);
  }
}
