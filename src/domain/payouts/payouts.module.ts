import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { AccountQueue } from '../accounts/account-queue.js';
import { findPayoutsById } from '../../../projections/payouts/payouts.js';
import { CLOCK, PRIMARY_POOL, READ_POOL, SECRET } from '../../ledger/injection-tokens.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { HTTP_OPTIONS, type HttpOptions } from '../../platform/http/http-options.js';
import type { Clock } from '../../ledger/time.js';
import { MERCHANT_TERMS } from '../../ledger/merchant-terms.js';
import { ACTING_PERSONS, ActingPersons, holdersOf } from '../operators/acting-person.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { ActOnPayoutHandler } from './payout-approvals.handlers.js';
import { PostgresPayoutClaims } from './payout-claims.js';
import { CancelPayoutHandler, PAYOUT_CLAIMS, RequestPayoutHandler } from './payout.handlers.js';
import { BANK_CONTRADICTS, PayoutOutcomes } from './payout-outcomes.js';
import { PAYOUT_READER, payoutReader, type PayoutReader } from './payout-reader.js';
import { PayoutRegistry } from './payout-registry.js';
import { PayoutsController } from './payouts.controller.js';
import { RAIL_IN_TROUBLE } from './transfer/bank-calls.js';
import { PostgresRailReferences } from './transfer/rail-references.js';
import { BANK_ROUTES, type BankRoutes } from './transfer/remote-bank.js';
import { PAYOUT_HELD, Transfers } from './transfer/transfer.js';

@Module({
  imports: [CqrsModule],
  controllers: [PayoutsController],
  providers: [
    {
      provide: PayoutRegistry,
      useFactory: (store: EventStore, accounts: AccountQueue, clock: Clock) => new PayoutRegistry(store, accounts, clock),
      inject: [EVENT_STORE, AccountQueue, CLOCK],
    },
    { provide: PAYOUT_CLAIMS, useFactory: (pool: Pool) => new PostgresPayoutClaims(pool), inject: [PRIMARY_POOL] },
    { provide: PAYOUT_READER, useFactory: payoutReader, inject: [READ_POOL] },
    {
      provide: PayoutOutcomes,
      useFactory: (
        store: EventStore,
        accounts: AccountQueue,
        registry: PayoutRegistry,
        reader: PayoutReader,
        clock: Clock,
        { logger }: HttpOptions,
        persons: ActingPersons,
      ) => {
        const onContradicted = (contradicted: object): void => logger.error(contradicted, BANK_CONTRADICTS);
        return new PayoutOutcomes(store, accounts, registry, reader, clock, onContradicted, async () => holdersOf(await persons.all(), 'approver'));
      },
      inject: [EVENT_STORE, AccountQueue, PayoutRegistry, PAYOUT_READER, CLOCK, HTTP_OPTIONS, ActingPersons],
    },
    { provide: KnownMerchants, useExisting: MERCHANT_TERMS },
    ACTING_PERSONS,
    {
      provide: ActOnPayoutHandler,
      useFactory: (accounts: AccountQueue, registry: PayoutRegistry, persons: ActingPersons, pool: Pool, secret: Buffer) =>
        new ActOnPayoutHandler({ accounts, registry, persons, secret, accountOf: async (id) => (await findPayoutsById(pool, [id]))[0] }),
      inject: [AccountQueue, PayoutRegistry, ActingPersons, READ_POOL, SECRET],
    },
    {
      provide: Transfers,
      useFactory: (
        store: EventStore,
        registry: PayoutRegistry,
        payouts: PayoutOutcomes,
        routes: BankRoutes,
        pool: Pool,
        clock: Clock,
        { logger }: HttpOptions,
      ) =>
        new Transfers({
          ...{ store, registry, payouts, routes, clock, elapsedMs: () => performance.now() },
          references: new PostgresRailReferences(pool, clock),
          onHeld: (held) => logger.error(held, PAYOUT_HELD),
          onTrouble: (trouble) => logger.error(trouble, RAIL_IN_TROUBLE),
        }),
      inject: [EVENT_STORE, PayoutRegistry, PayoutOutcomes, BANK_ROUTES, PRIMARY_POOL, CLOCK, HTTP_OPTIONS],
    },
    RequestPayoutHandler,
    CancelPayoutHandler,
  ],
  exports: [PayoutOutcomes, Transfers],
})
export class PayoutsModule {}
