import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { AGES, type BreakAge } from '../../../../projections/reconciliation/matches/ages.js';
import { BREAK_STATUSES, type BreakStatus } from '../../../../projections/reconciliation/matches/match-reads.js';
import { PROPOSAL_FILTERS, type ProposalFilter } from '../../../../projections/approvals/proposals.js';
import { ITEM_KINDS } from '../../../../projections/reconciliation/items/items-table.js';
import { BREAK_KINDS, type BreakKind } from '../../../../projections/reconciliation/days/tick.js';
import { DIFFERENCE_ACCOUNTS, type DifferenceAccount } from '../../../ledger/events/break.events.js';
import { LINE_KINDS } from '../../../ledger/events/reconciliation.events.js';
import { MODES } from '../../../ledger/mode.js';
import { IsId, IsName, IsText, IsWord } from '../../../platform/http/validation/validators.js';
import { ReconListQuery } from '../statements.dto.js';
import { ID, Int32Field, Int64Field, NullableText, pageOf, TimeField, UuidField } from '../../../platform/http/answer-fields.js';

const LINE_ID = { description: 'Id of the line; digits.', example: '4711000' } as const;
const BATCH = { type: String, nullable: true, description: 'Batch that the line is paid with.', example: 'B-20260131' } as const;

export const DIFFERENCE = { type: 'integer', format: 'int64', nullable: true, example: null } as const;
export const DIFFERENCE_TO = { enum: DIFFERENCE_ACCOUNTS, type: String, nullable: true, example: null } as const;

/** A parameter of lists whose records are the subject of proposals. */
export const PROPOSAL = { description: 'pending: returns only records with an open proposal; none: only the others.', example: 'pending' } as const;

/** Query of GET /audit/recon/matches. */
export class ListReconMatchesQuery extends ReconListQuery {
  @IsOptional() @IsId({ description: 'Returns matches of lines of this file only.' }) readonly Statement?: string;
  @IsOptional() @IsId({ description: 'Returns matches of this charge only.' }) readonly Charge?: string;
  @IsOptional() @IsId({ description: 'Returns matches of this payout only.' }) readonly Payout?: string;

  @IsOptional()
  @IsText({ max: 18, pattern: /^[0-9]+$/, description: 'next_after of the previous page.', example: '4711000' })
  readonly After?: string;
}

/** Query of GET /audit/recon/breaks. */
export class ListReconBreaksQuery extends ReconListQuery {
  @IsOptional() @IsWord(BREAK_KINDS, { description: 'Returns breaks of this kind only.', example: 'AMOUNT' }) readonly Kind?: BreakKind;
  @IsOptional() @IsWord(BREAK_STATUSES, { description: 'Returns breaks with this status only.', example: 'OPEN' }) readonly Status?: BreakStatus;
  @IsOptional() @IsId({ description: 'Returns breaks of this owner only.' }) readonly Owner?: string;
  @IsOptional()
  @IsName(AGES, { description: 'Returns breaks that have been open for this number of banking days only.', example: '2-7' })
  readonly Age?: BreakAge;
  @IsOptional() @IsId({ description: 'Returns breaks of this charge only.' }) readonly Charge?: string;
  @IsOptional() @IsId({ description: 'Returns breaks of this payout only.' }) readonly Payout?: string;
  @IsOptional() @IsName(PROPOSAL_FILTERS, PROPOSAL) readonly Proposal?: ProposalFilter;
  @IsOptional() @IsId({ description: 'next_after of the previous page.' }) readonly After?: string;
}

export class ReconItemDto {
  @UuidField({ description: 'Id of the item’s event.' }) readonly event_id: string;
  @UuidField({ description: 'Merchant of the charge or payout.', example: ID }) readonly merchant_id: string;
  @UuidField({ nullable: true, description: 'Charge that was paid, reversed, refunded or disputed.' }) readonly charge_id: string | null;
  @UuidField({ nullable: true, description: 'Payout that was requested or returned.', example: null }) readonly payout_id: string | null;
  @ApiProperty({ enum: ITEM_KINDS, example: 'PAYMENT' }) readonly kind: string;
  @ApiProperty() readonly currency: string;

  @Int64Field({
    description: 'Minor units: increase of the amount that the processor owes us, before its fee, or of the bank balance; negative for a decrease.',
    example: 100_000,
  })
  readonly amount: number;

  @NullableText({ description: 'The processor’s reference of the payment.', example: 'SIM-7F3K2M9Q' }) readonly payment_reference: string | null;
  @TimeField({ description: 'When it was recorded.' }) readonly occurred_on: string;
}

export class ReconRemittanceDto {
  @ApiProperty({ description: 'Id of the processor’s source.', example: 'live-xendit' }) readonly source: string;
  @ApiProperty({ description: 'The processor’s id of the batch.', example: 'B-20260131' }) readonly batch: string;
  @ApiProperty({ description: 'Currency of its lines.', example: 'IDR' }) readonly currency: string;
  @Int64Field({ description: 'Net amount, minor units: expected increase of the bank balance.', example: 99_370 }) readonly amount: number;
  @ApiProperty({ description: 'Latest booking date of its lines.', example: '2026-01-31' }) readonly day: string;
}

export class ReconMatchDto {
  @ApiProperty(LINE_ID) readonly line_id: string;
  @ApiProperty({ description: 'Id of the source.', example: 'live-xendit' }) readonly source: string;
  @UuidField({ description: 'Id of the file.' }) readonly statement_id: string;
  @ApiProperty(BATCH) readonly batch: string | null;

  @ApiProperty({ type: ReconItemDto, nullable: true, description: 'Item in the books; null for a batch, and for a charge by the bank itself.' })
  readonly item: ReconItemDto | null;

  @ApiProperty({ type: ReconRemittanceDto, nullable: true, description: 'Batch that the bank credited.' })
  readonly remittance: ReconRemittanceDto | null;

  @ApiProperty({ ...DIFFERENCE, description: 'Amount of the line less the amount of the item, minor units, as approved; null if they are equal.' })
  readonly difference: number | null;

  @ApiProperty({ ...DIFFERENCE_TO, description: 'Account that the difference is booked to.' }) readonly difference_to: DifferenceAccount | null;
}

export class ReconMatchPageDto extends pageOf(ReconMatchDto, { example: '4711119' }) {}

export class ReconBreakLineDto {
  @ApiProperty(LINE_ID) readonly line_id: string;
  @UuidField({ description: 'Id of the file.' }) readonly statement_id: string;
  @ApiProperty(BATCH) readonly batch: string | null;
  @ApiProperty({ enum: LINE_KINDS, example: 'PAYMENT' }) readonly kind: string;
  @ApiProperty() readonly currency: string;
  @Int64Field({ description: 'Minor units: amount before the processor’s fee, or change of the bank balance.', example: 100_001 })
  readonly amount: number;
  @ApiProperty({ description: 'Day in the source’s time zone.', example: '2026-01-31' }) readonly booking_date: string;
  @ApiProperty({ type: [String], description: 'References as written in the line.', example: ['SIM-7F3K2M9Q'] })
  readonly references: readonly string[];
}

export class ReconBreakDto {
  @UuidField({ description: 'Derived from source, kind, and line or item; a break that appears again has the same id.' }) readonly id: string;
  @ApiProperty({ description: 'Id of the source.', example: 'live-xendit' }) readonly source: string;

  @ApiProperty({
    enum: BREAK_KINDS,
    description:
      'LEDGER_ONLY: the item is due and has no line. PROCESSOR_ONLY: the line names no item of ours. AMOUNT, CURRENCY: the item has another amount or currency. DUPLICATE: the named item already has a line. STATUS: the item was reversed before, or is closed. FEE, TAX: the line is matched, but the source expects another fee or tax. REMITTANCE_SHORT, REMITTANCE_MISSING: the bank credited less than the batch, or nothing. BANK_UNKNOWN: the bank line names no item of ours. PAYOUT_NOT_PRESENTED, PAYOUT_TWICE, PAYOUT_AMOUNT: the payout was not debited, was debited again, or was debited with another amount. PAYOUT_UNORDERED: the debited payout was not at the bank, or failed. PAYOUT_RETURNED: the credit returns a payout, but no return was reported. FILE_MISSING: the file of a banking day is missing.',
  })
  readonly kind: string;

  @ApiProperty({ enum: BREAK_STATUSES, description: 'RESOLVED by a later file or run, or by a match. ACCEPTED until a day.', example: 'OPEN' })
  readonly status: BreakStatus;

  @Int32Field({ description: 'Banking days (Monday to Friday) for which the break has been or was open.', example: 2 }) readonly age: number;

  @ApiProperty({
    enum: MODES,
    type: String,
    nullable: true,
    description: 'The other mode to which the named item belongs; null otherwise.',
    example: null,
  })
  readonly of_mode: string | null;

  @ApiProperty({ type: ReconBreakLineDto, nullable: true, description: 'The record of the processor or the bank; null if there is none.' })
  readonly line: ReconBreakLineDto | null;

  @ApiProperty({ type: ReconItemDto, nullable: true, description: 'The record in the books; null if there is none.' })
  readonly item: ReconItemDto | null;

  @ApiProperty({ type: ReconRemittanceDto, nullable: true, description: 'The batch of the break.' })
  readonly remittance: ReconRemittanceDto | null;

  @Int64Field({ nullable: true, description: 'FEE, TAX: the fee or the tax of the line, minor units; null for other kinds.', example: null })
  readonly charged: number | null;

  @Int64Field({
    nullable: true,
    description: 'FEE, TAX: the fee or the tax that the settings of the source expected when the break opened, minor units; null for other kinds.',
    example: null,
  })
  readonly expected: number | null;

  @UuidField({ nullable: true, description: 'The operator who owns the break.' }) readonly owner: string | null;

  @NullableText({ description: 'Last day of the approved acceptance; null without one.', example: null })
  readonly accepted_until: string | null;

  @UuidField({ nullable: true, description: 'The open proposal about the break; null with AsOf.', example: null })
  readonly pending_proposal_id: string | null;

  @NullableText({ description: 'Banking day whose file is missing.', example: null }) readonly day: string | null;
  @TimeField({ description: 'Time of the file or run that opened the break.' }) readonly opened_on: string;
  @TimeField({ nullable: true, description: 'Time of the file or run that resolved the break.', example: null }) readonly resolved_on: string | null;
}

export class ReconBreakPageDto extends pageOf(ReconBreakDto) {}
