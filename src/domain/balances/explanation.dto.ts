import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { BUCKETS, FUNDINGS_MAX, type Bucket } from '../../../projections/balances/explanation.js';
import { IsQueryInteger, IsText, IsWord } from '../../platform/http/validation/validators.js';
import { BalanceThenDto } from './statements.dto.js';
import { ID, Int64Field, IntegerField, NullableText, UuidField } from '../../platform/http/answer-fields.js';

/** Items of each bucket when the request names no Limit. */
export const LIMIT_DEFAULT = 20;

/** Query of the explanations of balances. */
export class ExplanationQuery {
  @IsOptional() @IsWord(BUCKETS, { description: 'This bucket only; needed to go through its pages.', example: 'AVAILABLE' }) readonly Bucket?: Bucket;
  @IsOptional() @IsText({ max: 50, description: 'next_after of the page before, with its Bucket.', example: ID }) readonly After?: string;
  @IsQueryInteger({ min: 1, max: 1_000, description: 'Items of each bucket.' }) readonly Limit: number = LIMIT_DEFAULT;
}

class GroupDto {
  @ApiProperty({ enum: ['CHARGES', 'SETTLEMENTS', 'ADJUSTMENTS', 'PAYOUTS', 'REFUNDS', 'DISPUTES'], example: 'SETTLEMENTS' }) readonly kind: string;
  @NullableText({ description: 'Where the bucket tells them apart.', example: null }) readonly status: string | null;
  @IntegerField({ example: 1 }) readonly count: number;
  @Int64Field({ description: 'Minor units. The groups of a bucket add up to its amount.', example: 9930 }) readonly amount: bigint;
}

class FundingDto {
  @UuidField({ nullable: true, description: 'null of an adjustment.' }) readonly settlement_id: string | null;
  @IntegerField({ nullable: true, description: 'null of an adjustment.', example: 1 }) readonly settlement_number: number | null;
  @UuidField({ nullable: true, description: 'null of a settlement.', example: null }) readonly adjustment_id: string | null;
  @Int64Field({ example: 5000 }) readonly amount: bigint;
}

class PartDto {
  @ApiProperty({ enum: ['CHARGE', 'SETTLEMENT', 'ADJUSTMENT', 'PAYOUT', 'REFUND', 'DISPUTE'], example: 'SETTLEMENT' }) readonly kind: string;
  @UuidField({ description: 'Of the charge, settlement, adjustment, payout, refund or dispute.' }) readonly id: string;
  @IntegerField({ nullable: true, example: 1 }) readonly settlement_number: number | null;
  @NullableText({ description: 'Of a charge.', example: null }) readonly code: string | null;
  @NullableText({ description: 'Of a charge, payout or refund.', example: null }) readonly reference_id: string | null;

  @NullableText({ description: 'settlement_status of a charge, payout_status of a payout, refund_status of a refund.', example: null })
  readonly status: string | null;

  @Int64Field({ description: 'What it puts into the bucket, minor units. All items of a bucket add up to its amount.', example: 4930 })
  readonly amount: bigint;

  @ApiProperty({
    type: [FundingDto],
    nullable: true,
    description: `Of a payout or refund under RESERVED, PAYOUTS and REFUNDS: the settlements and adjustments that its money came from, oldest first, at most ${FUNDINGS_MAX}; they add up to it, unless there are more or it is not covered yet.`,
    example: null,
  })
  readonly funded_from: readonly FundingDto[] | null;

  @IntegerField({ nullable: true, description: 'How many those are.', example: null }) readonly funded_from_count: number | null;
}

class BucketDto {
  @ApiProperty({ enum: BUCKETS, example: 'AVAILABLE' }) readonly bucket: string;
  @Int64Field({ description: 'As the balance has it; of PAYOUTS and REFUNDS what they took from available.', example: 4930 }) readonly amount: bigint;
  @ApiProperty({ type: [GroupDto] }) readonly groups: readonly GroupDto[];
  @ApiProperty({ type: [PartDto] }) readonly items: readonly PartDto[];
  @NullableText({ description: 'After of the next page, with this Bucket; null at the end.', example: null }) readonly next_after: string | null;
}

export class ExplanationDto {
  @UuidField({ example: ID }) readonly merchant_id: string;
  @ApiProperty() readonly currency: string;

  @Int64Field({ description: 'Of the last event that is in it. Pages with the same position are of the same moment.', example: 4711 })
  readonly position: number;

  @ApiProperty({ type: BalanceThenDto, description: 'The balance at that moment.' }) readonly balance: BalanceThenDto;
  @ApiProperty({ type: [BucketDto] }) readonly buckets: readonly BucketDto[];
}
