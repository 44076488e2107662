import { randomBytes } from 'node:crypto';
import { AdvisoryLock } from '../../platform/postgres/advisory-lock.js';

/**
 * Shows other processes that this one lives: an advisory lock of its own, which goes when the process does, however it goes. A lock
 * that was lost with its connection is not asked for again, for the server may hold it for a while: a new life has a new id.
 */
export class WorkerLease {
  #lock: AdvisoryLock | undefined;
  #id = 0n;

  constructor(private readonly databaseUrl: string) {}

  /** The id of this life, whose lock is held; a new one when the last was lost. @throws a connection failure */
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
