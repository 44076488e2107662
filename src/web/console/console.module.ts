import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AuditModule } from '../finance-api/audit.module.js';
import { ReconciliationModule } from '../../domain/reconciliation/reconciliation.module.js';
import { BalancesModule } from '../../domain/balances/balances.module.js';
import { StatementsModule } from '../../domain/balances/statements.module.js';
import { PendingReasons } from '../../domain/payouts/pending-reasons.js';
import { RailsModule } from '../../rails/rails.module.js';
import { SESSION_GATE } from '../../platform/auth/session-gate.js';
import { ConsoleActivityController } from './operations/activity.controller.js';
import { ConsoleBooksController } from './operations/books.controller.js';
import { ConsoleHomeController } from './operations/home.controller.js';
import { ConsoleFilter } from './shared/console.filter.js';
import { ConsolePages } from './shared/console-pages.js';
import { ConsoleEventsController } from './records/events.controller.js';
import { ConsoleCashForecastController } from './operations/cash-forecast.controller.js';
import { ConsoleForecastController } from './operations/forecast.controller.js';
import { ConsoleCalendarController } from './operations/calendar.controller.js';
import { ConsoleChainController } from './operations/chain.controller.js';
import { ConsoleApprovalsController } from './approvals/approvals.controller.js';
import { ExceptionReads } from './operations/exceptions.js';
import { ProposalForms } from './approvals/proposal-forms.js';
import { OperatorActions } from './shared/operator-actions.js';
import { ConsoleProposeController } from './approvals/propose.controller.js';
import { ConsolePeopleController } from './approvals/people.controller.js';
import { ConsoleReconciliationController } from './reconciliation/reconciliation.controller.js';
import { ConsoleDaysController } from './reconciliation/days.controller.js';
import { ConsoleFilesController } from './reconciliation/files.controller.js';
import { ConsoleRailsController } from './operations/rails.controller.js';
import { ConsoleSearchController } from './records/search.controller.js';
import { ConsoleListsController } from './records/lists.controller.js';
import { ConsoleWhatIfController } from './operations/what-if.controller.js';
import { ConsoleMomentsController } from './operations/moments.controller.js';
import { MomentsModule } from '../../point-in-time/moments.module.js';
import { ConsoleMonthsController } from './approvals/months.controller.js';
import { ConsoleModeController } from './mode.controller.js';
import { NotFoundController } from './not-found.controller.js';
import { ConsoleChargeRecordsController } from './records/charge-records.controller.js';
import { ConsoleRecordsController } from './records/records.controller.js';
import { ConsoleSuspenseController } from './reconciliation/suspense.controller.js';
import { SessionGuard } from './shared/session-guard.js';
import { Sessions } from './shared/sessions.js';
import { SignInController } from './sign-in.controller.js';

/** The pages that finance reads, and the decisions of its people. All other routes change only the visitor's own session. */
@Module({
  imports: [CqrsModule, AuditModule, BalancesModule, ReconciliationModule, StatementsModule, RailsModule, MomentsModule],
  controllers: [
    SignInController,
    ConsoleProposeController,
    ConsoleApprovalsController,
    ConsoleReconciliationController,
    ConsoleFilesController,
    ConsoleDaysController,
    ConsoleSuspenseController,
    ConsoleMonthsController,
    ConsoleBooksController,
    ConsoleHomeController,
    ConsoleActivityController,
    ConsoleListsController,
    ConsoleRecordsController,
    ConsoleChargeRecordsController,
    ConsoleEventsController,
    ConsoleChainController,
    ConsoleRailsController,
    ConsoleCalendarController,
    ConsoleMomentsController,
    ConsoleWhatIfController,
    ConsoleForecastController,
    ConsoleCashForecastController,
    ConsolePeopleController,
    ConsoleSearchController,
    ConsoleModeController,
    NotFoundController,
  ],
  providers: [
    PendingReasons,
    Sessions,
    OperatorActions,
    ProposalForms,
    ExceptionReads,
    ConsolePages,
    ConsoleFilter,
    { provide: SESSION_GATE, useClass: SessionGuard },
  ],
})
export class ConsoleModule {}
