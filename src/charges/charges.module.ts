import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountQueue } from '../accounts/account-queue.js';
import { CLOCK } from '../ledger/injection-tokens.js';
import type { Clock } from '../ledger/time.js';
import { EVENT_STORE, type EventStore } from '../platform/event-store/event-store.js';
import { ChangeChargeHandler, CreateChargeHandler } from './charge.handlers.js';
import { ChargesController } from './charges.controller.js';
import { RefundReservations } from './refund-reservations.js';
import { RequestRefundHandler } from './refund.handlers.js';
import { RefundsController } from './refunds.controller.js';

@Module({
  imports: [CqrsModule],
  controllers: [ChargesController, RefundsController],
  providers: [
    CreateChargeHandler,
    ChangeChargeHandler,
    RequestRefundHandler,
    {
      provide: RefundReservations,
      useFactory: (store: EventStore, accounts: AccountQueue, clock: Clock) => new RefundReservations(store, accounts, clock),
      inject: [EVENT_STORE, AccountQueue, CLOCK],
    },
  ],
})
export class ChargesModule {}
