import { Global, Module } from '@nestjs/common';
import { AccountQueue } from '../accounts/account-queue.js';
import { SERVICE_DEPS, type ServiceDeps } from '../../ledger/ports/injection-tokens.js';
import { SettleNow } from './settle-now.js';
import { settlementServices } from './settlement-services.js';
import { SettlementsController } from './settlements.controller.js';

/** Settlements that merchants read, and settlement on demand for request handlers: the worker's protocol, in parallel with the worker. */
@Global()
@Module({
  controllers: [SettlementsController],
  providers: [
    {
      provide: SettleNow,
      useFactory: (deps: ServiceDeps, accounts: AccountQueue) => settlementServices({ ...deps, accounts }).settleNow,
      inject: [SERVICE_DEPS, AccountQueue],
    },
  ],
  exports: [SettleNow],
})
export class SettlementsModule {}
