import type { Pool } from 'pg';
import { findRefundsById } from '../../../projections/refunds/refund-reads.js';
import type { ChargeConfirmation } from '../../domain/charges/remote/charge-confirmation.js';
import type { RailDue } from '../../domain/charges/remote/rail-due.js';
import { RemoteRefunds } from '../../domain/charges/remote/remote-refunds.js';
import type { Clock } from '../../ledger/time.js';
import type { Transfers } from '../../domain/payouts/transfer/transfer.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import type { RailInbox } from './rail-inbox.js';
import { RailNotifications } from './rail-notifications.js';
import type { RailRoutes } from '../rail-routes.js';

export interface OpenNotificationOptions {
  readonly store: EventStore;
  /** Where the read models are. */
  readonly pool: Pool;
  readonly due: RailDue;
  readonly inbox: RailInbox;
  readonly rails: RailRoutes;
  readonly clock: Clock;
  readonly confirmation: ChargeConfirmation;
  readonly transfers: Pick<Transfers, 'confirm'>;
  readonly onError: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** What takes notifications in a process that serves requests, and goes on with them in one that works. */
export function railNotifications(options: OpenNotificationOptions): RailNotifications {
  const { store, pool, due, inbox, rails, clock, confirmation, transfers, onError } = options;
  // Reported by the worker that looks refunds up in any case.
  const refunds = new RemoteRefunds({ store, clock, routes: rails.processors, onHeld: () => undefined });
  return new RailNotifications({
    ...{ store, inbox, due, processors: rails.processors, banks: rails.banks, charges: confirmation, clock },
    others: {
      async refund(refundId) {
        const [refund] = await findRefundsById(pool, [refundId]);
        return refund ? refunds.confirm(refund.charge_id, refundId) : 'unknown-record';
      },
      payout: (rail, partnerReference) => transfers.confirm(rail, partnerReference),
    },
    onError: (err, fields) => onError('a notification of a provider could not be followed', { err, ...fields }),
  });
}
