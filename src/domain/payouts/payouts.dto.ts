import { IsOptional } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Fee } from '../../ledger/money.js';
import { IsCurrency, IsMetadata, IsMinorUnits, IsQueryBoolean, IsText, IsTimestamp, IsWord } from '../../platform/http/validation/validators.js';
import { PageQuery } from '../../platform/http/pages.dto.js';
import type { NameMatch } from '../../ledger/events/transfer.events.js';
import { PENDING_REASONS, type PendingReason } from './pending-reason.js';
import { Int64Field, IntegerField, NullableText, TimeField, UuidField } from '../../platform/http/answer-fields.js';

export const PAYOUT_STATUSES = ['PENDING', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'REVERSED'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export const PENDING_REASON = { enum: PENDING_REASONS, type: 'string', nullable: true } as const;
export const PENDING_REASON_MEANINGS =
  'PENDING: approval (persons of the house must approve it), no-rail (nobody pays it out yet), bank-unknown (give bank_code), beneficiary-differs (the account is somebody else’s: it waits for the operator, or for you to cancel it), rail-paused, quiet-hours, rail-unavailable. PROCESSING: awaiting-bank, waiting-rail, outcome-unknown (the bank is being asked), held (people are asking the bank).';

const NAME_MATCHES = ['EXACT', 'CLOSE', 'DIFFERENT', 'UNKNOWN'] as const satisfies readonly NameMatch[];

/** Body of POST /v1/payouts. */
export class RequestPayoutBody {
  @IsMinorUnits({
    description: 'Minor units, more than the fee, which comes out of it. What is left must be whole rupiah where the bank pays no others.',
    example: 1_000_000,
  })
  readonly amount: number;

  @IsCurrency({ description: 'A currency in which you hold a balance.' }) readonly currency: string;
  @IsText({ max: 255, description: 'Who is paid.', example: 'Toko Melati' }) readonly bank_account_name: string;

  @IsText({ min: 4, max: 34, pattern: /^[A-Za-z0-9]+$/, patternDetail: 'Takes letters and digits only.', example: '1234567890' })
  readonly bank_account_number: string;

  @IsText({ max: 255, example: 'Bank Central Asia' }) readonly bank_name: string;

  @IsOptional()
  @IsText({
    max: 20,
    pattern: /^[A-Za-z0-9]+$/,
    patternDetail: 'Takes letters and digits only.',
    description: 'As payout rails number banks, where bank_name alone does not say which it is.',
    example: '014',
  })
  readonly bank_code?: string | null;

  @IsOptional()
  @IsText({ min: 0, max: 255, description: 'Your own number; not answered.', example: 'payroll-2026-01' })
  readonly reference_id?: string | null;

  @IsOptional()
  @IsText({ min: 0, max: 255, multiline: true, description: 'What the payout is for.', example: 'January' })
  readonly description?: string | null;

  @IsOptional() @IsMetadata({ description: 'Your own pairs of strings; not answered.' }) readonly metadata?: Readonly<Record<string, string>> | null;
}

/** Query of GET /v1/payouts. */
export class ListPayoutsQuery extends PageQuery {
  @IsOptional() @IsCurrency() readonly Currency?: string;
  @IsOptional() @IsWord(PAYOUT_STATUSES) readonly Status?: PayoutStatus;
  @IsOptional() @IsTimestamp({ round: 'up', description: 'Created at or after.' }) readonly DateFrom?: string;
  @IsOptional() @IsTimestamp({ round: 'down', description: 'Created at or before.' }) readonly DateTo?: string;
  @IsQueryBoolean({ description: 'By creation; turns the whole order round, ties too.' }) readonly IsDescending: boolean = false;
}

export class PayoutFeeDto {
  @ApiProperty({ enum: ['PERCENTAGE', 'FIXED'], example: 'FIXED' }) readonly type: string;
  @ApiProperty({ type: Number, description: 'A percentage (0.7 means 0.7 %) or minor units.', example: 250_000 }) readonly value: number;
}

export class BeneficiaryDto {
  @ApiProperty({
    enum: NAME_MATCHES,
    description: 'How bank_account_name compares with the name that the bank has; UNKNOWN: the bank would not say.',
    example: 'EXACT',
  })
  readonly match: NameMatch;

  @NullableText({ description: 'First letters of the name that the bank has.', example: 'T*** M***' }) readonly name_masked: string | null;
}

export class PayoutApprovalDto {
  @IntegerField({ description: 'How many persons must approve it before it goes to a bank.', example: 2 }) readonly required: number;
  @IntegerField({ description: 'How many have.', example: 1 }) readonly given: number;
  @TimeField({ description: 'It is cancelled then, if approvals are missing.' }) readonly approve_by: string;
}

export class PayoutDto {
  @UuidField() readonly id: string;
  @UuidField() readonly merchant_id: string;
  @ApiProperty({ type: PayoutFeeDto }) readonly fee: Fee;
  @Int64Field({ description: 'Minor units: what leaves your balance.', example: 1_000_000 }) readonly amount: number;
  @Int64Field({ description: 'Minor units.', example: 250_000 }) readonly fee_amount: number;
  @Int64Field({ description: 'Minor units: what the bank account receives.', example: 750_000 }) readonly net_amount: number;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ example: 'Toko Melati' }) readonly bank_account_name: string;
  @ApiProperty({ example: '1234567890' }) readonly bank_account_number: string;
  @ApiProperty({ example: 'Bank Central Asia' }) readonly bank_name: string;

  @ApiProperty({ enum: PAYOUT_STATUSES, description: 'REVERSED: the bank returned it, and its net and fee are available again.' })
  readonly payout_status: PayoutStatus;

  @NullableText({ example: 'January' }) readonly description: string | null;
  @TimeField() readonly created_on: string;
  @TimeField() readonly updated_on: string;
  @NullableText({ description: 'As it was given.', example: '014' }) readonly bank_code: string | null;

  @ApiProperty({
    ...PENDING_REASON,
    description: `Why it has not ended, when it is read. ${PENDING_REASON_MEANINGS} Null otherwise. Notifications and answers to POST say approval only.`,
    example: null,
  })
  readonly pending_reason: PendingReason | null;

  @ApiProperty({
    type: BeneficiaryDto,
    nullable: true,
    description: 'What the bank says of the account; null until it was asked, and in notifications and answers to POST.',
  })
  readonly beneficiary: BeneficiaryDto | null;

  @ApiPropertyOptional({ type: PayoutApprovalDto, description: 'Absent where nobody has to approve it.' }) readonly approval?: PayoutApprovalDto;
}
