import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { FORECAST_DAYS, FORECAST_DAYS_MAX } from '../../balances/forecast.dto.js';
import { IsMode } from '../../../ledger/dto/list-query.dto.js';
import { MODES, type Mode } from '../../../ledger/mode.js';
import { Int64Field, pageOf } from '../../../platform/http/answer-fields.js';
import { IsQueryInteger } from '../../../platform/http/validation/number-validators.js';
import { IsCurrency } from '../../../platform/http/validation/validators.js';

/** Selection of a forecast in one mode. */
export class CashForecastSelection {
  @IsOptional() @IsCurrency() readonly Currency?: string;

  @IsQueryInteger({ min: 1, max: FORECAST_DAYS_MAX, description: 'Number of days, today included.', example: FORECAST_DAYS })
  readonly Days: number = FORECAST_DAYS;
}

/** Query of GET /audit/cash-forecast. */
export class CashForecastQuery extends CashForecastSelection {
  @IsMode() readonly Mode?: Mode;
}

/** OVERDUE: was to be remitted before today. UNDATED: its processor has no source. LATER: is to be remitted after the last day. */
export const CASH_KINDS = ['DAY', 'LATER', 'OVERDUE', 'UNDATED'] as const;
export type CashKind = (typeof CASH_KINDS)[number];

const OF_A_DAY = { nullable: true, example: 12_000_000 } as const;

export class CashForecastDto {
  @ApiProperty({ enum: MODES, example: 'live' }) readonly mode: Mode;
  @ApiProperty() readonly currency: string;

  @ApiProperty({
    enum: CASH_KINDS,
    description:
      'DAY: a day of the forecast. OVERDUE: items that processors should have remitted before today. UNDATED: items of processors without a source. LATER: items that are due after the last day.',
    example: 'DAY',
  })
  readonly kind: CashKind;

  @ApiProperty({
    type: 'string',
    format: 'date',
    nullable: true,
    description: 'Day in the time zone of the books; null unless kind is DAY.',
    example: '2026-01-31',
  })
  readonly date: string | null;

  @Int64Field({ description: 'Number of payments, reversals, refunds and disputes that no batch has remitted.', example: 120 })
  readonly items: number;

  @Int64Field({
    description: 'Sum of the items, minor units; negative for an amount that we owe. All rows add up to −`processor` of the trial balance.',
    example: 12_100_000,
  })
  readonly owed_amount: bigint;

  @Int64Field({ description: 'Fees and tax that processors deduct by the terms of their sources.', example: 100_000 }) readonly cost_amount: bigint;

  @ApiProperty({ type: Boolean, description: 'Whether the source has a cost for the channel of each payment among the items.', example: true })
  readonly cost_known: boolean;

  @Int64Field({ description: 'Money that processors remit: owed_amount less cost_amount.', example: 12_000_000 }) readonly from_processors: bigint;

  @Int64Field({ ...OF_A_DAY, description: 'Sum of the available balances of merchants above zero at the end of the day, by their forecasts.' })
  readonly may_leave: bigint | null;

  @Int64Field({ ...OF_A_DAY, description: 'Net amount of payouts that are PENDING or PROCESSING now.' }) readonly ordered: bigint | null;

  @Int64Field({ ...OF_A_DAY, description: 'Cash in the books, and the money that processors remit up to the end of the day.' })
  readonly cash: bigint | null;

  @Int64Field({ nullable: true, description: 'Amount by which may_leave and ordered exceed cash; 0 when they do not.', example: 0 })
  readonly short_by: bigint | null;
}

export class CashForecastPageDto extends pageOf(CashForecastDto, { description: 'Always null: the list has one page.', example: null }) {}
