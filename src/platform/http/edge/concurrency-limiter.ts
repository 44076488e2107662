import { RoundRobinQueue } from '../../async/round-robin-queue.js';
import { HttpProblem } from '../../problem.js';
import { whenAborted } from '../../async/waiting.js';

interface Waiting {
  readonly caller: string;
  readonly begin: () => void;
  isGone: boolean;
}

/** Places for the work of many callers in turn: a caller that occupies all of its places delays only itself. */
export class ConcurrencyLimiter {
  readonly #turns: RoundRobinQueue<Waiting>;
  readonly #waiting = new Map<string, number>();

  /** `waiting`: maximum waiting entries of one caller, and the refusal of a further one. */
  constructor(
    total: number,
    perCaller: number,
    private readonly waiting: { readonly max: number; readonly refusal: string } = { max: Infinity, refusal: '' },
  ) {
    this.#turns = new RoundRobinQueue(total, perCaller);
  }

  /** Waits for a place. @returns a function that releases it. @throws Problem rate-limited when too many wait already; the signal's reason */
  async enter(caller: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const waiting = this.#waiting.get(caller) ?? 0;
    if (waiting >= this.waiting.max) throw new HttpProblem('rate-limited', this.waiting.refusal);
    this.#waiting.set(caller, waiting + 1);
    let stay = (): void => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const entry: Waiting = { caller, begin: resolve, isGone: false };
        stay = whenAborted(signal, () => {
          entry.isGone = true;
          reject(signal.reason as Error);
        });
        this.#turns.add(caller, entry);
        this.#begin();
      });
    } finally {
      stay();
      const left = this.#waiting.get(caller)! - 1;
      if (left > 0) this.#waiting.set(caller, left);
      else this.#waiting.delete(caller);
    }
    return () => this.#leave(caller);
  }

  #begin(): void {
    for (let next = this.#turns.next(); next; next = this.#turns.next()) {
      if (next.isGone) this.#turns.done(next.caller);
      else next.begin();
    }
  }

  #leave(caller: string): void {
    this.#turns.done(caller);
    this.#begin();
  }
}
