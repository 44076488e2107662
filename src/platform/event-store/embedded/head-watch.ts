import type { Position } from '../event-store.js';

interface Waiting {
  readonly scanned: Position;
  readonly resume: () => void;
}

/** Tells the subscriptions of one process that there may be more to read. A hint: nobody's correctness rests on it. */
export class HeadWatch {
  #reached: Position = 0n;
  #news = 0;
  readonly #waiting = new Set<Waiting>();

  /** Counts up with every piece of news. Take it before you read; then nothing that comes meanwhile is missed. */
  get news(): number {
    return this.#news;
  }

  /** There is an event at `position`. */
  reached(position: Position): void {
    this.#news += 1;
    if (position > this.#reached) this.#reached = position;
    for (const { scanned, resume } of [...this.#waiting]) if (scanned < position) resume();
  }

  /** Something may have been missed. */
  wake(): void {
    this.#news += 1;
    for (const { resume } of [...this.#waiting]) resume();
  }

  /** Resolves when news has come, since `since`, of an event behind `scanned`, when `timeoutMs` have passed, or on abort. */
  async newsBehind(scanned: Position, since: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if ((this.#news !== since && this.#reached > scanned) || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const resume = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', resume);
        this.#waiting.delete(waiting);
        resolve();
      };
      const waiting = { scanned, resume };
      const timer = setTimeout(resume, timeoutMs);
      signal.addEventListener('abort', resume);
      this.#waiting.add(waiting);
    });
  }
}
