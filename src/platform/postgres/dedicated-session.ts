import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { clientConfig, connectSettled, type ConnectionOptions } from './connection-options.js';
import { serverAt } from './server-at.js';
import { SERVER_COLUMNS } from './servers.js';

/** Interval between checks that the session still responds, ms. Together with the statement's time-out a loss is noticed within 5 s. */
const HEARTBEAT_MS = 1_500;
const STATEMENT_TIMEOUT_MS = 2_500;
/** Longest time for a regular end, ms; a silent server is left without one. */
const CLOSE_TIMEOUT_MS = 1_000;

type SessionOptions = Pick<ConnectionOptions, 'url' | 'applicationName' | 'settings'>;

const ignore = (): undefined => undefined;

/**
 * One connection outside of any pool, for the state of a session: LISTEN, advisory locks.
 * It sends heartbeats all the time, because TCP alone soon notices neither a halted server nor a lost host.
 */
export class DedicatedSession {
  /** Statements go one after the other; a heartbeat never overtakes one. */
  #queue: Promise<unknown> = Promise.resolve();
  readonly #heartbeat: NodeJS.Timeout;
  #open = true;
  #answeredMs = performance.now();

  private constructor(
    private readonly client: pg.Client,
    private readonly url: string,
    private readonly onLost: (error: Error) => void,
  ) {
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
    client.on('error', (error) => this.abandon(error));
    client.on('end', () => this.abandon(new Error('Connection terminated')));
  }

  /**
   * @param onLost called once, when the session is gone without `close` having been called.
   * @throws a connection failure when the server is not reached within 3 s.
   */
  static async open(options: SessionOptions, onLost: (error: Error) => void): Promise<DedicatedSession> {
    const bounded = { ...options, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const client = new pg.Client(clientConfig(bounded));
    client.on('error', ignore);
    try {
      await connectSettled(client, bounded);
    } catch (error) {
      client.end().catch(ignore);
      throw error;
    }
    return new DedicatedSession(client, options.url, onLost);
  }

  /** False once it was closed or lost. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Time since the server last answered a statement, ms. */
  get silentMs(): number {
    return performance.now() - this.#answeredMs;
  }

  /** Runs a short statement; it may take 2.5 s. @throws the errors of the statement, and a connection failure. */
  query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<pg.QueryResult<Row>> {
    const result = this.#queue.then(() => this.client.query<Row>(text, values));
    this.#queue = result.then(() => (this.#answeredMs = performance.now()), ignore);
    return result;
  }

  onNotification(handle: (channel: string, payload: string) => void): void {
    this.client.on('notification', ({ channel, payload }) => handle(channel, payload ?? ''));
  }

  /** Ends the session, and with it everything it held. Takes a second at most and never throws. */
  async close(): Promise<void> {
    this.#open = false;
    clearInterval(this.#heartbeat);
    const patience = new AbortController();
    await Promise.race([this.client.end().catch(ignore), delay(CLOSE_TIMEOUT_MS, undefined, { signal: patience.signal }).catch(ignore)]);
    patience.abort();
  }

  /** While the server accepts no writes, checks whether the address leads to another one, which ends this session and all others here. */
  async #beat(): Promise<void> {
    try {
      const { rows } = await this.query<{ accepts_writes: boolean }>(`select ${SERVER_COLUMNS}`);
      if (!rows[0]!.accepts_writes) await serverAt(this.url).catch(ignore);
    } catch (error) {
      this.abandon(error as Error);
    }
  }

  /** Ends the session as if it had been lost. */
  abandon(error: Error): void {
    if (!this.#open) return;
    void this.close();
    this.onLost(error);
  }
}
