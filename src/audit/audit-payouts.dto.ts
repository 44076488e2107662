import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import type { HeldReason } from '../ledger/events/transfer.events.js';
import { PAYOUT_STATUSES, PENDING_REASON, PENDING_REASON_MEANINGS, type PayoutStatus } from '../payouts/payouts.dto.js';
import { PENDING_REASONS, type PendingReason } from '../payouts/pending-reason.js';
import { IsCurrency, IsId, IsName, IsWord } from '../platform/http/validators.js';
import { AMOUNT, ID, ListQuery, MERCHANT_FILTER, NEXT_RECORD, WHEN } from './list-query.dto.js';

/** Query of GET /audit/payouts. */
export class ListAuditPayoutsQuery extends ListQuery {
  @IsOptional()
  @IsId(MERCHANT_FILTER)
  readonly MerchantId?: string;

  @IsOptional()
  @IsCurrency()
  readonly Currency?: string;

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

export class AuditPayoutPageDto {
  @ApiProperty({ type: [AuditPayoutDto] })
  readonly items: readonly AuditPayoutDto[];

  @ApiProperty(NEXT_RECORD)
  readonly next_after: string | null;
}
