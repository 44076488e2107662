import { IsOptional } from 'class-validator';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { MODES, type Mode } from '../../ledger/mode.js';
import type { Account } from '../../ledger/postings.js';
import { IsId, IsName, IsText, IsTimestamp } from '../../platform/http/validation/validators.js';
import { ACCOUNTS } from '../../../projections/balances/journal.js';
import { type Amount, MerchantsListQuery } from '../../ledger/dto/list-query.dto.js';
import { ID, Int32Field, Int64Field, NullableText, pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Query of GET /audit/journal. */
export class JournalListQuery extends MerchantsListQuery {
  @IsOptional()
  @IsName(ACCOUNTS, {
    description: 'Returns the lines of this account only; with Currency, and Mode or MerchantId, each with its running_balance.',
    example: 'available',
  })
  readonly Account?: Account;

  @IsOptional()
  @IsTimestamp({ round: 'up', description: 'Booked at or after this moment. The list is then in the order of booking.' })
  readonly DateFrom?: string;

  @IsOptional()
  @IsTimestamp({ round: 'down', description: 'Booked at or before this moment. The list is then in the order of booking.' })
  readonly DateTo?: string;

  @IsOptional() @IsId({ description: 'Returns the lines of this event only.' }) readonly EventId?: string;

  @IsOptional()
  @IsText({
    max: 24,
    pattern: /^[0-9]{1,16}(-[0-9]{1,6})?$/,
    patternDetail: 'Must be a value of next_after, or a position.',
    description: 'next_after of the previous page; or a position, to return the lines after that event.',
    example: '4711-2',
  })
  readonly After?: string;
}

export class JournalLineDto {
  @Int64Field({ description: 'Log position of the event: GET /audit/events?After=<position − 1>&Limit=1.', example: 4711 }) readonly position: number;
  @UuidField() readonly event_id: string;
  @Int32Field({ description: '1, 2, 3 … within the event.', example: 1 }) readonly line: number;
  @UuidField({ example: ID }) readonly merchant_id: string;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ enum: ACCOUNTS, example: 'pending' }) readonly account: string;
  @Int64Field({ description: 'Minor units debited.', example: 0 }) readonly debit: Amount;
  @Int64Field({ description: 'Minor units credited.', example: 9_930 }) readonly credit: Amount;

  @Int64Field({
    description: 'Balance of the account before the line, in the order of positions; for a platform account, over all merchants of this mode.',
    example: 0,
  })
  readonly balance_before: Amount;

  @Int64Field({ example: 9_930 }) readonly balance_after: Amount;

  @TimeField({ description: 'Time of booking, which never runs backwards within a merchant’s account in one currency.' })
  readonly occurred_on: string;

  @ApiProperty({ enum: MODES, description: 'Mode of the merchant.', example: 'live' }) readonly mode: Mode;

  @UuidField({ nullable: true, description: 'Proposal that an adjustment is the effect of; null otherwise.', example: null })
  readonly proposal_id: string | null;

  @NullableText({ description: 'Adjustments only: month that it belongs to, in the time zone of the books.', example: '2026-01' })
  readonly relates_to: string | null;

  @ApiProperty({ description: 'Type of the event.', example: 'ChargePaid' }) readonly type: string;
  @UuidField({ nullable: true, description: 'Charge that the event is of; null otherwise.' }) readonly charge_id: string | null;
  @NullableText({ description: 'Code of the charge; null without one.', example: 'CHG3X7K2M9QPA' }) readonly code: string | null;
  @UuidField({ nullable: true, description: 'Payout that the event is of; null otherwise.', example: null }) readonly payout_id: string | null;
  @UuidField({ nullable: true, description: 'Refund of the charge; null otherwise.', example: null }) readonly refund_id: string | null;
  @UuidField({ nullable: true, description: 'Dispute of the charge; null otherwise.', example: null }) readonly dispute_id: string | null;

  @Int64Field({ nullable: true, description: 'Settlement of the merchant in this currency; null otherwise.', example: null })
  readonly settlement_number: number | null;

  @Int64Field({
    nullable: true,
    description:
      'Requests with Account, Currency, and Mode or MerchantId: sum of all lines of these, also of those before DateFrom, up to and including this line in the order of the list; with MerchantId, the merchant’s part of a platform account. null otherwise.',
    example: null,
  })
  readonly running_balance: Amount | null;
}

/** Query of GET /audit/journal/totals. */
export class JournalTotalsQuery extends PickType(JournalListQuery, ['Mode', 'MerchantId', 'Currency', 'Account', 'DateFrom', 'DateTo'] as const) {}

export class JournalTotalDto {
  @ApiProperty({ enum: MODES, description: 'Mode of the merchants.', example: 'live' }) readonly mode: Mode;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ enum: ACCOUNTS, example: 'available' }) readonly account: string;
  @Int64Field({ description: 'Balance before DateFrom; 0 without it.', example: 0 }) readonly opening_balance: bigint;
  @Int64Field({ description: 'Sum of the debits of the lines.', example: 5_000 }) readonly debit: bigint;
  @Int64Field({ description: 'Sum of the credits of the lines.', example: 9_930 }) readonly credit: bigint;
  @Int64Field({ description: 'opening_balance + credit − debit.', example: 4_930 }) readonly closing_balance: bigint;
}

export class JournalTotalsDto {
  @ApiProperty({ type: [JournalTotalDto], description: 'Accounts that were moved up to DateTo: live first, by currency.' })
  readonly accounts: readonly JournalTotalDto[];
}

export class JournalPageDto extends pageOf(JournalLineDto, { example: '4711-2' }) {}
