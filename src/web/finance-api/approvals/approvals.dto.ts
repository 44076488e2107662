import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { WAITING_KINDS } from './waiting.js';
import { ALARM_KINDS } from '../../../../projections/approvals/alarms.js';
import { PROPOSAL_KINDS } from '../../../domain/approvals/proposal-kind.js';
import { MODES, type Mode } from '../../../ledger/mode.js';
import { IsId, IsName } from '../../../platform/http/validation/validators.js';
import { IsMode, ListQuery } from '../../../ledger/dto/list-query.dto.js';
import { ID, Int32Field, Int64Field, NullableText, pageOf, TimeField, UuidField } from '../../../platform/http/answer-fields.js';

/** Query of GET /audit/desk/queue. */
export class ListQueueQuery extends ListQuery {
  @IsMode() readonly Mode?: Mode;
  @IsOptional() @IsId({ description: 'next_after of the previous page.' }) readonly After?: string;
}

export class QueueItemDto {
  @ApiProperty({
    enum: ['PAYOUT', 'PROPOSAL'],
    description:
      'Kind of the request. Read, approve and decline a payout under /audit/payouts; read, approve and reject a proposal under /audit/proposals.',
    example: 'PAYOUT',
  })
  readonly kind: 'PAYOUT' | 'PROPOSAL';

  @UuidField() readonly id: string;

  @ApiProperty({ enum: PROPOSAL_KINDS, type: 'string', nullable: true, description: 'Kind of the proposal; null for a payout.', example: null })
  readonly proposal_kind: string | null;

  @UuidField({ nullable: true, description: 'Null for a proposal.' }) readonly merchant_id: string | null;
  @Int64Field({ nullable: true, description: 'Minor units; null for a proposal.', example: 1_000_000 }) readonly amount: number | null;
  @NullableText({ description: 'Null for a proposal.', example: 'IDR' }) readonly currency: string | null;
  @TimeField({ description: 'Since when the request waits.' }) readonly created_on: string;
  @Int32Field({ description: 'Number of operators who must approve it.', example: 2 }) readonly required: number;
  @Int32Field({ description: 'Number of operators who have approved it.', example: 1 }) readonly given: number;
  @TimeField({ description: 'The payout is cancelled or the proposal expires at this moment if approvals are missing.' }) readonly approve_by: string;
  @ApiProperty({ type: [String], format: 'uuid', description: 'Operators who have approved it.', example: [ID] })
  readonly approved_by: readonly string[];
  @Int32Field({ description: 'Whole days since it was requested or made.', example: 0 }) readonly age_days: number;
}

export class QueuePageDto extends pageOf(QueueItemDto) {}

export class AlarmDto {
  @ApiProperty({
    enum: ALARM_KINDS,
    description:
      'PROJECTION_STOPPED: a projection has stopped. PROPOSAL_STUCK: a proposal was approved more than ten minutes ago and has no effect. MANY_BREAKS: more than 200 breaks at one tick of a source, some of them open. FILE_UNFINISHED: an import was interrupted more than an hour ago. OPENING_DIFFERS: an opening closed other items of a processor than it states.',
    example: 'MANY_BREAKS',
  })
  readonly kind: string;

  @ApiProperty({ description: 'Name or id of the projection, proposal, source or file.', example: 'live-xendit' })
  readonly subject: string;

  @TimeField({ description: 'Since when.' }) readonly since: string;
  @ApiProperty({ description: 'Explanation for people.', example: '4711 breaks were opened on 2026-01-31 at once.' }) readonly detail: string;
}

export class AlarmsDto {
  @ApiProperty({ type: [AlarmDto], description: 'Oldest first.' }) readonly items: readonly AlarmDto[];
}

/** Query of GET /audit/desk/waiting. */
export class WaitingQuery {
  @IsName(MODES, { description: 'Mode of the books.', example: 'live' }) readonly Mode: Mode;
}

class WaitingAmountDto {
  @ApiProperty() readonly currency: string;
  @Int64Field({ description: 'Minor units.', example: 6_490_000 }) readonly amount: number;
}

export class WaitingDto {
  @ApiProperty({
    enum: WAITING_KINDS,
    description:
      'APPROVALS: requests of /audit/desk/queue; for an operator’s key, those that the operator may decide. BREAKS: open breaks of reconciliation. FILES: those of them about a missing file. DAYS: days of banks that can be closed. DISPUTES: disputes that the merchant can still answer.',
    example: 'BREAKS',
  })
  readonly kind: string;

  @Int64Field({ description: 'Number of records.', example: 3 }) readonly count: number;
  @ApiProperty({ description: 'Whether there are more than were counted.', example: false }) readonly has_more: boolean;

  @ApiProperty({
    type: [WaitingAmountDto],
    description:
      'Sums by currency. Of a request, the amount of the payout or the amount that the proposal moves; of a break, that of the line, else of the item, else of the batch, without its sign; of a dispute, its amount.',
  })
  readonly amounts: readonly WaitingAmountDto[];

  @TimeField({ nullable: true, description: 'Since when the oldest waits; null for DAYS, and when none does.' }) readonly since: string | null;
  @TimeField({ nullable: true, description: 'The earliest deadline of APPROVALS and DISPUTES; null for other kinds, and when none waits.' })
  readonly due_by: string | null;

  @NullableText({ description: 'The earliest day of DAYS; null for other kinds.', example: null }) readonly day: string | null;
}

export class WaitingSummaryDto {
  @ApiProperty({ type: [WaitingDto], description: 'One of each kind.' }) readonly items: readonly WaitingDto[];
}
