import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountQueue } from '../accounts/account-queue.js';
import { findPayoutsById } from '../../../projections/payouts/payouts.js';
import { SERVICE_DEPS, type ServiceDeps } from '../../ledger/ports/injection-tokens.js';
import { pick } from '../../platform/http/pick.js';
import { ActingOperators } from '../operators/acting-operator.js';
import { ActOnPayoutHandler } from './payout-approvals.handlers.js';
import { PostgresPayoutClaims } from './payout-claims.js';
import { CancelPayoutHandler, PAYOUT_CLAIMS, RequestPayoutHandler } from './payout.handlers.js';
import { PayoutOutcomes } from './payout-outcomes.js';
import { PAYOUT_READER, type PayoutReader } from './payout-reader.js';
import { PayoutRegistry } from './payout-registry.js';
import { payoutReader, transferServices, type TransferServices } from './payout-services.js';
import { PayoutsController } from './payouts.controller.js';
import { BANK_ROUTES, type BankRoutes } from './transfer/remote-bank.js';
import { Transfers } from './transfer/transfer.js';

const SERVICES = Symbol('TransferServices');

@Module({
  imports: [CqrsModule],
  controllers: [PayoutsController],
  providers: [
    { provide: PAYOUT_CLAIMS, useFactory: ({ pool }: ServiceDeps) => new PostgresPayoutClaims(pool), inject: [SERVICE_DEPS] },
    { provide: PAYOUT_READER, useFactory: ({ readPool }: ServiceDeps) => payoutReader(readPool), inject: [SERVICE_DEPS] },
    {
      provide: SERVICES,
      useFactory: (deps: ServiceDeps, accounts: AccountQueue, reader: PayoutReader, operators: ActingOperators, routes: BankRoutes) =>
        transferServices({ ...deps, accounts, reader, operators, routes }),
      inject: [SERVICE_DEPS, AccountQueue, PAYOUT_READER, ActingOperators, BANK_ROUTES],
    },
    ...pick<TransferServices>(SERVICES, { registry: PayoutRegistry, payouts: PayoutOutcomes, transfers: Transfers }),
    {
      provide: ActOnPayoutHandler,
      useFactory: ({ readPool, secret }: ServiceDeps, accounts: AccountQueue, registry: PayoutRegistry, operators: ActingOperators) =>
        new ActOnPayoutHandler({ accounts, registry, operators, secret, accountOf: async (id) => (await findPayoutsById(readPool, [id]))[0] }),
      inject: [SERVICE_DEPS, AccountQueue, PayoutRegistry, ActingOperators],
    },
    RequestPayoutHandler,
    CancelPayoutHandler,
  ],
  exports: [RequestPayoutHandler, PayoutOutcomes, Transfers],
})
export class PayoutsModule {}
