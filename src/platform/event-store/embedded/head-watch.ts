import type { Position } from '../event-store.js';

interface Waiting {
  readonly scanned: Position;
  readonly resume: () => void;
}

/** Wakes the subscriptions of one process when there may be more to read. A hint: no correctness depends on it. */
export class HeadWatch {
  #reached: Position = 0n;
  #announced = 0;
  readonly #waiting = new Set<Waiting>();

  /** Counts the announcements. Take it before a read: then no announcement that arrives during the read is missed. */
  get announced(): number {
    return this.#announced;
  }

  /** Announces an event at `position`. */
  reached(position: Position): void {
    this.#announced += 1;
    if (position > this.#reached) this.#reached = position;
    for (const { scanned, resume } of [...this.#waiting]) if (scanned < position) resume();
  }

  /** Wakes all subscriptions, because an announcement may have been missed. */
  wake(): void {
    this.#announced += 1;
    for (const { resume } of [...this.#waiting]) resume();
  }

  /** Resolves when an event after `scanned` was announced after the count was `since`, when `timeoutMs` have passed, or on abort. */
  async announcedAfter(scanned: Position, since: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if ((this.#announced !== since && this.#reached > scanned) || signal.aborted) return;
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
