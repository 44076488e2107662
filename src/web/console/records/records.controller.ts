import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findBalances, findBalancesOverTime } from '../../../../projections/balances/balance-reads.js';
import { findChargeDays } from '../../../../projections/charges/charge-days.js';
import { findCharges } from '../../../../projections/charges/charge-list.js';
import { findOpenDisputes } from '../../../../projections/disputes/dispute-reads.js';
import { findPayouts } from '../../../../projections/payouts/payouts.js';
import { findFundingLines, findSettledBy } from '../../../../projections/balances/funding.js';
import { findSettlement, findSettlements } from '../../../../projections/settlements/settlements.js';
import { daysOf } from '../../finance-api/audit-days.js';
import { merchantsList, merchantTermsList, partsList } from '../../finance-api/lists.js';
import { COMMON_CLOCK, FINANCE_POOL, PUBLIC_ADDRESS, SECRET, type PublicAddress } from '../../../ledger/ports/injection-tokens.js';
import { KnownMerchants } from '../../../domain/merchants/known-merchants.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { NotInThePast } from '../../../platform/http/edge/route-policy.js';
import { answerCsv } from '../../../platform/http/answer-list.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { mustExist, RecordId } from '../../../platform/http/record-id.js';
import { LedgerReads } from '../../../platform/projector/read-your-writes.js';
import { timeLimit } from '../../../platform/async/waiting.js';
import { DAY_MS, milliseconds, timestamp, type Clock } from '../../../ledger/time.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { leftOut } from '../shared/left-out.js';
import { ExplainQuery, MerchantQuery, MerchantsQuery, StatementQuery } from '../shared/console.dto.js';
import { bucketPage, bucketTitle, explainPage, FIGURES } from './explain-page.js';
import { merchantPage } from './merchant-page.js';
import { merchantsPage } from './merchants-page.js';
import { explain, findAccount } from '../../../domain/balances/explain.js';
import { Forecasts } from '../../../domain/balances/forecasts.js';
import { ForecastQuery } from '../../../domain/balances/forecast.dto.js';
import { StatementReads } from '../../../domain/balances/statement-reads.js';
import { statementToken } from '../../../domain/balances/statement-link.js';
import { monthIn, monthOf } from '../../../domain/balances/statement-period.js';
import { invalid } from '../../../platform/http/validation/validation.js';
import type { Problem } from '../../../platform/problem.js';
import { statementLinkPage } from './statement-link-page.js';
import { idsOf } from './record-tables.js';
import { settlementPage } from './settlement-page.js';

const PAGE_RECORDS = 100;
/** Records of each figure on the page that explains a balance. */
const PARTS_SHOWN = 10;
/** Query of the newest records of each kind on a merchant's page. */
const NEWEST = { page_number: 1, page_size: 10, is_descending: true } as const;
/** Number of moments in the chart of balances. */
const CHART_POINTS = 90;
/** Lifetime of a statement's address. */
const LINK_SECONDS = 7 * 86_400;

/** Forms that change a merchant's terms. */
const MERCHANT_PROPOSALS = [
  ['channel', 'Propose bounds of a channel'],
  ['fee-charge', 'a fee of charges'],
  ['fee-payout', 'of payouts'],
  ['fee-dispute', 'of disputes'],
] as const;

@ApiExcludeController()
@SignedIn()
@Controller('console')
@UseFilters(ConsoleFilter)
@UseInterceptors(LedgerReads)
export class ConsoleRecordsController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    @Inject(SECRET) private readonly secret: Buffer,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
    private readonly statements: StatementReads,
    private readonly forecasts: Forecasts,
    private readonly known: KnownMerchants,
    private readonly streams: OpenStreams,
    private readonly pages: ConsolePages,
  ) {}

  @Get('merchants')
  async merchants(@Query() { After }: MerchantsQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const page = await merchantsList(this.known, this.pages.modeOf(request)).page(After, PAGE_RECORDS, timeLimit(5_000));
    return this.pages.send(request, reply, {
      title: 'Merchants',
      section: 'merchants',
      actions: this.pages.csvLink('merchants'),
      content: merchantsPage(this.pages, page, After !== undefined),
    });
  }

  @Get('merchants.csv')
  merchantsFile(@Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    return answerCsv(this.streams, request, reply, merchantsList(this.known, this.pages.modeOf(request)));
  }

  @Get('merchants/:id')
  async merchant(
    @Param('id', RecordId) id: string,
    @Query() { Currency, Days }: MerchantQuery,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<string> {
    const merchant = mustExist(this.known.merchant(id));
    const now = this.clock();
    const owner = { merchant_id: id, created_on: merchant.created_on };
    const balances = await findBalances(this.pool, owner, this.known.currencies(id));
    const currency = Currency ?? merchant.default_currency;
    const from = now - Days * DAY_MS;
    const moments = Array.from({ length: CHART_POINTS }, (_, index) => timestamp(Math.round(from + ((now - from) * index) / (CHART_POINTS - 1))));
    const days = daysOf({}, now);
    const [points, forecast, charges, payouts, settlements, ofDays] = await Promise.all([
      findBalancesOverTime(this.pool, { merchant_id: id, currency }, moments),
      this.forecasts.make(this.pool, { merchant_id: id, currency }, new ForecastQuery()).catch(leftOut),
      findCharges(this.pool, id, { ...NEWEST, order_by: 'created_on' }),
      findPayouts(this.pool, id, NEWEST),
      findSettlements(this.pool, id, NEWEST),
      findChargeDays(this.pool, { merchant_id: id, currency, days }),
    ]);
    const disputes = await findOpenDisputes(this.pool, idsOf(charges.items));
    const { items: terms } = await merchantTermsList(this.known, id).page(undefined, Infinity, timeLimit(5_000));
    return this.pages.send(request, reply, {
      title: merchant.name,
      section: 'merchants',
      merchantId: id,
      content: merchantPage(this.pages, {
        merchant,
        rails: this.known.ownRails([id]),
        balances,
        terms,
        proposals: this.pages.proposals(request, id, MERCHANT_PROPOSALS),
        currency,
        days: Days,
        points,
        forecast,
        chargeDays: { days, charges: ofDays },
        charges,
        disputes,
        payouts,
        settlements,
      }),
    });
  }

  @Get('merchants/:id/terms.csv')
  termsFile(@Param('id', RecordId) id: string, @Exchange() { request, reply }: HttpExchange): Promise<Readable | ''> {
    mustExist(this.known.merchant(id));
    return answerCsv(this.streams, request, reply, merchantTermsList(this.known, id));
  }

  /** Explains a balance of a merchant; with `Bucket`, lists all records of one of its figures. */
  @Get('merchants/:id/balances/:currency')
  async balance(
    @Param('id', RecordId) id: string,
    @Param('currency') name: string,
    @Query() query: ExplainQuery,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<string> {
    const { Bucket, After } = query;
    const account = await findAccount(this.pool, this.known, id, name);
    const { currency } = account;
    const { links } = this.pages;
    const Limit = Bucket === undefined ? PARTS_SHOWN : PAGE_RECORDS;
    const explanation = await explain(this.pool, account, { ...query, Limit }, FIGURES);
    return this.pages.send(request, reply, {
      title: `${Bucket === undefined ? 'Balance' : bucketTitle(Bucket)} of ${this.pages.plainMerchantName(id)} in ${currency}`,
      section: 'merchants',
      above: [
        [this.pages.plainMerchantName(id), links.merchant(id)],
        ...(Bucket === undefined ? [] : [[`Balance in ${currency}`, links.explanation(id, currency)] as const]),
      ],
      merchantId: id,
      ...(Bucket !== undefined && { actions: this.pages.csvLink(`merchants/${id}/balances/${currency}/records`, { Bucket }) }),
      content: Bucket === undefined ? explainPage(this.pages, explanation) : bucketPage(this.pages, explanation, After),
    });
  }

  @Get('merchants/:id/balances/:currency/records.csv')
  async balanceFile(
    @Param('id', RecordId) id: string,
    @Param('currency') name: string,
    @Query() { Bucket = 'AVAILABLE', After }: ExplainQuery,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<Readable | ''> {
    const account = await findAccount(this.pool, this.known, id, name);
    return answerCsv(this.streams, request, reply, partsList(this.pool, Bucket, account), { After });
  }

  /** Shows the address of a monthly statement of a merchant, which needs no key. */
  @Get('merchants/:id/statement')
  @NotInThePast()
  async statement(@Param('id', RecordId) id: string, @Query() query: StatementQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const merchant = mustExist(this.known.merchant(id));
    const now = this.clock();
    const { Currency = merchant.default_currency, Month = monthOf(now, merchant.timezone) } = query;
    if (milliseconds(monthIn(Month, merchant.timezone).from) > now) throw notYet();
    await this.statements.requireAccount({ merchant_id: id, currency: Currency });
    const expires = Math.floor(now / 1_000) + LINK_SECONDS;
    const token = statementToken(this.secret, { merchant_id: id, currency: Currency, month: Month, expires });
    return this.pages.send(request, reply, {
      title: 'Statement',
      section: 'merchants',
      above: [[merchant.name, this.pages.links.merchant(id)]],
      merchantId: id,
      content: statementLinkPage(this.pages, {
        merchant,
        currency: Currency,
        currencies: this.known.currencies(id),
        month: Month,
        address: `${this.address.url}/statements/${token}`,
        expires: timestamp(expires * 1_000),
      }),
    });
  }

  @Get('settlements/:id')
  async settlement(@Param('id', RecordId) id: string, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const settlement = mustExist(await findSettlement(this.pool, id));
    const [lines, settled] = await Promise.all([findFundingLines(this.pool, id, 0, settlement.lines.length), findSettledBy(this.pool, settlement)]);
    return this.pages.send(request, reply, {
      title: `Settlement ${settlement.number} in ${settlement.currency}`,
      section: 'settlements',
      merchantId: settlement.merchant_id,
      content: settlementPage(this.pages, { settlement, lines, settled }),
    });
  }
}

function notYet(): Problem {
  return invalid('query', [{ at: 'Month', code: 'in-the-future', detail: 'Must not be in the future.' }]);
}
