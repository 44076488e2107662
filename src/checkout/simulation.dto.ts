import { IsOptional } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsId, IsText, IsWord } from '../platform/http/validators.js';
import { OUTCOMES, REFUND_OUTCOMES } from './outcomes.js';

/** Body of POST on a simulation page's address. */
export class SimulationBody {
  @IsWord([...OUTCOMES, ...REFUND_OUTCOMES], {
    description: 'What is to happen to the charge or to a refund of it, in any case.',
    example: 'succeed',
  })
  readonly outcome: string;

  @IsOptional()
  @IsText({ min: 0, max: 255, description: 'Why it failed; with `fail` only.', example: 'Insufficient balance' })
  readonly reason?: string | null;

  @IsOptional()
  @IsId({ description: 'Of the refund; with `refund-…` only. Absent: the newest of the charge.' })
  readonly refund_id?: string | null;
}

export class SimulatedRefundDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d' })
  readonly id: string;

  @ApiProperty({ enum: ['PENDING', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'CANCELLED'], example: 'SUCCEEDED' })
  readonly refund_status: string;
}

export class SimulatedChargeDto {
  @ApiProperty({ enum: ['PENDING', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'], example: 'SUCCEEDED' })
  readonly status: string;

  @ApiProperty({ enum: ['UNKNOWN', 'PENDING', 'PROCESSING', 'SETTLED', 'REVERSED'], example: 'PENDING' })
  readonly settlement_status: string;

  @ApiPropertyOptional({ type: SimulatedRefundDto, description: 'After an outcome of a refund.' })
  readonly refund?: SimulatedRefundDto;
}
