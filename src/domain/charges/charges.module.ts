import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountQueue } from '../accounts/account-queue.js';
import { BankingCalendar } from '../calendar/banking-calendar.js';
import { SERVICE_DEPS, type ServiceDeps } from '../../ledger/ports/injection-tokens.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import { pick } from '../../platform/http/pick.js';
import { ChangeChargeHandler, CreateChargeHandler } from './charge.handlers.js';
import { CHARGE_SERVICES, chargeServices, type ChargeServices } from './charge-services.js';
import { ChargeInstructor } from './remote/charge-instructor.js';
import { NotificationHandler } from './notification-handler.js';
import { ChargesController } from './charges.controller.js';
import { RAIL_DUE } from './remote/rail-due.js';
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
    {
      provide: CHARGE_SERVICES,
      useFactory: (deps: ServiceDeps, accounts: AccountQueue, routes: ProcessorRoutes, calendar: BankingCalendar, terms: MerchantTerms) =>
        chargeServices({ ...deps, accounts, routes, calendar, terms }),
      inject: [SERVICE_DEPS, AccountQueue, PROCESSOR_ROUTES, BankingCalendar, MERCHANT_TERMS],
    },
    ...pick<ChargeServices>(CHARGE_SERVICES, { due: RAIL_DUE, instructor: ChargeInstructor, reservations: RefundReservations }),
  ],
  exports: [CreateChargeHandler, RequestRefundHandler, CHARGE_SERVICES, ChargeInstructor, RemoteCharges, RAIL_DUE, NotificationHandler],
})
export class ChargesModule {}
