import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import type { Mode } from '../../ledger/mode.js';
import { IsId } from '../../platform/http/validation/validators.js';
import { IsMode, ListQuery } from '../../ledger/dto/list-query.dto.js';
import { Int64Field, pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Query of GET /audit/merchants. */
export class ListAuditMerchantsQuery extends ListQuery {
  @IsMode() readonly Mode?: Mode;
  @IsOptional() @IsId({ description: 'next_after of the previous page.' }) readonly After?: string;
}

export class AuditMerchantDto {
  @UuidField() readonly id: string;
  @ApiProperty({ example: 'Kopi Kita' }) readonly name: string;
  @ApiProperty({ example: 'ID' }) readonly country: string;
  @ApiProperty({ enum: ['TEST', 'LIVE'], example: 'TEST' }) readonly mode: string;
  @ApiProperty({ example: 'IDR' }) readonly default_currency: string;
  @ApiProperty({ example: 'Asia/Jakarta' }) readonly timezone: string;
  @TimeField() readonly created_on: string;
  @TimeField() readonly updated_on: string;
}

export class AuditMerchantPageDto extends pageOf(AuditMerchantDto) {}

/** Terms of a merchant for records that are created or opened from now on. */
export class MerchantTermDto {
  @ApiProperty({ enum: ['CHARGE', 'PAYOUT', 'DISPUTE'], description: 'CHARGE: of a payment channel. DISPUTE: of one that is lost.' })
  readonly use: 'CHARGE' | 'PAYOUT' | 'DISPUTE';

  @ApiProperty({ type: String, nullable: true, description: 'null: not of a channel.', example: 'QR_QRIS' }) readonly channel_code: string | null;
  @ApiProperty({ example: 'IDR' }) readonly currency: string;
  @ApiProperty({ description: 'False: the merchant does not have the channel.', example: true }) readonly enabled: boolean;
  @ApiProperty({ enum: ['PERCENTAGE', 'FIXED'], description: 'Unit of fee_value.', example: 'PERCENTAGE' }) readonly fee_type: string;
  @ApiProperty({ type: Number, description: 'A percentage (0.7 means 0.7 %) or minor units.', example: 0.7 }) readonly fee_value: number;

  @Int64Field({ nullable: true, description: 'Smallest amount of a charge, minor units; null: not of a channel.', example: 100 })
  readonly min_amount: number | null;

  @Int64Field({ nullable: true, description: 'Largest amount of a charge, minor units; null: not of a channel.', example: 1_000_000_000 })
  readonly max_amount: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Banking days until paid money is available; null: not of a channel.', example: 'T+2' })
  readonly settlement_cycle: string | null;
}

export class MerchantTermsDto {
  @ApiProperty({ type: [MerchantTermDto], description: 'Terms of each channel, then of payouts and disputes by currency.' })
  readonly items: readonly MerchantTermDto[];
}
