import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { CHANNEL_COUNTRIES } from '../../ledger/channels.js';
import { DAYS_DEFAULT, DAYS_MAX, IsDay } from '../../ledger/dto/list-query.dto.js';
import { Int32Field, TimeField, UuidField } from '../../platform/http/answer-fields.js';
import { IsQueryInteger } from '../../platform/http/validation/number-validators.js';
import { IsWord } from '../../platform/http/validation/validators.js';
import { YEAR_MAX, YEAR_MIN } from './holidays.js';

/** Query of GET /v1/merchants/me/calendar. */
export class BankingDaysQuery {
  @IsOptional() @IsDay('First day. Default: today in the merchant’s time zone.') readonly From?: string;
  @IsOptional() @IsDay(`Last day; at most ${DAYS_MAX} days from From on. Default: ${DAYS_DEFAULT} days from From on.`) readonly To?: string;

  @IsOptional()
  @IsWord(CHANNEL_COUNTRIES, { description: 'Country of the payment channels. Default: the merchant’s country.', example: 'ID' })
  readonly Country?: string;
}

/** Item of GET /v1/merchants/me/calendar. */
export class BankingDayDto {
  @ApiProperty({ type: 'string', format: 'date', description: 'Day in the country.', example: '2026-12-25' }) readonly date: string;
  @ApiProperty({ enum: CHANNEL_COUNTRIES, example: 'ID' }) readonly country: string;

  @ApiProperty({ type: Boolean, description: 'Whether money can become available: a day from Monday to Friday without a holiday.', example: false })
  readonly banking_day: boolean;

  @ApiProperty({ type: Boolean, description: 'Whether the day is a holiday, also on a weekend.', example: true }) readonly holiday: boolean;
}

/** Query of GET /audit/calendar. */
export class CalendarQuery {
  @IsOptional() @IsWord(CHANNEL_COUNTRIES, { description: 'Returns holidays of this country only.', example: 'ID' }) readonly Country?: string;

  @IsOptional()
  @IsQueryInteger({ min: YEAR_MIN, max: YEAR_MAX, description: 'Returns holidays of this year only.', example: 2026 })
  readonly Year?: number;
}

export class CalendarYearDto {
  @ApiProperty({ enum: CHANNEL_COUNTRIES, example: 'ID' }) readonly country: string;
  @Int32Field({ minimum: YEAR_MIN, maximum: YEAR_MAX, description: 'Year of the days.', example: 2026 }) readonly year: number;

  @ApiProperty({ type: [String], description: 'All holidays of the year, ascending. Weekends need not be among them.', example: ['2026-12-25'] })
  readonly days: readonly string[];

  @ApiProperty({
    description: 'The operating system’s user who set them, a proposal, or the file that was found at the first start.',
    example: 'ops',
  })
  readonly set_by: string;

  @TimeField({ description: 'When they were set.' }) readonly set_on: string;
  @UuidField({ nullable: true, description: 'The proposal that set them; null without one.' }) readonly proposal_id: string | null;
}

/** Response of GET /audit/calendar. */
export class CalendarDto {
  @ApiProperty({
    type: [CalendarYearDto],
    description: 'Sorted by country, then by year. Without an entry, every Monday to Friday is a banking day.',
  })
  readonly items: readonly CalendarYearDto[];
}
