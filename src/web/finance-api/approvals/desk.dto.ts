import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { ALARM_KINDS } from '../../../../projections/approvals/alarms.js';
import { PROPOSAL_KINDS } from '../../../domain/approvals/proposal-kind.js';
import type { Mode } from '../../../ledger/mode.js';
import { IsId } from '../../../platform/http/validation/validators.js';
import { AMOUNT, ID, IsMode, ListQuery, NEXT_RECORD, WHEN } from '../../../ledger/list-query.dto.js';

/** Query of GET /audit/desk/queue. */
export class ListQueueQuery extends ListQuery {
  @IsMode()
  readonly Mode?: Mode;

  @IsOptional()
  @IsId({ description: 'The next_after of the page before: what to go on behind.', example: ID })
  readonly After?: string;
}

export class QueueItemDto {
  @ApiProperty({
    enum: ['PAYOUT', 'PROPOSAL'],
    description: 'What waits: it is read, approved and declined under /audit/payouts, or rejected under /audit/proposals.',
    example: 'PAYOUT',
  })
  readonly kind: 'PAYOUT' | 'PROPOSAL';

  @ApiProperty({ format: 'uuid', example: ID })
  readonly id: string;

  @ApiProperty({ enum: PROPOSAL_KINDS, type: 'string', nullable: true, description: 'What is proposed; null of a payout.', example: null })
  readonly proposal_kind: string | null;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, description: 'Null of a proposal.' })
  readonly merchant_id: string | null;

  @ApiProperty({ ...AMOUNT, nullable: true, description: 'Minor units; null of a proposal.', example: 1_000_000 })
  readonly amount: number | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Null of a proposal.', example: 'IDR' })
  readonly currency: string | null;

  @ApiProperty({ format: 'date-time', description: 'Since when it waits.', example: WHEN })
  readonly created_on: string;

  @ApiProperty({ type: 'integer', description: 'How many persons must approve it.', example: 2 })
  readonly required: number;

  @ApiProperty({ type: 'integer', description: 'How many have.', example: 1 })
  readonly given: number;

  @ApiProperty({ format: 'date-time', description: 'It is cancelled or expires then, if approvals are missing.', example: WHEN })
  readonly approve_by: string;

  @ApiProperty({ type: [String], format: 'uuid', description: 'Persons who have.', example: [ID] })
  readonly approved_by: readonly string[];

  @ApiProperty({ type: 'integer', description: 'Whole days since it was requested or made.', example: 0 })
  readonly age_days: number;
}

export class QueuePageDto {
  @ApiProperty({ type: [QueueItemDto] })
  readonly items: readonly QueueItemDto[];

  @ApiProperty(NEXT_RECORD)
  readonly next_after: string | null;
}

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

  @ApiProperty({ format: 'date-time', description: 'Since when.', example: WHEN })
  readonly since: string;

  @ApiProperty({ description: 'In plain words.', example: '4711 breaks came up on 2026-01-31 at once.' })
  readonly detail: string;
}

export class AlarmsDto {
  @ApiProperty({ type: [AlarmDto], description: 'The oldest first.' })
  readonly items: readonly AlarmDto[];
}
