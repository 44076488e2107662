import { IsOptional } from 'class-validator';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { CHANNEL_CODES } from '../../domain/charges/charges.dto.js';
import { DAYS_DEFAULT, DAYS_MAX, IsDay } from '../../ledger/dto/list-query.dto.js';
import { SOURCE } from '../../domain/reconciliation/statements.dto.js';
import { MODES, type Mode } from '../../ledger/mode.js';
import type { Account } from '../../ledger/postings.js';
import { IsText, IsWord } from '../../platform/http/validation/validators.js';
import { ACCOUNTS } from '../../../projections/balances/journal.js';
import { Int64Field } from '../../platform/http/answer-fields.js';
import { JournalListQuery } from './journal.dto.js';

const FROM = `First day, in UTC; at most ${DAYS_MAX} days up to To. Default: ${DAYS_DEFAULT} days up to To.`;
const TO = 'Last day, in UTC. Default: today.';

/** Query of GET /audit/journal/days. */
export class JournalDaysQuery extends PickType(JournalListQuery, ['Mode', 'Currency', 'Account'] as const) {
  @IsOptional() @IsDay(FROM) readonly From?: string;
  @IsOptional() @IsDay(TO) readonly To?: string;
}

/** Query of GET /audit/charges/days. */
export class ChargeDaysQuery extends PickType(JournalListQuery, ['Mode', 'MerchantId', 'Currency'] as const) {
  @IsOptional() @IsWord(CHANNEL_CODES, { description: 'Returns charges of this channel only.' }) readonly ChannelCode?: string;
  @IsOptional() @IsDay(FROM) readonly From?: string;
  @IsOptional() @IsDay(TO) readonly To?: string;
}

/** Query of GET /audit/recon/breaks/days. */
export class BreakDaysQuery extends PickType(JournalListQuery, ['Mode'] as const) {
  @IsOptional() @IsText(SOURCE) readonly Source?: string;
  @IsOptional() @IsDay(FROM) readonly From?: string;
  @IsOptional() @IsDay(TO) readonly To?: string;
}

/** Query of GET /audit/recon/sources/days. */
export class SourceDaysQuery extends PickType(BreakDaysQuery, ['Mode', 'From', 'To'] as const) {}

const DAY = { description: 'Day in UTC.', example: '2026-01-31' } as const;

export class JournalDayDto {
  @ApiProperty({ enum: MODES, description: 'Mode of the merchants.', example: 'live' }) readonly mode: Mode;
  @ApiProperty() readonly currency: string;
  @ApiProperty(DAY) readonly day: string;
  @ApiProperty({ enum: ACCOUNTS, example: 'available' }) readonly account: Account;
  @Int64Field({ description: 'Sum of the debits that were booked on the day.', example: 5_000 }) readonly debit: bigint;
  @Int64Field({ description: 'Sum of the credits that were booked on the day.', example: 9_930 }) readonly credit: bigint;
  @Int64Field({ description: 'Balance at the end of the day: credit less debit since the first event.', example: 4_930 })
  readonly closing_balance: bigint;
}

export class JournalDaysDto {
  @ApiProperty({
    type: [JournalDayDto],
    description: 'Every day of each account that was ever moved, also days without a line: live first, by currency, day and account.',
  })
  readonly items: readonly JournalDayDto[];
}

export class ChargeDayDto {
  @ApiProperty(DAY) readonly day: string;
  @ApiProperty({ example: 'QR_QRIS' }) readonly channel_code: string;
  @ApiProperty({ description: 'Currency of the channel.' }) readonly currency: string;
  @Int64Field({ description: 'Charges of the day that are cancelled now.', example: 0 }) readonly cancelled_count: number;
  @Int64Field({ description: 'Charges of the day that are expired now.', example: 1 }) readonly expired_count: number;
  @Int64Field({ description: 'Charges of the day that have failed.', example: 1 }) readonly failed_count: number;
  @Int64Field({ description: 'Charges of the day that are not paid yet.', example: 2 }) readonly pending_count: number;
  @Int64Field({ description: 'Charges of the day that have been paid.', example: 18 }) readonly succeeded_count: number;
  @Int64Field({ description: 'Sum of their amounts, minor units.', example: 4_500_000 }) readonly succeeded_amount: bigint;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'succeeded / (succeeded + failed + expired), with four decimals; null when none of these exists.',
    example: 0.9,
  })
  readonly success_rate: number | null;
}

export class ChargeDaysDto {
  @ApiProperty({ type: [ChargeDayDto], description: 'Days and channels with charges, by day and channel.' })
  readonly items: readonly ChargeDayDto[];
}

export class BreakDayDto {
  @ApiProperty(DAY) readonly day: string;
  @Int64Field({ description: 'Breaks opened on the day; a break that opens again counts again.', example: 3 }) readonly opened_count: number;
  @Int64Field({ description: 'Breaks that were resolved on the day.', example: 2 }) readonly resolved_count: number;
  @Int64Field({ description: 'Breaks that were open at the end of the day, also accepted ones.', example: 1 }) readonly open_count: number;
}

export class BreakDaysDto {
  @ApiProperty({ type: [BreakDayDto], description: 'Every day of the period.' }) readonly items: readonly BreakDayDto[];
}

export class SourceDayDto {
  @ApiProperty({ description: 'Id of the source.', example: 'live-bca' }) readonly source: string;
  @ApiProperty({ description: 'Day in the source’s time zone.', example: '2026-01-31' }) readonly day: string;
  @Int64Field({
    description: 'Statements that close on the day, or batches that are booked on it; those of replaced files do not count.',
    example: 1,
  })
  readonly groups: number;
  @Int64Field({ description: 'Number of their lines.', example: 120 }) readonly lines: number;
  @Int64Field({ description: 'Lines that are not matched; a processor’s own charges count as matched.', example: 2 }) readonly open_lines: number;
  @Int64Field({ description: 'Breaks opened on the day that are OPEN.', example: 1 }) readonly breaks: number;
  @ApiProperty({ description: 'Whether a file of the day is missing.', example: false }) readonly is_missing: boolean;
}

export class SourceDaysDto {
  @ApiProperty({ type: [SourceDayDto], description: 'Days with a file, a break or a missing file, by source and day.' })
  readonly items: readonly SourceDayDto[];
}
