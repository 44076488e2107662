import { IsOptional } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DISPUTE_STAGES } from '../../ledger/events/dispute.events.js';
import { IsMinorUnits, IsQueryInteger } from '../../platform/http/validation/number-validators.js';
import { IsId, IsQueryBoolean, IsText, IsWord } from '../../platform/http/validation/validators.js';
import { DISPUTE_OPENING, DISPUTE_OUTCOMES, OUTCOMES, REFUND_OUTCOMES } from './outcomes.js';
import { UuidField } from '../../platform/http/answer-fields.js';

/** A year. */
const DUE_IN_SECONDS_MAX = 31_536_000;

/** Body of POST on a simulation page's address. */
export class SimulationBody {
  @IsWord([...OUTCOMES, ...REFUND_OUTCOMES, DISPUTE_OPENING, ...DISPUTE_OUTCOMES], {
    description: 'Outcome for the charge, or for a refund or dispute of it; case-insensitive.',
    example: 'succeed',
  })
  readonly outcome: string;

  @IsOptional()
  @IsText({
    min: 0,
    max: 255,
    description: 'Reason of the failure or the dispute; with `fail` and `dispute-open` only.',
    example: 'Insufficient balance',
  })
  readonly reason?: string | null;

  @IsOptional() @IsId({ description: 'Id of the refund; with `refund-…` only. Default: the newest refund of the charge.' }) readonly refund_id?:
    string | null;

  @IsOptional()
  @IsId({
    description: 'Id of the dispute; with `dispute-reopen`, `dispute-win` and `dispute-lose` only. Default: the newest dispute of the charge.',
  })
  readonly dispute_id?: string | null;

  @IsOptional()
  @IsWord(DISPUTE_STAGES, { description: 'Default: `CHARGEBACK`. This and the next three with `dispute-open` only.', example: 'CHARGEBACK' })
  readonly stage?: string | null;

  @IsOptional()
  @IsMinorUnits({ description: 'Disputed amount in minor units; may exceed the charge. Default: the amount of the charge.' })
  readonly amount?: number | null;

  @IsOptional()
  @IsQueryInteger({
    min: 1,
    max: DUE_IN_SECONDS_MAX,
    description: 'Seconds until the merchant’s answer is due. Default: 604800, a week.',
    example: 604_800,
  })
  readonly due_in_seconds?: number | null;

  @IsOptional()
  @IsText({
    max: 64,
    pattern: /^[!-~]+$/,
    patternDetail: 'Takes printable ASCII characters without spaces.',
    description: 'The processor’s name for the dispute: opening it again at a later stage reopens it. Default: a new one.',
    example: 'SIM-4F9A1C02B7D3',
  })
  readonly reference?: string | null;

  @IsOptional()
  @IsQueryBoolean({ description: 'No later stage follows; with `dispute-win` only. Default: false.', example: false })
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
  @ApiPropertyOptional({ type: SimulatedRefundDto, description: 'Set after an outcome of a refund.' }) readonly refund?: SimulatedRefundDto;
  @ApiPropertyOptional({ type: SimulatedDisputeDto, description: 'Set after an outcome of a dispute.' }) readonly dispute?: SimulatedDisputeDto;
}
