import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findByAmount, findByReference } from '../../../projections/reconciliation/found-records.js';
import { findSettlement } from '../../../projections/settlements/settlements.js';
import { CURRENCIES } from '../../ledger/channels.js';
import { COMMON_CLOCK, FINANCE_POOL } from '../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../ledger/time.js';
import { KnownMerchants } from '../../domain/merchants/known-merchants.js';
import { PendingReasons } from '../../domain/payouts/pending-reasons.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { answerList, answerWhole } from '../../platform/http/answer-list.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../platform/http/openapi/openapi.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { mustExist, RecordId } from '../../platform/http/record-id.js';
import { invalid } from '../../platform/http/validation/validation.js';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';
import { ReconciliationReads } from '../../domain/reconciliation/reconciliation-reads.js';
import { toSettlementDetail } from '../../domain/settlements/settlements.dto.js';
import { AuditDisputeDto, AuditDisputePageDto, ListAuditDisputesQuery } from './audit-disputes.dto.js';
import { AuditMerchantDto, AuditMerchantPageDto, ListAuditMerchantsQuery, MerchantTermsDto } from './audit-merchants.dto.js';
import { AuditPayoutDto, AuditPayoutPageDto, ListAuditPayoutsQuery } from './audit-payouts.dto.js';
import { AuditRefundDto, AuditRefundPageDto, ListAuditRefundsQuery } from './audit-refunds.dto.js';
import { AuditSettlementDto, AuditSettlementDetailDto, AuditSettlementPageDto, ListAuditSettlementsQuery } from './audit-settlements.dto.js';
import { FindRecordsQuery, FoundRecordsDto } from './found-records.dto.js';
import { disputesList, merchantsList, merchantTermsList, payoutsList, refundsList, settlementsList } from './lists.js';

@ApiTags('Audit')
@Controller('audit')
@FinanceOnly()
@UseInterceptors(LedgerReads)
export class AuditRecordsController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    private readonly merchants: KnownMerchants,
    private readonly streams: OpenStreams,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
    private readonly reasons: PendingReasons,
  ) {}

  @Get('settlements')
  @Operation('listAuditSettlements', 'List settlements of all merchants', 'Ordered by merchant, currency and number, including empty and open ones.')
  @ApiAnswerForms({ json: AuditSettlementPageDto, ndjsonLine: AuditSettlementDto, csv: true })
  async listSettlements(@Query() query: ListAuditSettlementsQuery, @Exchange() { request, reply }: HttpExchange) {
    const { Mode: mode, MerchantId: merchant_id, Currency: currency } = query;
    return answerList(this.streams, request, reply, settlementsList(this.pool, { mode, merchant_id, currency }), query);
  }

  @Get('settlements/:id')
  @Operation('getAuditSettlement', 'Read a settlement of any merchant', 'A settlement with its lines, whose amounts add up to its total.')
  @ApiOkResponse({ type: AuditSettlementDetailDto })
  @Problems('not-found')
  async readSettlement(@Param('id', RecordId) id: string): Promise<AuditSettlementDetailDto> {
    const found = mustExist(await findSettlement(this.pool, id));
    const { currency, number, totals, opened_on, closed_on, lines } = toSettlementDetail(found);
    const { merchant_id, settled_on } = found;
    return {
      ...{ id, merchant_id, currency, number, totals, opened_on, closed_on, settled_on },
      lines: lines.map((line, index) => ({ ...line, fee_amount: found.lines[index]!.fee_amount })),
    };
  }

  @Get('refunds')
  @Operation('listAuditRefunds', 'List refunds of all merchants', 'In the order in which they were requested.')
  @ApiAnswerForms({ json: AuditRefundPageDto, ndjsonLine: AuditRefundDto, csv: true })
  async listRefunds(@Query() query: ListAuditRefundsQuery, @Exchange() { request, reply }: HttpExchange) {
    const { Mode: mode, MerchantId: merchant_id, Currency: currency, Status: refund_status, ChargeId: charge_id } = query;
    return answerList(
      this.streams,
      request,
      reply,
      refundsList(this.pool, { mode, merchant_id, currency, refund_status, charge_id }, this.clock()),
      query,
    );
  }

  @Get('payouts')
  @Operation('listAuditPayouts', 'List payouts of all merchants', 'In the order in which they were requested.')
  @ApiAnswerForms({ json: AuditPayoutPageDto, ndjsonLine: AuditPayoutDto, csv: true })
  async listPayouts(@Query() query: ListAuditPayoutsQuery, @Exchange() { request, reply }: HttpExchange) {
    const { Mode: mode, MerchantId: merchant_id, Currency: currency, Status: payout_status, PendingReason: pending_reason } = query;
    const asked = { mode, merchant_id, currency, payout_status, pending_reason };
    return answerList(
      this.streams,
      request,
      reply,
      payoutsList(this.pool, asked, (payout) => this.reasons.of(payout), this.clock()),
      query,
    );
  }

  @Get('disputes')
  @Operation('listAuditDisputes', 'List disputes of all merchants', 'In the order in which they were opened.')
  @ApiAnswerForms({ json: AuditDisputePageDto, ndjsonLine: AuditDisputeDto, csv: true })
  async listDisputes(@Query() query: ListAuditDisputesQuery, @Exchange() { request, reply }: HttpExchange) {
    const { Mode: mode, MerchantId: merchant_id, Currency: currency, Status: dispute_status, ChargeId: charge_id, DueBefore: due_before } = query;
    return answerList(
      this.streams,
      request,
      reply,
      disputesList(this.pool, { mode, merchant_id, currency, dispute_status, charge_id, due_before }, this.clock()),
      query,
    );
  }

  @Get('search')
  @UseInterceptors(ReconciliationReads)
  @Operation(
    'findRecords',
    'Find records by a reference or an amount',
    'Charges by the reference of their processor, movements of money and lines of files that match nothing yet: by the reference of a processor or bank, sorted by it, or by an amount, the newest first.',
  )
  @ApiOkResponse({ type: FoundRecordsDto })
  async search(@Query() { Reference, Amount, Currency, Mode: mode, Limit: limit }: FindRecordsQuery): Promise<FoundRecordsDto> {
    if ((Reference === undefined) === (Amount === undefined))
      throw invalid('query', [{ at: 'Reference', code: 'required', detail: 'Set either Reference or Amount.' }]);
    if (Amount === undefined && Currency !== undefined)
      throw invalid('query', [{ at: 'Currency', code: 'unexpected-field', detail: 'Only together with Amount.' }]);
    if (Amount === undefined) return findByReference(this.pool, Reference!, { mode, limit });
    const currencies = Currency === undefined ? CURRENCIES : [Currency];
    const wanted = currencies.map((currency) => ({ currency, amount: Amount }));
    return findByAmount(this.pool, wanted, { mode, limit });
  }

  @Get('merchants')
  @Operation('listMerchants', 'List merchants', 'In the order of their registration.')
  @ApiAnswerForms({ json: AuditMerchantPageDto, ndjsonLine: AuditMerchantDto, csv: true })
  async listMerchants(@Query() query: ListAuditMerchantsQuery, @Exchange() { request, reply }: HttpExchange) {
    return answerList(this.streams, request, reply, merchantsList(this.merchants, query.Mode), query);
  }

  @Get('merchants/:merchant/terms')
  @Operation('listMerchantTerms', 'List the terms of a merchant', 'Fees, bounds and settlement for records that are created or opened from now on.')
  @ApiAnswerForms({ json: MerchantTermsDto, csv: true })
  @Problems('not-found')
  async listTerms(@Param('merchant', RecordId) id: string, @Exchange() { request, reply }: HttpExchange): Promise<MerchantTermsDto | Readable | ''> {
    mustExist(this.merchants.merchant(id));
    return answerWhole(this.streams, request, reply, merchantTermsList(this.merchants, id));
  }
}
