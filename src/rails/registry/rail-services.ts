import { findRefundsById } from '../../../projections/refunds/refund-reads.js';
import type { ChargeServices } from '../../domain/charges/charge-services.js';
import type { Transfers } from '../../domain/payouts/transfer/transfer.js';
import type { ServiceDeps } from '../../ledger/ports/injection-tokens.js';
import { RailInbox } from '../inbox/rail-inbox.js';
import { RailNotifications } from '../inbox/rail-notifications.js';
import type { RailRoutes } from '../settings/rail-routes.js';

export interface RailDeps extends ServiceDeps {
  readonly rails: RailRoutes;
  readonly charges: Pick<ChargeServices, 'due' | 'confirmation' | 'remoteRefunds'>;
  readonly transfers: Pick<Transfers, 'confirm'>;
}

export type RailServices = ReturnType<typeof railServices>;

/** Builds the inbox that API processes fill with notifications and the worker empties. */
export function railServices({ store, pool, readPool, secret, clock, rails, charges, transfers, onError }: RailDeps) {
  const { due, confirmation } = charges;
  const inbox = new RailInbox(pool, secret);
  // The worker that looks refunds up in any case reports them.
  const refunds = charges.remoteRefunds(() => undefined);
  const notifications = new RailNotifications({
    ...{ store, inbox, due, processors: rails.processors, banks: rails.banks, charges: confirmation, clock },
    others: {
      async refund(refundId) {
        const [refund] = await findRefundsById(readPool, [refundId]);
        return refund ? refunds.confirm(refund.charge_id, refundId) : 'unknown-record';
      },
      payout: (rail, partnerReference) => transfers.confirm(rail, partnerReference),
    },
    onError: (err, fields) => onError('cannot process a notification of a provider', { err, ...fields }),
  });
  return { inbox, notifications };
}
