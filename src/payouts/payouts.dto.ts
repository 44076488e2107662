import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import type { Fee } from '../ledger/money.js';
import { IsCurrency, IsMetadata, IsMinorUnits, IsQueryBoolean, IsText, IsTimestamp, IsWord } from '../platform/http/validators.js';
import { PageQuery } from '../platform/http/pages.dto.js';
import { later } from '../ledger/time.js';
import type { PayoutRegistered } from '../ledger/events/payout.events.js';

const STATUSES = ['PENDING', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'REVERSED'] as const;
type PayoutStatus = (typeof STATUSES)[number];

const WHEN = '2026-01-31T08:15:30.123+00:00';

/** Body of POST /v1/payouts. */
export class RequestPayoutBody {
  @IsMinorUnits({ description: 'Minor units, more than the fee, which comes out of it.', example: 1_000_000 })
  readonly amount: number;

  @IsCurrency({ description: 'A currency in which you hold a balance.' })
  readonly currency: string;

  @IsText({ max: 255, description: 'Who is paid.', example: 'Toko Melati' })
  readonly bank_account_name: string;

  @IsText({ min: 4, max: 34, pattern: /^[A-Za-z0-9]+$/, patternDetail: 'Takes letters and digits only.', example: '1234567890' })
  readonly bank_account_number: string;

  @IsText({ max: 255, example: 'Bank Central Asia' })
  readonly bank_name: string;

  @IsOptional()
  @IsText({ min: 0, max: 255, description: 'Your own number; not answered.', example: 'payroll-2026-01' })
  readonly reference_id?: string | null;

  @IsOptional()
  @IsText({ min: 0, max: 255, multiline: true, description: 'What the payout is for.', example: 'January' })
  readonly description?: string | null;

  @IsOptional()
  @IsMetadata({ description: 'Your own pairs of strings; not answered.' })
  readonly metadata?: Readonly<Record<string, string>> | null;
}

/** Query of GET /v1/payouts. */
export class ListPayoutsQuery extends PageQuery {
  @IsOptional()
  @IsCurrency()
  readonly Currency?: string;

  @IsOptional()
  @IsWord(STATUSES)
  readonly Status?: PayoutStatus;

  @IsOptional()
  @IsTimestamp({ round: 'up', description: 'Created at or after.' })
  readonly DateFrom?: string;

  @IsOptional()
  @IsTimestamp({ round: 'down', description: 'Created at or before.' })
  readonly DateTo?: string;

  @IsQueryBoolean({ description: 'By creation; turns the whole order round, ties too.' })
  readonly IsDescending: boolean = false;
}

export class PayoutFeeDto {
  @ApiProperty({ enum: ['PERCENTAGE', 'FIXED'], example: 'FIXED' })
  readonly type: string;

  @ApiProperty({ type: Number, description: 'A percentage (0.7 means 0.7 %) or minor units.', example: 250_000 })
  readonly value: number;
}

export class PayoutDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d' })
  readonly id: string;

  @ApiProperty({ format: 'uuid' })
  readonly merchant_id: string;

  @ApiProperty({ type: PayoutFeeDto })
  readonly fee: Fee;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Minor units: what leaves your balance.', example: 1_000_000 })
  readonly amount: number;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Minor units.', example: 250_000 })
  readonly fee_amount: number;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Minor units: what the bank account receives.', example: 750_000 })
  readonly net_amount: number;

  @ApiProperty({ example: 'IDR' })
  readonly currency: string;

  @ApiProperty({ example: 'Toko Melati' })
  readonly bank_account_name: string;

  @ApiProperty({ example: '1234567890' })
  readonly bank_account_number: string;

  @ApiProperty({ example: 'Bank Central Asia' })
  readonly bank_name: string;

  @ApiProperty({ enum: STATUSES, description: 'REVERSED: the bank returned it, and its net and fee are available again.' })
  readonly payout_status: PayoutStatus;

  @ApiProperty({ type: 'string', nullable: true, example: 'January' })
  readonly description: string | null;

  @ApiProperty({ format: 'date-time', example: WHEN })
  readonly created_on: string;

  @ApiProperty({ format: 'date-time', example: WHEN })
  readonly updated_on: string;
}

/**
 * A payout as its first event holds it, at the status it has: the same bytes whenever it is asked for. The requesting process may have
 * had a later clock than the one that changed it: `updated_on` is never before `created_on`.
 */
export function toPayout(registered: PayoutRegistered, payout_status: PayoutStatus, updated_on: string): PayoutDto {
  return {
    id: registered.payout_id,
    merchant_id: registered.merchant_id,
    fee: registered.fee,
    amount: registered.amount,
    fee_amount: registered.fee_amount,
    net_amount: registered.net_amount,
    currency: registered.currency,
    bank_account_name: registered.bank_account_name,
    bank_account_number: registered.bank_account_number,
    bank_name: registered.bank_name,
    payout_status,
    description: registered.description,
    created_on: registered.created_on,
    updated_on: later(registered.created_on, updated_on),
  };
}
