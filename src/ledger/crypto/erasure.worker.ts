import type { DestroyedKeyScrubber } from './destroyed-key-scrubber.js';
import { ElectedWorker } from '../../platform/worker/elected-worker.js';

/** Pause between two passes, ms. */
const REST_MS = 500;
/** Maximum erasures per query. */
const PAGE_SIZE = 1_000;
/** Interval at which every erasure is checked again, ms: a table of keys that was restored from a backup contains destroyed keys again. */
const FULL_LOOK_MS = 3_600_000;

/** Minimum pause between two removals of traces of destroyed keys, ms. Requests for keys of these owners wait during a removal. */
const TRACES_REST_MS = 3_600_000;
/** Pause after a failed removal, ms. */
const TRACES_RETRY_MS = 60_000;
/** Minimum pause as a multiple of the last removal's duration: the table is closed for at most one thousandth of the time. */
const TRACES_REST_SHARE = 1_000;

export interface UnfinishedErasures {
  /** Owners that the log erases and whose key still exists. */
  readonly ids: readonly string[];
  /** The ordinal to continue after: everything up to it has been checked. */
  readonly looked_to: bigint;
}

/** The erasures of one kind of owner. */
export interface RecordedErasures {
  /** Checks up to `limit` erasures after the ordinal `after`, in the order of the log. */
  readonly findUnfinished: (after: bigint, limit: number) => Promise<UnfinishedErasures>;
  /** Destroys the keys of these owners, and deletes the data that they encrypted. A repeat is success. */
  readonly erase: (ids: readonly string[]) => Promise<void>;
}

export interface ErasureOptions {
  readonly databaseUrl: string;
  readonly erasures: readonly RecordedErasures[];
  readonly traces: Pick<DestroyedKeyScrubber, 'remove'>;
  readonly onError: (error: unknown) => void;
}

/**
 * Destroys the key of every owner whose erasure is in the log: after a crash between the two steps, or when the key came back with a backup. Later it
 * also removes the key's traces from the database's files. The positions of checked erasures are kept in memory only; a new process checks all of
 * them.
 */
export class ErasureWorker {
  readonly #worker: ElectedWorker;
  readonly #lookedTo = new Map<RecordedErasures, bigint>();
  #nextFullLookMs = 0;
  #nextRemovalMs = 0;

  constructor(private readonly options: ErasureOptions) {
    const { databaseUrl, onError } = options;
    this.#worker = new ElectedWorker({ name: 'customer erasure', databaseUrl, intervalMs: REST_MS, pass: (signal) => this.#pass(signal), onError });
  }

  start(): void {
    this.#worker.start();
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  /** Each kind is erased although another one fails, because its read model is being built for example. @throws the first error */
  async #pass(signal: AbortSignal): Promise<void> {
    if (performance.now() >= this.#nextFullLookMs) {
      this.#lookedTo.clear();
      this.#nextFullLookMs = performance.now() + FULL_LOOK_MS;
    }
    const errors: unknown[] = [];
    for (const each of this.options.erasures) await this.#finish(each, signal).catch((error: unknown) => errors.push(error));
    if (!signal.aborted && performance.now() >= this.#nextRemovalMs) await this.#removeTraces();
    if (errors.length > 0) throw errors[0];
  }

  async #finish(erasures: RecordedErasures, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const after = this.#lookedTo.get(erasures) ?? 0n;
      const { ids, looked_to } = await erasures.findUnfinished(after, PAGE_SIZE);
      if (ids.length > 0) await erasures.erase(ids);
      if (looked_to === after) return;
      this.#lookedTo.set(erasures, looked_to);
    }
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
