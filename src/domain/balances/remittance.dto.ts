import { ApiProperty } from '@nestjs/swagger';
import { LINE_KINDS } from '../../ledger/events/account.events.js';
import { ID, Int64Field, NullableText, TimeField, UuidField } from '../../platform/http/answer-fields.js';

class RemittanceLineDto {
  @ApiProperty({ enum: [...Object.values(LINE_KINDS), 'ADJUSTMENT'] }) readonly kind: string;

  @UuidField({ description: 'Id of the charge, payout returned by a bank, refund, dispute, hold of a dispute or adjustment.' })
  readonly record_id: string;

  @UuidField({ nullable: true, description: 'null for a return, and for an adjustment that concerns no charge.' }) readonly charge_id: string | null;
  @NullableText({ description: 'Code of the charge.', example: 'C0FFEE12' }) readonly code: string | null;
  @NullableText({ description: 'The merchant’s own reference of the charge.', example: 'order-1' }) readonly reference_id: string | null;
  @Int64Field({ description: 'Minor units; negative for money that is taken back.', example: 10000 }) readonly gross_amount: number;
  @Int64Field({ description: 'Fee included in gross_amount; negative for a fee that is returned.', example: 70 }) readonly fee_amount: number;
  @Int64Field({ description: 'gross_amount less fee_amount.', example: 9930 }) readonly net_amount: number;
}

class RemittanceSettlementDto {
  @UuidField({ nullable: true, description: 'null for an adjustment.' }) readonly settlement_id: string | null;
  @Int64Field({ nullable: true, description: 'null for an adjustment.', example: 1 }) readonly settlement_number: number | null;
  @UuidField({ required: false, description: 'Id of the adjustment; absent for a settlement.' }) readonly adjustment_id?: string;
  @TimeField({ description: 'When the account was credited.' }) readonly settled_on: string;
  @Int64Field({ description: 'Net amount of the settlement or adjustment; its lines add up to it.', example: 9930 }) readonly net_amount: number;
  @Int64Field({ description: 'Amount used by earlier payouts and refunds.', example: 0 }) readonly used_before: number;
  @Int64Field({ description: 'Amount used by this payout.', example: 5000 }) readonly used_here: number;
  @Int64Field({ description: 'Amount left for later payouts and refunds.', example: 4930 }) readonly left: number;
  @ApiProperty({ type: [RemittanceLineDto] }) readonly lines: readonly RemittanceLineDto[];
}

class RemittanceDocumentDto {
  @UuidField() readonly payout_id: string;
  @UuidField({ example: ID }) readonly merchant_id: string;
  @ApiProperty() readonly currency: string;
  @Int64Field({ description: 'Minor units.', example: 5000 }) readonly amount: number;
  @Int64Field({ description: 'Fee included in amount.', example: 500 }) readonly fee_amount: number;
  @Int64Field({ description: 'Amount sent to the bank.', example: 4500 }) readonly net_amount: number;
  @NullableText({ description: 'The merchant’s own reference.', example: 'payout-1' }) readonly reference_id: string | null;
  @TimeField({ description: 'When the merchant requested the payout.' }) readonly requested_on: string;
  @TimeField() readonly succeeded_on: string;

  @Int64Field({ description: 'Log position of the PayoutSucceeded event. Money that was settled later did not fund the payout.', example: 4711 })
  readonly position: number;

  @Int64Field({
    description: 'Part of the amount that no settlement covered when the payout was paid; 0 unless the balance was negative.',
    example: 0,
  })
  readonly not_covered: number;

  @ApiProperty({ type: [RemittanceSettlementDto], description: 'Oldest first. Their used_here and not_covered add up to amount.' })
  readonly settlements: readonly RemittanceSettlementDto[];
}

export class RemittanceAdviceDto {
  @ApiProperty({ type: RemittanceDocumentDto, description: 'Serialized as in RFC 8785; a number beyond 2^53 − 1 is a string of its digits.' })
  readonly document: RemittanceDocumentDto;

  @ApiProperty({ description: 'SHA-256 of the document, hex.', example: 'a3'.repeat(32) }) readonly digest: string;

  @ApiProperty({
    description: 'Ed25519 (RFC 8032) public key, 32 bytes, hex. Compare it with the key that the operator of the service has given you.',
    example: '1f'.repeat(32),
  })
  readonly public_key: string;

  @ApiProperty({
    description: 'Signature over "chargebook remittance advice 1", digest and position, each followed by a line feed; base64.',
    example: `${'A'.repeat(86)}==`,
  })
  readonly signature: string;
}
