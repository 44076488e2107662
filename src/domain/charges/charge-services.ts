import type { ServiceDeps } from '../../ledger/ports/injection-tokens.js';
import type { MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import type { AccountQueue } from '../accounts/account-queue.js';
import type { BankingCalendar } from '../calendar/banking-calendar.js';
import { RefundReservations } from './refunds/refund-reservations.js';
import { ChargeConfirmation } from './remote/charge-confirmation.js';
import { ChargeInstructor } from './remote/charge-instructor.js';
import { PostgresRailDue } from './remote/rail-due.js';
import type { ProcessorRoutes } from './remote/remote-processor.js';
import { RemoteRefunds, type RemoteRefundOptions } from './remote/remote-refunds.js';

export interface ChargeDeps extends Pick<ServiceDeps, 'store' | 'pool' | 'clock' | 'onError'> {
  readonly accounts: AccountQueue;
  readonly routes: ProcessorRoutes;
  readonly calendar: BankingCalendar;
  readonly terms: MerchantTerms;
}

export type ChargeServices = ReturnType<typeof chargeServices>;

/** Injection token of the `ChargeServices` of the process. */
export const CHARGE_SERVICES = Symbol('ChargeServices');

/** Builds the services for refunds and remote payments of charges. */
export function chargeServices({ store, accounts, pool, clock, routes, calendar, terms, onError }: ChargeDeps) {
  const due = new PostgresRailDue(pool);
  return {
    due,
    reservations: new RefundReservations(store, accounts, clock),
    instructor: new ChargeInstructor(store, clock, routes, due, terms),
    confirmation: new ChargeConfirmation({ store, clock, routes, calendar, onContradiction: onError }),
    /** Each instance remembers its own reports. */
    remoteRefunds: (onHeld: RemoteRefundOptions['onHeld']) => new RemoteRefunds({ store, clock, routes, onHeld }),
  };
}
