import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { findPaidAmounts } from '../../../projections/reconciliation/payments.js';
import { CLOCK, PRIMARY_POOL, READ_POOL, SECRET } from '../../ledger/injection-tokens.js';
import type { Clock } from '../../ledger/time.js';
import { ActingPersons } from '../operators/acting-person.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { SEALED_LOG, type SealedLog } from '../approvals/sealed-log.js';
import { HTTP_OPTIONS, type HttpOptions } from '../../platform/http/http-options.js';
import { ActOnBreakHandler } from './breaks/break.handlers.js';
import { ReconBreaksController } from './breaks/breaks.controller.js';
import { DayCloser } from './day-closer.js';
import { dayReads } from './day-reads.js';
import { CloseDayHandler } from './day.handlers.js';
import { ReconDaysController } from './days.controller.js';
import { ReconMatchesController } from './breaks/matches.controller.js';
import { ImportStatementHandler, RunReconSourceHandler, SetReconSourceHandler } from './source.handlers.js';
import { ChargesModule } from '../charges/charges.module.js';
import { NotificationHandler } from '../charges/notification-handler.js';
import { TakeAsPaidHandler } from './breaks/take-as-paid.js';
import { SourcesController } from './sources.controller.js';
import { accountHmac } from './sources.js';
import { StatementPeople } from './statements/statement-people.js';
import { ReconStatementsController } from './statements.controller.js';

/** What banks and processors say about the money, beside the books. */
@Module({
  imports: [CqrsModule, ChargesModule],
  controllers: [SourcesController, ReconStatementsController, ReconMatchesController, ReconBreaksController, ReconDaysController],
  providers: [
    {
      provide: StatementPeople,
      useFactory: (pool: Pool, secret: Buffer, clock: Clock) => new StatementPeople(pool, secret, clock),
      inject: [PRIMARY_POOL, SECRET, CLOCK],
    },
    {
      provide: SetReconSourceHandler,
      useFactory: (store: EventStore, clock: Clock, persons: ActingPersons) => new SetReconSourceHandler({ store, clock }, persons),
      inject: [EVENT_STORE, CLOCK, ActingPersons],
    },
    {
      provide: RunReconSourceHandler,
      useFactory: (store: EventStore, clock: Clock, persons: ActingPersons) => new RunReconSourceHandler({ store, clock }, persons),
      inject: [EVENT_STORE, CLOCK, ActingPersons],
    },
    {
      provide: CloseDayHandler,
      useFactory: (store: EventStore, clock: Clock, persons: ActingPersons, pool: Pool, sealed: SealedLog, { logger }: HttpOptions) =>
        new CloseDayHandler({ store, clock }, persons, new DayCloser({ store, clock }, dayReads(pool, sealed)), (source, err) =>
          logger.warn({ source, err }, 'a day is closed later'),
        ),
      inject: [EVENT_STORE, CLOCK, ActingPersons, PRIMARY_POOL, SEALED_LOG, HTTP_OPTIONS],
    },
    {
      provide: ActOnBreakHandler,
      useFactory: (store: EventStore, clock: Clock, persons: ActingPersons, pool: Pool) => new ActOnBreakHandler({ store, clock }, persons, pool),
      inject: [EVENT_STORE, CLOCK, ActingPersons, READ_POOL],
    },
    {
      provide: TakeAsPaidHandler,
      useFactory: (store: EventStore, clock: Clock, persons: ActingPersons, known: KnownMerchants, notifications: NotificationHandler, pool: Pool) =>
        new TakeAsPaidHandler({ store, clock, persons, known, notifications, pool }),
      inject: [EVENT_STORE, CLOCK, ActingPersons, KnownMerchants, NotificationHandler, READ_POOL],
    },
    {
      provide: ImportStatementHandler,
      useFactory: (store: EventStore, clock: Clock, persons: ActingPersons, people: StatementPeople, secret: Buffer, pool: Pool) =>
        new ImportStatementHandler(
          {
            store,
            clock,
            people,
            accountHmac: accountHmac(secret),
            findPaidAmounts: (currency, references) => findPaidAmounts(pool, currency, references),
          },
          persons,
        ),
      inject: [EVENT_STORE, CLOCK, ActingPersons, StatementPeople, SECRET, READ_POOL],
    },
  ],
})
export class ReconciliationModule {}
