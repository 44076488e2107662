import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Res, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { toBuffer } from 'qrcode';
import { COMMON_CLOCK, SECRET } from '../../ledger/ports/injection-tokens.js';
import { Public, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import { milliseconds, type Clock } from '../../ledger/time.js';
import { TakesForms } from '../../platform/http/edge/route-policy.js';
import { ICON } from '../../platform/html/assets.js';
import { SCRIPT } from './assets.js';
import { languageOf, LanguageQuery, type Language } from '../../platform/http/language.js';
import { missingPage, unavailablePage } from './message-page.js';
import { PageDeadline } from './page-deadline.js';
import { PageFilter } from './page-filter.js';
import { chargeOfToken, pageToken } from '../../ledger/ids/page-token.js';
import { actionOf, findPayment, paymentState, type Payment } from './payment.js';
import { paymentPage, type StartFault } from './payment-page.js';
import { PaymentStart, StartBody, type Started } from './payment-start.js';
import { sendPage } from './send-page.js';

const A_YEAR = 'public, max-age=31536000, immutable';
/** Pixels per module: large enough for an app that picks the picture from the phone's photos. */
const PNG_SCALE = 8;
/** Uses no filters, which are for photographs: choosing one for each line takes most of the time, and makes a file of two colours larger. */
const PNG_OF_TWO_COLOURS = { filterType: 0, deflateStrategy: 0 };

/** The hosted payment page. The address allows a customer to see it and to begin to pay; nothing else here changes a charge. */
@ApiExcludeController()
@Public()
@Controller()
export class PaymentPageController {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
    @Inject(SECRET) private readonly secret: Buffer,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly start: PaymentStart,
  ) {}

  @Get('pay/:token')
  @UseInterceptors(PageDeadline)
  @UseFilters(PageFilter)
  async page(@Param('token') token: string, @Query() { Lang }: LanguageQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const language = languageOf(request, Lang);
    void reply.header('vary', 'accept-language');
    const payment = await this.find(token);
    if (!payment) return sendPage(reply, missingPage(language), 404);
    if (!this.start.needsInstruction(payment) || this.isOver(payment)) return this.show(reply, payment, token, language);
    // The charge was created, but the provider had not responded: opening the page resumes that.
    if ((await this.start.resume(payment)) === 'known') return this.show(reply, await this.again(payment), token, language);
    void reply.header('retry-after', '5');
    return sendPage(reply, unavailablePage(language), 503);
  }

  /** The customer's input goes to the processor, and is not stored. */
  @Post('pay/:token/start')
  @HttpCode(200)
  @TakesForms()
  @UseInterceptors(PageDeadline)
  @UseFilters(PageFilter)
  async begin(
    @Param('token') token: string,
    @Query() { Lang }: LanguageQuery,
    @Body() body: StartBody,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<string | { state: string }> {
    const language = languageOf(request, Lang);
    const isForm = request.headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true;
    const payment = await this.find(token);
    if (!payment) {
      if (isForm) return sendPage(reply, missingPage(language), 404);
      throw new LedgerProblem('not-found', 'There is no such payment.');
    }
    const started = this.isOver(payment) ? 'nothing' : await this.start.start(payment, body);
    const fault = FAULTS[started];
    if (isForm && fault) return this.show(reply, await this.again(payment), token, language, fault);
    if (fault) throw problemOf(started);
    if (!isForm) return { state: paymentState(await this.again(payment)) };
    // Relative, so that it works behind a proxy that adds a path.
    void reply.code(303).header('location', `../${token}${Lang === undefined ? '' : `?Lang=${language}`}`);
    return '';
  }

  /** An open page requests this every few seconds. */
  @Get('pay/:token/status')
  async status(@Param('token') token: string): Promise<{ state: string }> {
    const payment = await this.find(token);
    if (!payment) throw new LedgerProblem('not-found', 'There is no such payment.');
    return { state: paymentState(payment) };
  }

  @Get('pay/:token/qr.png')
  async picture(@Param('token') token: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    const payment = await this.find(token);
    const text = payment?.status === 'PENDING' ? actionOf(payment).qr_string : undefined;
    if (!payment || text === undefined) throw new LedgerProblem('not-found', 'There is no code to pay with.');
    void reply.header('content-type', 'image/png').header('content-disposition', `attachment; filename="${payment.created.code}.png"`);
    return toBuffer(text, { errorCorrectionLevel: 'M', margin: 4, scale: PNG_SCALE, rendererOpts: PNG_OF_TWO_COLOURS });
  }

  /** A page of another build gets no script: it works without one. */
  @Get('pages/:file')
  asset(@Param('file') file: string, @Res({ passthrough: true }) reply: FastifyReply): string {
    const found = [SCRIPT, ICON].find((asset) => asset.file === file);
    if (!found) throw new LedgerProblem('not-found', 'There is no such file.');
    void reply.header('content-type', found.type).header('cache-control', A_YEAR);
    return found.text;
  }

  private show(reply: FastifyReply, payment: Payment, token: string, language: Language, fault?: StartFault): string {
    const { charge_id, merchant_id } = payment.created;
    const input = this.start.inputOf(payment);
    const page = paymentPage({
      payment,
      merchantName: this.terms.merchantName(merchant_id) ?? '',
      token,
      simulationToken: pageToken('simulate', this.secret, charge_id),
      now: this.clock(),
      language,
      ...(input && { input }),
      ...(fault && { fault }),
    });
    if (fault === 'later') void reply.header('retry-after', '5');
    return sendPage(reply, page, fault ? FAULT_STATUS[fault] : 200);
  }

  /** Returns whether its time is over, even if its expiry is not recorded yet. */
  private isOver({ created }: Payment): boolean {
    return milliseconds(created.expires_on) <= this.clock();
  }

  private async again({ created }: Payment): Promise<Payment> {
    const payment = await findPayment(this.store, created.charge_id);
    if (!payment) throw new Error(`charge ${created.charge_id} cannot be read at its place`);
    return payment;
  }

  private async find(token: string): Promise<Payment | null> {
    const chargeId = chargeOfToken('pay', this.secret, token);
    return chargeId === null ? null : findPayment(this.store, chargeId);
  }
}

/** The message for a customer who cannot be led on. */
const FAULTS: Readonly<Record<Started, StartFault | undefined>> = {
  known: undefined,
  nothing: undefined,
  unusable: 'unusable',
  refused: 'refused',
  later: 'later',
};
const FAULT_STATUS: Readonly<Record<StartFault, number>> = { unusable: 422, refused: 422, later: 503 };

function problemOf(started: Started): LedgerProblem {
  return started === 'later'
    ? new LedgerProblem('unavailable', 'The payment provider did not confirm the result in time. Check the payment again in a moment.', {
        headers: { 'retry-after': '5' },
      })
    : new LedgerProblem('validation-failed', 'The payment provider cannot use the given data.');
}
