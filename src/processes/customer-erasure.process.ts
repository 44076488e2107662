import type { Pool } from 'pg';
import { findUnfinishedErasures } from '../../projections/customers.js';
import type { CustomerKeys } from '../customers/customer-keys.js';
import { ElectedProcess } from './elected-process.js';

/** Rest between two looks, ms. */
const REST_MS = 500;
/** Deletions in one look. */
const PAGE_SIZE = 1_000;
/** Every deletion is looked at again so often, ms: a table of keys that came back from a backup brings destroyed keys back. */
const FULL_LOOK_MS = 3_600_000;

export interface CustomerErasureOptions {
  readonly databaseUrl: string;
  /** Where the read models and the keys are. */
  readonly pool: Pool;
  readonly keys: CustomerKeys;
  readonly onError: (error: unknown) => void;
}

/**
 * Destroys the key of every customer whose deletion is in the log: of one who crashed between the two, and of one whose key came
 * back with a backup. Which deletions are still to be looked at is kept in memory; a new process looks at all of them.
 */
export class CustomerErasureProcess {
  readonly #process: ElectedProcess;
  #lookedTo = 0n;
  #nextFullLookMs = 0;

  constructor(private readonly options: CustomerErasureOptions) {
    const { databaseUrl, onError } = options;
    this.#process = new ElectedProcess({ name: 'customer erasure', databaseUrl, intervalMs: REST_MS, pass: (signal) => this.#pass(signal), onError });
  }

  start(): void {
    this.#process.start();
  }

  stop(): Promise<void> {
    return this.#process.stop();
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
      if (looked_to === this.#lookedTo) return;
      this.#lookedTo = looked_to;
    }
  }
}
