import { createHash } from 'node:crypto';
import { DedicatedSession, type SessionOptions } from './dedicated-session.js';

/** The number under which Postgres knows the lock of this name. */
export function advisoryLockKey(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE();
}

export interface AdvisoryLockOptions extends SessionOptions {
  readonly key: bigint;
  /**
   * Called when a held lock is lost with its connection, within 5 s; another process may hold it already.
   * Who writes under the lock therefore fences its writes too: the lock elects, it does not protect.
   */
  readonly onLost: (error: Error) => void;
}

/**
 * The server ends the session of a holder that says nothing for this long, ms, and somebody else gets the lock. A healthy holder
 * speaks every 1.5 s (the session's heartbeat); one that is paused or hangs does not, although its kernel goes on acknowledging
 * what TCP asks. A holder is replaced within this, the heartbeat's age and the candidates' interval: within 10 s.
 */
const SILENT_HOLDER_MS = 5_000;

/**
 * Elects one of many: an advisory lock held by a connection of its own, given back when that ends, however it ends, and taken
 * away from a process that does not move any more.
 */
export class AdvisoryLockSession {
  #session: DedicatedSession | undefined;
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
    await session?.close();
  }

  async #acquire(): Promise<boolean> {
    if (this.#held) return true;
    // A session that did not get the lock is kept for the next attempt.
    const session = this.#session?.isOpen ? this.#session : await DedicatedSession.open(this.#sessionOptions(), (error) => this.#lose(error));
    this.#session = session;
    const { rows } = await session.query<{ acquired: boolean }>('select pg_try_advisory_lock($1) as acquired', [this.options.key]);
    // The session may have been lost between the answer and here.
    this.#held = rows[0]!.acquired && session.isOpen;
    return this.#held;
  }

  #sessionOptions(): SessionOptions {
    const { url, applicationName, settings } = this.options;
    return { url, applicationName, settings: { ...settings, idle_session_timeout: String(SILENT_HOLDER_MS) } };
  }

  #lose(error: Error): void {
    const wasHeld = this.#held;
    this.#session = undefined;
    this.#held = false;
    if (wasHeld) this.options.onLost(error);
  }
}
