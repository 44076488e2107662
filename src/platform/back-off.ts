/** Pauses between attempts, ms: each twice as long as the one before, up to the longest. */
export class BackOff {
  #nextMs: number;

  constructor(
    private readonly firstMs: number,
    private readonly longestMs: number,
  ) {
    this.#nextMs = firstMs;
  }

  /** The pause that `take` will answer. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** The pause before the next attempt. */
  take(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(ms * 2, this.longestMs);
    return ms;
  }

  /** After a success. */
  reset(): void {
    this.#nextMs = this.firstMs;
  }
}
