/** Initial slots: a power of two, as all later sizes. */
const SLOTS = 1_024;
const FULLEST = 0.5;

/**
 * Counts occurrences of very many numbers, in two arrays outside the heap. A Map of millions would fill the heap, and garbage collection would scan
 * it again and again in vain.
 */
export class Occurrences {
  #numbers = new Float64Array(SLOTS);
  #counts = new Uint32Array(SLOTS);
  #size = 0;

  /**
   * Returns how often this number has occurred, this time included.
   * @param number a safe integer of at least 0 whose lowest bits are as good as random
   */
  add(number: number): number {
    if (this.#size > FULLEST * this.#counts.length) this.#grow();
    const slot = slotOf(this.#numbers, this.#counts, number);
    if (this.#counts[slot] === 0) this.#size += 1;
    this.#numbers[slot] = number;
    return (this.#counts[slot]! += 1);
  }

  /** Returns whether this number has occurred. */
  has(number: number): boolean {
    return this.#counts[slotOf(this.#numbers, this.#counts, number)] !== 0;
  }

  #grow(): void {
    const [numbers, counts] = [this.#numbers, this.#counts];
    this.#numbers = new Float64Array(2 * numbers.length);
    this.#counts = new Uint32Array(2 * counts.length);
    for (let at = 0; at < counts.length; at += 1) {
      if (counts[at] === 0) continue;
      const slot = slotOf(this.#numbers, this.#counts, numbers[at]!);
      this.#numbers[slot] = numbers[at]!;
      this.#counts[slot] = counts[at]!;
    }
  }
}

/** Returns the slot that has the number, or the empty slot for it. */
function slotOf(numbers: Float64Array, counts: Uint32Array, number: number): number {
  let slot = number % counts.length;
  while (counts[slot] !== 0 && numbers[slot] !== number) slot = (slot + 1) % counts.length;
  return slot;
}
