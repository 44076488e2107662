import pg from 'pg';
import { pause } from '../waiting.js';
import { DedicatedSession, type SessionOptions } from './dedicated-session.js';

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;

export interface ListenerOptions extends SessionOptions {
  /** Channel name → what to do with a notification's payload (`''` when it has none). Must not throw. */
  readonly channels: Readonly<Record<string, (payload: string) => void>>;
  /** Called after each re-connection: what was notified in between is lost, so look for yourself. */
  readonly onReconnect?: () => void;
  /** Told why the connection was lost, or could not be made. */
  readonly onConnectionLost?: (error: Error) => void;
}

/**
 * Listens to Postgres notifications on a connection of its own, and reconnects by itself until it is closed.
 * Notifications are a hint that makes things fast; whoever needs completeness polls as well.
 */
export class Listener {
  readonly #closing = new AbortController();
  #session: DedicatedSession | undefined;

  constructor(private readonly options: ListenerOptions) {}

  /** Resolves when it listens (however long Postgres is away), or was closed. Call it once. */
  async start(): Promise<void> {
    await this.#connect();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#session?.close();
    this.#session = undefined;
  }

  async #connect(): Promise<void> {
    const { signal } = this.#closing;
    for (let retryMs = FIRST_RETRY_MS; !signal.aborted; retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)) {
      try {
        const session = await this.#listen();
        // Closed meanwhile: nobody else knows of this session.
        if (signal.aborted) await session.close();
        else this.#session = session;
        return;
      } catch (error) {
        // Whoever has closed it lost nothing.
        if (!signal.aborted) this.options.onConnectionLost?.(error as Error);
        await pause(retryMs, signal);
      }
    }
  }

  async #listen(): Promise<DedicatedSession> {
    const { channels } = this.options;
    const session = await DedicatedSession.open(this.options, (error) => void this.#reconnect(error));
    session.onNotification((channel, payload) => channels[channel]?.(payload));
    try {
      for (const channel of Object.keys(channels)) await session.query(`listen ${pg.escapeIdentifier(channel)}`);
      if (!session.isOpen) throw new Error('Connection terminated');
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async #reconnect(error: Error): Promise<void> {
    // Lost before it listened: whoever was making it hears the same error from its statement, and tries again.
    if (!this.#session) return;
    this.#session = undefined;
    this.options.onConnectionLost?.(error);
    await this.#connect();
    if (!this.#closing.signal.aborted) this.options.onReconnect?.();
  }
}
