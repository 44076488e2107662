import { type DynamicModule, Global, Module, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { AccountQueue } from '../domain/accounts/account-queue.js';
import { AuditModule } from '../web/finance-api/audit.module.js';
import { sealedLog } from '../transparency-log/sealed-log.js';
import { TransparencyLogWatch } from '../transparency-log/transparency-log-watch.js';
import { BalancesModule } from '../domain/balances/balances.module.js';
import { BankingCalendar } from '../domain/calendar/banking-calendar.js';
import { CalendarModule } from '../domain/calendar/calendar.module.js';
import { ChargesModule } from '../domain/charges/charges.module.js';
import type { Config } from './config.js';
import { ConsoleModule } from '../web/console/console.module.js';
import { FrontPageController } from './front-page/front-page.controller.js';
import { SecurityTxtController } from './front-page/security-txt.controller.js';
import { CustomersModule } from '../domain/customers/customers.module.js';
import {
  CLOCK,
  CHAIN_POOL,
  COMMON_CLOCK,
  CONFIG,
  FINANCE_POOL,
  PROCESSOR,
  PUBLIC_ADDRESS,
  PRIMARY_POOL,
  READ_POOL,
  SECRET,
  SERVICE_DEPS,
  SESSION_RATES,
  TODAYS_CLOCK,
  TODAYS_MERCHANTS,
  type PublicAddress,
  type ServiceDeps,
} from '../ledger/ports/injection-tokens.js';
import type { Clock } from '../ledger/time.js';
import { KEY_DIRECTORY, type KeyDirectory } from '../platform/auth/key-directory.js';
import type { TokenBuckets } from '../platform/auth/token-bucket.js';
import { KnownMerchants } from '../domain/merchants/known-merchants.js';
import { ActingOperators } from '../domain/operators/acting-operator.js';
import { MerchantsModule } from '../domain/merchants/merchants.module.js';
import { EVENT_STORE } from '../platform/event-store/event-store.js';
import { ProjectionWatch } from '../platform/projector/projection-watch.js';
import { Reads } from '../platform/http/reads.js';
import { LedgerReads, ReadYourWrites } from '../platform/projector/read-your-writes.js';
import { PagesModule } from '../web/checkout/pages.module.js';
import { ApprovalsModule } from '../domain/approvals/approvals.module.js';
import { UPPER_KINDS } from '../domain/approvals/proposal-kinds.js';
import { upperKinds } from './proposal-kinds.js';
import { CONCESSIONS } from '../domain/charges/disputes/concessions.js';
import { BANK_RAIL } from '../domain/payouts/bank-rail.js';
import { SIMULATOR_JOURNAL } from '../rails/simulator/deeds.js';
import { Simulator } from '../rails/simulator/simulator.js';
import { simulatorServices, type SimulatorServices } from '../rails/simulator/simulator-services.js';
import { pick } from '../platform/http/pick.js';
import { SEALED_LOG } from '../domain/approvals/sealed-log.js';
import { DisputesModule } from '../domain/charges/disputes/disputes.module.js';
import { PROCESSOR_ROUTES } from '../domain/charges/remote/remote-processor.js';
import { BANK_ROUTES } from '../domain/payouts/transfer/remote-bank.js';
import { RailRegistry } from '../rails/registry/rail-registry.js';
import { RailsModule } from '../rails/rails.module.js';
import { PayoutsModule } from '../domain/payouts/payouts.module.js';
import { Moments } from '../point-in-time/moments.js';
import { MomentsModule } from '../point-in-time/moments.module.js';
import { PreviewsModule } from '../domain/previews/previews.module.js';
import { BankModule } from '../rails/simulator/bank.module.js';
import type { RailRoutes } from '../rails/settings/rail-routes.js';
import { SettlementsModule } from '../domain/settlements/settlements.module.js';
import { ReconciliationModule } from '../domain/reconciliation/reconciliation.module.js';
import { StatementsModule } from '../domain/balances/statements.module.js';
import { MERCHANT_TERMS } from '../ledger/ports/merchant-terms.js';
import { WebhooksModule } from '../domain/webhooks/webhooks.module.js';

/** Components with their own life cycle, which the process opens before Nest starts. */
export interface AppComponents extends ServiceDeps {
  readonly config: Config;
  readonly accounts: AccountQueue;
  readonly reads: Reads;
  readonly watch: Pick<ProjectionWatch, keyof ProjectionWatch>;
  /** Keys and operators of callers, as of now. */
  readonly keys: KeyDirectory;
  readonly operators: ActingOperators;
  readonly merchants: KnownMerchants;
  /** Admit readers, as `keys` and `operators` do. */
  readonly todaysMerchants: KnownMerchants;
  readonly todaysClock: Clock;
  readonly sessionRates: TokenBuckets | null;
  /** null: the chain is read with the read models. */
  readonly chainPool: Pool | null;
  readonly transparencyLog: TransparencyLogWatch;
  readonly rails: RailRoutes;
  readonly railRegistry: RailRegistry;
  readonly calendar: BankingCalendar;
  readonly moments: Moments;
  readonly publicAddress: PublicAddress;
  /** The database's clock, by which all processes decide whether moments have passed. */
  readonly commonClock: Clock;
}

const SIMULATORS = Symbol('SimulatorServices');

@Global()
@Module({})
class CoreModule {
  static of(components: AppComponents): DynamicModule {
    const providers = [
      { provide: CONFIG, useValue: components.config },
      { provide: EVENT_STORE, useValue: components.store },
      { provide: AccountQueue, useValue: components.accounts },
      { provide: READ_POOL, useValue: components.readPool },
      { provide: Reads, useValue: components.reads },
      { provide: FINANCE_POOL, scope: Scope.REQUEST, inject: [REQUEST], useFactory: (request: FastifyRequest) => components.reads.poolOf(request) },
      { provide: CHAIN_POOL, inject: [FINANCE_POOL], useFactory: (pool: Pool) => components.chainPool ?? pool },
      { provide: PRIMARY_POOL, useValue: components.pool },
      { provide: SEALED_LOG, useValue: sealedLog(components.pool) },
      { provide: UPPER_KINDS, useValue: upperKinds(components.store, components.pool, components.clock) },
      { provide: ProjectionWatch, useValue: components.watch },
      { provide: KEY_DIRECTORY, useValue: components.keys },
      { provide: MERCHANT_TERMS, useValue: components.merchants },
      { provide: KnownMerchants, useExisting: MERCHANT_TERMS },
      { provide: TODAYS_MERCHANTS, useValue: components.todaysMerchants },
      { provide: SESSION_RATES, useValue: components.sessionRates },
      { provide: TODAYS_CLOCK, useValue: components.todaysClock },
      { provide: ActingOperators, useValue: components.operators },
      { provide: SERVICE_DEPS, useValue: components },
      { provide: TransparencyLogWatch, useValue: components.transparencyLog },
      { provide: SIMULATORS, useFactory: () => simulatorServices({ ...components, clock: components.commonClock }) },
      ...pick<SimulatorServices>(SIMULATORS, { processor: Simulator, bank: BANK_RAIL, concessions: CONCESSIONS, journal: SIMULATOR_JOURNAL }),
      { provide: PROCESSOR, useExisting: Simulator },
      { provide: RailRegistry, useValue: components.railRegistry },
      { provide: PROCESSOR_ROUTES, useValue: components.rails.processors },
      { provide: BANK_ROUTES, useValue: components.rails.banks },
      { provide: Moments, useValue: components.moments },
      { provide: SECRET, useValue: components.secret },
      { provide: BankingCalendar, useValue: components.calendar },
      { provide: PUBLIC_ADDRESS, useValue: components.publicAddress },
      { provide: CLOCK, useValue: components.clock },
      { provide: COMMON_CLOCK, useValue: components.commonClock },
      ReadYourWrites,
      LedgerReads,
    ];
    return { module: CoreModule, providers, exports: providers };
  }
}

/** The only list of all modules. */
@Module({})
export class AppModule {
  static of(components: AppComponents): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CoreModule.of(components),
        CqrsModule.forRoot(),
        ChargesModule,
        CustomersModule,
        MerchantsModule,
        CalendarModule,
        BalancesModule,
        PayoutsModule,
        PreviewsModule,
        DisputesModule,
        ApprovalsModule,
        SettlementsModule,
        PagesModule,
        BankModule,
        RailsModule,
        WebhooksModule,
        AuditModule,
        MomentsModule,
        StatementsModule,
        ReconciliationModule,
        ConsoleModule,
      ],
      controllers: [FrontPageController, SecurityTxtController],
    };
  }
}
