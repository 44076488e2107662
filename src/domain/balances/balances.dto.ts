import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { IsTimestamp } from '../../platform/http/validation/validators.js';

/** Query of both balance reads. */
export class BalanceQuery {
  @IsOptional()
  @IsTimestamp({ round: 'down', description: 'The balance as it stood then (inclusive), by the time of booking. Not in the future.' })
  readonly AsOf?: string;
}

const AMOUNT = { type: 'integer', format: 'int64' } as const;
const COUNT = { type: 'integer' } as const;
const WHEN = '2026-01-31T08:15:30.123+00:00';

/** Amounts are minor units and may pass 2^53: they are written with all their digits. */
export class BalanceDto {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ format: 'uuid' })
  readonly merchant_id: string;

  @ApiProperty({ example: 'IDR' })
  readonly currency: string;

  @ApiProperty({ ...AMOUNT, description: 'Available plus pending; reserved is outside.', example: 9930 })
  readonly total_amount: bigint;

  @ApiProperty({ ...AMOUNT, description: 'Funds for payouts and refunds. Reversals after settlement alone may drive it below zero.', example: 0 })
  readonly available_amount: bigint;

  @ApiProperty({ ...AMOUNT, description: 'Funds that wait for their settlement.', example: 9930 })
  readonly pending_amount: bigint;

  @ApiProperty({ ...AMOUNT, description: 'Funds held for payouts and refunds that are under way.', example: 0 })
  readonly reserved_amount: bigint;

  @ApiProperty({ ...AMOUNT, description: 'Fees of succeeded charges and payouts, less what was reversed or refunded.', example: 70 })
  readonly fee_amount: bigint;

  @ApiProperty({ ...COUNT, description: 'Charges settled and not reversed.', example: 0 })
  readonly available_count: number;

  @ApiProperty({ ...COUNT, description: 'Charges succeeded and not yet settled.', example: 1 })
  readonly pending_count: number;

  @ApiProperty({ example: 'System' })
  readonly created_by: string;

  @ApiProperty({ format: 'date-time', example: WHEN })
  readonly created_on: string;

  @ApiProperty({ example: 'System' })
  readonly last_modified_by: string;

  @ApiProperty({ format: 'date-time', example: WHEN })
  readonly last_modified_on: string;
}
