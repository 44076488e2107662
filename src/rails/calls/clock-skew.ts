import type { RailClock } from './rail-clock.js';

/** A larger difference between the clocks is reported to operators. */
export const SKEW_WARN_MS = 5_000;
/** Beyond this skew a request signed with a time is rejected, so no such call is sent. */
export const SKEW_MAX_MS = 60_000;
/** A `Date` header counts whole seconds. */
const DATE_STEP_MS = 1_000;

/** How far the provider's clock is ahead of ours, by the `Date` headers of its answers. */
export class ClockSkew {
  #measured: { readonly skewMs: number; readonly offsetMs: number; readonly atMs: number } | undefined;

  constructor(private readonly clock: RailClock) {}

  /** `sentMs` and `receivedMs` are times of our clock, ms since the epoch. A date between them is no skew. */
  measure(date: string, sentMs: number, receivedMs: number): void {
    const theirs = Date.parse(date);
    if (Number.isNaN(theirs)) return;
    const skewMs = theirs > receivedMs ? theirs - receivedMs : Math.min(0, theirs + DATE_STEP_MS - sentMs);
    this.#measured = { skewMs, offsetMs: this.#offsetMs(), atMs: this.clock.monotonic() };
  }

  /** null: not measured yet. Takes into account that our own clock was set after the measurement. */
  get ms(): number | null {
    return this.#measured === undefined ? null : this.#measured.skewMs - (this.#offsetMs() - this.#measured.offsetMs);
  }

  /** ms since the last measurement; Infinity without one. */
  get ageMs(): number {
    return this.#measured === undefined ? Infinity : this.clock.monotonic() - this.#measured.atMs;
  }

  #offsetMs(): number {
    return this.clock.now() - this.clock.monotonic();
  }
}
