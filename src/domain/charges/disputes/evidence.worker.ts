import type { Pool } from 'pg';
import { findUnknownEvidence, type KeptEvidence } from '../../../../projections/disputes/evidence-reads.js';
import { charge } from '../charge.decider.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { foldStream } from '../../../ledger/streams/fold-stream.js';
import { DAY_MS, HOUR_MS, timestamp, type Clock } from '../../../ledger/time.js';
import type { EventStore } from '../../../platform/event-store/event-store.js';
import { ElectedWorker } from '../../../platform/worker/elected-worker.js';
import { removeErased } from './erase-evidence.js';

/** Pause between two passes, ms. */
const REST_MS = 1_000;
/** Maximum files per page. */
const PAGE_SIZE = 500;
/** Age from which bytes without an event are deleted, ms. More than a thousand times longer than any request. */
const WITHOUT_EVENT_MS = DAY_MS;
/** Pause between two sweeps for such bytes, ms; and after a failed one. */
const SWEEP_REST_MS = HOUR_MS;
const SWEEP_RETRY_MS = 60_000;

export interface EvidenceWorkerOptions {
  readonly databaseUrl: string;
  readonly store: EventStore;
  /** The database with the read models and the evidence. */
  readonly pool: Pool;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Deletes evidence whose key is destroyed, and bytes without an event, left by a request that ended before it appended one.
 */
export class EvidenceWorker {
  readonly #worker: ElectedWorker;
  #nextSweepMs = 0;

  constructor(private readonly options: EvidenceWorkerOptions) {
    const { databaseUrl, onError } = options;
    this.#worker = new ElectedWorker({ name: 'evidence', databaseUrl, intervalMs: REST_MS, pass: (signal) => this.pass(signal), onError });
  }

  start(): void {
    this.#worker.start();
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  async pass(signal: AbortSignal): Promise<void> {
    if (performance.now() < this.#nextSweepMs) return;
    this.#nextSweepMs = performance.now() + SWEEP_RETRY_MS;
    await removeErased(this.options.pool);
    await this.#sweep(signal);
    this.#nextSweepMs = performance.now() + SWEEP_REST_MS;
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    const { pool, clock } = this.options;
    const before = timestamp(clock() - WITHOUT_EVENT_MS);
    let page: readonly KeptEvidence[] = [];
    do {
      page = await findUnknownEvidence(pool, before, page.at(-1) ?? null, PAGE_SIZE);
      for (const kept of page) if (!(await this.#hasEvent(kept))) await this.#remove(kept);
    } while (page.length === PAGE_SIZE && !signal.aborted);
  }

  /** The read model may lag or be under rebuild: the charge's own stream decides. */
  async #hasEvent({ evidence_id, dispute_id, charge_id }: KeptEvidence): Promise<boolean> {
    const { state } = await foldStream(this.options.store, chargeStream(charge_id), charge);
    return state.status !== 'NONE' && state.disputes.get(dispute_id)?.evidence.has(evidence_id) === true;
  }

  async #remove({ evidence_id }: KeptEvidence): Promise<void> {
    await this.options.pool.query({
      name: 'dispute evidence: remove unknown',
      text: 'delete from dispute_evidence where evidence_id = $1',
      values: [evidence_id],
    });
  }
}
