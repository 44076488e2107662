import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { MODES, type Mode } from '../../ledger/mode.js';
import { IsId, IsText, IsTimestamp } from '../../platform/http/validation/validators.js';
import { ACCOUNTS } from '../../../projections/balances/journal.js';
import { type Amount, MerchantsListQuery } from '../../ledger/dto/list-query.dto.js';
import { ID, Int32Field, Int64Field, NullableText, pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Query of GET /audit/journal. */
export class JournalListQuery extends MerchantsListQuery {
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
}

export class JournalPageDto extends pageOf(JournalLineDto, { example: '4711-2' }) {}
