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
  @IsQueryBoolean({ description: 'By opening; turns the whole order round, ties too.' }) readonly IsDescending: boolean = false;
  @IsOptional() @IsCurrency() readonly Currency?: string;
  @IsOptional() @IsWord(DISPUTE_STATUSES) readonly Status?: DisputeStatus;
  @IsOptional() @IsId() readonly ChargeId?: string;
  @IsOptional() @IsTimestamp({ round: 'up', description: 'Opened at or after.' }) readonly DateFrom?: string;
  @IsOptional() @IsTimestamp({ round: 'down', description: 'Opened at or before.' }) readonly DateTo?: string;
  @IsOptional() @IsTimestamp({ round: 'down', description: 'Those that you may still answer, until then or earlier.' }) readonly DueBefore?: string;
}

export class DisputeDto {
  @UuidField() readonly id: string;
  @UuidField() readonly charge_id: string;
  @UuidField({ example: ID }) readonly merchant_id: string;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ description: "The processor's own.", example: 'DSP-000041' }) readonly reference: string;
  @ApiProperty({ enum: DISPUTE_STAGES, description: 'How far it has come: an INQUIRY holds no money.' }) readonly stage: DisputeStage;
  @ApiProperty({ enum: DISPUTE_STATUSES }) readonly dispute_status: DisputeStatus;
  @Int64Field({ description: 'Minor units: in dispute.', example: 10_000 }) readonly amount: number;

  @Int64Field({ description: 'Minor units: held for it while it is open, gone with it once it is lost.', example: 10_000 })
  readonly held_amount: number;

  @Int64Field({ description: 'Minor units: what of it exceeds what was left of the charge. Nothing is taken for it.', example: 0 })
  readonly excess_amount: number;

  @Int64Field({ description: 'Minor units: what refunds had brought back, or were bringing, when it was opened.', example: 0 })
  readonly refunded_amount: number;

  @Int64Field({ description: 'Minor units: what it costs you if it is lost.', example: 0 }) readonly fee_amount: number;
  @ApiProperty({ description: "The processor's own.", example: '13.1' }) readonly reason_code: string;
  @ApiProperty({ description: 'In the words of the processor.', example: 'The goods were not received.' }) readonly reason: string;
  @TimeField({ description: 'Until when you may answer.' }) readonly due_by: string;
  @ApiProperty({ description: 'It is won, and does not come back.', example: false }) readonly is_final: boolean;

  @ApiProperty({
    type: 'string',
    enum: [...LOST_REASONS, null],
    nullable: true,
    description: 'You accepted it, did not answer in time, or the processor decided.',
    example: null,
  })
  readonly lost_reason: DisputeLostReason | null;

  @ApiProperty({ type: [EvidenceDto] }) readonly evidence: readonly EvidenceDto[];
  @TimeField() readonly opened_on: string;
  @TimeField({ nullable: true, description: 'At this stage; null until you did.', example: null }) readonly challenged_on: string | null;
  @TimeField({ nullable: true, description: 'When the processor took your challenge.', example: null }) readonly submitted_on: string | null;
  @TimeField({ nullable: true, example: null }) readonly won_on: string | null;
  @TimeField({ nullable: true, example: null }) readonly lost_on: string | null;
  @ApiProperty({ example: 'System' }) readonly updated_by: string;
  @TimeField() readonly updated_on: string;
}
