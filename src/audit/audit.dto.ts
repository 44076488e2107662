import { IsOptional } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SCHEMA_VERSIONS, type LedgerEventType } from '../ledger/catalogue.js';
import { IsCurrency, IsId, IsName, IsQueryInteger, IsText, IsTimestamp, IsWord } from '../platform/http/validators.js';
import { ACCOUNTS } from '../../projections/books/journal.js';
import { DISPUTE_STATUSES, type DisputeStatus } from '../../projections/disputes/disputes.js';
import { REFUND_STATUSES, type RefundStatus } from '../../projections/refunds/refunds.js';
import { RefundDto } from '../charges/refunds.dto.js';
import { DisputeDto } from '../disputes/disputes.dto.js';
import { LINE_KINDS, SettlementDto } from '../settlements/settlements.dto.js';

const WHEN = '2026-01-31T08:15:30.123+00:00';
const ID = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d';
const AMOUNT = { type: 'integer', format: 'int64' } as const;
/** bigint only beyond 2^53: the others are written faster. */
type Amount = number | bigint;

const MERCHANT_FILTER = { description: 'Of this merchant only.', example: ID } as const;

/** Answers of a page when the request names no Limit. */
export const LIMIT_DEFAULT = 100;

class ListQuery {
  @IsOptional()
  @IsQueryInteger({
    min: 1,
    max: 1_000,
    description: `Items of a page; ${LIMIT_DEFAULT} when absent. A streamed list ends after so many; without it, with the last item there is.`,
    example: LIMIT_DEFAULT,
  })
  readonly Limit?: number;
}

/** Query of GET /audit/events. */
export class ListAuditEventsQuery extends ListQuery {
  @IsOptional()
  @IsText({ max: 200, description: 'Events of this stream only.', example: `charge-${ID}` })
  readonly Stream?: string;

  @IsOptional()
  @IsName(Object.keys(SCHEMA_VERSIONS), { description: 'Events of this type only; in any case.', example: 'ChargePaid' })
  readonly Type?: LedgerEventType;

  @IsOptional()
  @IsId(MERCHANT_FILTER)
  readonly MerchantId?: string;

  @IsQueryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'The position to go on behind.', example: 0 })
  readonly After: number = 0;
}

/** Query of GET /audit/journal. */
export class JournalListQuery extends ListQuery {
  @IsOptional()
  @IsId(MERCHANT_FILTER)
  readonly MerchantId?: string;

  @IsOptional()
  @IsCurrency()
  readonly Currency?: string;

  @IsOptional()
  @IsTimestamp({ round: 'up', description: 'Booked then or later; the list is then in the order of booking.' })
  readonly DateFrom?: string;

  @IsOptional()
  @IsTimestamp({ round: 'down', description: 'Booked then or earlier; the list is then in the order of booking.' })
  readonly DateTo?: string;

  @IsOptional()
  @IsId({ description: 'The lines of this event only.', example: ID })
  readonly EventId?: string;

  @IsOptional()
  @IsText({
    max: 24,
    pattern: /^\d{1,16}(?:-\d{1,6})?$/,
    patternDetail: 'Must be a value of next_after, or a position.',
    description: 'The next_after of the page before; or a position: the lines behind that event.',
    example: '4711-2',
  })
  readonly After?: string;
}

/** Query of GET /audit/trial-balance. */
export class TrialBalanceQuery {
  @IsOptional()
  @IsTimestamp({ round: 'down', description: 'The books as they stood then (inclusive), by the time of booking. Not in the future.' })
  readonly AsOf?: string;

  @IsOptional()
  @IsId({ description: 'This merchant’s part in every account.', example: ID })
  readonly MerchantId?: string;
}

/** Query of GET /audit/settlements. */
export class ListAuditSettlementsQuery extends ListQuery {
  @IsOptional()
  @IsId(MERCHANT_FILTER)
  readonly MerchantId?: string;

  @IsOptional()
  @IsCurrency()
  readonly Currency?: string;

  @IsOptional()
  @IsId({ description: 'The next_after of the page before: the settlement to go on behind.', example: ID })
  readonly After?: string;
}

const NEXT_RECORD = { type: 'string', format: 'uuid', nullable: true, description: 'After of the next page; null at the end.', example: ID } as const;

/** Query of GET /audit/refunds. */
export class ListAuditRefundsQuery extends ListQuery {
  @IsOptional()
  @IsId(MERCHANT_FILTER)
  readonly MerchantId?: string;

  @IsOptional()
  @IsCurrency()
  readonly Currency?: string;

  @IsOptional()
  @IsWord(REFUND_STATUSES)
  readonly Status?: RefundStatus;

  @IsOptional()
  @IsId()
  readonly ChargeId?: string;

  @IsOptional()
  @IsId({ description: 'The next_after of the page before: the refund to go on behind.', example: ID })
  readonly After?: string;
}

/** Query of GET /audit/disputes. */
export class ListAuditDisputesQuery extends ListQuery {
  @IsOptional()
  @IsId(MERCHANT_FILTER)
  readonly MerchantId?: string;

  @IsOptional()
  @IsCurrency()
  readonly Currency?: string;

  @IsOptional()
  @IsWord(DISPUTE_STATUSES)
  readonly Status?: DisputeStatus;

  @IsOptional()
  @IsId()
  readonly ChargeId?: string;

  @IsOptional()
  @IsTimestamp({ round: 'down', description: 'Those that their merchants may still answer, until then or earlier.' })
  readonly DueBefore?: string;

  @IsOptional()
  @IsId({ description: 'The next_after of the page before: the dispute to go on behind.', example: ID })
  readonly After?: string;
}

/** Query of GET /audit/merchants. */
export class ListAuditMerchantsQuery extends ListQuery {
  @IsOptional()
  @IsId({ description: 'The next_after of the page before: the merchant to go on behind.', example: ID })
  readonly After?: string;
}

export class AuditEventDto {
  @ApiProperty({ type: 'integer', format: 'int64', description: '1, 2, 3 … over all events in the order of the log.', example: 4711 })
  readonly position: number;

  @ApiProperty({ example: `charge-${ID}` })
  readonly stream: string;

  @ApiProperty({ type: 'integer', description: '0, 1, 2 … within the stream.', example: 1 })
  readonly revision: number;

  @ApiProperty({ format: 'uuid', example: ID })
  readonly id: string;

  @ApiProperty({ example: 'ChargePaid' })
  readonly type: string;

  @ApiProperty({ format: 'date-time', example: WHEN })
  readonly occurred_on: string;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, description: 'null for what belongs to no merchant.', example: ID })
  readonly merchant_id: string | null;

  @ApiProperty({ description: 'Id of the key that acted, or System.', example: 'System' })
  readonly actor: string;

  @ApiProperty({ description: 'The same for everything that one request or one run brought about.', example: '4bf92f3577b34da6a3ce929d0e0e4736' })
  readonly correlation_id: string;

  @ApiProperty({ description: 'Id of the event or the request that caused this.', example: ID })
  readonly causation_id: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The fact. Hashes of keys and personal data are sealed.',
    example: { charge_id: ID, currency: 'IDR', amount: 10_000, fee_amount: 70, net_amount: 9_930 },
  })
  readonly data: object;
}

export class AuditEventPageDto {
  @ApiProperty({ type: [AuditEventDto] })
  readonly items: readonly AuditEventDto[];

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, description: 'After of the next page; null at the end.', example: null })
  readonly next_after: number | null;
}

export class JournalLineDto {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Of the event: GET /audit/events?After=<position − 1>&Limit=1.', example: 4711 })
  readonly position: number;

  @ApiProperty({ format: 'uuid', example: ID })
  readonly event_id: string;

  @ApiProperty({ type: 'integer', description: '1, 2, 3 … within the event.', example: 1 })
  readonly line: number;

  @ApiProperty({ format: 'uuid', example: ID })
  readonly merchant_id: string;

  @ApiProperty({ example: 'IDR' })
  readonly currency: string;

  @ApiProperty({ enum: ACCOUNTS, example: 'pending' })
  readonly account: string;

  @ApiProperty({ ...AMOUNT, description: 'Minor units that went out.', example: 0 })
  readonly debit: Amount;

  @ApiProperty({ ...AMOUNT, description: 'Minor units that came in.', example: 9_930 })
  readonly credit: Amount;

  @ApiProperty({ ...AMOUNT, description: 'Of the account (for all merchants, where it is the house’s), in the order of positions.', example: 0 })
  readonly balance_before: Amount;

  @ApiProperty({ ...AMOUNT, example: 9_930 })
  readonly balance_after: Amount;

  @ApiProperty({
    format: 'date-time',
    description: 'Time of booking, which never runs backwards within a merchant’s account in one currency.',
    example: WHEN,
  })
  readonly occurred_on: string;
}

export class JournalPageDto {
  @ApiProperty({ type: [JournalLineDto] })
  readonly items: readonly JournalLineDto[];

  @ApiProperty({ type: 'string', nullable: true, description: 'After of the next page; null at the end.', example: '4711-2' })
  readonly next_after: string | null;
}

export class TrialBalanceAccountDto {
  @ApiProperty({ enum: ACCOUNTS, example: 'fees' })
  readonly account: string;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, description: 'null for the accounts of the house.', example: null })
  readonly merchant_id: string | null;

  @ApiProperty({ ...AMOUNT, description: 'Everything that ever went out.', example: 0 })
  readonly debit: bigint;

  @ApiProperty({ ...AMOUNT, description: 'Everything that ever came in.', example: 70 })
  readonly credit: bigint;

  @ApiProperty({ ...AMOUNT, description: 'Credit less debit.', example: 70 })
  readonly balance: bigint;
}

export class TrialBalanceCurrencyDto {
  @ApiProperty({ example: 'IDR' })
  readonly currency: string;

  @ApiProperty({ type: [TrialBalanceAccountDto] })
  readonly accounts: readonly TrialBalanceAccountDto[];

  @ApiProperty({ ...AMOUNT, example: 10_000 })
  readonly total_debit: bigint;

  @ApiProperty({ ...AMOUNT, example: 10_000 })
  readonly total_credit: bigint;

  @ApiProperty({ ...AMOUNT, description: 'Always 0.', example: 0 })
  readonly difference: bigint;
}

export class TrialBalanceDto {
  @ApiProperty({ type: [TrialBalanceCurrencyDto], description: 'Of every currency that has an entry.' })
  readonly currencies: readonly TrialBalanceCurrencyDto[];
}

class AuditSettlementHeadDto extends SettlementDto {
  @ApiProperty({ format: 'uuid', example: ID })
  readonly merchant_id: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When the account took it; null until then.', example: WHEN })
  readonly settled_on: string | null;
}

export class AuditSettlementDto extends AuditSettlementHeadDto {
  @ApiProperty({ type: 'integer', description: 'How many lines it has.', example: 1 })
  readonly lines: number;
}

export class AuditSettlementPageDto {
  @ApiProperty({ type: [AuditSettlementDto] })
  readonly items: readonly AuditSettlementDto[];

  @ApiProperty(NEXT_RECORD)
  readonly next_after: string | null;
}

export class AuditSettlementLineDto {
  @ApiProperty({ enum: LINE_KINDS, example: 'CHARGE' })
  readonly kind: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Of every line but a return.', example: ID })
  readonly charge_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Of a return.', example: ID })
  readonly payout_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Of a refund that failed.', example: ID })
  readonly refund_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Of a dispute.', example: ID })
  readonly dispute_id?: string;

  @ApiProperty({ ...AMOUNT, description: 'Minor units: what the line adds to available. The lines add up to totals.net_amount.', example: 9_930 })
  readonly net_amount: bigint;

  @ApiProperty({
    ...AMOUNT,
    description: 'The fee of the charge or payout, which a reversal or return gives back; 0 for refunds and disputes.',
    example: 70,
  })
  readonly fee_amount: number;
}

export class AuditSettlementDetailDto extends AuditSettlementHeadDto {
  @ApiProperty({ type: [AuditSettlementLineDto] })
  readonly lines: readonly AuditSettlementLineDto[];
}

export class AuditRefundDto extends RefundDto {
  @ApiProperty({ type: 'integer', description: 'Whole days since it was asked for.', example: 0 })
  readonly age_days: number;
}

export class AuditRefundPageDto {
  @ApiProperty({ type: [AuditRefundDto] })
  readonly items: readonly AuditRefundDto[];

  @ApiProperty(NEXT_RECORD)
  readonly next_after: string | null;
}

export class AuditDisputeDto extends DisputeDto {
  @ApiProperty({ type: 'integer', description: 'Whole days since it was opened.', example: 0 })
  readonly age_days: number;
}

export class AuditDisputePageDto {
  @ApiProperty({ type: [AuditDisputeDto] })
  readonly items: readonly AuditDisputeDto[];

  @ApiProperty(NEXT_RECORD)
  readonly next_after: string | null;
}

export class AuditMerchantDto {
  @ApiProperty({ format: 'uuid', example: ID })
  readonly id: string;

  @ApiProperty({ example: 'Kopi Kita' })
  readonly name: string;

  @ApiProperty({ example: 'ID' })
  readonly country: string;

  @ApiProperty({ enum: ['TEST', 'LIVE'], example: 'TEST' })
  readonly mode: string;

  @ApiProperty({ example: 'IDR' })
  readonly default_currency: string;

  @ApiProperty({ example: 'Asia/Jakarta' })
  readonly timezone: string;

  @ApiProperty({ format: 'date-time', example: WHEN })
  readonly created_on: string;

  @ApiProperty({ format: 'date-time', example: WHEN })
  readonly updated_on: string;
}

export class AuditMerchantPageDto {
  @ApiProperty({ type: [AuditMerchantDto] })
  readonly items: readonly AuditMerchantDto[];

  @ApiProperty(NEXT_RECORD)
  readonly next_after: string | null;
}
