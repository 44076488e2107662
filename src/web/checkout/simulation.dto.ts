import { IsOptional } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DISPUTE_STAGES } from '../../ledger/events/dispute.events.js';
import { IsId, IsMinorUnits, IsQueryBoolean, IsQueryInteger, IsText, IsWord } from '../../platform/http/validation/validators.js';
import { DISPUTE_OPENING, DISPUTE_OUTCOMES, OUTCOMES, REFUND_OUTCOMES } from './outcomes.js';
import { UuidField } from '../../platform/http/answer-fields.js';

/** A year. */
const DUE_IN_SECONDS_MAX = 31_536_000;

/** Body of POST on a simulation page's address. */
export class SimulationBody {
  @IsWord([...OUTCOMES, ...REFUND_OUTCOMES, DISPUTE_OPENING, ...DISPUTE_OUTCOMES], {
    description: 'What is to happen to the charge, or to a refund or dispute of it, in any case.',
    example: 'succeed',
  })
  readonly outcome: string;

  @IsOptional()
  @IsText({ min: 0, max: 255, description: 'Why it failed, or is disputed; with `fail` and `dispute-open` only.', example: 'Insufficient balance' })
  readonly reason?: string | null;

  @IsOptional() @IsId({ description: 'Of the refund; with `refund-…` only. Absent: the newest of the charge.' }) readonly refund_id?: string | null;

  @IsOptional()
  @IsId({ description: 'Of the dispute; with `dispute-reopen`, `dispute-win` and `dispute-lose` only. Absent: the newest of the charge.' })
  readonly dispute_id?: string | null;

  @IsOptional()
  @IsWord(DISPUTE_STAGES, { description: 'Absent: `CHARGEBACK`. This and the next three with `dispute-open` only.', example: 'CHARGEBACK' })
  readonly stage?: string | null;

  @IsOptional()
  @IsMinorUnits({ description: 'In dispute, in minor units, even more than the charge. Absent: the amount of the charge.' })
  readonly amount?: number | null;

  @IsOptional()
  @IsQueryInteger({ min: 1, max: DUE_IN_SECONDS_MAX, description: 'How long the merchant may answer. Absent: 604800, a week.', example: 604_800 })
  readonly due_in_seconds?: number | null;

  @IsOptional()
  @IsText({
    max: 64,
    pattern: /^[!-~]+$/,
    patternDetail: 'Takes printable ASCII characters without spaces.',
    description: 'The processor’s name for the dispute: opening it again at a later stage reopens it. Absent: a new one.',
    example: 'SIM-4F9A1C02B7D3',
  })
  readonly reference?: string | null;

  @IsOptional()
  @IsQueryBoolean({ description: 'No later stage follows; with `dispute-win` only. Absent: false.', example: false })
  readonly final?: boolean | null;
}

export class SimulatedRefundDto {
  @UuidField() readonly id: string;
  @ApiProperty({ enum: ['PENDING', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'CANCELLED'], example: 'SUCCEEDED' }) readonly refund_status: string;
}

export class SimulatedDisputeDto {
  @UuidField() readonly id: string;
  @ApiProperty({ enum: ['INQUIRY', 'ACTION_REQUIRED', 'UNDER_REVIEW', 'WON', 'LOST'], example: 'ACTION_REQUIRED' }) readonly dispute_status: string;
}

export class SimulatedChargeDto {
  @ApiProperty({ enum: ['PENDING', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'], example: 'SUCCEEDED' }) readonly status: string;
  @ApiProperty({ enum: ['UNKNOWN', 'PENDING', 'PROCESSING', 'SETTLED', 'REVERSED'], example: 'PENDING' }) readonly settlement_status: string;
  @ApiPropertyOptional({ type: SimulatedRefundDto, description: 'After an outcome of a refund.' }) readonly refund?: SimulatedRefundDto;
  @ApiPropertyOptional({ type: SimulatedDisputeDto, description: 'After an outcome of a dispute.' }) readonly dispute?: SimulatedDisputeDto;
}
