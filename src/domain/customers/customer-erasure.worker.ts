import type { Pool } from 'pg';
import { findUnfinishedErasures } from '../../../projections/customers/customers.js';
import type { CustomerKeys } from './customer-keys.js';
import type { DestroyedKeyScrubber } from '../../ledger/crypto/destroyed-key-scrubber.js';
import { ElectedWorker } from '../../platform/worker/elected-worker.js';

/** Pause between two passes, ms. */
const REST_MS = 500;
/** Maximum deletions per query. */
const PAGE_SIZE = 1_000;
/** Interval at which every deletion is checked again, ms: a table of keys that was restored from a backup contains destroyed keys again. */
const FULL_LOOK_MS = 3_600_000;

/** Minimum pause between two removals of traces of destroyed keys, ms. Requests for customers' keys wait during a removal. */
const TRACES_REST_MS = 3_600_000;
/** Pause after a failed removal, ms. */
const TRACES_RETRY_MS = 60_000;
/** Minimum pause as a multiple of the last removal's duration: the table is closed for at most one thousandth of the time. */
const TRACES_REST_SHARE = 1_000;

export interface CustomerErasureOptions {
  readonly databaseUrl: string;
  /** The database with the read models and the keys. */
  readonly pool: Pool;
  readonly keys: CustomerKeys;
  readonly traces: DestroyedKeyScrubber;
  readonly onError: (error: unknown) => void;
}

/**
 * Destroys the key of every customer whose deletion is in the log: after a crash between the two steps, or when the key came back
 * with a backup. Later it also removes the key's traces from the database's files.
 * The position of checked deletions is kept in memory only; a new process checks all of them.
 */
export class CustomerErasureWorker {
  readonly #worker: ElectedWorker;
  #lookedTo = 0n;
  #nextFullLookMs = 0;
  #nextRemovalMs = 0;

  constructor(private readonly options: CustomerErasureOptions) {
    const { databaseUrl, onError } = options;
    this.#worker = new ElectedWorker({ name: 'customer erasure', databaseUrl, intervalMs: REST_MS, pass: (signal) => this.#pass(signal), onError });
  }

  start(): void {
    this.#worker.start();
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const { pool, keys } = this.options;
    if (performance.now() >= this.#nextFullLookMs) {
      this.#lookedTo = 0n;
      this.#nextFullLookMs = performance.now() + FULL_LOOK_MS;
    }
    while (!signal.aborted) {
      const { ids, looked_to } = await findUnfinishedErasures(pool, this.#lookedTo, PAGE_SIZE);
      if (ids.length > 0) await keys.destroy(ids);
      if (looked_to === this.#lookedTo) break;
      this.#lookedTo = looked_to;
    }
    if (!signal.aborted && performance.now() >= this.#nextRemovalMs) await this.#removeTraces();
  }

  async #removeTraces(): Promise<void> {
    const beganMs = performance.now();
    let restMs = TRACES_RETRY_MS;
    try {
      const removed = await this.options.traces.remove();
      // No pause is needed when there was nothing to remove.
      restMs = removed ? TRACES_REST_MS : 0;
    } finally {
      const nowMs = performance.now();
      if (restMs > 0) this.#nextRemovalMs = nowMs + Math.max(restMs, TRACES_REST_SHARE * (nowMs - beganMs));
    }
  }
}
