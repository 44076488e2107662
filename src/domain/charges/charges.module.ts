import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountQueue } from '../accounts/account-queue.js';
import type { Pool } from 'pg';
import { CLOCK, PRIMARY_POOL } from '../../ledger/injection-tokens.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../../ledger/merchant-terms.js';
import type { Clock } from '../../ledger/time.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { ChangeChargeHandler, CreateChargeHandler } from './charge.handlers.js';
import { ChargeInstructor } from './remote/charge-instructor.js';
import { NotificationHandler } from './notification-handler.js';
import { ChargesController } from './charges.controller.js';
import { PostgresRailDue, RAIL_DUE, type RailDue } from './remote/rail-due.js';
import { RefundReservations } from './refunds/refund-reservations.js';
import { RequestRefundHandler } from './refunds/refund.handlers.js';
import { RefundsController } from './refunds/refunds.controller.js';
import { RemoteCharges } from './remote/remote-charges.js';
import { PROCESSOR_ROUTES, type ProcessorRoutes } from './remote/remote-processor.js';

@Module({
  imports: [CqrsModule],
  controllers: [ChargesController, RefundsController],
  providers: [
    CreateChargeHandler,
    ChangeChargeHandler,
    RequestRefundHandler,
    RemoteCharges,
    NotificationHandler,
    { provide: RAIL_DUE, useFactory: (pool: Pool) => new PostgresRailDue(pool), inject: [PRIMARY_POOL] },
    {
      provide: ChargeInstructor,
      useFactory: (store: EventStore, clock: Clock, routes: ProcessorRoutes, due: RailDue, terms: MerchantTerms) =>
        new ChargeInstructor(store, clock, routes, due, terms),
      inject: [EVENT_STORE, CLOCK, PROCESSOR_ROUTES, RAIL_DUE, MERCHANT_TERMS],
    },
    {
      provide: RefundReservations,
      useFactory: (store: EventStore, accounts: AccountQueue, clock: Clock) => new RefundReservations(store, accounts, clock),
      inject: [EVENT_STORE, AccountQueue, CLOCK],
    },
  ],
  exports: [ChargeInstructor, RemoteCharges, RAIL_DUE, NotificationHandler],
})
export class ChargesModule {}
