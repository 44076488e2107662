import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { BUCKETS, FUNDINGS_MAX, type Bucket, type Group, type Part } from '../../../projections/balances/explanation.js';
import { IsQueryInteger } from '../../platform/http/validation/number-validators.js';
import { IsText, IsWord } from '../../platform/http/validation/validators.js';
import { BalanceThenDto } from './statements.dto.js';
import { ID, Int64Field, NullableText, UuidField } from '../../platform/http/answer-fields.js';

/** Items of each bucket when the request names no Limit. */
export const LIMIT_DEFAULT = 20;

/** Query of the explanations of balances. */
export class ExplanationQuery {
  @IsOptional() @IsWord(BUCKETS, { description: 'Returns this bucket only. Required with After.', example: 'AVAILABLE' }) readonly Bucket?: Bucket;
  @IsOptional() @IsText({ max: 50, description: 'next_after of the previous page, with its Bucket.', example: ID }) readonly After?: string;
  @IsQueryInteger({ min: 1, max: 1_000, description: 'Maximum number of items per bucket.' }) readonly Limit: number = LIMIT_DEFAULT;
}

class GroupDto {
  @ApiProperty({ enum: ['CHARGES', 'SETTLEMENTS', 'ADJUSTMENTS', 'PAYOUTS', 'REFUNDS', 'DISPUTES'], example: 'SETTLEMENTS' })
  readonly kind: Group['kind'];
  @NullableText({ description: 'Status of the records in the group; null if the bucket does not separate them by status.', example: null })
  readonly status: string | null;
  @Int64Field({ example: 1 }) readonly count: number;
  @Int64Field({ description: 'Minor units. The groups of a bucket add up to its amount.', example: 9930 }) readonly amount: bigint;
}

export class FundingDto {
  @UuidField({ nullable: true, description: 'null for an adjustment.' }) readonly settlement_id: string | null;
  @Int64Field({ nullable: true, description: 'null for an adjustment.', example: 1 }) readonly settlement_number: number | null;
  @UuidField({ nullable: true, description: 'null for a settlement.', example: null }) readonly adjustment_id: string | null;
  @Int64Field({ example: 5000 }) readonly amount: bigint;
}

class PartDto {
  @ApiProperty({ enum: ['CHARGE', 'SETTLEMENT', 'ADJUSTMENT', 'PAYOUT', 'REFUND', 'DISPUTE'], example: 'SETTLEMENT' })
  readonly kind: Part['kind'];
  @UuidField({ description: 'Id of the charge, settlement, adjustment, payout, refund or dispute.' }) readonly id: string;
  @Int64Field({ nullable: true, example: 1 }) readonly settlement_number: number | null;
  @NullableText({ description: 'Code of a charge; null otherwise.', example: null }) readonly code: string | null;
  @NullableText({ description: 'reference_id of a charge, payout or refund; null otherwise.', example: null }) readonly reference_id: string | null;

  @NullableText({ description: 'settlement_status of a charge, payout_status of a payout, refund_status of a refund.', example: null })
  readonly status: string | null;

  @Int64Field({ description: 'Contribution to the bucket, minor units. All items of a bucket add up to its amount.', example: 4930 })
  readonly amount: bigint;

  @ApiProperty({
    type: [FundingDto],
    nullable: true,
    description: `A payout or refund under RESERVED, PAYOUTS or REFUNDS only: the settlements and adjustments that funded it, oldest first, at most ${FUNDINGS_MAX}. They add up to the amount, unless there are more or it is not covered yet.`,
    example: null,
  })
  readonly funded_from: readonly FundingDto[] | null;

  @Int64Field({ nullable: true, description: 'Number of settlements and adjustments that funded it.', example: null }) readonly funded_from_count:
    number | null;
}

class BucketDto {
  @ApiProperty({ enum: BUCKETS, example: 'AVAILABLE' }) readonly bucket: Bucket;
  @Int64Field({
    description:
      'Amount of the bucket, equal to the balance. For PAYOUTS, REFUNDS and ADJUSTMENTS, their change of available, below zero for money that they took.',
    example: 4930,
  })
  readonly amount: bigint;
  @ApiProperty({ type: [GroupDto] }) readonly groups: readonly GroupDto[];
  @ApiProperty({ type: [PartDto] }) readonly items: readonly PartDto[];
  @NullableText({ description: 'After for the next page, with this Bucket; null at the end.', example: null }) readonly next_after: string | null;
}

export class ExplanationDto {
  @UuidField({ example: ID }) readonly merchant_id: string;
  @ApiProperty() readonly currency: string;

  @Int64Field({ description: 'Log position of the last event included. Pages with the same position show the same moment.', example: 4711 })
  readonly position: number;

  @ApiProperty({ type: BalanceThenDto, description: 'The balance at that moment.' }) readonly balance: BalanceThenDto;
  @ApiProperty({ type: [BucketDto] }) readonly buckets: readonly BucketDto[];
}
