import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { BreakFigureDto, ChainHeadDto } from '../../../ledger/dto/sealed-figures.dto.js';
import type { BreakFigure, SealedHead } from '../../../ledger/events/period.events.js';
import type { DayFigures } from '../../../ledger/events/day-close.events.js';
import { MODES, type Mode } from '../../../ledger/mode.js';
import { IsId, IsText } from '../../../platform/http/validation/validators.js';
import { IsDay } from '../../../ledger/dto/list-query.dto.js';
import { ReconListQuery } from '../statements.dto.js';
import { Int32Field, Int64Field, NullableText, pageOf, TimeField, UuidField } from '../../../platform/http/answer-fields.js';

/** Body of POST /audit/recon/sources/{id}/close. */
export class CloseDayBody {
  @IsDay('The next day to close, in the source’s time zone; statements up to its end must be accepted.') readonly day: string;
  @IsText({ max: 500, description: 'Reason for people who read the audit log.', example: 'all of the day is in' }) readonly reason: string;
}

/** Query of GET /audit/recon/days. */
export class ListReconDaysQuery extends ReconListQuery {
  @IsOptional() @IsDay('Returns this day and later ones.') readonly From?: string;
  @IsOptional() @IsDay('Returns this day and earlier ones.') readonly To?: string;
  @IsOptional() @IsId({ description: 'next_after of the previous page.' }) readonly After?: string;
}

export class DayFiguresDto implements DayFigures {
  @ApiProperty() readonly currency: string;

  @Int64Field({
    nullable: true,
    description: 'Closing balance of the bank; null if there is no statement in the currency. All figures are in minor units.',
    example: 1_000_000,
  })
  readonly closing: number | null;

  @Int64Field({ description: 'Balance of the bank account in the books, including the bookings of this close.', example: 900_000 })
  readonly book_cash: number;
  @Int64Field({ description: 'Payouts that are booked but not in a statement yet.', example: 100_000 }) readonly payouts: number;
  @Int64Field({ description: 'Returns of payouts that are booked but not in a statement yet.', example: 0 }) readonly returns: number;
  @Int64Field({ description: 'Payouts that are in a statement but not known to be paid yet.', example: 0 }) readonly under_way: number;

  @Int64Field({
    description: 'Differences between lines and their items that this close booked to costs and losses; negative if the lines are lower.',
    example: 0,
  })
  readonly differences: number;

  @Int64Field({
    nullable: true,
    description: 'closing − (book_cash + payouts − returns − under_way): 0 if everything is explained; null without a closing balance.',
    example: 0,
  })
  readonly residual: number | null;
}

export const DAY_STATUSES = ['OPEN', 'INCOMPLETE', 'COMPLETE'] as const;
export type DayStatus = (typeof DAY_STATUSES)[number];

export class ReconDayDto {
  @UuidField({ description: 'Id of the event that opened the close.' }) readonly id: string;
  @ApiProperty({ description: 'Id of the bank’s source.', example: 'live-bca' }) readonly source: string;
  @ApiProperty({ enum: MODES, example: 'live' }) readonly mode: Mode;
  @Int64Field({ description: 'Number of the close within the source, from 1.', example: 31 }) readonly n: number;
  @ApiProperty({ format: 'date', description: 'Day in the source’s time zone.', example: '2026-01-31' }) readonly day: string;

  @ApiProperty({
    enum: DAY_STATUSES,
    description: 'OPEN: the day is being closed. INCOMPLETE: the day is closed, and a residual is not 0.',
    example: 'COMPLETE',
  })
  readonly status: DayStatus;

  @Int64Field({
    description: 'Log position of the event that opened the close. The figures include all events up to it and the bookings of this close.',
    example: 4711,
  })
  readonly position: number;

  @Int32Field({ description: 'Version of the matcher that matched its lines.', example: 1 }) readonly matcher: number;
  @UuidField({ description: 'The operator who closed the day.' }) readonly opened_by: string;
  @TimeField() readonly opened_on: string;
  @Int64Field({ description: 'Number of lines that the close books.', example: 120 }) readonly rows: number;
  @Int64Field({ description: 'Number of events that the close consists of, each with up to 500 lines.', example: 1 }) readonly parts: number;
  @Int64Field({ description: 'Number of parts that are booked.', example: 1 }) readonly booked_parts: number;
  @ApiProperty({ type: [DayFiguresDto], description: 'Set once the day is closed.' }) readonly figures: readonly DayFigures[];

  @ApiProperty({ type: [BreakFigureDto], description: 'Breaks of the source that were open at `position`; set once the day is closed.' })
  readonly breaks: readonly BreakFigure[];

  @NullableText({ description: 'SHA-256 over its lines, hex; null until the day is closed, like the fields below.', example: null })
  readonly digest: string | null;

  @ApiProperty({ type: ChainHeadDto, nullable: true, description: 'Signed tree head that covers at least its last line.' })
  readonly head: SealedHead | null;
  @TimeField({ nullable: true, description: 'When the day was closed; null before.' }) readonly closed_on: string | null;
}

export class ReconDayPageDto extends pageOf(ReconDayDto) {}
