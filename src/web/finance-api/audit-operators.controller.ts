import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { COMMON_CLOCK } from '../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../ledger/time.js';
import { KnownMerchants } from '../../domain/merchants/known-merchants.js';
import { FinanceOnly, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { answerList } from '../../platform/http/answer-list.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../platform/http/openapi/openapi.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { mustExist, RecordId } from '../../platform/http/record-id.js';
import { AuditOperatorDto, AuditOperatorPageDto, ListAuditOperatorsQuery } from './audit-operators.dto.js';
import { operatorsList, toOperator } from './lists.js';

/** The operators, from the memory in which every process follows them. */
@ApiTags('Audit')
@Controller('audit/operators')
@FinanceOnly()
export class AuditOperatorsController {
  constructor(
    private readonly merchants: KnownMerchants,
    private readonly streams: OpenStreams,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Operation(
    'listOperators',
    'List operators',
    'All operators and their keys, in the order in which they were added. E-mail addresses are not included.',
  )
  @ApiAnswerForms({ json: AuditOperatorPageDto, ndjsonLine: AuditOperatorDto })
  async list(@Query() query: ListAuditOperatorsQuery, @Exchange() { request, reply }: HttpExchange) {
    return answerList(this.streams, request, reply, operatorsList(this.merchants.operators, this.clock()), query);
  }

  @Get(':id')
  @Operation('getOperator', 'Read an operator', 'The same fields as in the list.')
  @ApiOkResponse({ type: AuditOperatorDto })
  @Problems('not-found')
  read(@Param('id', RecordId) id: string): AuditOperatorDto {
    const operator = mustExist(this.merchants.operators.operator(id));
    return toOperator(operator, this.clock());
  }
}
