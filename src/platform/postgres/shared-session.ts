import { BackOff } from '../async/back-off.js';
import { DedicatedSession } from './dedicated-session.js';

/**
 * The server ends a session that is silent for this long, ms, and another process gets the locks that it held. A healthy process sends a statement
 * every 1.5 s (the session's heartbeat); one that is paused or hangs does not, although its kernel keeps acknowledging TCP. A holder is replaced
 * within the sum of this, the heartbeat's age and the candidates' interval: within 10 s.
 */
const SILENT_HOLDER_MS = 5_000;
/** Longest such time: it doubles after each session that ended because this process was too slow to send a statement. */
const LONGEST_SILENT_HOLDER_MS = 40_000;
/** A session that lasted for this long, ms, was not too slow. */
const SETTLED_MS = 60_000;

/** A user of the session. Neither call may throw. */
export interface SessionUser {
  /** The session ended, and with it every lock and every LISTEN; the next `open` makes a new one. */
  lost(error: Error): void;
  notified?(channel: string, payload: string): void;
}

const sessions = new Map<string, SharedSession>();

/**
 * The one connection of this process to a database for the state of a session: LISTEN and advisory locks. A connection costs the server a process and
 * one of its few places, and none of the users keeps it busy.
 */
export class SharedSession {
  readonly #users = new Set<SessionUser>();
  /** One session may take a lock twice, so the server does not distinguish the users of this one. */
  readonly #holders = new Map<bigint, SessionUser>();
  #session: DedicatedSession | undefined;
  #opening: Promise<DedicatedSession> | undefined;
  #openedMs = 0;
  readonly #silentMs = new BackOff(SILENT_HOLDER_MS, LONGEST_SILENT_HOLDER_MS);

  private constructor(private readonly url: string) {}

  /** Adds `user`. Nothing is connected yet. */
  static join(url: string, user: SessionUser): SharedSession {
    const shared = sessions.get(url) ?? new SharedSession(url);
    sessions.set(url, shared);
    shared.#users.add(user);
    return shared;
  }

  /** Removes `user`, and closes the connection after the last one. `user` has released its channels and locks before. */
  async leave(user: SessionUser): Promise<void> {
    this.#users.delete(user);
    if (this.#users.size > 0) return;
    if (sessions.get(this.url) === this) sessions.delete(this.url);
    const session = this.#session;
    this.#session = undefined;
    await session?.close();
  }

  /** Returns the open session, or a new one. @throws a connection failure */
  async open(): Promise<DedicatedSession> {
    if (this.#session?.isOpen) return this.#session;
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  /** Returns true when `user` holds the lock now. Never waits for it. @throws a connection failure */
  async tryLock(user: SessionUser, key: bigint): Promise<boolean> {
    const holder = this.#holders.get(key);
    if (holder !== undefined) return holder === user;
    // Set before the server has responded, so that no other user of this session requests the same lock.
    this.#holders.set(key, user);
    try {
      const session = await this.open();
      const acquired = await this.#ask(session, 'select pg_try_advisory_lock($1) as done', key);
      // The session may have been lost between the answer and here, and the lock may be another user's of the next one.
      if (acquired && session.isOpen) return true;
    } catch (error) {
      this.#forget(user, key);
      throw error;
    }
    this.#forget(user, key);
    return false;
  }

  /** Returns true after a successful `tryLock`, until the lock is released or lost. */
  holds(user: SessionUser, key: bigint): boolean {
    return this.#holders.get(key) === user;
  }

  /** Releases the lock, if `user` holds it. Never throws: a session that does not respond is ended, and its locks with it. */
  async unlock(user: SessionUser, key: bigint): Promise<void> {
    if (!this.holds(user, key)) return;
    const session = this.#session;
    if (session?.isOpen) await this.#ask(session, 'select pg_advisory_unlock($1) as done', key).catch(() => undefined);
    this.#forget(user, key);
  }

  #forget(user: SessionUser, key: bigint): void {
    if (this.holds(user, key)) this.#holders.delete(key);
  }

  /** Ends the session when its statement fails, because the state of the lock is unknown then. */
  async #ask(session: DedicatedSession, text: string, key: bigint): Promise<boolean> {
    try {
      const { rows } = await session.query<{ done: boolean }>(text, [key]);
      return rows[0]!.done;
    } catch (error) {
      session.abandon(error as Error);
      throw error;
    }
  }

  async #connect(): Promise<DedicatedSession> {
    const settings = { idle_session_timeout: String(this.#silentMs.nextMs) };
    const session = await DedicatedSession.open({ url: this.url, applicationName: 'chargebook-session', settings }, (error) => this.#lose(error));
    this.#openedMs = performance.now();
    if (this.#users.size === 0) {
      await session.close();
      throw new Error('Connection terminated');
    }
    session.onNotification((channel, payload) => {
      for (const user of this.#users) user.notified?.(channel, payload);
    });
    this.#session = session;
    return session;
  }

  #lose(error: Error): void {
    const lost = this.#session;
    this.#session = undefined;
    if (performance.now() - this.#openedMs > SETTLED_MS) this.#silentMs.reset();
    // The next session would end in the same way, before its leader has made progress. The reason of the server may be lost behind an EPIPE.
    if (lost && lost.silentMs > this.#silentMs.nextMs) this.#silentMs.take();
    this.#holders.clear();
    for (const user of [...this.#users]) user.lost(error);
  }
}
