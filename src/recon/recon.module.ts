import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { findPaidAmounts } from '../../projections/recon/payments.js';
import { CLOCK, PRIMARY_POOL, READ_POOL, SECRET } from '../ledger/injection-tokens.js';
import { MERCHANT_TERMS } from '../ledger/merchant-terms.js';
import type { Clock } from '../ledger/time.js';
import { ACTING_PERSONS, ActingPersons } from '../merchants/acting-person.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { EVENT_STORE, type EventStore } from '../platform/event-store/event-store.js';
import { ReconMatchesController } from './matches.controller.js';
import { ImportStatementHandler, SetReconSourceHandler } from './recon.handlers.js';
import { SourcesController } from './sources.controller.js';
import { accountHmac } from './sources.js';
import { StatementPeople } from './statement-people.js';
import { ReconStatementsController } from './statements.controller.js';

/** What banks and processors say about the money, beside the books. */
@Module({
  imports: [CqrsModule],
  controllers: [SourcesController, ReconStatementsController, ReconMatchesController],
  providers: [
    { provide: KnownMerchants, useExisting: MERCHANT_TERMS },
    ACTING_PERSONS,
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
export class ReconModule {}
