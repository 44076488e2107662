import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { ACCOUNT_ADJUSTMENTS, type AccountAdjustmentKind } from '../../ledger/events/adjustment.events.js';
import { PageQuery } from '../../platform/http/pages.dto.js';
import { IsCurrency, IsQueryBoolean } from '../../platform/http/validation/validators.js';

const ID = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d';
const AMOUNT = { type: 'integer', format: 'int64' } as const;

export class ListAdjustmentsQuery extends PageQuery {
  @IsOptional()
  @IsCurrency()
  readonly Currency?: string;

  @IsQueryBoolean({ description: 'By booking; turns the whole order round, ties too.' })
  readonly IsDescending: boolean = false;
}

export class AdjustmentDto {
  @ApiProperty({ format: 'uuid', example: ID })
  readonly id: string;

  @ApiProperty({ example: 'IDR' })
  readonly currency: string;

  @ApiProperty({
    enum: ACCOUNT_ADJUSTMENTS,
    description:
      'UNMATCHED_TO_MERCHANT: a payment that no charge could take is yours. TOP_UP: your own money. FEE_CORRECTION: a fee was wrong. CLAWBACK: what you owe is taken. COVER: what you owe is given up.',
    example: 'UNMATCHED_TO_MERCHANT',
  })
  readonly kind: AccountAdjustmentKind;

  @ApiProperty({ ...AMOUNT, description: 'What you have available more, in minor units; below zero for less.', example: 4_965_000 })
  readonly available_change: number;

  @ApiProperty({ ...AMOUNT, description: 'Fee that was taken before, at the terms of the charge.', example: 35_000 })
  readonly fee_amount: number;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, description: 'That a payment came for.', example: ID })
  readonly charge_id: string | null;

  @ApiProperty({ description: 'The month that it belongs to, in UTC.', example: '2026-01' })
  readonly relates_to: string;

  @ApiProperty({ format: 'date-time', description: 'When it was booked.', example: '2026-01-31T08:15:30.123+00:00' })
  readonly created_on: string;
}
