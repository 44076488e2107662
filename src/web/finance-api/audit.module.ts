import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SECRET } from '../../ledger/ports/injection-tokens.js';
import { StatementsModule } from '../../domain/balances/statements.module.js';
import { PendingReasons } from '../../domain/payouts/pending-reasons.js';
import { AuditBooksController } from './audit-books.controller.js';
import { AuditDaysController } from './audit-days.controller.js';
import { AuditEventsController } from './audit-events.controller.js';
import { AuditOperatorsController } from './audit-operators.controller.js';
import { AuditPayoutsController } from './audit-payouts.controller.js';
import { AuditRecordsController } from './audit-records.controller.js';
import { ChainController } from './chain.controller.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { WaitingReads } from './approvals/waiting.js';
import { WaitingApprovals } from './approvals/waiting-approvals.js';
import { PayoutDetails } from './payout-details.js';
import { PeriodsController } from './periods.controller.js';
import { ProposalsController } from './approvals/proposals.controller.js';
import { SuspenseController } from './approvals/suspense.controller.js';
import { ChainKeys } from '../../transparency-log/chain-keys.js';

/** Finance reads across merchants, and decisions of operators. */
@Module({
  imports: [CqrsModule, StatementsModule],
  controllers: [
    AuditEventsController,
    AuditBooksController,
    AuditDaysController,
    AuditRecordsController,
    AuditPayoutsController,
    AuditOperatorsController,
    ApprovalsController,
    ProposalsController,
    SuspenseController,
    ChainController,
    PeriodsController,
  ],
  providers: [
    PendingReasons,
    PayoutDetails,
    WaitingApprovals,
    WaitingReads,
    { provide: ChainKeys, useFactory: (secret: Buffer) => new ChainKeys(secret), inject: [SECRET] },
  ],
  exports: [ChainKeys, PayoutDetails, WaitingApprovals, WaitingReads],
})
export class AuditModule {}
