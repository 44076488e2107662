import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import type { Refund } from '../../../../projections/refunds/refund-reads.js';
import { REFUND_STATUS_REASONS, REFUND_STATUSES, type RefundStatus, type RefundStatusReason } from '../../../../projections/refunds/refunds.js';
import type { ChargeRefundClaimed, RefundReason, RefundSource } from '../../../ledger/events/refund.events.js';
import { IsMinorUnits } from '../../../platform/http/validation/number-validators.js';
import { IsCurrency, IsId, IsMetadata, IsQueryBoolean, IsText, IsTimestamp, IsWord } from '../../../platform/http/validation/validators.js';
import { PageQuery } from '../../../platform/http/pages.dto.js';
import { ID, Int64Field, NullableText, TimeField, UuidField } from '../../../platform/http/answer-fields.js';
import type { RefundBody } from './refund.handlers.js';

const REASONS = ['REQUESTED_BY_CUSTOMER', 'DUPLICATE', 'FRAUDULENT', 'CANCELLATION', 'OTHER'] as const;

/** Body of POST /v1/charges/{id}/refunds. */
export class RequestRefundBody {
  @IsOptional() @IsMinorUnits({ description: 'Minor units. Default: the rest of the charge.', example: 4000 }) readonly amount?: number | null;
  @IsOptional()
  @IsWord(REASONS, { description: 'Reason of the refund, case-insensitive.', example: 'requested_by_customer' })
  readonly reason?: RefundReason | null;
  @IsOptional() @IsText({ min: 0, max: 255, description: 'Your own reference.', example: 'return-1001' }) readonly reference_id?: string | null;
  @IsOptional() @IsText({ min: 0, max: 255, multiline: true, example: 'One coffee was cold' }) readonly description?: string | null;

  @IsOptional()
  @IsMetadata({
    description:
      'Your own key-value pairs; values are strings. Returned as meta_data. For a test refund, `simulate` can be `fail`, `bounce` or `stick`.',
    example: { desk: '3' },
  })
  readonly metadata?: Readonly<Record<string, string>> | null;
}

/** Returns the order of a body. An absent amount stays absent: the same amount written out is another request. */
export function toRefundBody({ amount, reason = null, reference_id = null, description = null, metadata }: RequestRefundBody): RefundBody {
  return { ...(amount == null ? {} : { amount }), reason, reference_id, description, metadata: metadata ?? {} };
}

/** Query of GET /v1/charges/{id}/refunds. */
export class ListChargeRefundsQuery extends PageQuery {
  @IsQueryBoolean({ description: 'Newest first. Reverses the whole order, ties included.' }) readonly IsDescending: boolean = false;
}

/** Query of GET /v1/refunds. */
export class ListRefundsQuery extends ListChargeRefundsQuery {
  @IsOptional() @IsCurrency() readonly Currency?: string;
  @IsOptional() @IsWord(REFUND_STATUSES) readonly Status?: RefundStatus;
  @IsOptional() @IsId() readonly ChargeId?: string;
  @IsOptional() @IsTimestamp({ round: 'up', description: 'Created at or after this moment.' }) readonly DateFrom?: string;
  @IsOptional() @IsTimestamp({ round: 'down', description: 'Created at or before this moment.' }) readonly DateTo?: string;
}

export class RefundDto {
  @UuidField() readonly id: string;
  @UuidField() readonly charge_id: string;
  @UuidField({ example: ID }) readonly merchant_id: string;
  @Int64Field({ description: 'Minor units: amount that the customer receives.', example: 4000 }) readonly amount: number;
  @Int64Field({ description: 'Minor units: part of the fee that is returned to you.', example: 28 }) readonly fee_amount: number;
  @Int64Field({ description: 'Minor units: amount deducted from your balance, amount − fee_amount.', example: 3972 }) readonly net_amount: number;
  @ApiProperty() readonly currency: string;

  @ApiProperty({
    enum: ['PENDING', 'AVAILABLE'],
    description: 'Balance that the money is deducted from: AVAILABLE once the charge is in a settlement.',
  })
  readonly source: RefundSource;

  @ApiProperty({ enum: REFUND_STATUSES }) readonly refund_status: RefundStatus;

  @ApiProperty({
    type: 'string',
    enum: [...REFUND_STATUS_REASONS, null],
    nullable: true,
    description: 'Why it failed (REJECTED by the processor, BOUNCED after it had succeeded) or was cancelled.',
    example: null,
  })
  readonly status_reason: RefundStatusReason | null;

  @NullableText({ description: 'The processor’s reason, in its own words.', example: null }) readonly processor_reason: string | null;
  @ApiProperty({ type: 'string', enum: [...REASONS, null], nullable: true, example: 'REQUESTED_BY_CUSTOMER' }) readonly reason: RefundReason | null;
  @NullableText({ example: 'return-1001' }) readonly reference_id: string | null;
  @NullableText({ example: 'One coffee was cold' }) readonly description: string | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { desk: '3' } })
  readonly meta_data: Readonly<Record<string, string>>;

  @TimeField({ nullable: true, description: 'When it was handed to the processor.', example: null }) readonly submitted_on: string | null;
  @TimeField({ nullable: true, example: null }) readonly succeeded_on: string | null;
  @TimeField({ nullable: true, description: 'When it failed; null if it did not.', example: null }) readonly failed_on: string | null;
  @TimeField({ nullable: true, example: null }) readonly cancelled_on: string | null;
  @ApiProperty({ description: 'Id of the key that acted, or System.', example: 'key_5f3b8c1d' }) readonly created_by: string;
  @TimeField() readonly created_on: string;
  @ApiProperty({ example: 'System' }) readonly updated_by: string;
  @TimeField() readonly updated_on: string;
}

/** A refund as claimed. Returns the same bytes on every repeat. */
export function toClaimedRefund(claimed: ChargeRefundClaimed): Refund {
  const { refund_id: id, charge_id, merchant_id, amount, fee_amount, net_amount, currency, source } = claimed;
  const { reason, reference_id, description, meta_data, created_by, claimed_on } = claimed;
  return {
    id,
    charge_id,
    merchant_id,
    amount,
    fee_amount,
    net_amount,
    currency,
    source,
    ...({ refund_status: 'PENDING', status_reason: null, processor_reason: null } as const),
    reason,
    reference_id,
    description,
    meta_data,
    submitted_on: null,
    succeeded_on: null,
    failed_on: null,
    cancelled_on: null,
    created_by,
    created_on: claimed_on,
    updated_by: created_by,
    updated_on: claimed_on,
  };
}
