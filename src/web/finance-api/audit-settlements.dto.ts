import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { IsId } from '../../platform/http/validation/validators.js';
import { LINE_KINDS } from '../../ledger/events/account.events.js';
import { SettlementDto } from '../../domain/settlements/settlements.dto.js';
import { MerchantsListQuery } from '../../ledger/dto/list-query.dto.js';
import { ID, Int64Field, pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Query of GET /audit/settlements. */
export class ListAuditSettlementsQuery extends MerchantsListQuery {
  @IsOptional() @IsId({ description: 'next_after of the previous page.' }) readonly After?: string;
}

class AuditSettlementHeadDto extends SettlementDto {
  @UuidField({ example: ID }) readonly merchant_id: string;
  @TimeField({ nullable: true, description: 'When the account was credited; null before.' }) readonly settled_on: string | null;
}

export class AuditSettlementDto extends AuditSettlementHeadDto {
  @Int64Field({ description: 'Number of lines.', example: 1 }) readonly lines: number;
}

export class AuditSettlementPageDto extends pageOf(AuditSettlementDto) {}

export class AuditSettlementLineDto {
  @ApiProperty({ enum: Object.values(LINE_KINDS), example: 'CHARGE' }) readonly kind: string;
  @UuidField({ required: false, description: 'Id of the charge; set on every line except a return.' }) readonly charge_id?: string;
  @UuidField({ required: false, description: 'Id of the payout; set on a return.' }) readonly payout_id?: string;
  @UuidField({ required: false, description: 'Id of the refund; set on a refund that failed.' }) readonly refund_id?: string;
  @UuidField({ required: false, description: 'Id of the dispute; set on lines of disputes.' }) readonly dispute_id?: string;

  @Int64Field({ description: 'Minor units: amount that the line adds to available. The lines add up to totals.net_amount.', example: 9_930 })
  readonly net_amount: bigint;

  @Int64Field({ description: 'Fee of the charge or payout, which a reversal or return gives back; 0 for refunds and disputes.', example: 70 })
  readonly fee_amount: number;
}

export class AuditSettlementDetailDto extends AuditSettlementHeadDto {
  @ApiProperty({ type: [AuditSettlementLineDto] }) readonly lines: readonly AuditSettlementLineDto[];
}
