import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AuditModule } from '../audit/audit.module.js';
import { StatementsModule } from '../books/statements.module.js';
import { ChainKeys } from '../audit/chain-keys.js';
import { SECRET } from '../ledger/injection-tokens.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { MERCHANT_TERMS } from '../ledger/merchant-terms.js';
import { PendingReasons } from '../payouts/pending-reasons.js';
import { RailsModule } from '../rails/rails.module.js';
import { SESSION_GATE } from '../platform/auth/session-gate.js';
import { ConsoleActivityController } from './activity.controller.js';
import { ConsoleBooksController } from './books.controller.js';
import { ConsoleFilter } from './console.filter.js';
import { ConsolePages } from './console-pages.js';
import { ConsoleEventsController } from './events.controller.js';
import { ConsoleChainController } from './chain.controller.js';
import { ConsoleDeskController } from './desk.controller.js';
import { ExceptionReads } from './exceptions.js';
import { DeskWaiting } from './desk-waiting.js';
import { ProposalForms } from './proposal-forms.js';
import { PersonActs } from './person-acts.js';
import { ConsoleProposeController } from './propose.controller.js';
import { ConsolePeopleController } from './people.controller.js';
import { ConsoleReconController } from './recon.controller.js';
import { ConsoleReconDaysController } from './recon-days.controller.js';
import { ConsoleReconFilesController } from './recon-files.controller.js';
import { ConsoleRailsController } from './rails.controller.js';
import { ConsoleSearchController } from './search.controller.js';
import { ConsoleListsController } from './lists.controller.js';
import { ConsoleMonthsController } from './months.controller.js';
import { ConsoleModeController } from './mode.controller.js';
import { NotFoundController } from './not-found.controller.js';
import { ConsoleChargeRecordsController } from './charge-records.controller.js';
import { ConsoleRecordsController } from './records.controller.js';
import { ConsoleSuspenseController } from './suspense.controller.js';
import { SessionGuard } from './session-guard.js';
import { Sessions } from './sessions.js';
import { SignInController } from './sign-in.controller.js';

/** What finance reads, as pages, and what its persons decide. Nothing else here changes anything but the visitor's own session. */
@Module({
  imports: [CqrsModule, AuditModule, StatementsModule, RailsModule],
  controllers: [
    SignInController,
    ConsoleProposeController,
    ConsoleDeskController,
    ConsoleReconController,
    ConsoleReconFilesController,
    ConsoleReconDaysController,
    ConsoleSuspenseController,
    ConsoleMonthsController,
    ConsoleBooksController,
    ConsoleActivityController,
    ConsoleListsController,
    ConsoleRecordsController,
    ConsoleChargeRecordsController,
    ConsoleEventsController,
    ConsoleChainController,
    ConsoleRailsController,
    ConsolePeopleController,
    ConsoleSearchController,
    ConsoleModeController,
    NotFoundController,
  ],
  providers: [
    { provide: KnownMerchants, useExisting: MERCHANT_TERMS },
    PendingReasons,
    { provide: ChainKeys, useFactory: (secret: Buffer) => new ChainKeys(secret), inject: [SECRET] },
    Sessions,
    PersonActs,
    ProposalForms,
    DeskWaiting,
    ExceptionReads,
    ConsolePages,
    ConsoleFilter,
    { provide: SESSION_GATE, useClass: SessionGuard },
  ],
})
export class ConsoleModule {}
