import { createHash } from 'node:crypto';
import { SharedSession, type SessionUser } from './shared-session.js';

/** The number under which Postgres knows the lock of this name. */
export function advisoryLockKey(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE();
}

export interface AdvisoryLockOptions {
  readonly url: string;
  readonly key: bigint;
  /**
   * Called when a held lock is lost with its connection, within 5 s; another process may hold it already.
   * Who writes under the lock therefore fences its writes too: the lock elects, it does not protect.
   */
  readonly onLost: (error: Error) => void;
}

/**
 * Elects one of many: an advisory lock in the process's session, given back when that ends, however it ends, and taken away from a
 * process that does not move any more.
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
   * True when the lock is ours now (or was already), false when somebody else has it. Never waits for it.
   * @throws a connection failure
   */
  tryAcquire(): Promise<boolean> {
    this.#attempt ??= this.#acquire().finally(() => (this.#attempt = undefined));
    return this.#attempt;
  }

  /** Gives the lock back at once, if it is held. May be acquired again later. */
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
    // Who did not get the lock stays in the session for the next attempt.
    const session = (this.#session ??= SharedSession.join(this.options.url, this));
    const acquired = await session.tryLock(this, this.options.key);
    // It may have been lost between the answer and here.
    this.#held = acquired && session.holds(this, this.options.key);
    return this.#held;
  }
}
