import type { Pool } from 'pg';
import { findExpirableCharges, type ExpirableCharge } from '../../../projections/charges/charge-reads.js';
import { charge, type ChargeCommand } from './charge.decider.js';
import { chargeStream } from '../../ledger/events/charge.events.js';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import { StoreUnavailable, type EventStore } from '../../platform/event-store/event-store.js';
import { pause } from '../../platform/async/waiting.js';
import { milliseconds, timestamp, type Clock } from '../../ledger/time.js';
import { concurrently } from '../../platform/worker/concurrently.js';
import { ElectedWorker } from '../../platform/worker/elected-worker.js';

/** Candidates per query. */
const PAGE_SIZE = 500;
/** Maximum concurrent streams: a flood of expiries leaves room for creates, which share the store. */
const IN_FLIGHT_MAX = 16;
/** Pause between two passes, ms. Within a pass the worker waits to the millisecond for a charge that is due sooner. */
const REST_MS = 500;
/** Maximum ended charges that are remembered and skipped while the read model has not applied their end. */
const ENDED_MAX = 20_000;

export interface ExpiryOptions {
  readonly databaseUrl: string;
  readonly store: EventStore;
  readonly pool: Pool;
  readonly clock: Clock;
  /** Returns false while no decision is allowed; default: always true. */
  readonly mayDecide?: () => Promise<boolean>;
  /** Called with the error of a failed pass, and of a charge that could not be expired, with its `charge_id`. */
  readonly onError: (error: unknown, fields: { readonly charge_id?: string }) => void;
}

/**
 * Expires PENDING charges at their `expires_on`, as actor System. The read model lists candidates; each charge's own stream decides,
 * so that an earlier payment wins. No state is stored: after a restart the same charges are due.
 */
export class ExpiryWorker {
  readonly #worker: ElectedWorker;
  readonly #ended = new Set<string>();
  readonly #reported = new Set<string>();

  constructor(private readonly options: ExpiryOptions) {
    const { databaseUrl, mayDecide, onError } = options;
    this.#worker = new ElectedWorker({
      name: 'expiry',
      databaseUrl,
      intervalMs: REST_MS,
      ...(mayDecide && { mayPass: mayDecide }),
      pass: (signal) => this.#pass(signal),
      onError: (error) => onError(error, {}),
    });
  }

  start(): void {
    this.#worker.start();
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  /** Returns when nothing is due before the next pass. @throws StoreUnavailable, and when Postgres is unavailable */
  async #pass(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const nextMs = await this.#endDue(signal);
      if (nextMs === null) return;
      // The clock may have been set back since: no pause is longer than the one between two passes.
      await pause(Math.min(Math.max(0, nextMs - this.options.clock()), REST_MS), signal);
    }
  }

  /** Ends due charges. Returns the earliest expiry before the next pass, in ms since the epoch; null: none. */
  async #endDue(signal: AbortSignal): Promise<number | null> {
    const { pool, clock } = this.options;
    let after: ExpirableCharge | null = null;
    while (!signal.aborted) {
      const page: ExpirableCharge[] = await findExpirableCharges(pool, timestamp(clock() + REST_MS), after, PAGE_SIZE);
      const nowMs = clock();
      const due = page.filter(({ expires_on }) => milliseconds(expires_on) <= nowMs);
      await this.#endAll(due, signal);
      const next = page[due.length];
      if (next) return milliseconds(next.expires_on);
      if (page.length < PAGE_SIZE) return null;
      after = page.at(-1) ?? null;
    }
    return null;
  }

  async #endAll(due: readonly ExpirableCharge[], signal: AbortSignal): Promise<void> {
    const waiting = due.filter(({ id }) => !this.#ended.has(id));
    await concurrently(waiting, IN_FLIGHT_MAX, async ({ id }) => {
      if (!signal.aborted) await this.#end(id);
    });
  }

  /** A charge that cannot be ended does not delay the others. @throws StoreUnavailable */
  async #end(id: string): Promise<void> {
    const { store, clock, onError } = this.options;
    try {
      await decideOnStream(store, clock, chargeStream(id), charge, (now): ChargeCommand => ({ kind: 'expire', now }), systemContext());
      // Ended now, or already ended otherwise: a charge never becomes PENDING again.
      remember(this.#ended, id);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (!this.#reported.has(id)) onError(error, { charge_id: id });
      remember(this.#reported, id);
    }
  }
}

/** Removes the oldest id when there are too many. */
function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size > ENDED_MAX) ids.delete(ids.values().next().value!);
}
