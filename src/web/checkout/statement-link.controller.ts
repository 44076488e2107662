import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { statementOfToken } from '../../domain/balances/statement-link.js';
import { SHEET_HEADERS } from '../../domain/balances/sheet.js';
import { statementPage } from '../../domain/balances/statement-page.js';
import { monthIn } from '../../domain/balances/statement-period.js';
import { StatementReads } from '../../domain/balances/statement-reads.js';
import { COMMON_CLOCK, SECRET } from '../../ledger/ports/injection-tokens.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import { milliseconds, timestamp, type Clock } from '../../ledger/time.js';
import { Public, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { languageOf, LanguageQuery } from '../../platform/http/language.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';
import { expiredStatementPage, missingStatementPage } from './message-page.js';
import { PageFilter } from './page-filter.js';
import { sendPage } from './send-page.js';

/** Statements at addresses that finance has signed: the address gives access to that statement until it expires, without a key. */
@ApiExcludeController()
@Public()
@Controller('statements')
@UseFilters(PageFilter)
@UseInterceptors(LedgerReads)
export class StatementLinkController {
  constructor(
    private readonly statements: StatementReads,
    private readonly streams: OpenStreams,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
    @Inject(SECRET) private readonly secret: Buffer,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Get(':token')
  async statement(
    @Param('token') token: string,
    @Query() { Lang }: LanguageQuery,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<Readable | string> {
    const link = statementOfToken(this.secret, token);
    if (!link) return sendPage(reply, missingStatementPage(), 404);
    const now = this.clock();
    if (link.expires * 1_000 <= now) return sendPage(reply, expiredStatementPage(), 410);
    const { merchant_id, currency, month } = link;
    // Counts as a request of the merchant who owns the statement.
    request.caller = { merchant_id, key_id: 'statement link', mode: 'live', scopes: [] };
    const period = monthIn(month, this.terms.timezone(merchant_id) ?? 'UTC');
    const to = milliseconds(period.to) > now ? timestamp(now) : period.to;
    const frame = await this.statements.frame(request, { merchant_id, currency }, period.from, to);
    const language = languageOf(request, Lang);
    const ofLanguage = { vary: 'Accept-Language', 'content-language': language };
    void reply.headers({ ...SHEET_HEADERS, ...ofLanguage, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    return this.streams.answer(request, reply, {
      contentType: 'text/html; charset=utf-8',
      pages: (signal) =>
        statementPage(this.statements.whole(request, { merchant_id, currency }, { from: period.from, to, frame }, signal), {
          language,
          isSwitchable: true,
        }),
    });
  }
}
