import type { Draws } from './faults.js';

/** A message to post, with its headers. */
export interface Parcel {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CourierOptions {
  /** Address for notifications. */
  readonly url: string;
  /** Delay of a late notification, and maximum delay of one that others overtake; ms. */
  readonly lateMs: number;
  /** Pause between the first try and the second; ms, doubling. */
  readonly retryMs: number;
}

const TRIES = 7;

/**
 * Delivers a simulator's notifications: repeats them until they are accepted and, with the faults for that, sends them twice, late and out of order.
 */
export class Courier {
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(
    private readonly options: CourierOptions,
    private readonly draws: Draws,
  ) {}

  send(parcel: Parcel): void {
    const copies = this.draws.happens('repeat') ? 2 + this.draws.below(2) : 1;
    const lateMs = this.draws.happens('late') ? this.options.lateMs : 0;
    for (let copy = 0; copy < copies; copy += 1) {
      const overtakenMs = this.draws.happens('reorder') ? this.draws.below(this.options.lateMs) : 0;
      this.#after(lateMs + overtakenMs, () => void this.#try(parcel, 1));
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #try(parcel: Parcel, attempt: number): Promise<void> {
    const { path, headers, body } = parcel;
    const isTaken = await fetch(this.options.url + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }).then(
      async (answer) => {
        await answer.arrayBuffer();
        // A rejection of the credentials is permanent.
        return answer.ok || answer.status === 401;
      },
      () => false,
    );
    if (!isTaken && attempt < TRIES) this.#after(this.options.retryMs * 2 ** (attempt - 1), () => void this.#try(parcel, attempt + 1));
  }

  #after(ms: number, action: () => void): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, ms);
    this.#timers.add(timer);
  }
}
