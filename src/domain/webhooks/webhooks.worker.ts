import type { Pool } from 'pg';
import { outbox } from '../../../projections/webhooks/outbox.js';
import { disputeServices } from '../charges/disputes/dispute-services.js';
import { customerServices } from '../customers/customer-services.js';
import { asCreated } from '../../ledger/streams/create-record.js';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import { merchantStream } from '../../ledger/events/merchant.events.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { Listener } from '../../platform/postgres/listener.js';
import { PROJECTION_CHANNEL, readCheckpoint } from '../../platform/projector/checkpoint.js';
import type { Tracing } from '../../platform/tracing/tracing.js';
import type { Clock, Timestamp } from '../../ledger/time.js';
import { resolveName } from '../../platform/http/edge/address-guard.js';
import { DeliveryQueue } from './delivery-queue.js';
import { DELIVERIES_CHANNEL } from './delivery-log.js';
import { SignatureKeyEncryption } from './signature-key-encryption.js';
import { Sender } from './sender.js';
import { webhook, type WebhookCommand } from './webhook.decider.js';
import { traceDeliveries } from './trace-deliveries.js';
import { WorkerLease } from './worker-lease.js';
import { WebhookDeliveries } from './webhook-deliveries.js';

export interface WebhookWorkerOptions {
  readonly databaseUrl: string;
  /** The worker's pool. */
  readonly pool: Pool;
  readonly store: EventStore;
  /** The service's secret. */
  readonly secret: Buffer;
  /** The process's own clock, for the times of events. */
  readonly clock: Clock;
  /** The clock that all processes share, for due times and claims. */
  readonly commonClock: Clock;
  /** Returns false while no decision is allowed. */
  readonly mayDecide: () => Promise<boolean>;
  readonly allowPrivate: boolean;
  readonly retrySeconds: readonly number[];
  readonly tracing?: Tracing | undefined;
  readonly onError: (error: unknown) => void;
}

/** Sends webhooks, concurrently with all other sending processes. */
export function startWebhooks(options: WebhookWorkerOptions): { stop(): Promise<void> } {
  const { databaseUrl, pool, store, secret, clock, commonClock, mayDecide, allowPrivate, retrySeconds, onError } = options;
  const keeping = { pool, secret, clock: commonClock };
  const deliveries = new WebhookDeliveries({
    queue: new DeliveryQueue(pool, commonClock),
    lease: new WorkerLease(databaseUrl),
    outbox: { head: () => store.head(), applied: async () => (await readCheckpoint(pool, outbox.name))?.position ?? null },
    sender: new Sender({ allowPrivate, resolve: resolveName }),
    keyEncryption: new SignatureKeyEncryption(secret),
    sources: {
      pool,
      wrapping: customerServices(keeping).wrapping,
      evidence: disputeServices(keeping).evidence,
      merchantCreatedOn: merchantsIn(store),
    },
    retrySeconds,
    clock: commonClock,
    mayDecide,
    random: Math.random,
    disable: (merchantId, reason, set_on) => disable(store, clock, merchantId, (now) => ({ kind: 'disable', reason, set_on, now })),
    ...(options.tracing && { traced: traceDeliveries(options.tracing, pool, store) }),
    onError,
  });
  const wake = (): void => deliveries.wake();
  const listener = new Listener({
    url: databaseUrl,
    channels: { [PROJECTION_CHANNEL]: wake, [DELIVERIES_CHANNEL]: wake },
    onReconnect: wake,
  });
  void listener.start();
  deliveries.start();
  return {
    async stop() {
      await Promise.all([deliveries.stop(), listener.close()]);
    },
  };
}

async function disable(store: EventStore, clock: Clock, merchantId: string, command: (now: Timestamp) => WebhookCommand): Promise<void> {
  await decideOnStream(store, clock, merchantStream(merchantId), webhook, command, systemContext());
}

const MERCHANTS_REMEMBERED_MAX = 10_000;

/** Returns when a merchant was registered, from its first event, which never changes. */
function merchantsIn(store: EventStore): (merchantId: string) => Promise<Timestamp> {
  const known = new Map<string, Timestamp>();
  return async (merchantId) => {
    const remembered = known.get(merchantId);
    if (remembered !== undefined) return remembered;
    const [first] = await store.read(merchantStream(merchantId), { limit: 1 });
    if (!first) throw new Error(`there is no merchant ${merchantId}`);
    const { created_on } = asCreated(first, 'MerchantRegistered').data;
    known.set(merchantId, created_on);
    if (known.size > MERCHANTS_REMEMBERED_MAX) known.delete(known.keys().next().value!);
    return created_on;
  };
}
