import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import {
  SUSPENSE_ENDS,
  SUSPENSE_REASONS,
  SUSPENSE_STATUSES,
  type SuspenseEnd,
  type SuspenseReason,
  type SuspenseStatus,
} from '../../../../projections/approvals/suspense.js';
import { ADJUSTMENT_KINDS, type AdjustmentKind } from '../../../ledger/events/adjustment.events.js';
import { MODES, type Mode } from '../../../ledger/mode.js';
import { IsId, IsWord } from '../../../platform/http/validation/validators.js';
import { MerchantsListQuery } from '../../../ledger/list-query.dto.js';
import { ID, Int64Field, IntegerField, NullableText, pageOf, TimeField, UuidField } from '../../../platform/http/answer-fields.js';

class SuspenseQuery extends MerchantsListQuery {
  @IsOptional() @IsId({ description: 'The next_after of the page before: the record to go on behind.' }) readonly After?: string;
}

const STATUS = 'OPEN: nobody has said yet whose it is. CLAIMED: an approved proposal is taking effect.';

/** Query of GET /audit/suspense. */
export class ListSuspenseQuery extends SuspenseQuery {
  @IsOptional() @IsWord(SUSPENSE_STATUSES, { description: STATUS, example: 'OPEN' }) readonly Status?: SuspenseStatus;
}

/** Query of GET /audit/adjustments. */
export class ListAuditAdjustmentsQuery extends SuspenseQuery {
  @IsOptional() @IsWord(ADJUSTMENT_KINDS, { description: 'What was moved.', example: 'UNMATCHED_TO_MERCHANT' }) readonly Kind?: AdjustmentKind;
}

export class SuspenseItemDto {
  @UuidField({ description: 'item_id of a proposal.' }) readonly id: string;
  @Int64Field({ description: 'Of the event in the log that brought it.', example: 4711 }) readonly position: number;
  @ApiProperty({ enum: MODES, example: 'live' }) readonly mode: Mode;
  @ApiProperty({ enum: SUSPENSE_STATUSES, description: STATUS, example: 'OPEN' }) readonly status: SuspenseStatus;

  @ApiProperty({
    enum: SUSPENSE_REASONS,
    description:
      'What its charge could not take; or a line of a bank (BANK_UNKNOWN), or of a batch that the bank has credited (REMITTED_UNKNOWN), that is of nothing known.',
    example: 'SECOND_PAYMENT',
  })
  readonly reason: SuspenseReason;

  @UuidField({ nullable: true, description: 'For whose charge it came; null of lines.', example: ID }) readonly merchant_id: string | null;
  @UuidField({ nullable: true }) readonly charge_id: string | null;

  @NullableText({ description: 'That holds it, or has paid it; null of what came at the bank.', example: 'SIMULATOR' })
  readonly processor: string | null;

  @NullableText({ description: 'Of the payment, by the processor; null of lines.', example: 'SIM-0001' }) readonly payment_reference: string | null;
  @NullableText({ description: 'Of a line: its source of statements.', example: null }) readonly source: string | null;
  @NullableText({ description: 'Of a line: as GET /audit/recon/lines has it.', example: null }) readonly line_key: string | null;
  @ApiProperty() readonly currency: string;
  @Int64Field({ description: 'Minor units; below zero where money is missing.', example: 5_000_000 }) readonly amount: number;
  @TimeField({ description: 'When it came.' }) readonly since: string;
  @IntegerField({ description: 'Whole days since it came.', example: 3 }) readonly age_days: number;
  @UuidField({ nullable: true, description: 'That resolves it; null of an open one.', example: null }) readonly proposal_id: string | null;

  @ApiProperty({
    type: 'string',
    enum: SUSPENSE_ENDS,
    nullable: true,
    description: 'How it was resolved; null before. MATCHED: its line was found to be of something after all.',
    example: null,
  })
  readonly resolved_as: SuspenseEnd | null;

  @TimeField({ nullable: true, description: 'null before.', example: null }) readonly resolved_on: string | null;
}

export class SuspensePageDto extends pageOf(SuspenseItemDto) {}

export class AuditAdjustmentDto {
  @UuidField({ description: 'Of the proposal that it is the effect of.' }) readonly id: string;
  @Int64Field({ description: 'Of its event in the log.', example: 4711 }) readonly position: number;
  @UuidField() readonly event_id: string;
  @ApiProperty({ enum: MODES, example: 'live' }) readonly mode: Mode;
  @UuidField({ nullable: true, description: 'null: the house’s own.', example: ID }) readonly merchant_id: string | null;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ enum: ADJUSTMENT_KINDS, example: 'UNMATCHED_TO_MERCHANT' }) readonly kind: AdjustmentKind;
  @Int64Field({ description: 'Minor units, above zero.', example: 5_000_000 }) readonly amount: number;
  @Int64Field({ description: 'Of it, what was earned as the fee of the charge.', example: 35_000 }) readonly fee_amount: number;

  @Int64Field({ description: 'What the merchant has available more, below zero for less; 0 of the house’s own.', example: 4_965_000 })
  readonly available_change: number;

  @UuidField({ nullable: true, description: 'In suspense, or (WRITE_OFF) at a processor.' }) readonly item_id: string | null;
  @UuidField({ nullable: true }) readonly charge_id: string | null;
  @NullableText({ description: 'Of an OPENING.', example: null }) readonly source: string | null;
  @ApiProperty({ description: 'The month that it belongs to, in UTC.', example: '2026-01' }) readonly relates_to: string;
  @TimeField({ description: 'When it was booked.' }) readonly adjusted_on: string;
}

export class AuditAdjustmentPageDto extends pageOf(AuditAdjustmentDto) {}
