import { Body, Controller, HttpCode, Inject, Param, Post, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Problems } from '../../ledger/dto/api-problems.js';
import type { ChargeCreated } from '../../ledger/events/charge.events.js';
import { COMMON_CLOCK } from '../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../ledger/time.js';
import { Caller, contextOf, Exchange, RequireScope, type HttpExchange, type MerchantCaller } from '../../platform/http/edge/access.js';
import { Operation } from '../../platform/http/openapi/openapi.js';
import { RecordId } from '../../platform/http/record-id.js';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';
import { CreateChargeHandler } from '../charges/charge.handlers.js';
import { CreateChargeBody, toChargeOrder } from '../charges/charges.dto.js';
import { RequestRefundHandler } from '../charges/refunds/refund.handlers.js';
import { RequestRefundBody, toClaimedRefund, toRefundBody } from '../charges/refunds/refunds.dto.js';
import { reasonOfNew, toPayout } from '../payouts/payout-answer.js';
import { RequestPayoutHandler } from '../payouts/payout.handlers.js';
import { RequestPayoutBody, toPayoutOrder } from '../payouts/payouts.dto.js';
import { BANK_ROUTES, paysWholeUnitsOnly, type BankRoutes } from '../payouts/transfer/remote-bank.js';
import { Previews } from './previews.js';
import { ChargePreviewDto, PayoutPreviewDto, RefundPreviewDto, type PreviewedChargeDto } from './previews.dto.js';

const UNKNOWN = { id: null, created_on: null, updated_on: null } as const;
const NOT_PENDING = { approvals_required: 0, pending_reason: null } as const;
const RECORDS_NOTHING = 'Decides as the request would, with the same body, and records nothing. A refusal is a part of the response.';

@ApiTags('Previews')
@Controller('v1')
@UseInterceptors(LedgerReads)
export class PreviewsController {
  constructor(
    private readonly previews: Previews,
    private readonly payouts: RequestPayoutHandler,
    private readonly charges: CreateChargeHandler,
    private readonly refunds: RequestRefundHandler,
    @Inject(BANK_ROUTES) private readonly routes: BankRoutes,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Post('payouts/preview')
  @HttpCode(200)
  @RequireScope('payouts:read')
  @Operation('previewPayout', 'Preview a payout', RECORDS_NOTHING)
  @ApiOkResponse({ type: PayoutPreviewDto })
  async payout(@Body() body: RequestPayoutBody, @Caller() caller: MerchantCaller, @Exchange() { ids }: HttpExchange): Promise<PayoutPreviewDto> {
    const { merchant_id: merchantId, mode } = caller;
    const wholeUnitsOnly = paysWholeUnitsOnly(this.routes.route(merchantId, mode, body.currency));
    const demand = { body: toPayoutOrder(body), merchantId, context: contextOf(caller, ids), wholeUnitsOnly };
    const { common, shown } = await this.previews.make(merchantId, () => this.payouts.preview(demand));
    if (!shown) return { ...common, ...NOT_PENDING, payout: null };
    const { approval, ...payout } = toPayout(shown, 'PENDING', shown.created_on);
    return {
      ...common,
      approvals_required: shown.approvals_required,
      pending_reason: reasonOfNew(shown, mode, this.routes, this.clock()),
      payout: { ...payout, ...UNKNOWN, ...(approval && { approval: { ...approval, approve_by: null } }) },
    };
  }

  @Post('charges/preview')
  @HttpCode(200)
  @RequireScope('charges:read')
  @Operation('previewCharge', 'Preview a charge', RECORDS_NOTHING)
  @ApiOkResponse({ type: ChargePreviewDto })
  async charge(@Body() body: CreateChargeBody, @Caller() caller: MerchantCaller, @Exchange() { ids }: HttpExchange): Promise<ChargePreviewDto> {
    const demand = { order: toChargeOrder(body), merchant: caller, context: contextOf(caller, ids) };
    const { common, shown } = await this.previews.make(caller.merchant_id, () => this.charges.preview(demand));
    return { ...common, ...NOT_PENDING, charge: shown && previewedCharge(shown) };
  }

  @Post('charges/:id/refunds/preview')
  @HttpCode(200)
  @RequireScope('refunds:read')
  @Operation('previewRefund', 'Preview a refund', RECORDS_NOTHING)
  @ApiOkResponse({ type: RefundPreviewDto })
  @Problems('not-found')
  async refund(
    @Param('id', RecordId) chargeId: string,
    @Body() body: RequestRefundBody,
    @Caller() caller: MerchantCaller,
    @Exchange() { ids }: HttpExchange,
  ): Promise<RefundPreviewDto> {
    const demand = { chargeId, body: toRefundBody(body), merchant: caller, context: contextOf(caller, ids) };
    const { common, shown } = await this.previews.make(caller.merchant_id, () => this.refunds.preview(demand));
    return { ...common, ...NOT_PENDING, refund: shown && { ...toClaimedRefund(shown), ...UNKNOWN } };
  }
}

function previewedCharge(created: ChargeCreated): PreviewedChargeDto {
  const { reference_id, merchant_id, amount, fee, fee_amount, net_amount, currency, channel_code, action_flow } = created;
  const { description, meta_data, settlement_cycle, processor, created_by, return_url } = created;
  return {
    ...UNKNOWN,
    code: null,
    status: 'PENDING',
    reference_id,
    merchant_id,
    amount,
    fee,
    fee_amount,
    net_amount,
    currency,
    channel_code,
    action_flow,
    description,
    meta_data,
    settlement_cycle,
    processor,
    created_by,
    updated_by: created_by,
    ...(return_url === undefined ? {} : { return_url }),
  };
}
