import { IsOptional } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsId } from '../../platform/http/validation/validators.js';
import { LINE_KINDS, SettlementDto } from '../../domain/settlements/settlements.dto.js';
import { AMOUNT, ID, MerchantsListQuery, NEXT_RECORD, WHEN } from '../../ledger/list-query.dto.js';

/** Query of GET /audit/settlements. */
export class ListAuditSettlementsQuery extends MerchantsListQuery {
  @IsOptional()
  @IsId({ description: 'The next_after of the page before: the settlement to go on behind.', example: ID })
  readonly After?: string;
}

class AuditSettlementHeadDto extends SettlementDto {
  @ApiProperty({ format: 'uuid', example: ID })
  readonly merchant_id: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When the account took it; null until then.', example: WHEN })
  readonly settled_on: string | null;
}

export class AuditSettlementDto extends AuditSettlementHeadDto {
  @ApiProperty({ type: 'integer', description: 'How many lines it has.', example: 1 })
  readonly lines: number;
}

export class AuditSettlementPageDto {
  @ApiProperty({ type: [AuditSettlementDto] })
  readonly items: readonly AuditSettlementDto[];

  @ApiProperty(NEXT_RECORD)
  readonly next_after: string | null;
}

export class AuditSettlementLineDto {
  @ApiProperty({ enum: LINE_KINDS, example: 'CHARGE' })
  readonly kind: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Of every line but a return.', example: ID })
  readonly charge_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Of a return.', example: ID })
  readonly payout_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Of a refund that failed.', example: ID })
  readonly refund_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Of a dispute.', example: ID })
  readonly dispute_id?: string;

  @ApiProperty({ ...AMOUNT, description: 'Minor units: what the line adds to available. The lines add up to totals.net_amount.', example: 9_930 })
  readonly net_amount: bigint;

  @ApiProperty({
    ...AMOUNT,
    description: 'The fee of the charge or payout, which a reversal or return gives back; 0 for refunds and disputes.',
    example: 70,
  })
  readonly fee_amount: number;
}

export class AuditSettlementDetailDto extends AuditSettlementHeadDto {
  @ApiProperty({ type: [AuditSettlementLineDto] })
  readonly lines: readonly AuditSettlementLineDto[];
}
