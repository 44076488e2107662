import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { IsTimestamp } from '../../platform/http/validation/validators.js';
import { Int64Field, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Query of both balance reads. */
export class BalanceQuery {
  @IsOptional()
  @IsTimestamp({
    round: 'down',
    description: 'Returns the balance as of this moment (inclusive), by the time of booking. Must not be in the future.',
  })
  readonly AsOf?: string;
}

const COUNT = { type: 'integer', format: 'int64' } as const;

/** Amounts are minor units and may exceed 2^53; all digits are written. */
export class BalanceDto {
  @UuidField() readonly id: string;
  @UuidField() readonly merchant_id: string;
  @ApiProperty() readonly currency: string;
  @Int64Field({ description: 'Available plus pending; does not include reserved.', example: 9930 }) readonly total_amount: bigint;

  @Int64Field({ description: 'Funds for payouts and refunds. Only reversals after settlement may make it negative.', example: 0 })
  readonly available_amount: bigint;

  @Int64Field({ description: 'Funds that wait for their settlement.', example: 9930 }) readonly pending_amount: bigint;
  @Int64Field({ description: 'Funds held for payouts and refunds that are under way.', example: 0 }) readonly reserved_amount: bigint;
  @Int64Field({ description: 'Fees of succeeded charges and payouts, less reversed and refunded fees.', example: 70 }) readonly fee_amount: bigint;
  @ApiProperty({ ...COUNT, description: 'Charges settled and not reversed.', example: 0 }) readonly available_count: number;
  @ApiProperty({ ...COUNT, description: 'Charges succeeded and not yet settled.', example: 1 }) readonly pending_count: number;
  @ApiProperty({ example: 'System' }) readonly created_by: string;
  @TimeField() readonly created_on: string;
  @ApiProperty({ example: 'System' }) readonly last_modified_by: string;
  @TimeField() readonly last_modified_on: string;
}
