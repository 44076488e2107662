import pg from 'pg';
import { pause } from '../async/waiting.js';
import { SharedSession, type SessionUser } from './shared-session.js';
import { BackOff } from '../async/back-off.js';

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;

export interface ListenerOptions {
  readonly url: string;
  /** Handlers of a notification's payload by channel name (`''` when it has no payload). They must not throw. */
  readonly channels: Readonly<Record<string, (payload: string) => void>>;
  /** Called after each reconnection: notifications in between are lost, so the caller reads the state itself. */
  readonly onReconnect?: () => void;
  /** Called with the reason when the connection was lost, or could not be made. */
  readonly onConnectionLost?: (error: Error) => void;
}

/**
 * Listens to Postgres notifications in the process's session, and resumes by itself until it is closed.
 * Notifications are a hint that makes things fast; a caller that needs completeness polls as well.
 */
export class Listener implements SessionUser {
  readonly #closing = new AbortController();
  #session: SharedSession | undefined;
  #listens = false;

  constructor(private readonly options: ListenerOptions) {}

  /** Resolves when it listens (however long Postgres is unavailable), or was closed. Call it once. */
  async start(): Promise<void> {
    const { signal } = this.#closing;
    for (const backOff = new BackOff(FIRST_RETRY_MS, LONGEST_RETRY_MS); !signal.aborted;) {
      try {
        await this.#listen();
        return;
      } catch (error) {
        // After `close`, nothing was lost.
        if (!signal.aborted) this.options.onConnectionLost?.(error as Error);
        await pause(backOff.take(), signal);
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#session?.leave(this);
  }

  /** Sends a hint to all listeners: it is dropped while there is no session. */
  notify(channel: string, payload: string): void {
    if (!this.#listens) return;
    void this.#session
      ?.open()
      .then((session) => session.query('select pg_notify($1, $2)', [channel, payload]))
      .catch(() => undefined);
  }

  notified(channel: string, payload: string): void {
    this.options.channels[channel]?.(payload);
  }

  lost(error: Error): void {
    // Lost before it listened: `start` gets the same error from its statement, and tries again.
    if (!this.#listens) return;
    this.#listens = false;
    this.options.onConnectionLost?.(error);
    void this.start().then(() => {
      if (!this.#closing.signal.aborted) this.options.onReconnect?.();
    });
  }

  async #listen(): Promise<void> {
    this.#session ??= SharedSession.join(this.options.url, this);
    const session = await this.#session.open();
    for (const channel of Object.keys(this.options.channels)) await session.query(`listen ${pg.escapeIdentifier(channel)}`);
    if (!session.isOpen) throw new Error('Connection terminated');
    this.#listens = true;
  }
}
