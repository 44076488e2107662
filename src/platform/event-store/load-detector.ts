/** Length of a measurement, ms. */
const WINDOW_MS = 250;
/** Events per second from which the load is high, and until which it stays high. */
const PER_SECOND = { from: 500, until: 200 };
/** Events per batch that are a high load at a lower rate, too, from `perSecondMin` events per second on. */
const PER_BATCH = { from: 2, until: 1.25, perSecondMin: 50 };

/**
 * Detects a high load: many events per second, or several per batch. The rate alone does not show it, since late delivery makes writers wait and so
 * keeps the rate low; nor do batches alone, since a fast reader finds one event in each.
 */
export class LoadDetector {
  #since = performance.now();
  #events = 0;
  #batches = 0;
  #isHigh = false;

  /** Counts a batch; an empty one only lets the time pass. Returns true while the load is high. */
  add(events: number): boolean {
    this.#events += events;
    if (events > 0) this.#batches += 1;
    const ms = performance.now() - this.#since;
    if (ms >= WINDOW_MS) {
      const perSecond = (this.#events * 1_000) / ms;
      const perBatch = this.#batches === 0 ? 0 : this.#events / this.#batches;
      const limit = this.#isHigh ? 'until' : 'from';
      this.#isHigh = perSecond >= PER_SECOND[limit] || (perSecond >= PER_BATCH.perSecondMin && perBatch >= PER_BATCH[limit]);
      this.#since += ms;
      this.#events = this.#batches = 0;
    }
    return this.#isHigh;
  }
}
