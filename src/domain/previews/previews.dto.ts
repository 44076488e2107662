import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { FUNDINGS_MAX } from '../../../projections/balances/explanation.js';
import { Int32Field, Int64Field, NullableText, TimeField, UuidField } from '../../platform/http/answer-fields.js';
import { FundingDto } from '../balances/explanation.dto.js';
import { BalanceThenDto } from '../balances/statements.dto.js';
import { ChargeDetailDto } from '../charges/charges.dto.js';
import { RefundDto } from '../charges/refunds/refunds.dto.js';
import { PayoutApprovalDto, PayoutDto, PENDING_REASON, PENDING_REASON_MEANINGS } from '../payouts/payouts.dto.js';
import type { PendingReason } from '../payouts/pending-reason.js';

const UNKNOWN_ID = { nullable: true, description: 'Always null.', example: null } as const;
const UNKNOWN_TIME = { nullable: true, description: 'Always null.', example: null } as const;

class RefusalDto {
  @ApiProperty({ description: 'Code of the problem that the request would return.', example: 'insufficient-balance' }) readonly code: string;
  @ApiProperty({ description: 'Title of the problem.', example: 'The available balance is too low' }) readonly title: string;
  @ApiProperty({ description: 'Detail of the problem.', example: 'The payout needs IDR 10,000.00; IDR 0.00 are available.' }) readonly detail: string;
}

/** Fields of every preview. */
export class PreviewDto {
  @ApiProperty({ type: Boolean, description: 'Whether the request would succeed now.', example: true }) readonly would_succeed: boolean;
  @ApiProperty({ type: RefusalDto, nullable: true, description: 'Why the request would be refused; null if it would succeed.', example: null })
  readonly refusal: RefusalDto | null;

  @Int64Field({ description: 'Log position of the last event included.', example: 4711 }) readonly position: number;

  @ApiProperty({ type: BalanceThenDto, nullable: true, description: 'The balance after the request; null if it would be refused.' })
  readonly balance_after: BalanceThenDto | null;

  @ApiProperty({
    type: [FundingDto],
    description: `Settlements and adjustments that would fund it, oldest first, at most ${FUNDINGS_MAX}; empty if it takes no available money.`,
  })
  readonly funded_from: readonly FundingDto[];

  @Int32Field({ description: 'Number of operators who would have to approve it.', example: 0 }) readonly approvals_required: number;

  @ApiProperty({ ...PENDING_REASON, description: `Why it would wait. ${PENDING_REASON_MEANINGS} Null otherwise.`, example: null })
  readonly pending_reason: PendingReason | null;

  @ApiProperty({
    type: 'string',
    format: 'date',
    nullable: true,
    description:
      'If the available balance is too low: the first day of the forecast whose closing balance covers the request; null if there is none.',
    example: null,
  })
  readonly earliest_on: string | null;
}

class PreviewedApprovalDto extends PickType(PayoutApprovalDto, ['required', 'given'] as const) {
  @TimeField(UNKNOWN_TIME) readonly approve_by: null;
}

export class PreviewedPayoutDto extends OmitType(PayoutDto, ['id', 'created_on', 'updated_on', 'approval'] as const) {
  @UuidField(UNKNOWN_ID) readonly id: null;
  @TimeField(UNKNOWN_TIME) readonly created_on: null;
  @TimeField(UNKNOWN_TIME) readonly updated_on: null;
  @ApiProperty({ type: PreviewedApprovalDto, required: false, description: 'Absent if the payout needs no approval.' })
  readonly approval?: PreviewedApprovalDto;
}

export class PreviewedRefundDto extends OmitType(RefundDto, ['id', 'created_on', 'updated_on'] as const) {
  @UuidField(UNKNOWN_ID) readonly id: null;
  @TimeField(UNKNOWN_TIME) readonly created_on: null;
  @TimeField(UNKNOWN_TIME) readonly updated_on: null;
}

const OF_CHARGE = [
  ...(['reference_id', 'merchant_id', 'amount', 'fee_amount', 'net_amount', 'fee', 'currency', 'channel_code', 'action_flow', 'status'] as const),
  ...(['description', 'meta_data', 'settlement_cycle', 'processor', 'created_by', 'updated_by', 'return_url'] as const),
] as const;

export class PreviewedChargeDto extends PickType(ChargeDetailDto, OF_CHARGE) {
  @UuidField(UNKNOWN_ID) readonly id: null;
  @NullableText(UNKNOWN_ID) readonly code: null;
  @TimeField(UNKNOWN_TIME) readonly created_on: null;
  @TimeField(UNKNOWN_TIME) readonly updated_on: null;
}

/** Response of POST /v1/payouts/preview. */
export class PayoutPreviewDto extends PreviewDto {
  @ApiProperty({ type: PreviewedPayoutDto, nullable: true, description: 'The payout; null if the request would be refused.' })
  readonly payout: PreviewedPayoutDto | null;
}

/** Response of POST /v1/charges/preview. */
export class ChargePreviewDto extends PreviewDto {
  @ApiProperty({ type: PreviewedChargeDto, nullable: true, description: 'The charge; null if the request would be refused.' })
  readonly charge: PreviewedChargeDto | null;
}

/** Response of POST /v1/charges/{id}/refunds/preview. */
export class RefundPreviewDto extends PreviewDto {
  @ApiProperty({ type: PreviewedRefundDto, nullable: true, description: 'The refund; null if the request would be refused.' })
  readonly refund: PreviewedRefundDto | null;
}
