import type { RailCall } from './rail-calls.js';
import type { RailClock } from './rail-clock.js';

type Priority = RailCall['priority'];

interface Waiting {
  readonly admit: (afterMs: number | null) => void;
  readonly cancelDeadline: () => void;
}

/** Bounds the memory that the calls of a slow provider take. */
const WAITING_MAX = 1_000;
const PRIORITIES: readonly Priority[] = ['act', 'confirm', 'poll'];

/**
 * The token bucket of one endpoint. Waiting calls leave by priority, and in order of arrival within a priority. A call that cannot leave in time is
 * refused, at once where that can be foreseen.
 */
export class CallQueue {
  readonly #waiting: Readonly<Record<Priority, Set<Waiting>>> = { act: new Set(), confirm: new Set(), poll: new Set() };
  readonly #tokensMax: number;
  #tokens: number;
  /** Tokens are counted up to this time; it is in the future while the provider wants us to wait. */
  #countedMs: number;
  #cancelWake: (() => void) | undefined;

  /** `perSecond` > 0. A second's calls may leave at once, and always at least one. */
  constructor(
    private readonly perSecond: number,
    private readonly clock: RailClock,
  ) {
    this.#tokensMax = Math.max(1, Math.floor(perSecond));
    this.#tokens = this.#tokensMax;
    this.#countedMs = clock.monotonic();
  }

  /** @returns null when the call may leave now; otherwise the approximate number of ms until a call may leave. */
  async take(priority: Priority, withinMs: number): Promise<number | null> {
    const ahead = this.#countUpTo(priority);
    const waitMs = this.#msUntilToken(ahead);
    if (waitMs === 0) {
      this.#tokens -= 1;
      return null;
    }
    if (waitMs > withinMs || this.#countUpTo('poll') >= WAITING_MAX) return waitMs;
    return new Promise((admit) => {
      const cancelDeadline = this.clock.after(withinMs, () => {
        this.#waiting[priority].delete(waiting);
        admit(this.#msUntilToken(this.#countUpTo(priority)));
      });
      const waiting: Waiting = { admit, cancelDeadline };
      this.#waiting[priority].add(waiting);
      this.#wakeInTime();
    });
  }

  /** Holds all calls for `ms`, as the provider asked. Calls after that start slowly: with one call. */
  pause(ms: number): void {
    const until = this.clock.monotonic() + ms;
    if (until <= this.#countedMs) return;
    this.#countedMs = until;
    this.#tokens = 1;
    this.#wakeInTime();
  }

  #countUpTo(last: Priority): number {
    return PRIORITIES.slice(0, PRIORITIES.indexOf(last) + 1).reduce((sum, priority) => sum + this.#waiting[priority].size, 0);
  }

  /** ms until a token is free for a call with `ahead` calls before it; 0: now. */
  #msUntilToken(ahead: number): number {
    const now = this.clock.monotonic();
    if (now > this.#countedMs) {
      this.#tokens = Math.min(this.#tokensMax, this.#tokens + ((now - this.#countedMs) * this.perSecond) / 1000);
      this.#countedMs = now;
    }
    const missing = Math.max(0, ahead + 1 - this.#tokens);
    return Math.ceil(this.#countedMs - now + (missing * 1000) / this.perSecond);
  }

  #wakeInTime(): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    while (this.#countUpTo('poll') > 0) {
      const ms = this.#msUntilToken(0);
      if (ms > 0) {
        this.#cancelWake = this.clock.after(ms, () => this.#wakeInTime());
        return;
      }
      const queue = PRIORITIES.map((priority) => this.#waiting[priority]).find(({ size }) => size > 0)!;
      const [first] = queue;
      queue.delete(first!);
      first!.cancelDeadline();
      this.#tokens -= 1;
      first!.admit(null);
    }
  }
}
