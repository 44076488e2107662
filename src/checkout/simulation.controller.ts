import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req, Res, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiConsumes, ApiExcludeEndpoint, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PUBLIC_ADDRESS, SECRET, type PublicAddress } from '../ledger/injection-tokens.js';
import { Correlation, Public, type CorrelationIds } from '../platform/http/access.js';
import { EVENT_STORE, type EventStore } from '../platform/event-store/event-store.js';
import { Problems } from '../platform/http/openapi.js';
import { Streams, TakesForms } from '../platform/http/route-policy.js';
import { Problem } from '../platform/problems.js';
import { ReadYourWrites } from '../platform/projector/read-your-writes.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../ledger/merchant-terms.js';
import { missingPage } from './message-page.js';
import type { Refund } from '../charges/charge-state.js';
import { isRefundOutcome, type Outcome, type RefundOutcome } from './outcomes.js';
import { PageDeadline } from './page-deadline.js';
import { PageFilter } from './page-filter.js';
import { chargeOfToken, pageToken, pageUrls } from '../ledger/page-token.js';
import { isTest } from './components.js';
import { findPayment, type Payment } from './payment.js';
import { sendPage } from './send-page.js';
import { Simulation } from './simulation.js';
import { SimulationBody, SimulatedChargeDto } from './simulation.dto.js';
import { simulationPage } from './simulation-page.js';

/** Where test payments are played, by people with buttons and by programs with JSON. The address is the credential. */
@ApiTags('Simulation')
@Public()
@Controller('simulate')
export class SimulationController {
  constructor(
    private readonly simulation: Simulation,
    private readonly consistency: ReadYourWrites,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
    @Inject(SECRET) private readonly secret: Buffer,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Get(':token')
  @UseInterceptors(PageDeadline)
  @UseFilters(PageFilter)
  @ApiExcludeEndpoint()
  async page(@Param('token') token: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const payment = await this.find(token);
    return payment ? this.show(reply, payment) : sendPage(reply, missingPage('en'), 404);
  }

  @Post(':token')
  @HttpCode(200)
  @TakesForms()
  @Streams()
  @ApiOperation({
    operationId: 'simulateCharge',
    summary: 'Play an outcome of a test charge',
    description:
      'At the `simulation_url` of a charge; its unguessable path is the credential. Succeeding an expired, cancelled or failed charge plays money that arrives late. `settle` settles the charge now, whatever its due date. `refund-succeed`, `refund-fail` and `refund-bounce` end a refund of the charge.',
  })
  @ApiParam({ name: 'token', description: 'The last part of `simulation_url`.' })
  @ApiConsumes('application/json')
  @ApiOkResponse({ type: SimulatedChargeDto })
  @Problems('not-found', 'state-conflict', 'rate-limited')
  async play(
    @Param('token') token: string,
    @Body() body: SimulationBody,
    @Correlation() ids: CorrelationIds,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SimulatedChargeDto | string> {
    const isForm = request.headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true;
    const outcome = body.outcome.toLowerCase() as Outcome | RefundOutcome;
    // An empty field of a form is one that was left out.
    const reason = body.reason === '' ? null : (body.reason ?? null);
    if (reason !== null && outcome !== 'fail') throw unexpected('/reason', 'Only "fail" takes a reason.');
    const refundId = body.refund_id ?? null;
    if (refundId !== null && !isRefundOutcome(outcome)) throw unexpected('/refund_id', 'Only outcomes of refunds take a refund.');
    const payment = await this.find(token);
    if (!payment) {
      if (isForm) return sendPage(reply, missingPage('en'), 404);
      throw new Problem('not-found', 'There is no such test payment.');
    }
    try {
      const position = isRefundOutcome(outcome)
        ? await this.simulation.playRefund(outcome, payment, refundOf(payment, refundId), ids.correlation_id)
        : await this.simulation.play(outcome, payment, reason, ids.correlation_id);
      await this.consistency.written(reply, position);
    } catch (error) {
      if (isForm && error instanceof Problem && error.code === 'state-conflict') return this.show(reply, await this.again(payment), error.detail);
      throw error;
    }
    if (!isForm) return this.answer(await this.again(payment), isRefundOutcome(outcome) ? refundOf(payment, refundId) : null);
    // Relative, so that it holds behind a proxy that adds a path.
    void reply.code(303).header('location', `./${token}`);
    return '';
  }

  private async answer(payment: Payment, played: Refund | null): Promise<SimulatedChargeDto> {
    const statuses = await this.simulation.statusesOf(payment);
    if (!played) return statuses;
    const { claimed, status } = refundOf(payment, played.claimed.refund_id);
    return { ...statuses, refund: { id: claimed.refund_id, refund_status: status } };
  }

  private async show(reply: FastifyReply, payment: Payment, refused?: string): Promise<string> {
    const { charge_id, merchant_id } = payment.created;
    const page = simulationPage({
      payment,
      statuses: await this.simulation.statusesOf(payment),
      merchantName: this.terms.merchantName(merchant_id) ?? '',
      url: pageUrls(this.address.url, this.secret, charge_id).simulation_url,
      paymentToken: pageToken('pay', this.secret, charge_id),
      ...(refused === undefined ? {} : { refused }),
    });
    return sendPage(reply, page, refused === undefined ? 200 : 409);
  }

  /** null for a token that is none, and for a charge of a live merchant, which has no simulation. */
  private async find(token: string): Promise<Payment | null> {
    const chargeId = chargeOfToken('simulate', this.secret, token);
    const payment = chargeId === null ? null : await findPayment(this.store, chargeId);
    return payment && isTest(payment) ? payment : null;
  }

  private async again({ created }: Payment): Promise<Payment> {
    const payment = await findPayment(this.store, created.charge_id);
    if (!payment) throw new Error(`charge ${created.charge_id} is not where it was`);
    return payment;
  }
}

/** @param refundId null: the newest. @throws Problem not-found, state-conflict */
function refundOf({ refunds }: Payment, refundId: string | null): Refund {
  const refund = refundId === null ? refunds.at(-1) : refunds.find(({ claimed }) => claimed.refund_id === refundId);
  if (refund) return refund;
  throw refundId === null ? new Problem('state-conflict', 'The charge has no refund.') : new Problem('not-found', 'The charge has no such refund.');
}

function unexpected(pointer: string, detail: string): Problem {
  return new Problem('validation-failed', 'One field is not valid.', { errors: [{ pointer, code: 'unexpected-field', detail }] });
}
