import { Body, Controller, Get, HttpCode, Inject, Param, Post, Res, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiConsumes, ApiExcludeEndpoint, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PUBLIC_ADDRESS, SECRET, type PublicAddress } from '../../ledger/ports/injection-tokens.js';
import { Public, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { BodyExample, Operation } from '../../platform/http/openapi/openapi.js';
import { Streams, TakesForms } from '../../platform/http/edge/route-policy.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { Problem } from '../../platform/problem.js';
import { ReadYourWrites } from '../../platform/projector/read-your-writes.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import { missingPage } from './message-page.js';
import { PageDeadline } from './page-deadline.js';
import { PageFilter } from './page-filter.js';
import { chargeOfToken, pageToken, pageUrls } from '../../ledger/ids/page-token.js';
import { isTest } from './components.js';
import { findPayment, type Payment } from './payment.js';
import { sendPage } from './send-page.js';
import { disputeOf, refundOf, Simulation, type Played } from './simulation.js';
import { SimulationBody, SimulatedChargeDto } from './simulation.dto.js';
import { simulationPage } from './simulation-page.js';
import { simulationRequest } from './simulation-request.js';

/** Simulates test payments, for people with buttons and for programs with JSON. The address is the credential. */
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
  @Operation(
    'simulateCharge',
    'Simulate an outcome of a test charge',
    'Use the `simulation_url` of a charge; its unguessable path is the credential. Succeeding an expired, cancelled or failed charge simulates money that arrives late. `settle` settles the charge now, whatever its due date. `refund-succeed`, `refund-fail` and `refund-bounce` end a refund of the charge; `dispute-open`, `dispute-reopen`, `dispute-win` and `dispute-lose` simulate a dispute.',
  )
  @BodyExample({ outcome: 'SUCCEED' })
  @ApiParam({ name: 'token', description: 'Last part of `simulation_url`.' })
  @ApiConsumes('application/json')
  @ApiOkResponse({ type: SimulatedChargeDto })
  @Problems('not-found', 'state-conflict', 'rate-limited')
  async play(
    @Param('token') token: string,
    @Body() body: SimulationBody,
    @Exchange() { request, reply, ids }: HttpExchange,
  ): Promise<SimulatedChargeDto | string> {
    const isForm = request.headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true;
    const simulated = simulationRequest(body);
    const payment = await this.find(token);
    if (!payment) {
      if (isForm) return sendPage(reply, missingPage('en'), 404);
      throw new LedgerProblem('not-found', 'There is no such test payment.');
    }
    let played: Played;
    try {
      played = await this.simulation.play(simulated, payment, ids.correlation_id);
      await this.consistency.written(reply, played.position);
    } catch (error) {
      if (isForm && error instanceof Problem && error.code === 'state-conflict') return this.show(reply, await this.again(payment), error.detail);
      throw error;
    }
    if (!isForm) return this.answer(await this.again(payment), played);
    // Relative, so that it works behind a proxy that adds a path.
    void reply.code(303).header('location', `./${token}`);
    return '';
  }

  private async answer(payment: Payment, { refund_id, dispute_id }: Played): Promise<SimulatedChargeDto> {
    return {
      ...(await this.simulation.statusesOf(payment)),
      ...(refund_id !== undefined && { refund: { id: refund_id, refund_status: refundOf(payment, refund_id).status } }),
      ...(dispute_id !== undefined && { dispute: { id: dispute_id, dispute_status: disputeOf(payment, dispute_id).status } }),
    };
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

  /** Returns null for an invalid token, and for a charge of a live merchant, which has no simulation. */
  private async find(token: string): Promise<Payment | null> {
    const chargeId = chargeOfToken('simulate', this.secret, token);
    const payment = chargeId === null ? null : await findPayment(this.store, chargeId);
    return payment && isTest(payment) ? payment : null;
  }

  private async again({ created }: Payment): Promise<Payment> {
    const payment = await findPayment(this.store, created.charge_id);
    if (!payment) throw new Error(`charge ${created.charge_id} cannot be read at its place`);
    return payment;
  }
}
