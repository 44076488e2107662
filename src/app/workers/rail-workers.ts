import type { ChargeServices } from '../../domain/charges/charge-services.js';
import { RailPoller } from '../../domain/charges/remote/rail-poller.js';
import type { Transfers } from '../../domain/payouts/transfer/transfer.js';
import { startRailInbox } from '../../rails/inbox/rail-inbox.worker.js';
import { railServices } from '../../rails/registry/rail-services.js';
import type { RailRoutes } from '../../rails/settings/rail-routes.js';
import type { WorkerDeps } from './worker-deps.js';

export interface RailWorkerOptions extends WorkerDeps {
  readonly rails: RailRoutes;
  readonly charges: ChargeServices;
  /** Transfers of this process. */
  readonly transfers: Pick<Transfers, 'confirm'>;
}

/**
 * Starts the workers that query providers about charges, by the schedule and after notifications. Each is elected among all processes that run them.
 */
export function startRailWorkers(options: RailWorkerOptions): { stop(): Promise<void> } {
  const { databaseUrl, clock, mayDecide, rails, charges, onError } = options;
  const { due, confirmation } = charges;
  const poller = new RailPoller({
    ...{ databaseUrl, due, confirmation, clock, mayDecide },
    routes: rails.processors,
    onError: (err, fields) => onError('cannot query a provider about a charge', { err, ...fields }),
  });
  poller.start();
  const { inbox, notifications } = railServices(options);
  const worker = startRailInbox({
    ...{ databaseUrl, inbox, notifications, clock, mayDecide },
    onError: (err) => onError('a pass over provider notifications failed', { err }),
  });
  return { stop: async () => void (await Promise.all([poller.stop(), worker.stop()])) };
}
