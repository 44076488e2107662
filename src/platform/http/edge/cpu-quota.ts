import { pause as pauseFor } from '../../waiting.js';

/** Of a caller's time that such work may take, as long as it goes on. */
const SHARE = 0.25;
/** Work that a caller who did none for a while has in hand, ms: most downloads end before it is used up. */
const SAVED_MS = 1_000;
/** From where on callers that have all of it again are forgotten. */
const CALLERS_MAX = 1_000;

interface Caller {
  /** When all of `SAVED_MS` is there again. */
  wholeMs: number;
  /** Ends with the turn that was asked for last. */
  last: Promise<unknown>;
}

/**
 * How much of the process, and of its database, the pieces of a caller's long work take: in the long run a share of the time. A rate
 * limit counts requests, of which one can be a thousand times another.
 */
export class CpuQuota {
  readonly #callers = new Map<string, Caller>();

  constructor(
    private readonly share = SHARE,
    private readonly now: () => number = () => performance.now(),
    private readonly pause: (ms: number, signal: AbortSignal) => Promise<void> = pauseFor,
  ) {}

  /** Does `work` when it is the caller's turn, one piece at a time; without resting any longer when the signal aborts. @throws what `work` throws */
  async take<T>(caller: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const known = this.#callerOf(caller);
    const turn = known.last.then(async () => {
      await this.rest(caller, signal);
      return this.spend(caller, work);
    });
    known.last = turn.catch(() => undefined);
    return turn;
  }

  /** Until the caller may begin something, or the signal aborts. */
  async rest(caller: string, signal: AbortSignal): Promise<void> {
    const restMs = this.#callerOf(caller).wholeMs - this.now() - SAVED_MS / this.share;
    if (restMs > 0) await this.pause(restMs, signal);
  }

  /** Counts the time of `work`, whatever else is under way. */
  async spend<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const known = this.#callerOf(caller);
    const begunMs = this.now();
    try {
      return await work();
    } finally {
      known.wholeMs = Math.max(known.wholeMs, begunMs) + (this.now() - begunMs) / this.share;
    }
  }

  #callerOf(caller: string): Caller {
    const nowMs = this.now();
    if (this.#callers.size >= CALLERS_MAX) for (const [id, { wholeMs }] of this.#callers) if (wholeMs <= nowMs) this.#callers.delete(id);
    const known = this.#callers.get(caller) ?? { wholeMs: nowMs, last: Promise.resolve() };
    this.#callers.set(caller, known);
    return known;
  }
}
