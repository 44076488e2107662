import { LIMIT_DEFAULT } from '../../platform/http/answer-list.js';
import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import type { Movement, BalanceSnapshot } from '../../../projections/balances/statement.js';
import { IsQueryInteger } from '../../platform/http/validation/number-validators.js';
import { IsTimestamp } from '../../platform/http/validation/validators.js';
import { ID, Int64Field, NullableText, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Names of movements on a statement. Exhaustive: an event without a name does not compile. */
export const KINDS = {
  ChargePaid: 'CHARGE_PAID',
  ChargeReversed: 'CHARGE_REVERSED',
  ChargeRefundClaimed: 'REFUND_CLAIMED',
  ChargeRefundSucceeded: 'REFUND_SUCCEEDED',
  ChargeRefundFailed: 'REFUND_FAILED',
  ChargeRefundCancelled: 'REFUND_CANCELLED',
  ChargeRefundBounced: 'REFUND_BOUNCED',
  ChargeDisputeHeld: 'DISPUTE_HELD',
  ChargeDisputeLost: 'DISPUTE_LOST',
  ChargeDisputeWon: 'DISPUTE_WON',
  RefundReserved: 'REFUND_RESERVED',
  RefundReleased: 'REFUND_RELEASED',
  FundsSettled: 'SETTLEMENT',
  PayoutRequested: 'PAYOUT_REQUESTED',
  PayoutCancelled: 'PAYOUT_CANCELLED',
  PayoutFailed: 'PAYOUT_FAILED',
  PayoutSucceeded: 'PAYOUT_SUCCEEDED',
  PayoutReturned: 'PAYOUT_RETURNED',
  AccountAdjusted: 'ADJUSTMENT',
} as const satisfies Record<Movement['type'], string>;
export type MovementKind = (typeof KINDS)[Movement['type']];

/** Query of GET /v1/statements/{currency}. */
export class StatementQueryDto {
  @IsOptional()
  @IsTimestamp({
    round: 'up',
    description: 'Includes movements booked at or after this moment. Default: from the first movement.',
    example: '2026-01-01T00:00:00+00:00',
  })
  readonly From?: string;

  @IsOptional()
  @IsTimestamp({ round: 'down', description: 'Includes movements booked at or before this moment; must not be in the future. Default: now.' })
  readonly To?: string;

  @IsOptional()
  @IsQueryInteger({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Returns movements after this position: next_after of the previous page.',
    example: 0,
  })
  readonly After?: number;

  @IsOptional()
  @IsQueryInteger({
    min: 1,
    max: 1_000,
    description: `Maximum number of movements per page; default ${LIMIT_DEFAULT}. CSV and HTML contain all of them.`,
    example: LIMIT_DEFAULT,
  })
  readonly Limit?: number;
}

export class BalanceThenDto {
  @Int64Field({ description: 'Minor units.', example: 9930 }) readonly pending_amount: bigint;
  @Int64Field({ example: 0 }) readonly available_amount: bigint;
  @Int64Field({ example: 0 }) readonly reserved_amount: bigint;
  @Int64Field({ description: 'Available plus pending.', example: 9930 }) readonly total_amount: bigint;
  @Int64Field({ description: 'Fees up to this moment.', example: 70 }) readonly fee_amount: bigint;
}

export class MovementDto extends BalanceThenDto {
  @Int64Field({ description: 'Log position of the event.', example: 4711 }) readonly position: number;
  @UuidField() readonly event_id: string;
  @ApiProperty({ enum: Object.values(KINDS), example: 'CHARGE_PAID' }) readonly kind: MovementKind;
  @TimeField({ description: 'Time of booking.' }) readonly booked_on: string;
  @UuidField({ nullable: true }) readonly charge_id: string | null;
  @UuidField({ nullable: true, example: null }) readonly payout_id: string | null;
  @UuidField({ nullable: true, description: 'Id of the refund; charge_id is set too.', example: null }) readonly refund_id: string | null;
  @UuidField({ nullable: true, description: 'Id of the dispute; charge_id is set too.', example: null }) readonly dispute_id: string | null;
  @UuidField({ nullable: true, example: null }) readonly settlement_id: string | null;
  @Int64Field({ nullable: true, example: null }) readonly settlement_number: number | null;
  @NullableText({ description: 'Code of the charge.', example: 'CHG_0123456789ABCDEF' }) readonly code: string | null;
  @NullableText({ description: 'The merchant’s own reference of the charge or payout.', example: 'order-1001' }) readonly reference_id: string | null;

  @Int64Field({ description: 'Change by the movement, minor units. The amounts beside it are the balance after the movement.', example: 9930 })
  readonly pending_change: bigint;

  @Int64Field({ example: 0 }) readonly available_change: bigint;
  @Int64Field({ example: 0 }) readonly reserved_change: bigint;
  @Int64Field({ example: 70 }) readonly fee_change: bigint;
}

export class StatementDto {
  @UuidField({ example: ID }) readonly merchant_id: string;
  @ApiProperty() readonly currency: string;
  @TimeField({ nullable: true, example: '2026-01-01T00:00:00.000+00:00' }) readonly from: string | null;
  @TimeField() readonly to: string;

  @ApiProperty({ type: BalanceThenDto, description: 'Balance before the first movement of the whole statement, on every page.' })
  readonly opening_balance: BalanceSnapshot;

  @ApiProperty({ type: BalanceThenDto, description: 'Balance after the last movement of the whole statement, on every page.' })
  readonly closing_balance: BalanceSnapshot;

  @ApiProperty({ type: [MovementDto], description: 'Movements in the order of booking.' }) readonly items: readonly MovementDto[];
  @Int64Field({ nullable: true, description: 'After for the next page; null at the end.', example: null }) readonly next_after: number | null;
}

export function toMovement({ position, event_id, type, booked_on, after, ...movement }: Movement): MovementDto {
  return { position, event_id, kind: KINDS[type], booked_on, ...movement, ...after };
}
