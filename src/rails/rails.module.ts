import { Module } from '@nestjs/common';
import { CHARGE_SERVICES, type ChargeServices } from '../domain/charges/charge-services.js';
import { ChargesModule } from '../domain/charges/charges.module.js';
import { PROCESSOR_ROUTES, type ProcessorRoutes } from '../domain/charges/remote/remote-processor.js';
import { SERVICE_DEPS, type ServiceDeps } from '../ledger/ports/injection-tokens.js';
import { PayoutsModule } from '../domain/payouts/payouts.module.js';
import { BANK_ROUTES, type BankRoutes } from '../domain/payouts/transfer/remote-bank.js';
import { Transfers } from '../domain/payouts/transfer/transfer.js';
import { pick } from '../platform/http/pick.js';
import { RailStates } from './registry/rail-view.js';
import { RailRegistry } from './registry/rail-registry.js';
import { railServices, type RailServices } from './registry/rail-services.js';
import { RailsHealthController } from './registry/rails-health.controller.js';
import { RailInbox } from './inbox/rail-inbox.js';
import { RailNotifications } from './inbox/rail-notifications.js';
import { RailNotificationsController } from './inbox/rail-notifications.controller.js';

const SERVICES = Symbol('RailServices');

@Module({
  imports: [ChargesModule, PayoutsModule],
  controllers: [RailNotificationsController, RailsHealthController],
  providers: [
    {
      provide: SERVICES,
      useFactory: (deps: ServiceDeps, charges: ChargeServices, transfers: Transfers, processors: ProcessorRoutes, banks: BankRoutes) =>
        railServices({ ...deps, charges, transfers, rails: { processors, banks } }),
      inject: [SERVICE_DEPS, CHARGE_SERVICES, Transfers, PROCESSOR_ROUTES, BANK_ROUTES],
    },
    ...pick<RailServices>(SERVICES, { inbox: RailInbox, notifications: RailNotifications }),
    {
      provide: RailStates,
      useFactory: (registry: RailRegistry, { pool, clock }: ServiceDeps) => new RailStates(() => registry.state, pool, clock),
      inject: [RailRegistry, SERVICE_DEPS],
    },
  ],
  exports: [RailStates],
})
export class RailsModule {}
