/** Pauses between attempts, ms: each is twice the previous one, up to the longest. */
export class BackOff {
  #nextMs: number;

  constructor(
    private readonly firstMs: number,
    private readonly longestMs: number,
  ) {
    this.#nextMs = firstMs;
  }

  /** The pause that `take` will return. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** Returns the pause before the next attempt. */
  take(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(ms * 2, this.longestMs);
    return ms;
  }

  /** Called after a success. */
  reset(): void {
    this.#nextMs = this.firstMs;
  }
}
