import { IsOptional } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { HistoryEventDto } from '../../ledger/dto/history-event.dto.js';
import type { Fee } from '../../ledger/money.js';
import { IsMinorUnits } from '../../platform/http/validation/number-validators.js';
import { IsCurrency, IsMetadata, IsQueryBoolean, IsText, IsTimestamp, IsWord } from '../../platform/http/validation/validators.js';
import { PageQuery } from '../../platform/http/pages.dto.js';
import type { NameMatch } from '../../ledger/events/transfer.events.js';
import type { PayoutOrderBody } from './payout.handlers.js';
import { PENDING_REASONS, type PendingReason } from './pending-reason.js';
import { Int32Field, Int64Field, NullableText, TimeField, UuidField } from '../../platform/http/answer-fields.js';

export const PAYOUT_STATUSES = ['PENDING', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'REVERSED'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export const PENDING_REASON = { enum: PENDING_REASONS, type: 'string', nullable: true } as const;
export const PENDING_REASON_MEANINGS =
  'PENDING: approval (operators must approve it), no-rail (no rail is set for it yet), bank-unknown (set bank_code), beneficiary-differs (the account belongs to another name: the operator of the service accepts it, or you cancel it), rail-paused, quiet-hours, rail-unavailable. PROCESSING: awaiting-bank, waiting-rail, outcome-unknown (inquiries to the bank continue), held (people are asking the bank).';

const NAME_MATCHES = ['EXACT', 'CLOSE', 'DIFFERENT', 'UNKNOWN'] as const satisfies readonly NameMatch[];

/** Body of POST /v1/payouts. */
export class RequestPayoutBody {
  @IsMinorUnits({
    description: 'Minor units, more than the fee, which is deducted from it. The rest must be whole rupiah if the bank accepts no fractions.',
    example: 1_000_000,
  })
  readonly amount: number;

  @IsCurrency({ description: 'A currency in which you hold a balance.' }) readonly currency: string;
  @IsText({ max: 255, description: 'Name of the account holder.', example: 'Toko Melati' }) readonly bank_account_name: string;

  @IsText({ min: 4, max: 34, pattern: /^[A-Za-z0-9]+$/, patternDetail: 'Takes letters and digits only.', example: '1234567890' })
  readonly bank_account_number: string;

  @IsText({ max: 255, example: 'Bank Central Asia' }) readonly bank_name: string;

  @IsOptional()
  @IsText({
    max: 20,
    pattern: /^[A-Za-z0-9]+$/,
    patternDetail: 'Takes letters and digits only.',
    description: 'Bank number as payout rails define it. Set it if bank_name alone is ambiguous.',
    example: '014',
  })
  readonly bank_code?: string | null;

  @IsOptional()
  @IsText({ min: 0, max: 255, description: 'Your own reference; not returned.', example: 'payroll-2026-01' })
  readonly reference_id?: string | null;

  @IsOptional()
  @IsText({ min: 0, max: 255, multiline: true, description: 'Purpose of the payout.', example: 'January' })
  readonly description?: string | null;

  @IsOptional() @IsMetadata({ description: 'Your own key-value pairs; values are strings. Not returned.' }) readonly metadata?: Readonly<
    Record<string, string>
  > | null;
}

/** Returns the order of a body, without its own bank_code when it has none: each member is part of the request's fingerprint. */
export function toPayoutOrder({ bank_code, reference_id, description, metadata, ...asked }: RequestPayoutBody): PayoutOrderBody {
  const order = { ...asked, reference_id: reference_id ?? null, description: description ?? null, metadata: metadata ?? {} };
  return bank_code ? { ...order, bank_code } : order;
}

/** Query of GET /v1/payouts. */
export class ListPayoutsQuery extends PageQuery {
  @IsOptional() @IsCurrency() readonly Currency?: string;
  @IsOptional() @IsWord(PAYOUT_STATUSES) readonly Status?: PayoutStatus;
  @IsOptional() @IsTimestamp({ round: 'up', description: 'Created at or after this moment.' }) readonly DateFrom?: string;
  @IsOptional() @IsTimestamp({ round: 'down', description: 'Created at or before this moment.' }) readonly DateTo?: string;
  @IsQueryBoolean({ description: 'Newest first. Reverses the whole order, ties included.' }) readonly IsDescending: boolean = false;
}

export class PayoutFeeDto {
  @ApiProperty({ enum: ['PERCENTAGE', 'FIXED'], example: 'FIXED' }) readonly type: string;
  @ApiProperty({ type: Number, description: 'A percentage (0.7 means 0.7 %) or minor units.', example: 250_000 }) readonly value: number;
}

export class BeneficiaryDto {
  @ApiProperty({
    enum: NAME_MATCHES,
    description: 'How bank_account_name compares with the name at the bank; UNKNOWN: the bank did not answer the question.',
    example: 'EXACT',
  })
  readonly match: NameMatch;

  @NullableText({ description: 'First letters of the name at the bank.', example: 'T*** M***' }) readonly name_masked: string | null;
}

export class PayoutApprovalDto {
  @Int32Field({ description: 'Number of operators who must approve the payout before it is sent to a bank.', example: 2 })
  readonly required: number;
  @Int32Field({ description: 'Number of operators who have approved it.', example: 1 }) readonly given: number;
  @TimeField({ description: 'The payout is cancelled at this moment if approvals are missing.' }) readonly approve_by: string;
}

export class PayoutDto {
  @UuidField() readonly id: string;
  @UuidField() readonly merchant_id: string;
  @ApiProperty({ type: PayoutFeeDto }) readonly fee: Fee;
  @Int64Field({ description: 'Minor units: amount deducted from your balance.', example: 1_000_000 }) readonly amount: number;
  @Int64Field({ description: 'Minor units.', example: 250_000 }) readonly fee_amount: number;
  @Int64Field({ description: 'Minor units: amount that the bank account receives.', example: 750_000 }) readonly net_amount: number;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ example: 'Toko Melati' }) readonly bank_account_name: string;
  @ApiProperty({ example: '1234567890' }) readonly bank_account_number: string;
  @ApiProperty({ example: 'Bank Central Asia' }) readonly bank_name: string;

  @ApiProperty({ enum: PAYOUT_STATUSES, description: 'REVERSED: the bank returned the payout; its net amount and fee are available again.' })
  readonly payout_status: PayoutStatus;

  @NullableText({ example: 'January' }) readonly description: string | null;
  @TimeField() readonly created_on: string;
  @TimeField() readonly updated_on: string;
  @NullableText({ description: 'The bank_code of the request.', example: '014' }) readonly bank_code: string | null;

  @ApiProperty({
    ...PENDING_REASON,
    description: `Why the payout has not ended, at the time of reading. ${PENDING_REASON_MEANINGS} Null otherwise. Notifications and responses to POST contain approval only.`,
    example: null,
  })
  readonly pending_reason: PendingReason | null;

  @ApiProperty({
    type: BeneficiaryDto,
    nullable: true,
    description: 'The bank’s answer about the account; null until the bank was asked, and in notifications and responses to POST.',
  })
  readonly beneficiary: BeneficiaryDto | null;

  @ApiPropertyOptional({ type: PayoutApprovalDto, description: 'Absent if the payout needs no approval.' }) readonly approval?: PayoutApprovalDto;
}

export class PayoutEventDto extends HistoryEventDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The recorded event. An approval does not name who gave it, and a settlement has the lines about this payout only.',
  })
  readonly data: object;
}
