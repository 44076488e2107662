import { Controller, Get, Inject, Param, Query, Req, Res, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toBuffer } from 'qrcode';
import { COMMON_CLOCK, SECRET } from '../ledger/injection-tokens.js';
import { Public } from '../platform/http/access.js';
import { EVENT_STORE, type EventStore } from '../platform/event-store/event-store.js';
import { Problem } from '../platform/problems.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../ledger/merchant-terms.js';
import type { Clock } from '../ledger/time.js';
import { ICON } from '../html/assets.js';
import { SCRIPT } from './assets.js';
import { languageOf, LanguageQuery } from './language.js';
import { missingPage } from './message-page.js';
import { PageDeadline } from './page-deadline.js';
import { PageFilter } from './page-filter.js';
import { chargeOfToken, pageToken } from '../ledger/page-token.js';
import { findPayment, paymentState, type Payment } from './payment.js';
import { paymentPage } from './payment-page.js';
import { sendPage } from './send-page.js';

const A_YEAR = 'public, max-age=31536000, immutable';
/** Pixels a module: large enough for an app that picks the picture from the phone's photos. */
const PNG_SCALE = 8;
/** No filters, which are for photographs: to choose one for each line takes most of the time, and of two colours makes a larger file. */
const PNG_OF_TWO_COLOURS = { filterType: 0, deflateStrategy: 0 };

/** The hosted payment page. With the address it may be seen, and no more: nothing here changes a charge. */
@ApiExcludeController()
@Public()
@Controller()
export class PaymentPageController {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
    @Inject(SECRET) private readonly secret: Buffer,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Get('pay/:token')
  @UseInterceptors(PageDeadline)
  @UseFilters(PageFilter)
  async page(
    @Param('token') token: string,
    @Query() { Lang }: LanguageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const language = languageOf(request, Lang);
    void reply.header('vary', 'accept-language');
    const payment = await this.find(token);
    if (!payment) return sendPage(reply, missingPage(language), 404);
    const { charge_id, merchant_id } = payment.created;
    const page = paymentPage({
      payment,
      merchantName: this.terms.merchantName(merchant_id) ?? '',
      token,
      simulationToken: pageToken('simulate', this.secret, charge_id),
      now: this.clock(),
      language,
    });
    return sendPage(reply, page);
  }

  /** What an open page asks every few seconds. */
  @Get('pay/:token/status')
  async status(@Param('token') token: string): Promise<{ state: string }> {
    const payment = await this.find(token);
    if (!payment) throw new Problem('not-found', 'There is no such payment.');
    return { state: paymentState(payment) };
  }

  @Get('pay/:token/qr.png')
  async picture(@Param('token') token: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    const payment = await this.find(token);
    const text = payment?.status === 'PENDING' ? payment.created.action.qr_string : undefined;
    if (!payment || text === undefined) throw new Problem('not-found', 'There is no code to pay with.');
    void reply.header('content-type', 'image/png').header('content-disposition', `attachment; filename="${payment.created.code}.png"`);
    return toBuffer(text, { errorCorrectionLevel: 'M', margin: 4, scale: PNG_SCALE, rendererOpts: PNG_OF_TWO_COLOURS });
  }

  /** A page of another build goes without its script: it is whole without one. */
  @Get('pages/:file')
  asset(@Param('file') file: string, @Res({ passthrough: true }) reply: FastifyReply): string {
    const found = [SCRIPT, ICON].find((asset) => asset.file === file);
    if (!found) throw new Problem('not-found', 'There is no such file.');
    void reply.header('content-type', found.type).header('cache-control', A_YEAR);
    return found.text;
  }

  private async find(token: string): Promise<Payment | null> {
    const chargeId = chargeOfToken('pay', this.secret, token);
    return chargeId === null ? null : findPayment(this.store, chargeId);
  }
}
