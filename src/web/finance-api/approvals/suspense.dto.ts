import { IsOptional } from 'class-validator';
import { ApiProperty, PickType } from '@nestjs/swagger';
import {
  SUSPENSE_ENDS,
  SUSPENSE_REASONS,
  SUSPENSE_STATUSES,
  type SuspenseEnd,
  type SuspenseReason,
  type SuspenseStatus,
} from '../../../../projections/approvals/suspense.js';
import { AGES, type BreakAge } from '../../../../projections/reconciliation/matches/ages.js';
import { PROPOSAL_FILTERS, type ProposalFilter } from '../../../../projections/approvals/proposals.js';
import { PROPOSAL } from '../../../domain/reconciliation/breaks/matches.dto.js';
import { ADJUSTMENT_KINDS, type AdjustmentKind } from '../../../ledger/events/adjustment.events.js';
import { MODES, type Mode } from '../../../ledger/mode.js';
import { IsId, IsName, IsWord } from '../../../platform/http/validation/validators.js';
import { MerchantsListQuery } from '../../../ledger/dto/list-query.dto.js';
import { ID, Int32Field, Int64Field, NullableText, pageOf, TimeField, UuidField } from '../../../platform/http/answer-fields.js';

class SuspenseQuery extends MerchantsListQuery {
  @IsOptional() @IsId({ description: 'next_after of the previous page.' }) readonly After?: string;
}

const STATUS = 'OPEN: its owner is not known yet. CLAIMED: an approved proposal is taking effect.';

/** Query of GET /audit/suspense. */
export class ListSuspenseQuery extends SuspenseQuery {
  @IsOptional() @IsWord(SUSPENSE_STATUSES, { description: STATUS, example: 'OPEN' }) readonly Status?: SuspenseStatus;
  @IsOptional() @IsName(PROPOSAL_FILTERS, PROPOSAL) readonly Proposal?: ProposalFilter;
}

/** Query of GET /audit/suspense/ages. */
export class SuspenseAgesQuery extends PickType(MerchantsListQuery, ['Mode'] as const) {}

export class SuspenseAgeDto {
  @ApiProperty({ enum: MODES, example: 'live' }) readonly mode: Mode;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ enum: AGES, description: 'Whole days since the money arrived.', example: '2-7' }) readonly age: BreakAge;
  @Int64Field({ description: 'Number of items that are not resolved.', example: 2 }) readonly items: number;
  @Int64Field({ description: 'Sum of their amounts, minor units; negative for missing money.', example: 5_000_000 }) readonly amount: bigint;
}

export class SuspenseAgesDto {
  @ApiProperty({ type: [SuspenseAgeDto], description: 'Live first, by currency and age.' }) readonly items: readonly SuspenseAgeDto[];
}

/** Query of GET /audit/adjustments. */
export class ListAuditAdjustmentsQuery extends SuspenseQuery {
  @IsOptional() @IsWord(ADJUSTMENT_KINDS, { description: 'Kind of adjustment.', example: 'UNMATCHED_TO_MERCHANT' }) readonly Kind?: AdjustmentKind;
}

export class SuspenseItemDto {
  @UuidField({ description: 'Use it as item_id of a proposal.' }) readonly id: string;
  @Int64Field({ description: 'Log position of the event that created the item.', example: 4711 }) readonly position: number;
  @ApiProperty({ enum: MODES, example: 'live' }) readonly mode: Mode;
  @ApiProperty({ enum: SUSPENSE_STATUSES, description: STATUS, example: 'OPEN' }) readonly status: SuspenseStatus;

  @ApiProperty({
    enum: SUSPENSE_REASONS,
    description:
      'Why its charge could not take the money; BANK_UNKNOWN for a line of a bank, or REMITTED_UNKNOWN for a line of a batch that the bank has credited, that names no known item.',
    example: 'SECOND_PAYMENT',
  })
  readonly reason: SuspenseReason;

  @UuidField({ nullable: true, description: 'Merchant of the charge that it was paid for; null for lines.', example: ID }) readonly merchant_id:
    string | null;
  @UuidField({ nullable: true }) readonly charge_id: string | null;

  @NullableText({ description: 'Processor that holds or has paid the money; null for money at the bank.', example: 'SIMULATOR' })
  readonly processor: string | null;

  @NullableText({ description: 'The processor’s reference of the payment; null for lines.', example: 'SIM-0001' }) readonly payment_reference:
    string | null;
  @NullableText({ description: 'Source of statements of a line.', example: null }) readonly source: string | null;
  @NullableText({ description: 'Key of a line, as in GET /audit/recon/lines.', example: null }) readonly line_key: string | null;
  @ApiProperty() readonly currency: string;
  @Int64Field({ description: 'Minor units; negative for missing money.', example: 5_000_000 }) readonly amount: number;
  @TimeField({ description: 'When the money arrived.' }) readonly since: string;
  @Int32Field({ description: 'Whole days since the money arrived.', example: 3 }) readonly age_days: number;
  @UuidField({ nullable: true, description: 'Proposal that resolves it; null while it is open.', example: null }) readonly proposal_id: string | null;
  @UuidField({ nullable: true, description: 'The open proposal about the item.', example: null }) readonly pending_proposal_id: string | null;

  @ApiProperty({
    type: 'string',
    enum: SUSPENSE_ENDS,
    nullable: true,
    description: 'How it was resolved; null before. MATCHED: its line was matched with an item later.',
    example: null,
  })
  readonly resolved_as: SuspenseEnd | null;

  @TimeField({ nullable: true, description: 'When it was resolved; null before.', example: null }) readonly resolved_on: string | null;
}

export class SuspensePageDto extends pageOf(SuspenseItemDto) {}

export class AuditAdjustmentDto {
  @UuidField({ description: 'Id of the proposal that it is the effect of.' }) readonly id: string;
  @Int64Field({ description: 'Log position of the event.', example: 4711 }) readonly position: number;
  @UuidField() readonly event_id: string;
  @ApiProperty({ enum: MODES, example: 'live' }) readonly mode: Mode;
  @UuidField({ nullable: true, description: 'null for an adjustment of the platform.', example: ID }) readonly merchant_id: string | null;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ enum: ADJUSTMENT_KINDS, example: 'UNMATCHED_TO_MERCHANT' }) readonly kind: AdjustmentKind;
  @Int64Field({ description: 'Minor units, above zero.', example: 5_000_000 }) readonly amount: number;
  @Int64Field({ description: 'Part of the amount that was earned as the fee of the charge.', example: 35_000 }) readonly fee_amount: number;

  @Int64Field({
    description: 'Change of the merchant’s available balance, negative for a decrease; 0 for an adjustment of the platform.',
    example: 4_965_000,
  })
  readonly available_change: number;

  @UuidField({ nullable: true, description: 'Item in suspense, or (WRITE_OFF) at a processor.' }) readonly item_id: string | null;
  @UuidField({ nullable: true }) readonly charge_id: string | null;
  @NullableText({ description: 'OPENING only: source of statements.', example: null }) readonly source: string | null;
  @ApiProperty({ description: 'Month that it belongs to, in the time zone of the books.', example: '2026-01' }) readonly relates_to: string;
  @TimeField({ description: 'When it was booked.' }) readonly adjusted_on: string;
}

export class AuditAdjustmentPageDto extends pageOf(AuditAdjustmentDto) {}
