import { Module } from '@nestjs/common';
import type { Pool } from 'pg';
import { ChargeConfirmation } from '../domain/charges/remote/charge-confirmation.js';
import { ChargesModule } from '../domain/charges/charges.module.js';
import { RAIL_DUE, type RailDue } from '../domain/charges/remote/rail-due.js';
import { PROCESSOR_ROUTES, type ProcessorRoutes } from '../domain/charges/remote/remote-processor.js';
import type { Holidays } from '../domain/charges/settlement-date.js';
import { CLOCK, HOLIDAYS, PRIMARY_POOL, READ_POOL, SECRET } from '../ledger/injection-tokens.js';
import type { Clock } from '../ledger/time.js';
import { PayoutsModule } from '../domain/payouts/payouts.module.js';
import { BANK_ROUTES, type BankRoutes } from '../domain/payouts/transfer/remote-bank.js';
import { Transfers } from '../domain/payouts/transfer/transfer.js';
import { EVENT_STORE, type EventStore } from '../platform/event-store/event-store.js';
import { HTTP_OPTIONS, type HttpOptions } from '../platform/http/http-options.js';
import { RailStates } from './rail-view.js';
import { RailRegistry } from './rail-registry.js';
import { RailsHealthController } from './rails-health.controller.js';
import { railNotifications } from './inbox/open-notifications.js';
import { RailInbox } from './inbox/rail-inbox.js';
import { RailNotifications } from './inbox/rail-notifications.js';
import { RailNotificationsController } from './inbox/rail-notifications.controller.js';

@Module({
  imports: [ChargesModule, PayoutsModule],
  controllers: [RailNotificationsController, RailsHealthController],
  providers: [
    { provide: RailInbox, useFactory: (pool: Pool, secret: Buffer) => new RailInbox(pool, secret), inject: [PRIMARY_POOL, SECRET] },
    {
      provide: ChargeConfirmation,
      useFactory: (store: EventStore, clock: Clock, routes: ProcessorRoutes, holidays: Holidays, { logger }: HttpOptions) =>
        new ChargeConfirmation({ store, clock, routes, holidays, onContradiction: (message, fields) => logger.error(fields, message) }),
      inject: [EVENT_STORE, CLOCK, PROCESSOR_ROUTES, HOLIDAYS, HTTP_OPTIONS],
    },
    {
      provide: RailNotifications,
      useFactory: (
        ...[store, pool, due, inbox, processors, banks, clock, confirmation, transfers, { logger }]: [
          EventStore,
          Pool,
          RailDue,
          RailInbox,
          ProcessorRoutes,
          BankRoutes,
          Clock,
          ChargeConfirmation,
          Transfers,
          HttpOptions,
        ]
      ) =>
        railNotifications({
          ...{ store, pool, due, inbox, clock, confirmation, transfers },
          rails: { processors, banks },
          onError: (message, fields) => logger.error(fields, message),
        }),
      inject: [EVENT_STORE, READ_POOL, RAIL_DUE, RailInbox, PROCESSOR_ROUTES, BANK_ROUTES, CLOCK, ChargeConfirmation, Transfers, HTTP_OPTIONS],
    },
    {
      provide: RailStates,
      useFactory: (registry: RailRegistry, pool: Pool, clock: Clock) => new RailStates(() => registry.state, pool, clock),
      inject: [RailRegistry, PRIMARY_POOL, CLOCK],
    },
  ],
  exports: [RailStates],
})
export class RailsModule {}
