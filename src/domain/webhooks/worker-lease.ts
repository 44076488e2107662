import { randomBytes } from 'node:crypto';
import { AdvisoryLock } from '../../platform/postgres/advisory-lock.js';

/**
 * Shows other processes that this one is running: it holds a separate advisory lock, which the server releases when the process ends
 * in any way. A lock that was lost with its connection is not requested again, because the server may hold it for a while; a new id
 * is used instead.
 */
export class WorkerLease {
  #lock: AdvisoryLock | undefined;
  #id = 0n;

  constructor(private readonly databaseUrl: string) {}

  /** Returns the current id, whose lock is held; a new id when the last lock was lost. @throws a connection failure */
  async id(): Promise<bigint> {
    if (this.#lock?.held) return this.#id;
    await this.end();
    this.#id = randomBytes(8).readBigInt64BE();
    this.#lock = new AdvisoryLock({ url: this.databaseUrl, key: this.#id, onLost: () => undefined });
    if (!(await this.#lock.tryAcquire())) throw new Error(`another process holds the lock ${this.#id}`);
    return this.#id;
  }

  async end(): Promise<void> {
    await this.#lock?.release();
    this.#lock = undefined;
  }
}
