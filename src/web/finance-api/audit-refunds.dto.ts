import { IsOptional } from 'class-validator';
import { IsId, IsWord } from '../../platform/http/validation/validators.js';
import { REFUND_STATUSES, type RefundStatus } from '../../../projections/refunds/refunds.js';
import { RefundDto } from '../../domain/charges/refunds/refunds.dto.js';
import { MerchantsListQuery } from '../../ledger/dto/list-query.dto.js';
import { Int32Field, pageOf } from '../../platform/http/answer-fields.js';

/** Query of GET /audit/refunds. */
export class ListAuditRefundsQuery extends MerchantsListQuery {
  @IsOptional() @IsWord(REFUND_STATUSES) readonly Status?: RefundStatus;
  @IsOptional() @IsId() readonly ChargeId?: string;
  @IsOptional() @IsId({ description: 'next_after of the previous page.' }) readonly After?: string;
}

export class AuditRefundDto extends RefundDto {
  @Int32Field({ description: 'Whole days since it was requested.', example: 0 }) readonly age_days: number;
}

export class AuditRefundPageDto extends pageOf(AuditRefundDto) {}
