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
import { ListQuery, MerchantsListQuery, type Amount } from '../../ledger/dto/list-query.dto.js';
import { IsQueryInteger } from '../../platform/http/validation/number-validators.js';
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

/** Query of GET /audit/payouts/{id}/events. */
export class ListPayoutEventsQuery extends ListQuery {
  @IsQueryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Returns events after this position.', example: 0 }) readonly After: number =
    0;
}

/** Query of GET /audit/payouts/{id}/funding. */
export class ListPayoutFundingQuery extends ListQuery {
  @IsQueryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'next_after of the previous page.', example: 0 }) readonly After: number = 0;
}

/** A settlement or an adjustment that paid for a part of a payout. */
export class PayoutFundingDto {
  @UuidField({ nullable: true, description: 'null for an adjustment.' }) readonly settlement_id: string | null;
  @Int64Field({ nullable: true, description: 'Number of the settlement; null for an adjustment.', example: 12 })
  readonly settlement_number: number | null;
  @UuidField({ nullable: true, description: 'Id of the proposal of an adjustment; null for a settlement.', example: null })
  readonly adjustment_id: string | null;
  @TimeField({ description: 'When its money became available.' }) readonly settled_on: string;
  @Int64Field({ description: 'Minor units: its whole amount.', example: 1_500_000 }) readonly net_amount: Amount;
  @Int64Field({ description: 'Minor units: the part that paid for this payout.', example: 1_000_000 }) readonly used_amount: Amount;
}

export class PayoutFundingPageDto {
  @ApiProperty({ type: [PayoutFundingDto] }) readonly items: readonly PayoutFundingDto[];
  @Int64Field({ nullable: true, description: 'After for the next page; null at the end.', example: null }) readonly next_after: number | null;
}

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
  @TimeField({ nullable: true, description: 'When it was submitted to the bank; null before.' }) readonly submitted_on: string | null;
  @TimeField({ nullable: true, description: 'When the bank paid it; null before. It stays when the bank returns the payout later.' })
  readonly paid_on: string | null;
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
  @NullableText({ example: 'January' }) readonly description: string | null;

  @ApiProperty({ type: BeneficiaryDto, nullable: true, description: 'The bank’s answer about the account; null until the bank was asked.' })
  readonly beneficiary: BeneficiaryDto | null;

  @ApiProperty({ type: PayoutApprovalDto, nullable: true, description: 'Null if the payout needs no approval.' })
  readonly approval: PayoutApprovalDto | null;

  @ApiProperty({ type: [GivenApprovalDto], description: 'Valid approvals, in order.' }) readonly approvals: readonly GivenApprovalDto[];

  @Int64Field({
    nullable: true,
    description:
      'Seconds within which nine of ten payouts of its rail were paid after they had been submitted, by those among the newest 1,000 payouts. Null when fewer than 20 of them are paid, and for a payout that has ended or has no rail.',
    example: 3,
  })
  readonly usual_seconds: number | null;

  @TimeField({
    nullable: true,
    description:
      'Time by which an open payout is usually paid: usual_seconds after it was submitted, or after it can be submitted, when the quiet hours of its rail end. Past for a payout that takes longer. Null while that is open: it waits for people, for its rail or for an unknown result, or usual_seconds is null.',
    example: '2026-03-02T08:00:03.000+00:00',
  })
  readonly arrives_by: string | null;

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
