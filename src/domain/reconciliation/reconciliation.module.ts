import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SERVICE_DEPS, type ServiceDeps } from '../../ledger/ports/injection-tokens.js';
import { ActingOperators } from '../operators/acting-operator.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { SEALED_LOG, type SealedLog } from '../approvals/sealed-log.js';
import { HTTP_OPTIONS, type HttpOptions } from '../../platform/http/http-options.js';
import { DecisionReads } from '../../platform/projector/decision-reads.js';
import { ActOnBreakHandler } from './breaks/break.handlers.js';
import { ReconBreaksController } from './breaks/breaks.controller.js';
import { CloseDayHandler } from './days/day.handlers.js';
import { CashForecastController } from './cash/cash-forecast.controller.js';
import { CashForecasts } from './cash/cash-forecasts.js';
import { ReconDaysController } from './days/days.controller.js';
import { ReconMatchesController } from './breaks/matches.controller.js';
import { ImportStatementHandler, RunReconSourceHandler, SetReconSourceHandler } from './source.handlers.js';
import { ChargesModule } from '../charges/charges.module.js';
import { NotificationHandler } from '../charges/notification-handler.js';
import { TakeAsPaidHandler } from './breaks/take-as-paid.js';
import { dayCloser, importServices } from './reconciliation-services.js';
import { SourcesController } from './sources.controller.js';
import { pick } from '../../platform/http/pick.js';
import type { ImportServices } from './import-statement.js';
import { StatementPeople } from './statements/statement-people.js';
import { ReconStatementsController } from './statements.controller.js';

const IMPORTS = Symbol('ImportServices');

/** Statements of banks and processors, and their comparison with the books. */
@Module({
  imports: [CqrsModule, ChargesModule],
  controllers: [
    SourcesController,
    ReconStatementsController,
    ReconMatchesController,
    ReconBreaksController,
    ReconDaysController,
    CashForecastController,
  ],
  exports: [CashForecasts],
  providers: [
    CashForecasts,
    { provide: IMPORTS, useFactory: importServices, inject: [SERVICE_DEPS] },
    ...pick<ReturnType<typeof importServices>>(IMPORTS, { people: StatementPeople }),
    {
      provide: SetReconSourceHandler,
      useFactory: (deps: ServiceDeps, operators: ActingOperators) => new SetReconSourceHandler(deps, operators, deps.pool),
      inject: [SERVICE_DEPS, ActingOperators],
    },
    {
      provide: RunReconSourceHandler,
      useFactory: (deps: ServiceDeps, operators: ActingOperators) => new RunReconSourceHandler(deps, operators),
      inject: [SERVICE_DEPS, ActingOperators],
    },
    {
      provide: CloseDayHandler,
      useFactory: (deps: ServiceDeps, operators: ActingOperators, sealed: SealedLog, { logger }: HttpOptions) =>
        new CloseDayHandler(deps, operators, dayCloser({ ...deps, sealed }), (source, err) =>
          logger.warn({ source, err }, 'cannot close a day now; a worker closes it later'),
        ),
      inject: [SERVICE_DEPS, ActingOperators, SEALED_LOG, HTTP_OPTIONS],
    },
    {
      provide: ActOnBreakHandler,
      useFactory: (deps: ServiceDeps, operators: ActingOperators) => new ActOnBreakHandler(deps, operators, deps.readPool),
      inject: [SERVICE_DEPS, ActingOperators],
    },
    {
      provide: TakeAsPaidHandler,
      useFactory: ({ store, clock, readPool }: ServiceDeps, operators: ActingOperators, known: KnownMerchants, notifications: NotificationHandler) =>
        new TakeAsPaidHandler({ store, clock, operators, known, notifications, reads: new DecisionReads(store, readPool) }),
      inject: [SERVICE_DEPS, ActingOperators, KnownMerchants, NotificationHandler],
    },
    {
      provide: ImportStatementHandler,
      useFactory: (services: ImportServices, operators: ActingOperators) => new ImportStatementHandler(services, operators),
      inject: [IMPORTS, ActingOperators],
    },
  ],
})
export class ReconciliationModule {}
