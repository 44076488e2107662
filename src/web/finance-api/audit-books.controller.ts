import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findJournalTotals, type JournalTotalsQuery as JournalSelection } from '../../../projections/balances/journal-totals.js';
import { findTrialBalance, type TrialBalance } from '../../../projections/balances/trial-balance.js';
import { explain, findAccount } from '../../domain/balances/explain.js';
import { ExplanationDto, ExplanationQuery } from '../../domain/balances/explanation.dto.js';
import { COMMON_CLOCK, FINANCE_POOL } from '../../ledger/ports/injection-tokens.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { preferredType } from '../../platform/http/accept.js';
import { answerCsv, answerList } from '../../platform/http/answer-list.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../platform/http/openapi/openapi.js';
import { RecordId } from '../../platform/http/record-id.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import { milliseconds, type Clock } from '../../ledger/time.js';
import { JournalLineDto, JournalListQuery, JournalPageDto, JournalTotalsDto, JournalTotalsQuery } from './journal.dto.js';
import { TrialBalanceDto, TrialBalanceQuery } from './trial-balance.dto.js';
import { journalTotalsCsv, trialBalanceCsv } from './audit-csv.js';
import { journalList, partsList } from './lists.js';

@ApiTags('Audit')
@Controller('audit')
@FinanceOnly()
@UseInterceptors(LedgerReads)
export class AuditBooksController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
    private readonly streams: OpenStreams,
  ) {}

  @Get('journal')
  @Operation('listJournalLines', 'List the lines of the journal', 'Double entry: the lines of an event sum to zero.')
  @ApiAnswerForms({ json: JournalPageDto, ndjsonLine: JournalLineDto, csv: true })
  async journal(@Query() query: JournalListQuery, @Exchange() { request, reply }: HttpExchange) {
    const list = journalList(this.pool, { ...selectionOf(query), event_id: query.EventId });
    return answerList(this.streams, request, reply, list, query);
  }

  @Get('journal/totals')
  @Operation(
    'getJournalTotals',
    'Sum up the journal by account',
    'Opening balance, debits, credits and closing balance of each account: the sums of the lines that /audit/journal lists for the same filters.',
  )
  @ApiAnswerForms({ json: JournalTotalsDto, csv: true })
  async journalTotals(@Query() query: JournalTotalsQuery, @Exchange() { request, reply }: HttpExchange): Promise<JournalTotalsDto | Readable | ''> {
    const type = preferredType(request, reply, ['application/json', 'text/csv']);
    const accounts = await findJournalTotals(this.pool, selectionOf(query));
    if (type === 'application/json') return { accounts };
    const page = () => Promise.resolve({ items: accounts, next_after: null });
    return answerCsv(this.streams, request, reply, { name: 'journal-totals', csv: journalTotalsCsv, page });
  }

  @Get('trial-balance')
  @Operation(
    'getTrialBalance',
    'Read the trial balance',
    'Per mode and currency: each account’s debits and credits since the first event, and their difference, which is 0.',
  )
  @ApiAnswerForms({ json: TrialBalanceDto, csv: true })
  async trialBalance(
    @Query() query: TrialBalanceQuery,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<{ currencies: readonly TrialBalance[] } | Readable | ''> {
    if (query.AsOf !== undefined && milliseconds(query.AsOf) > this.clock()) {
      throw new LedgerProblem('validation-failed', 'AsOf is in the future.', {
        errors: [{ parameter: 'AsOf', code: 'in-the-future', detail: 'Must not be in the future.' }],
      });
    }
    const type = preferredType(request, reply, ['application/json', 'text/csv']);
    const currencies = await findTrialBalance(this.pool, { as_of: query.AsOf, merchant_id: query.MerchantId, mode: query.Mode });
    if (type === 'application/json') return { currencies };
    return this.streams.answer(request, reply, {
      contentType: 'text/csv; charset=utf-8; header=present',
      filename: 'trial-balance.csv',
      pages: () => trialBalanceCsv(currencies),
    });
  }

  @Get('balances/:merchant/:currency/explain')
  @Operation(
    'explainMerchantBalance',
    'Explain a merchant’s balance',
    'The same response that the merchant gets from /v1/balances/{currency}/explain. As CSV: all items of one Bucket, which is then required.',
  )
  @ApiAnswerForms({ json: ExplanationDto, csv: true })
  @Problems('not-found')
  async explain(
    @Param('merchant', RecordId) merchant_id: string,
    @Param('currency') currency: string,
    @Query() query: ExplanationQuery,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<ExplanationDto | Readable | ''> {
    const account = await findAccount(this.pool, this.terms, merchant_id, currency);
    if (preferredType(request, reply, ['application/json', 'text/csv']) === 'application/json') return explain(this.pool, account, query);
    if (query.Bucket === undefined) {
      throw new LedgerProblem('validation-failed', 'One query parameter is missing.', {
        errors: [{ parameter: 'Bucket', code: 'required', detail: 'Is required for CSV.' }],
      });
    }
    return answerCsv(this.streams, request, reply, partsList(this.pool, query.Bucket, account), { After: query.After });
  }
}

const selectionOf = ({ Mode, MerchantId, Currency, Account, DateFrom, DateTo }: JournalTotalsQuery): JournalSelection => ({
  ...{ mode: Mode, merchant_id: MerchantId, currency: Currency, account: Account, date_from: DateFrom, date_to: DateTo },
});
