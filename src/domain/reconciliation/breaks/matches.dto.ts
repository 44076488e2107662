import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { BREAK_AGES, BREAK_STATUSES, type BreakAge, type BreakStatus } from '../../../../projections/reconciliation/match-reads.js';
import { ITEM_KINDS } from '../../../../projections/reconciliation/items-table.js';
import { BREAK_KINDS, type BreakKind } from '../../../../projections/reconciliation/days/tick.js';
import { DIFFERENCE_ACCOUNTS, type DifferenceAccount } from '../../../ledger/events/break.events.js';
import { LINE_KINDS } from '../../../ledger/events/reconciliation.events.js';
import { MODES } from '../../../ledger/mode.js';
import { IsId, IsName, IsText, IsWord } from '../../../platform/http/validation/validators.js';
import { ReconListQuery } from '../statements.dto.js';
import { ID, Int64Field, IntegerField, NullableText, pageOf, TimeField, UuidField } from '../../../platform/http/answer-fields.js';

const LINE_ID = { description: 'Id of the line; digits.', example: '4711000' } as const;
const BATCH = { type: String, nullable: true, description: 'What it is paid together with.', example: 'B-20260131' } as const;

export const DIFFERENCE = { type: 'integer', format: 'int64', nullable: true, example: null } as const;
export const DIFFERENCE_TO = { enum: DIFFERENCE_ACCOUNTS, type: String, nullable: true, example: null } as const;

const AGES = Object.keys(BREAK_AGES) as readonly BreakAge[];

/** Query of GET /audit/recon/matches. */
export class ListReconMatchesQuery extends ReconListQuery {
  @IsOptional() @IsId({ description: 'Of lines of this file only.' }) readonly Statement?: string;
  @IsOptional() @IsId({ description: 'Of this charge only.' }) readonly Charge?: string;
  @IsOptional() @IsId({ description: 'Of this payout only.' }) readonly Payout?: string;

  @IsOptional()
  @IsText({ max: 18, pattern: /^\d+$/, description: 'The next_after of the page before: what to go on behind.', example: '4711000' })
  readonly After?: string;
}

/** Query of GET /audit/recon/breaks. */
export class ListReconBreaksQuery extends ReconListQuery {
  @IsOptional() @IsWord(BREAK_KINDS, { description: 'Only those of this kind.', example: 'AMOUNT' }) readonly Kind?: BreakKind;
  @IsOptional() @IsWord(BREAK_STATUSES, { description: 'Only those that stand so.', example: 'OPEN' }) readonly Status?: BreakStatus;
  @IsOptional() @IsId({ description: 'Of this person only.' }) readonly Owner?: string;
  @IsOptional() @IsName(AGES, { description: 'Banking days that they have been open.', example: '2-7' }) readonly Age?: BreakAge;
  @IsOptional() @IsId({ description: 'The next_after of the page before: what to go on behind.' }) readonly After?: string;
}

export class ReconItemDto {
  @UuidField({ description: 'Of the event that it is of.' }) readonly event_id: string;
  @UuidField({ description: 'Whose charge or payout it is.', example: ID }) readonly merchant_id: string;
  @UuidField({ nullable: true, description: 'That was paid, reversed, refunded or disputed.' }) readonly charge_id: string | null;
  @UuidField({ nullable: true, description: 'That was asked for, or came back.', example: null }) readonly payout_id: string | null;
  @ApiProperty({ enum: ITEM_KINDS, example: 'PAYMENT' }) readonly kind: string;
  @ApiProperty() readonly currency: string;

  @Int64Field({ description: 'Minor units: what the processor owes us more, before its fee, or the bank has more; below 0 less.', example: 100_000 })
  readonly amount: number;

  @NullableText({ description: 'What the processor calls the payment.', example: 'SIM-7F3K2M9Q' }) readonly payment_reference: string | null;
  @TimeField({ description: 'When it was recorded.' }) readonly occurred_on: string;
}

export class ReconRemittanceDto {
  @ApiProperty({ description: 'Id of the processor’s source.', example: 'live-xendit' }) readonly source: string;
  @ApiProperty({ description: 'Its id at the processor.', example: 'B-20260131' }) readonly batch: string;
  @ApiProperty({ description: 'Of its lines.', example: 'IDR' }) readonly currency: string;
  @Int64Field({ description: 'Net, minor units: what the bank should have more.', example: 99_370 }) readonly amount: number;
  @ApiProperty({ description: 'The latest on which one of its lines was booked.', example: '2026-01-31' }) readonly day: string;
}

export class ReconMatchDto {
  @ApiProperty(LINE_ID) readonly line_id: string;
  @ApiProperty({ description: 'Id of its source.', example: 'live-xendit' }) readonly source: string;
  @UuidField({ description: 'Id of its file.' }) readonly statement_id: string;
  @ApiProperty(BATCH) readonly batch: string | null;

  @ApiProperty({ type: ReconItemDto, nullable: true, description: 'What the books have; null of a batch, and of a charge of the bank’s own.' })
  readonly item: ReconItemDto | null;

  @ApiProperty({ type: ReconRemittanceDto, nullable: true, description: 'The batch that a bank’s credit is of.' })
  readonly remittance: ReconRemittanceDto | null;

  @ApiProperty({ ...DIFFERENCE, description: 'What the line has more than that, minor units, below 0 less, as was approved; null: nothing.' })
  readonly difference: number | null;

  @ApiProperty({ ...DIFFERENCE_TO, description: 'Where that is booked.' }) readonly difference_to: DifferenceAccount | null;
}

export class ReconMatchPageDto extends pageOf(ReconMatchDto, { example: '4711119' }) {}

export class ReconBreakLineDto {
  @ApiProperty(LINE_ID) readonly line_id: string;
  @UuidField({ description: 'Id of its file.' }) readonly statement_id: string;
  @ApiProperty(BATCH) readonly batch: string | null;
  @ApiProperty({ enum: LINE_KINDS, example: 'PAYMENT' }) readonly kind: string;
  @ApiProperty() readonly currency: string;
  @Int64Field({ description: 'Minor units: before the processor’s fee, or what the bank has more.', example: 100_001 }) readonly amount: number;
  @ApiProperty({ description: 'A day in the source’s time zone.', example: '2026-01-31' }) readonly booking_date: string;
  @ApiProperty({ type: [String], description: 'As they stand in the line.', example: ['SIM-7F3K2M9Q'] }) readonly references: readonly string[];
}

export class ReconBreakDto {
  @UuidField({ description: 'Of source, kind, and line or item: one that comes again has the same.' }) readonly id: string;
  @ApiProperty({ description: 'Id of its source.', example: 'live-xendit' }) readonly source: string;

  @ApiProperty({
    enum: BREAK_KINDS,
    description:
      'LEDGER_ONLY: no line is there, and it is due. PROCESSOR_ONLY: nothing of ours is named. AMOUNT, CURRENCY: that of ours is another. ' +
      'DUPLICATE: what is named has a line already. STATUS: it was reversed before, or is closed. FEE, TAX: matched, and the source expects another. ' +
      'REMITTANCE_SHORT, REMITTANCE_MISSING: less than a batch, or nothing, was credited. BANK_UNKNOWN: nothing of ours is named. ' +
      'PAYOUT_NOT_PRESENTED, PAYOUT_TWICE, PAYOUT_AMOUNT: it is not debited, once more, or otherwise. PAYOUT_UNORDERED: it was not at the bank, or failed. ' +
      'PAYOUT_RETURNED: nobody has told of it. FILE_MISSING: of a banking day.',
  })
  readonly kind: string;

  @ApiProperty({ enum: BREAK_STATUSES, description: 'RESOLVED by what came later, or was matched. ACCEPTED until a day.', example: 'OPEN' })
  readonly status: BreakStatus;

  @IntegerField({ description: 'Banking days (Monday to Friday) that it has been open, or was.', example: 2 }) readonly age: number;

  @ApiProperty({
    enum: MODES,
    type: String,
    nullable: true,
    description: 'What is named is money of this other mode; null otherwise.',
    example: null,
  })
  readonly of_mode: string | null;

  @ApiProperty({ type: ReconBreakLineDto, nullable: true, description: 'What the processor or the bank says; null: nothing.' })
  readonly line: ReconBreakLineDto | null;

  @ApiProperty({ type: ReconItemDto, nullable: true, description: 'What the books say; null: nothing.' }) readonly item: ReconItemDto | null;

  @ApiProperty({ type: ReconRemittanceDto, nullable: true, description: 'The batch that it is about.' })
  readonly remittance: ReconRemittanceDto | null;

  @UuidField({ nullable: true, description: 'The person whose it is.' }) readonly owner: string | null;

  @NullableText({ description: 'The last day on which it is ACCEPTED, once that was approved.', example: null })
  readonly accepted_until: string | null;

  @NullableText({ description: 'Of which a file is missing.', example: null }) readonly day: string | null;
  @TimeField({ description: 'Of the file or run that showed it.' }) readonly opened_on: string;
  @TimeField({ nullable: true, description: 'Of the file or run since which it is none.', example: null }) readonly resolved_on: string | null;
}

export class ReconBreakPageDto extends pageOf(ReconBreakDto) {}
