import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { ACCOUNT_ADJUSTMENTS, type AccountAdjustmentKind } from '../../ledger/events/adjustment.events.js';
import { PageQuery } from '../../platform/http/pages.dto.js';
import { IsCurrency, IsQueryBoolean } from '../../platform/http/validation/validators.js';
import { Int64Field, TimeField, UuidField } from '../../platform/http/answer-fields.js';

export class ListAdjustmentsQuery extends PageQuery {
  @IsOptional() @IsCurrency() readonly Currency?: string;
  @IsQueryBoolean({ description: 'Newest booking first. Reverses the whole order, ties included.' }) readonly IsDescending: boolean = false;
}

export class AdjustmentDto {
  @UuidField() readonly id: string;
  @ApiProperty() readonly currency: string;

  @ApiProperty({
    enum: ACCOUNT_ADJUSTMENTS,
    description:
      'UNMATCHED_TO_MERCHANT: a payment that no charge could take is credited to you. TOP_UP: your own money. FEE_CORRECTION: a fee was wrong. CLAWBACK: a debt of yours is collected. COVER: a debt of yours is waived.',
    example: 'UNMATCHED_TO_MERCHANT',
  })
  readonly kind: AccountAdjustmentKind;

  @Int64Field({ description: 'Change of your available balance, minor units; negative when it decreases.', example: 4_965_000 })
  readonly available_change: number;

  @Int64Field({ description: 'Fee that was deducted before, at the terms of the charge.', example: 35_000 }) readonly fee_amount: number;
  @UuidField({ nullable: true, description: 'Charge that the payment was for.' }) readonly charge_id: string | null;
  @ApiProperty({ description: 'Month that the adjustment belongs to, in the time zone of the books of the service.', example: '2026-01' })
  readonly relates_to: string;
  @TimeField({ description: 'When it was booked.' }) readonly created_on: string;
}
