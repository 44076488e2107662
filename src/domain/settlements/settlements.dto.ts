import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import type { Settlement } from '../../../projections/settlements/settlements.js';
import type { LineWithDispute } from '../../../projections/settlements/dispute-lines.js';
import { effectOnAvailable, LINE_KINDS } from '../../ledger/events/account.events.js';
import { IsCurrency, IsQueryBoolean } from '../../platform/http/validation/validators.js';
import { PageQuery } from '../../platform/http/pages.dto.js';
import { Int64Field, TimeField, UuidField } from '../../platform/http/answer-fields.js';
import { unreachable } from '../../ledger/unreachable.js';

/** Query of GET /v1/settlements. */
export class ListSettlementsQuery extends PageQuery {
  @IsOptional() @IsCurrency() readonly Currency?: string;
  @IsQueryBoolean({ description: 'Newest opened first. Reverses the whole order, ties included.' }) readonly IsDescending: boolean = false;
}

export class SettlementTotalsDto {
  @Int64Field({
    description: 'Minor units, exact at any size: amount that the settlement adds to available; negative if reversals outweigh the rest.',
    example: 9930,
  })
  readonly net_amount: bigint;

  @Int64Field({ example: 1 }) readonly charges: number;
  @Int64Field({ example: 0 }) readonly reversals: number;
  @Int64Field({ description: 'Number of payouts that banks returned.', example: 0 }) readonly returns: number;
  @Int64Field({ description: 'Number of refunds that failed and whose money comes back.', example: 0 }) readonly refunds: number;
  @Int64Field({ description: 'Number of holds, releases and fees of disputes.', example: 0 }) readonly disputes: number;
}

export class SettlementDto {
  @UuidField() readonly id: string;
  @ApiProperty() readonly currency: string;
  @Int64Field({ description: '1, 2, 3 … per merchant and currency, without gaps.', example: 1 }) readonly number: number;
  @ApiProperty({ type: SettlementTotalsDto }) readonly totals: SettlementTotalsDto;
  @TimeField() readonly opened_on: string;
  @TimeField({ nullable: true, description: 'null while its lines are being claimed.' }) readonly closed_on: string | null;
}

export class SettlementLineDto {
  @ApiProperty({ enum: Object.values(LINE_KINDS) }) readonly kind: string;
  @UuidField({ required: false, description: 'Id of the charge; set on every line except a return.' }) readonly charge_id?: string;
  @UuidField({ required: false, description: 'Id of the payout; set on a return.' }) readonly payout_id?: string;
  @UuidField({ required: false, description: 'Id of the refund; set on a refund that failed.' }) readonly refund_id?: string;
  @UuidField({ required: false, description: 'Id of the dispute; set on lines of disputes.' }) readonly dispute_id?: string;

  @Int64Field({
    description:
      'Minor units: amount that the line adds to available; negative for a reversal, a hold and a fee of a dispute. The lines add up to totals.net_amount.',
    example: 9930,
  })
  readonly net_amount: bigint;
}

export class SettlementDetailDto extends SettlementDto {
  @ApiProperty({ type: [SettlementLineDto] }) readonly lines: readonly SettlementLineDto[];
}

export function toSettlement({ id, currency, number, totals, opened_on, closed_on }: Settlement): SettlementDto {
  return { id, currency, number, totals: { ...totals, net_amount: BigInt(totals.net_amount) }, opened_on, closed_on };
}

export function toSettlementDetail(settlement: Settlement & { readonly lines: readonly LineWithDispute[] }): SettlementDetailDto {
  return { ...toSettlement(settlement), lines: settlement.lines.map(toLine) };
}

function toLine(line: LineWithDispute): SettlementLineDto {
  return { kind: LINE_KINDS[line.kind], ...recordOf(line), net_amount: effectOnAvailable(line) };
}

function recordOf(line: LineWithDispute): Pick<SettlementLineDto, 'charge_id' | 'payout_id' | 'refund_id' | 'dispute_id'> {
  const { kind, record_id, charge_id, dispute_id } = line;
  switch (kind) {
    case 'charge':
    case 'reversal':
      return { charge_id: record_id };
    case 'return':
      return { payout_id: record_id };
    case 'refund-return':
      return { charge_id: charge_id!, refund_id: record_id };
    case 'dispute-hold':
    case 'dispute-release':
    case 'dispute-fee':
      return { charge_id: charge_id!, dispute_id: dispute_id! };
    default:
      return unreachable(kind);
  }
}
