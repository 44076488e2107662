import type { Pool } from 'pg';
import { findUnfinishedErasures } from '../../../projections/customers/customers.js';
import type { CustomerKeys } from './customer-keys.js';
import type { DestroyedKeyScrubber } from '../../ledger/crypto/destroyed-key-scrubber.js';
import { ElectedWorker } from '../../platform/worker/elected-worker.js';

/** Rest between two looks, ms. */
const REST_MS = 500;
/** Deletions in one look. */
const PAGE_SIZE = 1_000;
/** Every deletion is looked at again so often, ms: a table of keys that came back from a backup brings destroyed keys back. */
const FULL_LOOK_MS = 3_600_000;

/** Between two removals of what is left of destroyed keys, at least, ms. Who wants a customer's key waits meanwhile. */
const TRACES_REST_MS = 3_600_000;
/** The same after one that failed. */
const TRACES_RETRY_MS = 60_000;
/** And so many times as long as the last one took: of a thousand seconds the table is closed for one. */
const TRACES_REST_SHARE = 1_000;

export interface CustomerErasureOptions {
  readonly databaseUrl: string;
  /** Where the read models and the keys are. */
  readonly pool: Pool;
  readonly keys: CustomerKeys;
  readonly traces: DestroyedKeyScrubber;
  readonly onError: (error: unknown) => void;
}

/**
 * Destroys the key of every customer whose deletion is in the log: of one who crashed between the two, and of one whose key came
 * back with a backup. A while later nothing is left of it in the database's files.
 * Which deletions are still to be looked at is kept in memory; a new process looks at all of them.
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
      // Nothing to do is nothing to rest from.
      restMs = removed ? TRACES_REST_MS : 0;
    } finally {
      const nowMs = performance.now();
      if (restMs > 0) this.#nextRemovalMs = nowMs + Math.max(restMs, TRACES_REST_SHARE * (nowMs - beganMs));
    }
  }
}
