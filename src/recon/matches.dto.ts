import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { BREAK_STATUSES, type BreakStatus } from '../../projections/recon/match-reads.js';
import { BREAK_KINDS, type BreakKind } from '../../projections/recon/matcher-1.js';
import { AMOUNT, ID, ListQuery, NEXT_RECORD, WHEN } from '../audit/list-query.dto.js';
import { LINE_KINDS } from '../ledger/events/recon.events.js';
import { MODES } from '../ledger/mode.js';
import { IsId, IsText, IsWord } from '../platform/http/validators.js';
import { SOURCE } from './statements.dto.js';

const LINE_ID = { description: 'Id of the line; digits.', example: '4711000' } as const;
const BATCH = { type: String, nullable: true, description: 'What it is paid together with.', example: 'B-20260131' } as const;

/** Query of GET /audit/recon/matches. */
export class ListReconMatchesQuery extends ListQuery {
  @IsOptional()
  @IsText(SOURCE)
  readonly Source?: string;

  @IsOptional()
  @IsId({ description: 'Of lines of this file only.', example: ID })
  readonly Statement?: string;

  @IsOptional()
  @IsId({ description: 'Of this charge only.', example: ID })
  readonly Charge?: string;

  @IsOptional()
  @IsText({ max: 18, pattern: /^\d+$/, description: 'The next_after of the page before: what to go on behind.', example: '4711000' })
  readonly After?: string;
}

/** Query of GET /audit/recon/breaks. */
export class ListReconBreaksQuery extends ListQuery {
  @IsOptional()
  @IsText(SOURCE)
  readonly Source?: string;

  @IsOptional()
  @IsWord(BREAK_KINDS, { description: 'Only those of this kind.', example: 'AMOUNT' })
  readonly Kind?: BreakKind;

  @IsOptional()
  @IsWord(BREAK_STATUSES, { description: 'Only those that stand so.', example: 'OPEN' })
  readonly Status?: BreakStatus;

  @IsOptional()
  @IsId({ description: 'The next_after of the page before: what to go on behind.', example: ID })
  readonly After?: string;
}

export class ReconItemDto {
  @ApiProperty({ format: 'uuid', description: 'Of the event that it is of.', example: ID })
  readonly event_id: string;

  @ApiProperty({ format: 'uuid', description: 'Whose charge it is.', example: ID })
  readonly merchant_id: string;

  @ApiProperty({ format: 'uuid', description: 'That was paid, reversed, refunded or disputed.', example: ID })
  readonly charge_id: string;

  @ApiProperty({ enum: LINE_KINDS.filter((kind) => kind !== 'CHARGE' && kind !== 'TRANSFER'), example: 'PAYMENT' })
  readonly kind: string;

  @ApiProperty({ example: 'IDR' })
  readonly currency: string;

  @ApiProperty({ ...AMOUNT, description: 'Minor units: what the processor owes us more, before its fee; below 0 less.', example: 100_000 })
  readonly amount: number;

  @ApiProperty({ type: String, nullable: true, description: 'What the processor calls the payment.', example: 'SIM-7F3K2M9Q' })
  readonly payment_reference: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was recorded.', example: WHEN })
  readonly occurred_on: string;
}

export class ReconMatchDto {
  @ApiProperty(LINE_ID)
  readonly line_id: string;

  @ApiProperty({ description: 'Id of its source.', example: 'live-xendit' })
  readonly source: string;

  @ApiProperty({ format: 'uuid', description: 'Id of its file.', example: ID })
  readonly statement_id: string;

  @ApiProperty(BATCH)
  readonly batch: string | null;

  @ApiProperty({ type: ReconItemDto, description: 'What the books have.' })
  readonly item: ReconItemDto;
}

export class ReconMatchPageDto {
  @ApiProperty({ type: [ReconMatchDto] })
  readonly items: readonly ReconMatchDto[];

  @ApiProperty({ type: String, nullable: true, description: NEXT_RECORD.description, example: '4711119' })
  readonly next_after: string | null;
}

export class ReconBreakLineDto {
  @ApiProperty(LINE_ID)
  readonly line_id: string;

  @ApiProperty({ format: 'uuid', description: 'Id of its file.', example: ID })
  readonly statement_id: string;

  @ApiProperty(BATCH)
  readonly batch: string | null;

  @ApiProperty({ enum: LINE_KINDS, example: 'PAYMENT' })
  readonly kind: string;

  @ApiProperty({ example: 'IDR' })
  readonly currency: string;

  @ApiProperty({ ...AMOUNT, description: 'Minor units, before the processor’s fee.', example: 100_001 })
  readonly amount: number;

  @ApiProperty({ description: 'A day in the source’s time zone.', example: '2026-01-31' })
  readonly booking_date: string;

  @ApiProperty({ type: [String], description: 'As they stand in the line.', example: ['SIM-7F3K2M9Q'] })
  readonly references: readonly string[];
}

export class ReconBreakDto {
  @ApiProperty({ format: 'uuid', description: 'Of source, kind, and line or item: one that comes again has the same.', example: ID })
  readonly id: string;

  @ApiProperty({ description: 'Id of its source.', example: 'live-xendit' })
  readonly source: string;

  @ApiProperty({
    enum: BREAK_KINDS,
    description:
      'LEDGER_ONLY: no line is there, and it is due. PROCESSOR_ONLY: nothing of ours is named. AMOUNT, CURRENCY: that of ours is another. ' +
      'DUPLICATE: what is named has a line already.',
  })
  readonly kind: string;

  @ApiProperty({ enum: BREAK_STATUSES, description: 'RESOLVED by what came later.', example: 'OPEN' })
  readonly status: string;

  @ApiProperty({ type: 'integer', description: 'Banking days (Monday to Friday) that it has been open, or was.', example: 2 })
  readonly age: number;

  @ApiProperty({
    enum: MODES,
    type: String,
    nullable: true,
    description: 'What is named is money of this other mode; null otherwise.',
    example: null,
  })
  readonly of_mode: string | null;

  @ApiProperty({ type: ReconBreakLineDto, nullable: true, description: 'What the processor says; null: nothing.' })
  readonly line: ReconBreakLineDto | null;

  @ApiProperty({ type: ReconItemDto, nullable: true, description: 'What the books say; null: nothing.' })
  readonly item: ReconItemDto | null;

  @ApiProperty({ format: 'date-time', description: 'Of the file that showed it.', example: WHEN })
  readonly opened_on: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Of the file since which it is none.', example: null })
  readonly resolved_on: string | null;
}

export class ReconBreakPageDto {
  @ApiProperty({ type: [ReconBreakDto] })
  readonly items: readonly ReconBreakDto[];

  @ApiProperty(NEXT_RECORD)
  readonly next_after: string | null;
}
