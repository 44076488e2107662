import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { DISPUTE_STATUSES, type DisputeStatus } from '../../../../projections/disputes/disputes.js';
import { DISPUTE_STAGES, type DisputeLostReason, type DisputeStage } from '../../../ledger/events/dispute.events.js';
import { PageQuery } from '../../../platform/http/pages.dto.js';
import { IsCurrency, IsId, IsQueryBoolean, IsTimestamp, IsWord } from '../../../platform/http/validation/validators.js';
import { EvidenceDto } from './evidence.dto.js';
import { ID, Int64Field, TimeField, UuidField } from '../../../platform/http/answer-fields.js';

const LOST_REASONS = ['ACCEPTED', 'LAPSED', 'DECIDED'] as const satisfies readonly DisputeLostReason[];

/** Query of GET /v1/disputes. */
export class ListDisputesQuery extends PageQuery {
  @IsQueryBoolean({ description: 'Newest opened first. Reverses the whole order, ties included.' }) readonly IsDescending: boolean = false;
  @IsOptional() @IsCurrency() readonly Currency?: string;
  @IsOptional() @IsWord(DISPUTE_STATUSES) readonly Status?: DisputeStatus;
  @IsOptional() @IsId() readonly ChargeId?: string;
  @IsOptional() @IsTimestamp({ round: 'up', description: 'Opened at or after this moment.' }) readonly DateFrom?: string;
  @IsOptional() @IsTimestamp({ round: 'down', description: 'Opened at or before this moment.' }) readonly DateTo?: string;
  @IsOptional()
  @IsTimestamp({ round: 'down', description: 'Returns disputes that you can still answer and whose due_by is at or before this moment.' })
  readonly DueBefore?: string;
}

export class DisputeDto {
  @UuidField() readonly id: string;
  @UuidField() readonly charge_id: string;
  @UuidField({ example: ID }) readonly merchant_id: string;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ description: 'The processor’s own reference.', example: 'DSP-000041' }) readonly reference: string;
  @ApiProperty({ enum: DISPUTE_STAGES, description: 'Stage of the dispute. An INQUIRY holds no money.' }) readonly stage: DisputeStage;
  @ApiProperty({ enum: DISPUTE_STATUSES }) readonly dispute_status: DisputeStatus;
  @Int64Field({ description: 'Minor units: disputed amount.', example: 10_000 }) readonly amount: number;

  @Int64Field({ description: 'Minor units: amount held while the dispute is open, and deducted once it is lost.', example: 10_000 })
  readonly held_amount: number;

  @Int64Field({ description: 'Minor units: part of the disputed amount that exceeded the rest of the charge. It is not deducted.', example: 0 })
  readonly excess_amount: number;

  @Int64Field({ description: 'Minor units: amount of succeeded and unfinished refunds when the dispute was opened.', example: 0 })
  readonly refunded_amount: number;

  @Int64Field({ description: 'Minor units: fee that you pay if the dispute is lost.', example: 0 }) readonly fee_amount: number;
  @ApiProperty({ description: 'The processor’s own reason code.', example: '13.1' }) readonly reason_code: string;
  @ApiProperty({ description: 'The processor’s reason, in its own words.', example: 'The goods were not received.' }) readonly reason: string;
  @TimeField({ description: 'Deadline for your answer.' }) readonly due_by: string;
  @ApiProperty({ description: 'The dispute is won and cannot be reopened.', example: false }) readonly is_final: boolean;

  @ApiProperty({
    type: 'string',
    enum: [...LOST_REASONS, null],
    nullable: true,
    description: 'ACCEPTED: you accepted it. LAPSED: you did not answer in time. DECIDED: the processor decided.',
    example: null,
  })
  readonly lost_reason: DisputeLostReason | null;

  @ApiProperty({ type: [EvidenceDto] }) readonly evidence: readonly EvidenceDto[];
  @TimeField() readonly opened_on: string;
  @TimeField({ nullable: true, description: 'When you challenged it at this stage; null until you do.', example: null }) readonly challenged_on:
    string | null;
  @TimeField({ nullable: true, description: 'When the processor received your challenge.', example: null }) readonly submitted_on: string | null;
  @TimeField({ nullable: true, example: null }) readonly won_on: string | null;
  @TimeField({ nullable: true, example: null }) readonly lost_on: string | null;
  @ApiProperty({ example: 'System' }) readonly updated_by: string;
  @TimeField() readonly updated_on: string;
}
