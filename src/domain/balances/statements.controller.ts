import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { COMMON_CLOCK } from '../../ledger/ports/injection-tokens.js';
import { Caller, RequireScope, Exchange, type MerchantCaller, type HttpExchange } from '../../platform/http/edge/access.js';
import { preferredType } from '../../platform/http/accept.js';
import { languageOf } from '../../platform/http/language.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../platform/http/openapi/openapi.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { invalid } from '../../platform/http/validation/validation.js';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';
import { milliseconds, timestamp, type Clock } from '../../ledger/time.js';
import { SHEET_HEADERS } from './sheet.js';
import type { Statement } from './statement.js';
import { statementPage } from './statement-page.js';
import { StatementReads } from './statement-reads.js';
import { LIMIT_DEFAULT } from '../../platform/http/answer-list.js';
import { StatementDto, StatementQueryDto, type MovementDto } from './statements.dto.js';
import type { BalanceSnapshot } from '../../../projections/balances/statement.js';
import { csvRow } from '../../platform/text/csv.js';

@ApiTags('Balances')
@Controller('v1/statements')
@RequireScope('balances:read')
@UseInterceptors(LedgerReads)
export class StatementsController {
  constructor(
    private readonly statements: StatementReads,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly streams: OpenStreams,
  ) {}

  @Get(':currency')
  @Operation(
    'getStatement',
    'Read a statement of account',
    'Opening balance, every movement with its record and the balance after it, and closing balance; by the time of booking. JSON is paged, and each page shows the balances of the whole statement. CSV and a printable page (`Accept: text/html`; in Indonesian, Malay or English by `Accept-Language`) contain the whole statement.',
  )
  @ApiParam({ name: 'currency', example: 'IDR' })
  @ApiAnswerForms({ json: StatementDto, csv: true, html: true })
  @Problems('not-found')
  async read(
    @Param('currency') code: string,
    @Query() query: StatementQueryDto,
    @Caller() { merchant_id }: MerchantCaller,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<StatementDto | Readable | ''> {
    const currency = code.toUpperCase();
    const account = { merchant_id, currency };
    const from = query.From ?? null;
    const to = query.To ?? timestamp(this.clock());
    this.checkPeriod(from, to);
    await this.statements.requireAccount(account);
    const type = preferredType(request, reply, ['application/json', 'text/csv', 'text/html']);
    const frame = await this.statements.frame(request, account, from, to);
    const { opening: opening_balance, closing: closing_balance } = frame;
    const head = { merchant_id, currency, from, to, opening_balance, closing_balance };
    if (type === 'application/json')
      return { ...head, ...(await this.statements.page(request, account, frame, query.After, query.Limit ?? LIMIT_DEFAULT)) };

    const statement = (signal: AbortSignal): Statement => this.statements.whole(request, account, { from, to, frame }, signal);
    if (type === 'text/csv') {
      return this.streams.answer(request, reply, {
        contentType: 'text/csv; charset=utf-8; header=present',
        filename: `statement-${currency}.csv`,
        pages: (signal) => statementCsv(statement(signal)),
      });
    }
    const language = languageOf(request);
    void reply.headers({ ...SHEET_HEADERS, vary: 'Accept, Accept-Language', 'content-language': language });
    return this.streams.answer(request, reply, {
      contentType: 'text/html; charset=utf-8',
      pages: (signal) => statementPage(statement(signal), { language }),
    });
  }

  private checkPeriod(from: string | null, to: string): void {
    const refuse = (parameter: string, code: string, detail: string): never => {
      throw invalid('query', [{ at: parameter, code, detail }]);
    };
    if (milliseconds(to) > this.clock()) refuse('To', 'in-the-future', 'Must not be in the future.');
    if (from !== null && milliseconds(from) > milliseconds(to)) refuse('From', 'out-of-range', 'Must not be later than To.');
  }
}

const COLUMNS = [
  ...(['position', 'event_id', 'kind', 'booked_on', 'charge_id', 'payout_id', 'settlement_id', 'settlement_number', 'code'] as const),
  ...(['reference_id', 'pending_change', 'available_change', 'reserved_change', 'fee_change', 'pending_amount', 'available_amount'] as const),
  ...(['reserved_amount', 'total_amount', 'fee_amount', 'refund_id', 'dispute_id'] as const),
] as const satisfies readonly (keyof MovementDto)[];

/** The balances are separate rows, first and last. */
async function* statementCsv({ from, to, opening_balance, closing_balance, movements }: Statement): AsyncGenerator<string> {
  const balanceRow = (kind: string, booked_on: string | null, balance: BalanceSnapshot): string => {
    const row: Partial<Omit<MovementDto, 'kind'>> & { readonly kind: string } = { kind, ...(booked_on === null ? {} : { booked_on }), ...balance };
    return csvRow(COLUMNS.map((column) => row[column] ?? null));
  };
  yield csvRow(COLUMNS) + balanceRow('OPENING_BALANCE', from, opening_balance);
  for await (const page of movements) yield page.map((movement) => csvRow(COLUMNS.map((column) => movement[column]))).join('');
  yield balanceRow('CLOSING_BALANCE', to, closing_balance);
}
