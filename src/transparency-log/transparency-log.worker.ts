import { ChainEnd } from './chain.js';
import type { ChainSigner } from './chain-keys.js';
import { StoreUnavailable, type EventStore } from '../platform/event-store/event-store.js';
import { signAdvices } from './remittance-signing.js';
import { createPool } from '../platform/postgres/pool.js';
import { BATCH_EVENTS_MAX, Pace } from '../platform/projector/pace.js';
import { pause } from '../platform/async/waiting.js';
import { timestamp, type Clock } from '../ledger/time.js';
import { ElectedWorker } from '../platform/worker/elected-worker.js';

/** Pause between two sealings, ms: sealings are few and large under load; an event after a pause is sealed at once. */
const GATHER_MS = 250;
/** Pause after a failure, ms. */
const RETRY_MS = 1_000;

export interface TransparencyLogWorkerOptions {
  readonly databaseUrl: string;
  readonly store: Pick<EventStore, 'read'>;
  /** The store's log. */
  readonly log: Pick<EventStore, 'subscribe'>;
  readonly signer: ChainSigner;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Follows the log and seals it, less than a second behind, and signs the requested remittance advices. One process does this; when election fails,
 * the head is the fence.
 */
export function startTransparencyLog({ databaseUrl, store, log, signer, clock, onError }: TransparencyLogWorkerOptions): { stop(): Promise<void> } {
  const pool = createPool({
    url: databaseUrl,
    applicationName: 'chargebook-sealing',
    maxConnections: 1,
    // Rows that a crash of Postgres takes back are sealed again, with the same hashes: the events themselves were flushed before.
    settings: { synchronous_commit: 'off' },
  });
  const pace = new Pace();
  async function follow(signal: AbortSignal): Promise<void> {
    const chain = await ChainEnd.open(pool, signer, store);
    for await (const { events, caughtUp } of log.subscribe(chain.position, { signal, batchSize: BATCH_EVENTS_MAX, stored: true })) {
      for (let at = 0; at < events.length;) {
        const batch = events.slice(at, at + pace.eventsMax);
        // The next attempt reads these events again, and seals fewer of them.
        await chain.seal(batch, timestamp(clock())).catch((error: unknown) => {
          pace.slowDown(batch.length);
          throw error;
        });
        pace.speedUp();
        at += batch.length;
      }
      if (caughtUp) await pause(GATHER_MS, signal);
    }
    if (!signal.aborted) throw new StoreUnavailable('the event store is closed');
  }
  /** Only the sealing process has the key, so it also signs the advices. */
  async function pass(until: AbortSignal): Promise<void> {
    const either = new AbortController();
    const signal = AbortSignal.any([until, either.signal]);
    const ending = (work: Promise<void>): Promise<void> => work.finally(() => either.abort());
    await Promise.all([ending(follow(signal)), ending(signAdvices(pool, signer, signal, onError))]);
  }
  const worker = new ElectedWorker({ name: 'sealing', databaseUrl, intervalMs: RETRY_MS, pass, onError });
  worker.start();
  return {
    async stop() {
      await worker.stop();
      await pool.end();
    },
  };
}
