/** Judged again after so long. */
const WINDOW_MS = 250;
/** Events per second that are a crowd, however they come. */
const PER_SECOND = { from: 500, until: 200 };
/** Events per batch that are one at a lower rate, too; as long as there are so many per second. */
const PER_BATCH = { from: 2, until: 1.25, perSecondMin: 50 };

/**
 * Whether many events come just now, or several at a time. The rate alone does not tell: what delivers events late makes their
 * writers wait, and so keeps the rate low; nor do batches alone: a fast reader finds one event in each.
 */
export class EventCrowd {
  #since = performance.now();
  #events = 0;
  #batches = 0;
  #isCrowd = false;

  /** A batch has come, or nothing when it is empty. True while it is a crowd. */
  add(events: number): boolean {
    this.#events += events;
    if (events > 0) this.#batches += 1;
    const ms = performance.now() - this.#since;
    if (ms >= WINDOW_MS) {
      const perSecond = (this.#events * 1_000) / ms;
      const perBatch = this.#batches === 0 ? 0 : this.#events / this.#batches;
      const limit = this.#isCrowd ? 'until' : 'from';
      this.#isCrowd = perSecond >= PER_SECOND[limit] || (perSecond >= PER_BATCH.perSecondMin && perBatch >= PER_BATCH[limit]);
      this.#since += ms;
      this.#events = this.#batches = 0;
    }
    return this.#isCrowd;
  }
}
