import { IsOptional } from 'class-validator';
import { IsId, IsTimestamp, IsWord } from '../../platform/http/validation/validators.js';
import { DISPUTE_STATUSES, type DisputeStatus } from '../../../projections/disputes/disputes.js';
import { DisputeDto } from '../../domain/charges/disputes/disputes.dto.js';
import { MerchantsListQuery } from '../../ledger/dto/list-query.dto.js';
import { Int32Field, pageOf } from '../../platform/http/answer-fields.js';

/** Query of GET /audit/disputes. */
export class ListAuditDisputesQuery extends MerchantsListQuery {
  @IsOptional() @IsWord(DISPUTE_STATUSES) readonly Status?: DisputeStatus;
  @IsOptional() @IsId() readonly ChargeId?: string;

  @IsOptional()
  @IsTimestamp({ round: 'down', description: 'Returns disputes that their merchants can still answer and whose due_by is at or before this moment.' })
  readonly DueBefore?: string;

  @IsOptional() @IsId({ description: 'next_after of the previous page.' }) readonly After?: string;
}

export class AuditDisputeDto extends DisputeDto {
  @Int32Field({ description: 'Whole days since it was opened.', example: 0 }) readonly age_days: number;
}

export class AuditDisputePageDto extends pageOf(AuditDisputeDto) {}
