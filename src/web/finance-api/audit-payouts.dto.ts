import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { CANCEL_CAUSES, type CancelCause } from '../../ledger/events/account.events.js';
import type { HeldReason } from '../../ledger/events/transfer.events.js';
import {
  BeneficiaryDto,
  PAYOUT_STATUSES,
  PayoutApprovalDto,
  PENDING_REASON,
  PENDING_REASON_MEANINGS,
  type PayoutStatus,
} from '../../domain/payouts/payouts.dto.js';
import { PENDING_REASONS, type PendingReason } from '../../domain/payouts/pending-reason.js';
import { IsId, IsName, IsText, IsWord } from '../../platform/http/validation/validators.js';
import { MerchantsListQuery } from '../../ledger/dto/list-query.dto.js';
import { Int32Field, Int64Field, NullableText, pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Query of GET /audit/payouts. */
export class ListAuditPayoutsQuery extends MerchantsListQuery {
  @IsOptional() @IsWord(PAYOUT_STATUSES) readonly Status?: PayoutStatus;

  @IsOptional()
  @IsName(PENDING_REASONS, {
    description: 'Returns payouts that have not ended for this reason, at the time of reading. A page may be short although more pages follow.',
  })
  readonly PendingReason?: PendingReason;

  @IsOptional() @IsId({ description: 'next_after of the previous page.' }) readonly After?: string;
}

const HELD_REASONS = ['not-found', 'no-answer', 'contradiction'] as const satisfies readonly HeldReason[];

/** Leaves out the accounts that receive the money, as events do. */
export class AuditPayoutDto {
  @UuidField() readonly id: string;
  @UuidField() readonly merchant_id: string;
  @Int64Field({ description: 'Minor units: amount deducted from the balance.', example: 1_000_000 }) readonly amount: number;
  @Int64Field({ description: 'Minor units.', example: 250_000 }) readonly fee_amount: number;
  @Int64Field({ description: 'Minor units: amount that the bank account receives.', example: 750_000 }) readonly net_amount: number;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ enum: PAYOUT_STATUSES }) readonly payout_status: PayoutStatus;

  @ApiProperty({
    ...PENDING_REASON,
    description: `Why the payout has not ended, at the time of reading. ${PENDING_REASON_MEANINGS}`,
    example: 'held',
  })
  readonly pending_reason: PendingReason | null;

  @NullableText({ description: 'Rail of the first attempt; null before, and for the simulated bank.', example: 'bca-live' }) readonly rail:
    string | null;
  @NullableText({
    description: 'Our reference at the bank, which its statements name; null before the first attempt, and at the simulated bank before the result.',
    example: '1769847330123042917',
  })
  readonly partner_reference: string | null;

  @ApiProperty({ enum: HELD_REASONS, type: 'string', nullable: true, description: 'Why people must decide the result of the payout.', example: null })
  readonly held_reason: HeldReason | null;

  @TimeField({ nullable: true, description: 'When the payout was held.', example: null }) readonly held_on: string | null;
  @ApiProperty({ example: 'Bank Central Asia' }) readonly bank_name: string;
  @TimeField() readonly created_on: string;
  @TimeField() readonly updated_on: string;
  @Int32Field({ description: 'Whole days since it was requested.', example: 0 }) readonly age_days: number;
}

export class GivenApprovalDto {
  @UuidField({ description: 'Id of the operator.' }) readonly person_id: string;
  @ApiProperty({ example: 'Siti Rahma' }) readonly name: string;
  @ApiProperty({ description: 'Key that was used.', example: 'key_0123456789abcdef0123' }) readonly key_id: string;
  @ApiProperty({ example: 'as in the payroll of January' }) readonly reason: string;
  @TimeField({ description: 'When it was approved.' }) readonly approved_on: string;
}

/** Shows the account that receives the money to operators who may approve the payout. */
export class AuditPayoutDetailDto extends AuditPayoutDto {
  @NullableText({ description: 'Null for operators without the role approver.', example: 'Toko Melati' }) readonly bank_account_name: string | null;
  @NullableText({ description: 'Null for operators without the role approver.', example: '1234567890' }) readonly bank_account_number: string | null;
  @NullableText({ description: 'The bank_code of the merchant’s request.', example: '014' }) readonly bank_code: string | null;

  @ApiProperty({ type: BeneficiaryDto, nullable: true, description: 'The bank’s answer about the account; null until the bank was asked.' })
  readonly beneficiary: BeneficiaryDto | null;

  @ApiProperty({ type: PayoutApprovalDto, nullable: true, description: 'Null if the payout needs no approval.' })
  readonly approval: PayoutApprovalDto | null;

  @ApiProperty({ type: [GivenApprovalDto], description: 'Valid approvals, in order.' }) readonly approvals: readonly GivenApprovalDto[];

  @ApiProperty({ enum: CANCEL_CAUSES, type: 'string', nullable: true, description: 'Reason why it is CANCELLED; null otherwise.', example: null })
  readonly cancel_cause: CancelCause | null;

  @NullableText({
    description:
      'Digest of the data in this response. Approving and declining name it. Null if the payout needs no approval, and for operators without the role.',
    example: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2',
  })
  readonly digest: string | null;
}

/** Body of POST /audit/payouts/{id}/approve and …/decline. */
export class ActOnPayoutBody {
  @IsText({
    min: 64,
    max: 64,
    pattern: /^[0-9a-f]+$/,
    description: 'Digest of the payout as it was shown.',
    example: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2',
  })
  readonly digest: string;

  @IsText({ max: 500, description: 'Reason for people who read the log.', example: 'as in the payroll of January' }) readonly reason: string;
}

export class AuditPayoutPageDto extends pageOf(AuditPayoutDto) {}
