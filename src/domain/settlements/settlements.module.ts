import { setTimeout as delay } from 'node:timers/promises';
import { Global, Module } from '@nestjs/common';
import { AccountQueue } from '../accounts/account-queue.js';
import { CLOCK } from '../../ledger/injection-tokens.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import type { Clock } from '../../ledger/time.js';
import { SettleNow } from './settle-now.js';
import { SettlementRun } from './settlement-run.js';
import { SettlementsController } from './settlements.controller.js';

/** What merchants read of settlements; and settlement on demand, for whoever answers requests: the worker's protocol, beside it. */
@Global()
@Module({
  controllers: [SettlementsController],
  providers: [
    {
      provide: SettleNow,
      useFactory: (store: EventStore, accounts: AccountQueue, clock: Clock) =>
        new SettleNow(store, new SettlementRun(store, accounts, clock, (ms) => delay(ms))),
      inject: [EVENT_STORE, AccountQueue, CLOCK],
    },
  ],
  exports: [SettleNow],
})
export class SettlementsModule {}
