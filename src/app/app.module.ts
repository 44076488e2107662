import { type DynamicModule, Global, Module, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { AccountQueue } from '../accounts/account-queue.js';
import { AuditModule } from '../audit/audit.module.js';
import { SealingWatch } from '../audit/sealing-watch.js';
import { BalancesModule } from '../books/balances.module.js';
import type { Holidays } from '../charges/settlement-date.js';
import { ChargesModule } from '../charges/charges.module.js';
import type { Config } from './config.js';
import { ConsoleModule } from '../console/console.module.js';
import { CustomerKeys } from '../customers/customer-keys.js';
import { CustomersModule } from '../customers/customers.module.js';
import {
  CLOCK,
  COMMON_CLOCK,
  CONFIG,
  FINANCE_POOL,
  HOLIDAYS,
  PROCESSOR,
  PUBLIC_ADDRESS,
  PRIMARY_POOL,
  READ_POOL,
  SECRET,
  type PublicAddress,
} from '../ledger/injection-tokens.js';
import { KeyWrapping } from '../ledger/customer-encryption.js';
import type { ClockGuard } from '../platform/event-store/clock-guard.js';
import { KEY_DIRECTORY } from '../platform/auth/key-directory.js';
import type { MerchantDirectory } from '../merchants/merchant-directory.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { EVENT_STORE, type EventStore } from '../platform/event-store/event-store.js';
import { ProjectionWatch } from '../platform/projector/projection-watch.js';
import { Reads } from '../platform/http/reads.js';
import { LedgerReads, ReadYourWrites } from '../platform/projector/read-your-writes.js';
import { PagesModule } from '../checkout/pages.module.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { BankModule } from '../providers/bank.module.js';
import type { Processor } from '../charges/processor.js';
import { SettlementsModule } from '../settlements/settlements.module.js';
import { StatementsModule } from '../books/statements.module.js';
import { MERCHANT_TERMS } from '../ledger/merchant-terms.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';

/** What the process opened before Nest: everything that has a life of its own. */
export interface Parts {
  readonly config: Config;
  readonly eventStore: EventStore;
  readonly accounts: AccountQueue;
  readonly customerKeys: CustomerKeys;
  readonly keyWrapping: KeyWrapping;
  readonly readPool: Pool;
  readonly primaryPool: Pool;
  readonly reads: Reads;
  readonly watch: ProjectionWatch;
  readonly directory: MerchantDirectory;
  readonly sealing: SealingWatch;
  readonly processor: Processor;
  readonly secret: Buffer;
  readonly holidays: Holidays;
  readonly publicAddress: PublicAddress;
  readonly clockGuard: ClockGuard;
}

@Global()
@Module({})
class CoreModule {
  static of(parts: Parts): DynamicModule {
    const providers = [
      { provide: CONFIG, useValue: parts.config },
      { provide: EVENT_STORE, useValue: parts.eventStore },
      { provide: AccountQueue, useValue: parts.accounts },
      { provide: CustomerKeys, useValue: parts.customerKeys },
      { provide: KeyWrapping, useValue: parts.keyWrapping },
      { provide: READ_POOL, useValue: parts.readPool },
      { provide: Reads, useValue: parts.reads },
      { provide: FINANCE_POOL, scope: Scope.REQUEST, inject: [REQUEST], useFactory: (request: FastifyRequest) => parts.reads.poolOf(request) },
      { provide: PRIMARY_POOL, useValue: parts.primaryPool },
      { provide: ProjectionWatch, useValue: parts.watch },
      { provide: KEY_DIRECTORY, useValue: parts.directory },
      { provide: MERCHANT_TERMS, useValue: parts.directory.merchants },
      { provide: SealingWatch, useValue: parts.sealing },
      { provide: PROCESSOR, useValue: parts.processor },
      { provide: SECRET, useValue: parts.secret },
      { provide: HOLIDAYS, useValue: parts.holidays },
      { provide: PUBLIC_ADDRESS, useValue: parts.publicAddress },
      { provide: CLOCK, useValue: parts.clockGuard.clock },
      { provide: COMMON_CLOCK, useValue: parts.clockGuard.common },
      ReadYourWrites,
      LedgerReads,
    ];
    return { module: CoreModule, providers, exports: providers };
  }
}

/** The one list of what exists. */
@Module({})
export class AppModule {
  static of(parts: Parts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CoreModule.of(parts),
        CqrsModule.forRoot(),
        ChargesModule,
        CustomersModule,
        MerchantsModule,
        BalancesModule,
        PayoutsModule,
        SettlementsModule,
        PagesModule,
        BankModule,
        WebhooksModule,
        AuditModule,
        StatementsModule,
        ConsoleModule,
      ],
    };
  }
}
