import { IsOptional } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Settlement } from '../../../projections/settlements/settlements.js';
import type { LineWithDispute } from '../../../projections/settlements/dispute-lines.js';
import { effectOnAvailable } from '../../ledger/events/account.events.js';
import { IsCurrency, IsQueryBoolean } from '../../platform/http/validation/validators.js';
import { PageQuery } from '../../platform/http/pages.dto.js';

export const LINE_KINDS = ['CHARGE', 'REVERSAL', 'RETURN', 'REFUND_RETURN', 'DISPUTE_HOLD', 'DISPUTE_RELEASE', 'DISPUTE_FEE'] as const;

const WHEN = '2026-01-31T08:15:30.123+00:00';

/** Query of GET /v1/settlements. */
export class ListSettlementsQuery extends PageQuery {
  @IsOptional()
  @IsCurrency()
  readonly Currency?: string;

  @IsQueryBoolean({ description: 'By opening; turns the whole order round, ties too.' })
  readonly IsDescending: boolean = false;
}

export class SettlementTotalsDto {
  @ApiProperty({
    type: 'integer',
    description: 'Minor units, exact at any size: what the settlement adds to available; below zero when reversals outweigh.',
    example: 9930,
  })
  readonly net_amount: bigint;

  @ApiProperty({ type: 'integer', example: 1 })
  readonly charges: number;

  @ApiProperty({ type: 'integer', example: 0 })
  readonly reversals: number;

  @ApiProperty({ type: 'integer', description: 'Payouts that banks returned.', example: 0 })
  readonly returns: number;

  @ApiProperty({ type: 'integer', description: 'Refunds that failed, whose money comes back.', example: 0 })
  readonly refunds: number;

  @ApiProperty({ type: 'integer', description: 'Holds of disputes, their release and their fees.', example: 0 })
  readonly disputes: number;
}

export class SettlementDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d' })
  readonly id: string;

  @ApiProperty({ example: 'IDR' })
  readonly currency: string;

  @ApiProperty({ type: 'integer', description: '1, 2, 3 … within merchant and currency, without gaps.', example: 1 })
  readonly number: number;

  @ApiProperty({ type: SettlementTotalsDto })
  readonly totals: SettlementTotalsDto;

  @ApiProperty({ format: 'date-time', example: WHEN })
  readonly opened_on: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'null while its lines are being claimed.', example: WHEN })
  readonly closed_on: string | null;
}

export class SettlementLineDto {
  @ApiProperty({ enum: LINE_KINDS })
  readonly kind: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Of every line but a return.' })
  readonly charge_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Of a return.' })
  readonly payout_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Of a refund that failed.' })
  readonly refund_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Of a dispute.' })
  readonly dispute_id?: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description:
      'Minor units: what the line adds to available; below zero for a reversal, a hold and a fee of a dispute. The lines add up to totals.net_amount.',
    example: 9930,
  })
  readonly net_amount: bigint;
}

export class SettlementDetailDto extends SettlementDto {
  @ApiProperty({ type: [SettlementLineDto] })
  readonly lines: readonly SettlementLineDto[];
}

export function toSettlement({ id, currency, number, totals, opened_on, closed_on }: Settlement): SettlementDto {
  return { id, currency, number, totals: { ...totals, net_amount: BigInt(totals.net_amount) }, opened_on, closed_on };
}

export function toSettlementDetail(settlement: Settlement & { readonly lines: readonly LineWithDispute[] }): SettlementDetailDto {
  return { ...toSettlement(settlement), lines: settlement.lines.map(toLine) };
}

function toLine(line: LineWithDispute): SettlementLineDto {
  return { kind: line.kind.toUpperCase().replace('-', '_'), ...recordOf(line), net_amount: effectOnAvailable(line) };
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
      throw new Error(`no line of kind ${kind satisfies never as string}`);
  }
}
