import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { ALARM_KINDS } from '../../../../projections/approvals/alarms.js';
import { PROPOSAL_KINDS } from '../../../domain/approvals/proposal-kind.js';
import type { Mode } from '../../../ledger/mode.js';
import { IsId } from '../../../platform/http/validation/validators.js';
import { IsMode, ListQuery } from '../../../ledger/list-query.dto.js';
import { ID, Int64Field, IntegerField, NullableText, pageOf, TimeField, UuidField } from '../../../platform/http/answer-fields.js';

/** Query of GET /audit/desk/queue. */
export class ListQueueQuery extends ListQuery {
  @IsMode() readonly Mode?: Mode;
  @IsOptional() @IsId({ description: 'The next_after of the page before: what to go on behind.' }) readonly After?: string;
}

export class QueueItemDto {
  @ApiProperty({
    enum: ['PAYOUT', 'PROPOSAL'],
    description: 'What waits: it is read, approved and declined under /audit/payouts, or rejected under /audit/proposals.',
    example: 'PAYOUT',
  })
  readonly kind: 'PAYOUT' | 'PROPOSAL';

  @UuidField() readonly id: string;

  @ApiProperty({ enum: PROPOSAL_KINDS, type: 'string', nullable: true, description: 'What is proposed; null of a payout.', example: null })
  readonly proposal_kind: string | null;

  @UuidField({ nullable: true, description: 'Null of a proposal.' }) readonly merchant_id: string | null;
  @Int64Field({ nullable: true, description: 'Minor units; null of a proposal.', example: 1_000_000 }) readonly amount: number | null;
  @NullableText({ description: 'Null of a proposal.', example: 'IDR' }) readonly currency: string | null;
  @TimeField({ description: 'Since when it waits.' }) readonly created_on: string;
  @IntegerField({ description: 'How many persons must approve it.', example: 2 }) readonly required: number;
  @IntegerField({ description: 'How many have.', example: 1 }) readonly given: number;
  @TimeField({ description: 'It is cancelled or expires then, if approvals are missing.' }) readonly approve_by: string;
  @ApiProperty({ type: [String], format: 'uuid', description: 'Persons who have.', example: [ID] }) readonly approved_by: readonly string[];
  @IntegerField({ description: 'Whole days since it was requested or made.', example: 0 }) readonly age_days: number;
}

export class QueuePageDto extends pageOf(QueueItemDto) {}

export class AlarmDto {
  @ApiProperty({
    enum: ALARM_KINDS,
    description:
      'PROJECTION_STOPPED: read models stand still. PROPOSAL_STUCK: approved for more than ten minutes, without effect. ' +
      'MANY_BREAKS: more than 200 at one tick of a source, some of them open. FILE_UNFINISHED: an import that was cut short more than an hour ago.',
    example: 'MANY_BREAKS',
  })
  readonly kind: string;

  @ApiProperty({ description: 'Name or id of what it is about: a projection, a proposal, a source, a file.', example: 'live-xendit' })
  readonly subject: string;

  @TimeField({ description: 'Since when.' }) readonly since: string;
  @ApiProperty({ description: 'In plain words.', example: '4711 breaks came up on 2026-01-31 at once.' }) readonly detail: string;
}

export class AlarmsDto {
  @ApiProperty({ type: [AlarmDto], description: 'The oldest first.' }) readonly items: readonly AlarmDto[];
}
