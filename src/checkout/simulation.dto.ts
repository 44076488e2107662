import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { IsText, IsWord } from '../platform/http/validators.js';
import { OUTCOMES } from './outcomes.js';

/** Body of POST on a simulation page's address. */
export class SimulationBody {
  @IsWord(OUTCOMES, { description: 'What is to happen to the charge, in any case.', example: 'succeed' })
  readonly outcome: string;

  @IsOptional()
  @IsText({ min: 0, max: 255, description: 'Why it failed; with `fail` only.', example: 'Insufficient balance' })
  readonly reason?: string | null;
}

export class SimulatedChargeDto {
  @ApiProperty({ enum: ['PENDING', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'], example: 'SUCCEEDED' })
  readonly status: string;

  @ApiProperty({ enum: ['UNKNOWN', 'PENDING', 'PROCESSING', 'SETTLED', 'REVERSED'], example: 'PENDING' })
  readonly settlement_status: string;
}
