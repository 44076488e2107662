import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { countEvents, findEventRefs } from '../../../../projections/audit/event-index.js';
import { findAccountDays } from '../../../../projections/balances/account-days.js';
import { findTrialTotals } from '../../../../projections/balances/trial-balance.js';
import { findChargeDays, type ChargeDay } from '../../../../projections/charges/charge-days.js';
import { FORECAST_DAYS } from '../../../domain/balances/forecast.dto.js';
import { CashForecasts } from '../../../domain/reconciliation/cash/cash-forecasts.js';
import { ReconciliationReads } from '../../../domain/reconciliation/reconciliation-reads.js';
import { ActingOperators } from '../../../domain/operators/acting-operator.js';
import { findSettlementStops } from '../../../domain/settlements/settlement-stops.js';
import type { LedgerEventType } from '../../../ledger/catalogue.js';
import type { Mode } from '../../../ledger/mode.js';
import { COMMON_CLOCK, FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../../ledger/time.js';
import { answerCsv } from '../../../platform/http/answer-list.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { TransparencyLogWatch } from '../../../transparency-log/transparency-log-watch.js';
import { WaitingReads } from '../../finance-api/approvals/waiting.js';
import { accountDaysList, chargeDaysList, daysOf } from '../../finance-api/audit-days.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ChargeDaysFileQuery, DaysFileQuery, HomeQuery } from '../shared/console.dto.js';
import { leftOut } from '../shared/left-out.js';
import { ConsolePages } from '../shared/console-pages.js';
import { ExceptionReads } from './exceptions.js';
import { homePage, type Alarms } from './home-page.js';

const CONTRADICTED: LedgerEventType = 'PayoutOutcomeContradicted';
/** Maximum number that the first page names; the metric counts all. */
const CONTRADICTED_MAX = 20;

/** The first page, and the files with the figures of its charts. */
@ApiExcludeController()
@SignedIn()
@Controller('console')
@UseFilters(ConsoleFilter)
@UseInterceptors(LedgerReads)
export class ConsoleHomeController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly exceptionReads: ExceptionReads,
    private readonly waitingReads: WaitingReads,
    private readonly forecasts: CashForecasts,
    private readonly operators: ActingOperators,
    private readonly streams: OpenStreams,
    private readonly transparencyLog: TransparencyLogWatch,
    private readonly pages: ConsolePages,
  ) {}

  @Get()
  @UseInterceptors(ReconciliationReads)
  async home(@Query() { Currency }: HomeQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const mode = this.pages.modeOf(request);
    const days = daysOf({}, this.clock());
    const [alarms, waiting, books, accounts, charges] = await Promise.all([
      this.#alarms(request, mode),
      this.waitingReads.find(mode, this.operators.known.byKey(request.keyId)),
      findTrialTotals(this.pool, { mode }),
      findAccountDays(this.pool, { mode, days }),
      findChargeDays(this.pool, { mode, days }),
    ]);
    const currencies = [...new Set([...books, ...charges].map(({ currency }) => currency))].sort();
    const currency = currencies.find((each) => each === Currency) ?? busiest(currencies, charges);
    const cashForecast =
      currency === undefined
        ? undefined
        : await this.forecasts.make(this.pool, { Mode: mode, Currency: currency, Days: FORECAST_DAYS }).catch(leftOut);
    return this.pages.send(request, reply, {
      title: 'Overview',
      section: 'overview',
      content: homePage(this.pages, { alarms, waiting, books, currencies, currency, days, accounts, charges, cashForecast }),
    });
  }

  @Get('charge-days.csv')
  chargeDaysFile(@Query() query: ChargeDaysFileQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    const { MerchantId: merchant_id, Currency: currency } = query;
    const of = { mode: this.pages.modeOf(request, merchant_id), merchant_id, currency, days: daysOf(query, this.clock()) };
    return answerCsv(this.streams, request, reply, chargeDaysList(this.pool, of));
  }

  @Get('journal-days.csv')
  journalDaysFile(@Query() query: DaysFileQuery, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    const of = { mode: this.pages.modeOf(request), currency: query.Currency, days: daysOf(query, this.clock()) };
    return answerCsv(this.streams, request, reply, accountDaysList(this.pool, of));
  }

  async #alarms(request: FastifyRequest, mode: Mode): Promise<Alarms> {
    const [count, places, stops, exceptions] = await Promise.all([
      countEvents(this.pool, CONTRADICTED, mode),
      findEventRefs(this.pool, { mode, type: CONTRADICTED, after: 0, limit: CONTRADICTED_MAX }),
      this.pages.moment ? [] : findSettlementStops(this.pool),
      this.exceptionReads.find(mode),
    ]);
    return {
      contradictions: { count, streams: [...new Set(places.map(({ stream }) => stream))] },
      settlementStops: stops.filter(({ merchant_id }) => this.pages.modeOf(request, merchant_id) === mode),
      transparencyLog: this.pages.moment ? undefined : this.transparencyLog.state(),
      exceptions,
    };
  }
}

/** The currency with the most charges; without any, the first one. */
function busiest(currencies: readonly string[], charges: readonly ChargeDay[]): string | undefined {
  const count = (currency: string): number =>
    charges.reduce((sum, each) => (each.currency === currency ? sum + each.succeeded_count + each.failed_count + each.expired_count : sum), 0);
  return currencies.reduce<string | undefined>((best, each) => (best === undefined || count(each) > count(best) ? each : best), undefined);
}
