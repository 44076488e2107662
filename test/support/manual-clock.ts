import type { RailClock } from '../../src/rails/calls/rail-clock.js';

/** A clock that stands still until it is moved. */
export class ManualClock implements RailClock {
  #ms = 0;
  #nowMs: number;
  #waiting: { readonly atMs: number; readonly action: () => void }[] = [];

  /** `startMs`: since the epoch. */
  constructor(startMs = Date.UTC(2026, 10, 22, 12)) {
    this.#nowMs = startMs;
  }

  monotonic(): number {
    return this.#ms;
  }

  now(): number {
    return this.#nowMs;
  }

  after(ms: number, action: () => void): () => void {
    const waiting = { atMs: this.#ms + ms, action };
    this.#waiting.push(waiting);
    return () => (this.#waiting = this.#waiting.filter((other) => other !== waiting));
  }

  /** Runs each action at its due time, and the work that follows from it before the next. */
  async advance(ms: number): Promise<void> {
    const until = this.#ms + ms;
    await settled();
    for (let next = this.#dueBy(until); next; next = this.#dueBy(until)) {
      this.#move(next.atMs);
      this.#waiting = this.#waiting.filter((other) => other !== next);
      next.action();
      await settled();
    }
    this.#move(until);
  }

  /** Sets the wall clock. */
  set(ms: number): void {
    this.#nowMs = ms;
  }

  #dueBy(untilMs: number) {
    return this.#waiting.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
  }

  #move(ms: number): void {
    this.#nowMs += ms - this.#ms;
    this.#ms = ms;
  }
}

/** Waits until the code behind resolved promises has run. */
async function settled(): Promise<void> {
  await new Promise(setImmediate);
}
