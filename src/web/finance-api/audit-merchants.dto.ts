import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import type { Mode } from '../../ledger/mode.js';
import { IsId } from '../../platform/http/validation/validators.js';
import { IsMode, ListQuery } from '../../ledger/dto/list-query.dto.js';
import { pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';

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
