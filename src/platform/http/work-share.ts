import { pause as pauseFor } from '../waiting.js';

/** Of a caller's time that such work may take, as long as it goes on. */
const SHARE = 0.25;
/** Work that a caller who did none for a while has in hand, ms: most downloads end before it is used up. */
const SAVED_MS = 1_000;
/** From where on callers that have all of it again are forgotten. */
const CALLERS_MAX = 1_000;

interface Caller {
  /** When all of `SAVED_MS` is there again. */
  wholeMs: number;
  /** Ends with the piece of work that was asked for last. */
  last: Promise<unknown>;
}

/**
 * How much of the process, and of its database, the pieces of a caller's long work take: one piece at a time, and in the long run a
 * quarter of the time. A rate limit counts requests, of which one can be a thousand times another.
 */
export class WorkShare {
  readonly #callers = new Map<string, Caller>();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly pause: (ms: number, signal: AbortSignal) => Promise<void> = pauseFor,
  ) {}

  /** Does `work` when it is the caller's turn; without waiting for it any longer when the signal aborts. @throws what `work` throws */
  async take<T>(caller: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const nowMs = this.now();
    if (this.#callers.size >= CALLERS_MAX) for (const [id, { wholeMs }] of this.#callers) if (wholeMs <= nowMs) this.#callers.delete(id);
    const known = this.#callers.get(caller) ?? { wholeMs: nowMs, last: Promise.resolve() };
    this.#callers.set(caller, known);
    const turn = known.last.then(() => this.#inTurn(known, signal, work));
    known.last = turn.catch(() => undefined);
    return turn;
  }

  async #inTurn<T>(caller: Caller, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const restMs = caller.wholeMs - this.now() - SAVED_MS / SHARE;
    if (restMs > 0) await this.pause(restMs, signal);
    const begunMs = this.now();
    try {
      return await work();
    } finally {
      const endedMs = this.now();
      caller.wholeMs = Math.max(caller.wholeMs, begunMs) + (endedMs - begunMs) / SHARE;
    }
  }
}
