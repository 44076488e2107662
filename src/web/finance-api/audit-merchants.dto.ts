import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import type { Mode } from '../../ledger/mode.js';
import { IsId } from '../../platform/http/validation/validators.js';
import { ID, IsMode, ListQuery, NEXT_RECORD, WHEN } from '../../ledger/list-query.dto.js';

/** Query of GET /audit/merchants. */
export class ListAuditMerchantsQuery extends ListQuery {
  @IsMode()
  readonly Mode?: Mode;

  @IsOptional()
  @IsId({ description: 'The next_after of the page before: the merchant to go on behind.', example: ID })
  readonly After?: string;
}

export class AuditMerchantDto {
  @ApiProperty({ format: 'uuid', example: ID })
  readonly id: string;

  @ApiProperty({ example: 'Kopi Kita' })
  readonly name: string;

  @ApiProperty({ example: 'ID' })
  readonly country: string;

  @ApiProperty({ enum: ['TEST', 'LIVE'], example: 'TEST' })
  readonly mode: string;

  @ApiProperty({ example: 'IDR' })
  readonly default_currency: string;

  @ApiProperty({ example: 'Asia/Jakarta' })
  readonly timezone: string;

  @ApiProperty({ format: 'date-time', example: WHEN })
  readonly created_on: string;

  @ApiProperty({ format: 'date-time', example: WHEN })
  readonly updated_on: string;
}

export class AuditMerchantPageDto {
  @ApiProperty({ type: [AuditMerchantDto] })
  readonly items: readonly AuditMerchantDto[];

  @ApiProperty(NEXT_RECORD)
  readonly next_after: string | null;
}
