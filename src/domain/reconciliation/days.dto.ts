import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { BreakFigureDto, ChainHeadDto } from '../../ledger/sealed-figures.dto.js';
import type { BreakFigure, SealedHead } from '../../ledger/events/period.events.js';
import type { DayFigures } from '../../ledger/events/day-close.events.js';
import { MODES, type Mode } from '../../ledger/mode.js';
import { IsId, IsText } from '../../platform/http/validation/validators.js';
import { IsDay, ReconListQuery } from './statements.dto.js';
import { Int64Field, IntegerField, NullableText, pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Body of POST /audit/recon/sources/{id}/close. */
export class CloseDayBody {
  @IsDay('The next one, in the source’s time zone; statements up to its end have been accepted.') readonly day: string;
  @IsText({ max: 500, description: 'Why, for whoever reads the audit log.', example: 'all of the day is in' }) readonly reason: string;
}

/** Query of GET /audit/recon/days. */
export class ListReconDaysQuery extends ReconListQuery {
  @IsOptional() @IsDay('Of this day or later.') readonly From?: string;
  @IsOptional() @IsDay('Of this day or before.') readonly To?: string;
  @IsOptional() @IsId({ description: 'The next_after of the page before: the close to go on behind.' }) readonly After?: string;
}

export class DayFiguresDto implements DayFigures {
  @ApiProperty() readonly currency: string;

  @Int64Field({
    type: Number,
    nullable: true,
    description: 'As the bank says; null where there is no statement of the currency. Minor units, as all here.',
    example: 1_000_000,
  })
  readonly closing: number | null;

  @Int64Field({ description: 'What the books say that the bank has, with what this close has booked.', example: 900_000 }) readonly book_cash: number;
  @Int64Field({ description: 'Payouts that are booked and in no statement yet.', example: 100_000 }) readonly payouts: number;
  @Int64Field({ description: 'Returns of payouts, likewise.', example: 0 }) readonly returns: number;
  @Int64Field({ description: 'Payouts that are in a statement, and not known to be paid yet.', example: 0 }) readonly under_way: number;

  @Int64Field({
    description: 'Of what this close has booked, what lines have more than what they are of, to costs and losses; below 0 less.',
    example: 0,
  })
  readonly differences: number;

  @Int64Field({
    type: Number,
    nullable: true,
    description: 'closing − (book_cash + payouts − returns − under_way): 0 where all is explained; null without a closing balance.',
    example: 0,
  })
  readonly residual: number | null;
}

export const DAY_STATUSES = ['OPEN', 'INCOMPLETE', 'COMPLETE'] as const;
export type DayStatus = (typeof DAY_STATUSES)[number];

export class ReconDayDto {
  @UuidField({ description: 'Of the event that opened the close.' }) readonly id: string;
  @ApiProperty({ description: 'The bank’s.', example: 'live-bca' }) readonly source: string;
  @ApiProperty({ enum: MODES, example: 'live' }) readonly mode: Mode;
  @IntegerField({ description: 'Which close of the source it is, from 1.', example: 31 }) readonly n: number;
  @ApiProperty({ format: 'date', description: 'In the source’s time zone.', example: '2026-01-31' }) readonly day: string;

  @ApiProperty({
    enum: DAY_STATUSES,
    description: 'OPEN: it is being closed. INCOMPLETE: it is closed, and a residual is not 0.',
    example: 'COMPLETE',
  })
  readonly status: DayStatus;

  @Int64Field({ description: 'Of the event that opened it: the figures are of all up to it, and what this close has booked.', example: 4711 })
  readonly position: number;

  @IntegerField({ description: 'By which passes its lines were matched.', example: 1 }) readonly matcher: number;
  @UuidField({ description: 'The person.' }) readonly opened_by: string;
  @TimeField() readonly opened_on: string;
  @IntegerField({ description: 'Lines that it books.', example: 120 }) readonly rows: number;
  @IntegerField({ description: 'Events that it takes for that, up to 500 lines each.', example: 1 }) readonly parts: number;
  @IntegerField({ description: 'Of those, that are booked.', example: 1 }) readonly booked_parts: number;
  @ApiProperty({ type: [DayFiguresDto], description: 'Once it is closed.' }) readonly figures: readonly DayFigures[];

  @ApiProperty({ type: [BreakFigureDto], description: 'Of the source, open at `position`; once it is closed.' })
  readonly breaks: readonly BreakFigure[];

  @NullableText({ description: 'SHA-256 over its lines, hex; null before it is closed, as is what follows.', example: null })
  readonly digest: string | null;

  @ApiProperty({ type: ChainHeadDto, nullable: true, description: 'Over its last line, at least.' }) readonly head: SealedHead | null;
  @TimeField({ nullable: true, description: 'null before.' }) readonly closed_on: string | null;
}

export class ReconDayPageDto extends pageOf(ReconDayDto) {}
