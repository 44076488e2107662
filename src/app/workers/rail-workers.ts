import type { Pool } from 'pg';
import { ChargeConfirmation } from '../../domain/charges/remote/charge-confirmation.js';
import { readHolidays } from '../../domain/charges/holidays.js';
import { PostgresRailDue } from '../../domain/charges/remote/rail-due.js';
import { RailPoller } from '../../domain/charges/remote/rail-poller.js';
import type { Clock } from '../../ledger/time.js';
import type { Transfers } from '../../domain/payouts/transfer/transfer.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { RailInbox } from '../../rails/inbox/rail-inbox.js';
import { startRailInbox } from '../../rails/inbox/rail-inbox.worker.js';
import { railNotifications } from '../../rails/inbox/open-notifications.js';
import type { RailRoutes } from '../../rails/rail-routes.js';

export interface RailWorkerOptions {
  readonly databaseUrl: string;
  readonly store: EventStore;
  readonly pool: Pool;
  /** Of the service. */
  readonly secret: Buffer;
  readonly dataDir: string;
  readonly clock: Clock;
  /** False while nothing is to be decided. */
  readonly mayDecide: () => Promise<boolean>;
  readonly rails: RailRoutes;
  /** Of this process. */
  readonly transfers: Pick<Transfers, 'confirm'>;
  readonly onError: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** Asks providers about charges by the schedule, and about what they notified; of all processes that run them, one is elected for each. */
export async function startRailWorkers(options: RailWorkerOptions): Promise<{ stop(): Promise<void> }> {
  const { databaseUrl, store, pool, secret, clock, mayDecide, rails, transfers, onError } = options;
  const due = new PostgresRailDue(pool);
  const holidays = await readHolidays(options.dataDir);
  const confirmation = new ChargeConfirmation({ store, clock, routes: rails.processors, holidays, onContradiction: onError });
  const inbox = new RailInbox(pool, secret);
  const poller = new RailPoller({
    ...{ databaseUrl, due, confirmation, clock, mayDecide },
    routes: rails.processors,
    onError: (err, fields) => onError('a provider could not be asked about a charge', { err, ...fields }),
  });
  poller.start();
  const notifications = railNotifications({ store, pool, due, inbox, rails, clock, confirmation, transfers, onError });
  const worker = startRailInbox({
    ...{ databaseUrl, inbox, notifications, clock, mayDecide },
    onError: (err) => onError('notifications of providers were interrupted', { err }),
  });
  return { stop: async () => void (await Promise.all([poller.stop(), worker.stop()])) };
}
