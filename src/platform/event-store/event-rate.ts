/** Judged again after so long. */
const WINDOW_MS = 250;

/** Whether much is arriving just now. */
export class EventRate {
  #since = performance.now();
  #count = 0;
  #isHigh = false;

  /** From `highFrom` events per second on it is high, until it falls below `lowBelow`. */
  constructor(private readonly limits: { readonly highFrom: number; readonly lowBelow: number }) {}

  /** So many more have come. True when it is high. */
  add(events: number): boolean {
    this.#count += events;
    const ms = performance.now() - this.#since;
    if (ms >= WINDOW_MS) {
      const perSecond = (this.#count * 1_000) / ms;
      this.#isHigh = perSecond >= (this.#isHigh ? this.limits.lowBelow : this.limits.highFrom);
      this.#since += ms;
      this.#count = 0;
    }
    return this.#isHigh;
  }
}
