import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { IsDay } from '../../ledger/dto/list-query.dto.js';
import { LINE_KINDS, type LineKind } from '../../ledger/events/account.events.js';
import { ID, Int64Field, NullableText, TimeField, UuidField } from '../../platform/http/answer-fields.js';
import { IsQueryInteger } from '../../platform/http/validation/number-validators.js';
import { IsText } from '../../platform/http/validation/validators.js';
import { LIMIT_DEFAULT } from './explanation.dto.js';

/** Days of a forecast when the request names none. */
export const FORECAST_DAYS = 14;
export const FORECAST_DAYS_MAX = 90;
/** Numbers of days that the console offers. */
export const FORECAST_PERIODS = [FORECAST_DAYS, 30, FORECAST_DAYS_MAX] as const;

/** Query of GET /v1/balances/{currency}/forecast. */
export class ForecastQuery {
  @IsQueryInteger({ min: 1, max: FORECAST_DAYS_MAX, description: 'Number of days, today included.', example: FORECAST_DAYS })
  readonly Days: number = FORECAST_DAYS;

  @IsOptional() @IsDay('One of these days, whose lines are returned too.') readonly Detail?: string;

  @IsOptional()
  @IsText({ max: 80, description: 'next_after of the previous page of lines, with its Detail.', example: `1769792400000:${ID}:charge` })
  readonly After?: string;

  @IsQueryInteger({ min: 1, max: 1_000, description: 'Maximum number of lines per page.' }) readonly Limit: number = LIMIT_DEFAULT;
}

class ForecastOpeningDto {
  @Int64Field({ description: 'Minor units.', example: 0 }) readonly available_amount: bigint;
  @Int64Field({ description: 'Money that waits for its settlement.', example: 9930 }) readonly pending_amount: bigint;
  @Int64Field({ description: 'Money that open payouts, refunds and disputes hold.', example: 0 }) readonly reserved_amount: bigint;
}

export class BroughtDto {
  @Int64Field({ description: 'Number of lines.', example: 1 }) readonly count: number;
  @Int64Field({ description: 'Minor units.', example: 9930 }) readonly net_amount: bigint;
}

class TakenDto {
  @ApiProperty({ enum: ['REVERSAL', 'DISPUTE_HOLD', 'DISPUTE_FEE'], example: 'REVERSAL' }) readonly kind: LineKind;
  @Int64Field({ description: 'Number of lines.', example: 1 }) readonly count: number;
  @Int64Field({ description: 'Minor units, above zero.', example: 9930 }) readonly amount: bigint;
}

export class ForecastDayDto {
  @ApiProperty({ type: 'string', format: 'date', description: 'Day in the merchant’s time zone.', example: '2026-01-31' }) readonly date: string;

  @ApiProperty({ type: Boolean, description: 'Whether the day is a banking day in the merchant’s country.', example: true })
  readonly banking_day: boolean;

  @ApiProperty({ type: BroughtDto, description: 'Charges, payouts that banks returned, and money that refunds and disputes give back.' })
  readonly brings: BroughtDto;

  @ApiProperty({ type: [TakenDto], description: 'Money that the next settlement takes back, by kind; kinds without lines are left out.' })
  readonly takes: readonly TakenDto[];

  @Int64Field({ description: 'Available balance at the end of the day if nothing else happens, minor units.', example: 9930 })
  readonly closing_available: bigint;
}

class OpenDisputesDto {
  @Int64Field({ example: 0 }) readonly count: number;
  @Int64Field({ description: 'Money that they hold, minor units.', example: 0 }) readonly held_amount: bigint;
  @TimeField({ nullable: true, description: 'When the next of them must be answered; null when none can be.', example: null })
  readonly next_due_by: string | null;
}

class OpenPayoutsDto {
  @Int64Field({ example: 0 }) readonly count: number;
  @Int64Field({ description: 'Minor units, fees included.', example: 0 }) readonly amount: bigint;
}

class NotScheduledDto {
  @ApiProperty({ type: OpenDisputesDto, description: 'Disputes that are neither won nor lost.' }) readonly disputes: OpenDisputesDto;
  @ApiProperty({ type: BroughtDto, description: 'Refunds that are PENDING or PROCESSING.', example: { count: 0, net_amount: 0 } })
  readonly refunds: BroughtDto;
  @ApiProperty({ type: OpenPayoutsDto, description: 'Payouts that are PENDING or PROCESSING.' }) readonly payouts: OpenPayoutsDto;
}

class ForecastLineDto {
  @ApiProperty({ enum: Object.values(LINE_KINDS), example: 'CHARGE' }) readonly kind: LineKind;

  @UuidField({ description: 'Id of the charge, payout returned by a bank, refund, dispute, or hold or release of a dispute.' })
  readonly record_id: string;

  @UuidField({ nullable: true, description: 'null for a return.' }) readonly charge_id: string | null;
  @NullableText({ description: 'Code of the charge.', example: 'CHG_0123456789ABCDEF' }) readonly code: string | null;
  @NullableText({ description: 'The merchant’s own reference of the charge.', example: 'order-1' }) readonly reference_id: string | null;
  @TimeField({ description: 'When it is due, or was.' }) readonly due_on: string;

  @ApiProperty({ type: Boolean, description: 'A settlement that is not on the account yet has claimed it.', example: false })
  readonly claimed: boolean;

  @Int64Field({ description: 'Amount that the line adds to available, minor units; negative when it takes money.', example: 9930 })
  readonly net_amount: bigint;
}

class ForecastDetailDto {
  @ApiProperty({ type: 'string', format: 'date', description: 'Day of the lines.', example: '2026-01-31' }) readonly date: string;
  @ApiProperty({ type: [ForecastLineDto], description: 'Lines of the day by due time; today’s include overdue and claimed ones.' })
  readonly items: readonly ForecastLineDto[];
  @NullableText({ description: 'After for the next page, with this Detail; null at the end.', example: null }) readonly next_after: string | null;
}

/** Response of GET /v1/balances/{currency}/forecast. */
export class ForecastDto {
  @UuidField({ example: ID }) readonly merchant_id: string;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ description: 'The merchant’s time zone.', example: 'Asia/Jakarta' }) readonly time_zone: string;

  @Int64Field({ description: 'Log position of the last event included. Pages with the same position show the same moment.', example: 4711 })
  readonly position: number;

  @TimeField({ description: 'The moment from which the forecast looks ahead.' }) readonly made_on: string;
  @ApiProperty({ type: ForecastOpeningDto, description: 'The balance at that moment.' }) readonly opening: ForecastOpeningDto;
  @ApiProperty({ type: [ForecastDayDto], description: 'Days in the merchant’s time zone, today first.' }) readonly days: readonly ForecastDayDto[];

  @ApiProperty({ type: BroughtDto, description: 'Lines that are due after the last day.', example: { count: 0, net_amount: 0 } })
  readonly later: BroughtDto;

  @ApiProperty({ type: NotScheduledDto, description: 'Open records. The forecast assumes no outcome of them.' })
  readonly not_scheduled: NotScheduledDto;

  @ApiProperty({ type: ForecastDetailDto, required: false, description: 'Only with Detail.' }) readonly detail?: ForecastDetailDto;
}
