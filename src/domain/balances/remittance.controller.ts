import type { Readable } from 'node:stream';
import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, RequireScope, Exchange, type MerchantCaller, type HttpExchange } from '../../platform/http/edge/access.js';
import { NotInThePast } from '../../platform/http/edge/route-policy.js';
import { ApiAnswerForms, Operation } from '../../platform/http/openapi/openapi.js';
import { RecordId } from '../../platform/http/record-id.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';
import { RemittanceAdvices } from './remittance-advices.js';
import { RemittanceAdviceDto } from './remittance.dto.js';

@ApiTags('Payouts')
@Controller('v1/payouts')
@RequireScope('payouts:read')
@UseInterceptors(LedgerReads)
export class RemittanceController {
  constructor(private readonly advices: RemittanceAdvices) {}

  @NotInThePast()
  @Get(':id/remittance-advice')
  @Operation(
    'getRemittanceAdvice',
    'Read the remittance advice of a payout',
    'The settlements that funded the payout, first in, first out in the order in which payouts succeeded, each with all of its lines. Available once the payout has succeeded; it never changes. JSON is signed; CSV and a printable page (`Accept: text/html`) contain the same data.',
  )
  @ApiAnswerForms({ json: RemittanceAdviceDto, csv: true, html: true })
  @Problems('not-found', 'state-conflict')
  read(@Param('id', RecordId) id: string, @Caller() { merchant_id }: MerchantCaller, @Exchange() exchange: HttpExchange): Promise<Readable | ''> {
    return this.advices.answer(exchange, id, { merchantId: merchant_id });
  }
}
