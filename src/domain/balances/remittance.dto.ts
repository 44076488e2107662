import { ApiProperty } from '@nestjs/swagger';
import { ID, Int64Field, IntegerField, NullableText, TimeField, UuidField } from '../../platform/http/answer-fields.js';

const KINDS = ['CHARGE', 'REVERSAL', 'RETURN', 'REFUND_RETURN', 'DISPUTE_HOLD', 'DISPUTE_RELEASE', 'DISPUTE_FEE', 'ADJUSTMENT'];

class RemittanceLineDto {
  @ApiProperty({ enum: KINDS }) readonly kind: string;

  @UuidField({ description: 'Of the charge, or of the payout that a bank returned, the refund, the dispute or its hold, the adjustment.' })
  readonly record_id: string;

  @UuidField({ nullable: true, description: 'null of a return, and of an adjustment that is about no charge.' }) readonly charge_id: string | null;
  @NullableText({ description: 'Of the charge.', example: 'C0FFEE12' }) readonly code: string | null;
  @NullableText({ description: "The merchant's own, of the charge.", example: 'order-1' }) readonly reference_id: string | null;
  @Int64Field({ description: 'Minor units; below zero for what is taken back.', example: 10000 }) readonly gross_amount: number;
  @Int64Field({ description: 'Of it; below zero for what is given back.', example: 70 }) readonly fee_amount: number;
  @Int64Field({ description: 'gross_amount less fee_amount.', example: 9930 }) readonly net_amount: number;
}

class RemittanceSettlementDto {
  @UuidField({ nullable: true, description: 'null of an adjustment.' }) readonly settlement_id: string | null;
  @IntegerField({ nullable: true, description: 'null of an adjustment.', example: 1 }) readonly settlement_number: number | null;
  @UuidField({ required: false, description: 'Of an adjustment; absent of a settlement.' }) readonly adjustment_id?: string;
  @TimeField({ description: 'When the account had it.' }) readonly settled_on: string;
  @Int64Field({ description: 'What it brought: its lines add up to it.', example: 9930 }) readonly net_amount: number;
  @Int64Field({ description: 'By payouts and refunds before this payout.', example: 0 }) readonly used_before: number;
  @Int64Field({ description: 'By this payout.', example: 5000 }) readonly used_here: number;
  @Int64Field({ description: 'For later ones.', example: 4930 }) readonly left: number;
  @ApiProperty({ type: [RemittanceLineDto] }) readonly lines: readonly RemittanceLineDto[];
}

class RemittanceDocumentDto {
  @UuidField() readonly payout_id: string;
  @UuidField({ example: ID }) readonly merchant_id: string;
  @ApiProperty() readonly currency: string;
  @Int64Field({ description: 'Minor units.', example: 5000 }) readonly amount: number;
  @Int64Field({ description: 'Of it.', example: 500 }) readonly fee_amount: number;
  @Int64Field({ description: 'Sent to the bank.', example: 4500 }) readonly net_amount: number;
  @NullableText({ description: "The merchant's own.", example: 'payout-1' }) readonly reference_id: string | null;
  @TimeField({ description: 'By the merchant.' }) readonly requested_on: string;
  @TimeField() readonly succeeded_on: string;

  @Int64Field({ description: 'Of the PayoutSucceeded in the log: what was settled later has not paid for it.', example: 4711 })
  readonly position: number;

  @Int64Field({ description: 'Of the amount, what no settlement had brought when it was paid; 0 but for a balance below zero.', example: 0 })
  readonly not_covered: number;

  @ApiProperty({ type: [RemittanceSettlementDto], description: 'Oldest first. Their used_here and not_covered add up to amount.' })
  readonly settlements: readonly RemittanceSettlementDto[];
}

export class RemittanceAdviceDto {
  @ApiProperty({ type: RemittanceDocumentDto, description: 'Written as RFC 8785 has it; a figure beyond 2^53 − 1 as a text of its digits.' })
  readonly document: RemittanceDocumentDto;

  @ApiProperty({ description: 'SHA-256 of the document, hex.', example: 'a3'.repeat(32) }) readonly digest: string;

  @ApiProperty({
    description: 'Ed25519 (RFC 8032) public key, 32 bytes, hex: compare it with the one that the house has given you.',
    example: '1f'.repeat(32),
  })
  readonly public_key: string;

  @ApiProperty({
    description: 'Over "chargebook remittance advice 1", digest and position, each with a line feed; base64.',
    example: `${'A'.repeat(86)}==`,
  })
  readonly signature: string;
}
