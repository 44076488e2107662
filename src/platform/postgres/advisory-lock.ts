import { createHash } from 'node:crypto';
import { SharedSession, type SessionUser } from './shared-session.js';

/** Returns the number of the lock of this name in Postgres. */
export function advisoryLockKey(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE();
}

export interface AdvisoryLockOptions {
  readonly url: string;
  readonly key: bigint;
  /**
   * Called when a held lock is lost with its connection, within 5 s; another process may hold it already.
   * A process that writes under the lock therefore fences its writes too: the lock elects, it does not protect.
   */
  readonly onLost: (error: Error) => void;
}

/**
 * Elects one of many processes: an advisory lock in the process's session. The lock is released when the session ends, however it ends, and taken
 * away from a process that no longer moves.
 */
export class AdvisoryLock implements SessionUser {
  #session: SharedSession | undefined;
  #held = false;
  #attempt: Promise<boolean> | undefined;

  constructor(private readonly options: AdvisoryLockOptions) {}

  get held(): boolean {
    return this.#held;
  }

  /**
   * Returns true when this process holds the lock now (or held it already), false when another one holds it. Never waits for it.
   * @throws a connection failure
   */
  tryAcquire(): Promise<boolean> {
    this.#attempt ??= this.#acquire().finally(() => (this.#attempt = undefined));
    return this.#attempt;
  }

  /** Releases the lock at once, if it is held. May be acquired again later. */
  async release(): Promise<void> {
    await this.#attempt?.catch(() => undefined);
    const session = this.#session;
    this.#session = undefined;
    this.#held = false;
    await session?.unlock(this, this.options.key);
    await session?.leave(this);
  }

  lost(error: Error): void {
    const wasHeld = this.#held;
    this.#held = false;
    if (wasHeld) this.options.onLost(error);
  }

  async #acquire(): Promise<boolean> {
    // A process that did not get the lock stays in the session for the next attempt.
    const session = (this.#session ??= SharedSession.join(this.options.url, this));
    const acquired = await session.tryLock(this, this.options.key);
    // It may have been lost between the answer and here.
    this.#held = acquired && session.holds(this, this.options.key);
    return this.#held;
  }
}
