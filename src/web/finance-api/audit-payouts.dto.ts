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
import { AMOUNT, ID, MerchantsListQuery, NEXT_RECORD, WHEN } from '../../ledger/list-query.dto.js';

/** Query of GET /audit/payouts. */
export class ListAuditPayoutsQuery extends MerchantsListQuery {
  @IsOptional()
  @IsWord(PAYOUT_STATUSES)
  readonly Status?: PayoutStatus;

  @IsOptional()
  @IsName(PENDING_REASONS, { description: 'Those that have not ended for this reason, when they are read. A page may be short and not the last.' })
  readonly PendingReason?: PendingReason;

  @IsOptional()
  @IsId({ description: 'The next_after of the page before: the payout to go on behind.', example: ID })
  readonly After?: string;
}

const HELD_REASONS = ['not-found', 'no-answer', 'contradiction'] as const satisfies readonly HeldReason[];

/** Whose accounts the money goes to stays out, as of events. */
export class AuditPayoutDto {
  @ApiProperty({ format: 'uuid', example: ID })
  readonly id: string;

  @ApiProperty({ format: 'uuid' })
  readonly merchant_id: string;

  @ApiProperty({ ...AMOUNT, description: 'Minor units: what leaves the balance.', example: 1_000_000 })
  readonly amount: number;

  @ApiProperty({ ...AMOUNT, description: 'Minor units.', example: 250_000 })
  readonly fee_amount: number;

  @ApiProperty({ ...AMOUNT, description: 'Minor units: what the bank account receives.', example: 750_000 })
  readonly net_amount: number;

  @ApiProperty({ example: 'IDR' })
  readonly currency: string;

  @ApiProperty({ enum: PAYOUT_STATUSES })
  readonly payout_status: PayoutStatus;

  @ApiProperty({ ...PENDING_REASON, description: `Why it has not ended, when it is read. ${PENDING_REASON_MEANINGS}`, example: 'held' })
  readonly pending_reason: PendingReason | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'That it was begun on; null: none yet, or the simulated bank.', example: 'bca-live' })
  readonly rail: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Our reference at the bank.', example: '1769847330123042917' })
  readonly partner_reference: string | null;

  @ApiProperty({ enum: HELD_REASONS, type: 'string', nullable: true, description: 'Why people have to decide what became of it.', example: null })
  readonly held_reason: HeldReason | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'Since when.', example: null })
  readonly held_on: string | null;

  @ApiProperty({ example: 'Bank Central Asia' })
  readonly bank_name: string;

  @ApiProperty({ format: 'date-time', example: WHEN })
  readonly created_on: string;

  @ApiProperty({ format: 'date-time', example: WHEN })
  readonly updated_on: string;

  @ApiProperty({ type: 'integer', description: 'Whole days since it was requested.', example: 0 })
  readonly age_days: number;
}

export class GivenApprovalDto {
  @ApiProperty({ format: 'uuid', description: 'Of the person.', example: ID })
  readonly person_id: string;

  @ApiProperty({ example: 'Siti Rahma' })
  readonly name: string;

  @ApiProperty({ description: 'With which it was done.', example: 'key_0123456789abcdef0123' })
  readonly key_id: string;

  @ApiProperty({ example: 'as in the payroll of January' })
  readonly reason: string;

  @ApiProperty({ format: 'date-time', description: 'When it was done.', example: WHEN })
  readonly approved_on: string;
}

/** To who may approve it, it says whose account the money goes to. */
export class AuditPayoutDetailDto extends AuditPayoutDto {
  @ApiProperty({ type: 'string', nullable: true, description: 'Null for who has not the role of an approver.', example: 'Toko Melati' })
  readonly bank_account_name: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Null for who has not the role of an approver.', example: '1234567890' })
  readonly bank_account_number: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'As the merchant gave it.', example: '014' })
  readonly bank_code: string | null;

  @ApiProperty({ type: BeneficiaryDto, nullable: true, description: 'What the bank says of the account; null until it was asked.' })
  readonly beneficiary: BeneficiaryDto | null;

  @ApiProperty({ type: PayoutApprovalDto, nullable: true, description: 'Null where nobody has to approve it.' })
  readonly approval: PayoutApprovalDto | null;

  @ApiProperty({ type: [GivenApprovalDto], description: 'That count, in their order.' })
  readonly approvals: readonly GivenApprovalDto[];

  @ApiProperty({ enum: CANCEL_CAUSES, type: 'string', nullable: true, description: 'Why it is CANCELLED; else null.', example: null })
  readonly cancel_cause: CancelCause | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Of what this answer shows: approving and declining name it. Null where nobody has to approve it, and for who has not the role.',
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
    description: 'Of the payout as it was shown.',
    example: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2',
  })
  readonly digest: string;

  @IsText({ max: 500, description: 'For whoever reads the log.', example: 'as in the payroll of January' })
  readonly reason: string;
}

export class AuditPayoutPageDto {
  @ApiProperty({ type: [AuditPayoutDto] })
  readonly items: readonly AuditPayoutDto[];

  @ApiProperty(NEXT_RECORD)
  readonly next_after: string | null;
}
