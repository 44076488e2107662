/** Maximum events in one transaction. Enough to make its fixed cost vanish, few enough to keep in memory. */
export const BATCH_EVENTS_MAX = 5_000;
/** From 10 s for a statement to more than five minutes. */
const PATIENCE_MAX = 32;

/**
 * Size and time limits of the batches of a projection, or of the sealing. A batch that has exceeded a time limit exceeds it again on a machine that
 * stays as slow. So each failure that may pass halves the batch and doubles its limits, and each committed batch takes one such step back.
 */
export class Pace {
  #eventsMax = BATCH_EVENTS_MAX;
  #patience = 1;

  /** Maximum events of the next transaction. */
  get eventsMax(): number {
    return this.#eventsMax;
  }

  /** Factor for the time limits of the next transaction. */
  get patience(): number {
    return this.#patience;
  }

  /** @param events number in the transaction that failed */
  slowDown(events: number): void {
    this.#eventsMax = Math.ceil(events / 2);
    this.#patience = Math.min(this.#patience * 2, PATIENCE_MAX);
  }

  speedUp(): void {
    this.#eventsMax = Math.min(this.#eventsMax * 2, BATCH_EVENTS_MAX);
    this.#patience = Math.max(this.#patience / 2, 1);
  }
}
