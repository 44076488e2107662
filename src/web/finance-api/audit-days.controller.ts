import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { COMMON_CLOCK, FINANCE_POOL } from '../../ledger/ports/injection-tokens.js';
import { ReconciliationReads } from '../../domain/reconciliation/reconciliation-reads.js';
import type { Clock } from '../../ledger/time.js';
import { answerWhole } from '../../platform/http/answer-list.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../platform/http/openapi/openapi.js';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';
import {
  BreakDaysDto,
  BreakDaysQuery,
  ChargeDaysDto,
  ChargeDaysQuery,
  JournalDaysDto,
  JournalDaysQuery,
  SourceDaysDto,
  SourceDaysQuery,
} from './audit-days.dto.js';
import { accountDaysList, breakDaysList, chargeDaysList, daysOf, sourceDaysList } from './audit-days.js';

/** Figures by day (UTC), for charts. */
@ApiTags('Audit')
@Controller('audit')
@FinanceOnly()
@UseInterceptors(LedgerReads)
export class AuditDaysController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly streams: OpenStreams,
  ) {}

  @Get('journal/days')
  @Operation(
    'listJournalDays',
    'Sum up the journal by day',
    'Debits, credits and closing balance of each account: the sums of the lines that /audit/journal lists for the same day and mode.',
  )
  @ApiAnswerForms({ json: JournalDaysDto, csv: true })
  async journal(@Query() query: JournalDaysQuery, @Exchange() { request, reply }: HttpExchange): Promise<JournalDaysDto | Readable | ''> {
    const { Mode: mode, Currency: currency, Account: account } = query;
    const list = accountDaysList(this.pool, { mode, currency, account, days: daysOf(query, this.clock()) });
    return answerWhole(this.streams, request, reply, list);
  }

  @Get('charges/days')
  @Operation(
    'listChargeDays',
    'Count charges by day and channel',
    'Counts by status, amounts and success rates of the charges that were created on each day. The numbers of a day change while its charges are paid.',
  )
  @ApiAnswerForms({ json: ChargeDaysDto, csv: true })
  async charges(@Query() query: ChargeDaysQuery, @Exchange() { request, reply }: HttpExchange): Promise<ChargeDaysDto | Readable | ''> {
    const { Mode: mode, MerchantId: merchant_id, Currency: currency, ChannelCode: channel_code } = query;
    const list = chargeDaysList(this.pool, { mode, merchant_id, currency, channel_code, days: daysOf(query, this.clock()) });
    return answerWhole(this.streams, request, reply, list);
  }

  @Get('recon/breaks/days')
  @UseInterceptors(ReconciliationReads)
  @Operation('listBreakDays', 'Count breaks by day', 'Breaks opened and resolved on each day, and open at its end.')
  @ApiAnswerForms({ json: BreakDaysDto, csv: true })
  async breaks(@Query() query: BreakDaysQuery, @Exchange() { request, reply }: HttpExchange): Promise<BreakDaysDto | Readable | ''> {
    const { Mode: mode, Source: source } = query;
    return answerWhole(this.streams, request, reply, breakDaysList(this.pool, { mode, source, days: daysOf(query, this.clock()) }));
  }

  @Get('recon/sources/days')
  @UseInterceptors(ReconciliationReads)
  @Operation('listSourceDays', 'List files, matches and breaks by source and day', 'The progress of the reconciliation of each source.')
  @ApiAnswerForms({ json: SourceDaysDto, csv: true })
  async sources(@Query() query: SourceDaysQuery, @Exchange() { request, reply }: HttpExchange): Promise<SourceDaysDto | Readable | ''> {
    const now = this.clock();
    return answerWhole(this.streams, request, reply, sourceDaysList(this.pool, query.Mode, daysOf(query, now), now));
  }
}
