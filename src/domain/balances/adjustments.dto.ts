import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { ACCOUNT_ADJUSTMENTS, type AccountAdjustmentKind } from '../../ledger/events/adjustment.events.js';
import { PageQuery } from '../../platform/http/pages.dto.js';
import { IsCurrency, IsQueryBoolean } from '../../platform/http/validation/validators.js';
import { Int64Field, TimeField, UuidField } from '../../platform/http/answer-fields.js';

export class ListAdjustmentsQuery extends PageQuery {
  @IsOptional() @IsCurrency() readonly Currency?: string;
  @IsQueryBoolean({ description: 'By booking; turns the whole order round, ties too.' }) readonly IsDescending: boolean = false;
}

export class AdjustmentDto {
  @UuidField() readonly id: string;
  @ApiProperty() readonly currency: string;

  @ApiProperty({
    enum: ACCOUNT_ADJUSTMENTS,
    description:
      'UNMATCHED_TO_MERCHANT: a payment that no charge could take is yours. TOP_UP: your own money. FEE_CORRECTION: a fee was wrong. CLAWBACK: what you owe is taken. COVER: what you owe is given up.',
    example: 'UNMATCHED_TO_MERCHANT',
  })
  readonly kind: AccountAdjustmentKind;

  @Int64Field({ description: 'What you have available more, in minor units; below zero for less.', example: 4_965_000 })
  readonly available_change: number;

  @Int64Field({ description: 'Fee that was taken before, at the terms of the charge.', example: 35_000 }) readonly fee_amount: number;
  @UuidField({ nullable: true, description: 'That a payment came for.' }) readonly charge_id: string | null;
  @ApiProperty({ description: 'The month that it belongs to, in UTC.', example: '2026-01' }) readonly relates_to: string;
  @TimeField({ description: 'When it was booked.' }) readonly created_on: string;
}
