import { pause as pauseFor } from '../../async/waiting.js';

/** Share of a caller's time that such work may take in the long run. */
const SHARE = 0.25;
/** Credit of a caller without recent work, ms: most downloads end before it is used up. */
const SAVED_MS = 1_000;
/** Number of callers from which on those with full credit are removed. */
const CALLERS_MAX = 1_000;

interface Caller {
  /** Time at which the full credit of `SAVED_MS` is available again. */
  wholeMs: number;
  /** Settles with the last requested turn. */
  last: Promise<unknown>;
}

/**
 * Limits the time that the pieces of a caller's long work take of the process and of its database: in the long run, a share of the time. A rate limit
 * counts requests, one of which can cost a thousand times another.
 */
export class CpuQuota {
  readonly #callers = new Map<string, Caller>();

  constructor(
    private readonly share = SHARE,
    private readonly now: () => number = () => performance.now(),
    private readonly pause: (ms: number, signal: AbortSignal) => Promise<void> = pauseFor,
  ) {}

  /** Runs `work` in the caller's turn, one piece at a time; an aborted signal ends the wait, and `work` still runs. @throws errors of `work` */
  async take<T>(caller: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const known = this.#callerOf(caller);
    const turn = known.last.then(async () => {
      await this.rest(caller, signal);
      return this.spend(caller, work);
    });
    known.last = turn.catch(() => undefined);
    return turn;
  }

  /** Waits until the caller may begin work, or the signal aborts. */
  async rest(caller: string, signal: AbortSignal): Promise<void> {
    const restMs = this.#callerOf(caller).wholeMs - this.now() - SAVED_MS / this.share;
    if (restMs > 0) await this.pause(restMs, signal);
  }

  /** Counts the time of `work`, independent of concurrent work. */
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
