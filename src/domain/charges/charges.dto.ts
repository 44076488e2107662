import { IsOptional } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { HistoryEventDto } from '../../ledger/dto/history-event.dto.js';
import { onlyLinesOf } from '../../ledger/published/lines-of.js';
import { headOf } from '../../ledger/published/shown-event.js';
import { CHANNELS } from '../../ledger/channels.js';
import { IsMinorUnits } from '../../platform/http/validation/number-validators.js';
import { IsCurrency, IsMetadata, IsText, IsWord } from '../../platform/http/validation/validators.js';
import { AUTHORITY, REST } from '../../platform/text/uri.js';
import type { ChargeOrder } from './charge.decider.js';
import type { ExistingCharge } from './charge-state.js';
import type { RecordedEvent } from '../../platform/event-store/event-store.js';
import type { ActionFlow, ChargeCreated } from '../../ledger/events/charge.events.js';
import { Int32Field, Int64Field, NullableText, TimeField, UuidField } from '../../platform/http/answer-fields.js';

export const CHANNEL_CODES = CHANNELS.map(({ code }) => code);
export const STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'];
export const SETTLEMENT_STATUSES = ['UNKNOWN', 'PENDING', 'PROCESSING', 'SETTLED', 'REVERSED'];
const FLOWS = ['PAYLOAD', 'REDIRECTION', 'EMBEDDED'];
/**
 * Schemes with a dot are private to apps (RFC 8252, 7.1): no browser runs or opens anything under one. The pattern rejects `@` in
 * front of the path, which excludes credentials.
 */
export const RETURN_URL = new RegExp(
  String.raw`^(?:https://${AUTHORITY}|[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)+:(?://[A-Za-z0-9.-]*|(?=/(?!/))))${REST}$`,
);

export const RETURN_URL_DOCUMENTED = /^(https:\/\/[A-Za-z0-9_-]|[A-Za-z][A-Za-z0-9-]*(\.[A-Za-z0-9-]+)+:)[!-~]*$/;

/** Body of POST /v1/charges. */
export class CreateChargeBody {
  @IsMinorUnits({ description: 'Minor units, within the bounds of the channel.', example: 10000 }) readonly amount: number;
  @IsCurrency({ description: 'Currency of the channel.' }) readonly currency: string;
  @IsWord(CHANNEL_CODES, { description: 'Payment channel, case-insensitive.', example: 'qr_qris' }) readonly channel_code: string;

  @IsWord(FLOWS, { description: 'QR channels take payload and embedded, all others redirection and embedded.', example: 'payload' })
  readonly action_flow: ActionFlow;

  @IsText({ max: 255, description: 'Your order or invoice number. It may repeat, and SearchText finds it.', example: 'order-1001' })
  readonly reference_id: string;

  @IsOptional()
  @IsText({ min: 0, max: 500, multiline: true, description: 'Purpose of the payment.', example: 'Two coffees' })
  readonly description?: string | null;

  @IsOptional()
  @IsMetadata({ description: 'Your own key-value pairs; values are strings. Returned as meta_data.', example: { table: '7' } })
  readonly metadata?: Readonly<Record<string, string>> | null;

  @IsOptional()
  @IsText({
    max: 2_048,
    pattern: RETURN_URL,
    documentedPattern: RETURN_URL_DOCUMENTED,
    patternDetail: 'Must be an https address, or an app link whose scheme is a domain name in reverse, such as com.example.shop://paid.',
    description:
      'Address to which the hosted payment page returns the customer when the payment has ended, used exactly as sent: an https address, or an app link whose scheme is a domain name in reverse, without credentials. The redirect does not include the result: read the charge, or wait for the webhook.',
    example: 'https://shop.example.com/orders/1001',
  })
  readonly return_url?: string | null;
}

/** Returns the order of a body, without a return_url when it has none: each member is part of the request's fingerprint. */
export function toChargeOrder({ return_url, ...asked }: CreateChargeBody): ChargeOrder {
  const order = { ...asked, description: asked.description ?? null, metadata: asked.metadata ?? {} };
  return return_url ? { ...order, return_url } : order;
}

export class FeeDto {
  @ApiProperty({ enum: ['PERCENTAGE', 'FIXED'] }) readonly type: string;
  @ApiProperty({ type: Number, description: 'A percentage (0.7 means 0.7 %) or minor units.', example: 0.7 }) readonly value: number;
}

export class ChargeActionDto {
  @ApiProperty({ enum: ['PRESENT_TO_CUSTOMER', 'REDIRECT_CUSTOMER'] }) readonly type: string;

  @ApiProperty({ format: 'uri', description: 'The hosted payment page.', example: 'https://pay.example.com/pay/AZjA3npe' })
  readonly embedded_url: string;

  @ApiProperty({
    type: 'string',
    format: 'uri',
    nullable: true,
    description: 'Page for simulating the payment of a test charge; null for live merchants.',
    example: null,
  })
  readonly simulation_url: string | null;

  @ApiPropertyOptional({ description: 'QRIS or PayNow payload; QR channels only.', example: '00020101021226…6304A13A' }) readonly qr_string?: string;

  @ApiPropertyOptional({
    format: 'uri',
    description: 'The payment provider’s own page or app; only on live channels that have one.',
    example: 'https://checkout.example.com/dana/8f3k',
  })
  readonly redirect_url?: string;
}

/** Property of charges at a payment provider, in responses to creation and to reads. */
const PROCESSOR_REFERENCE = {
  type: String,
  nullable: true,
  description: 'The payment provider’s reference of the payment; null until the customer can pay. Only on charges that a payment provider processes.',
  example: 'pr-8877c08a-740d-4153-9816-3d744ed197a5',
} as const;
const FAILURE_CODE = { description: 'The payment provider’s error code; only if it refused the payment.', example: 'CHANNEL_UNAVAILABLE' } as const;

/** Fields of every shape of a charge. */
class ChargeBaseDto {
  @UuidField() readonly id: string;
  @ApiProperty({ pattern: '^CHG_[0-9A-Z]{16}$', example: 'CHG_0K3M9ZQ4T7X1B8WA' }) readonly code: string;
  @ApiProperty({ example: 'order-1001' }) readonly reference_id: string;
  @UuidField() readonly merchant_id: string;
  @Int64Field({ description: 'Minor units.', example: 10000 }) readonly amount: number;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ enum: CHANNEL_CODES, example: 'QR_QRIS' }) readonly channel_code: string;
  @ApiProperty({ enum: FLOWS }) readonly action_flow: string;
  @ApiProperty({ enum: STATUSES }) readonly status: string;
  @NullableText({ example: 'Two coffees' }) readonly description: string | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { table: '7' } })
  readonly meta_data: Readonly<Record<string, string>>;

  @ApiProperty({ description: 'Id of the key that acted, or System.', example: 'key_5f3b8c1d' }) readonly created_by: string;
  @TimeField() readonly created_on: string;
  @ApiProperty({ example: 'System' }) readonly updated_by: string;
  @TimeField() readonly updated_on: string;

  @ApiPropertyOptional({
    format: 'uri',
    description: 'The return_url of the request; absent if the request had none.',
    example: 'https://shop.example.com/orders/1001',
  })
  readonly return_url?: string;
}

/** Shape A: the answer to a creation. */
export class CreatedChargeDto extends ChargeBaseDto {
  @ApiProperty({ type: ChargeActionDto }) readonly action: ChargeActionDto;
  @ApiPropertyOptional(PROCESSOR_REFERENCE) readonly processor_reference?: string | null;
  @ApiPropertyOptional(FAILURE_CODE) readonly failure_code?: string;
}

/** Shape C: an item of the list. */
export class ChargeListItemDto extends ChargeBaseDto {
  @Int64Field({ description: 'Minor units.', example: 70 }) readonly fee_amount: number;
  @Int64Field({ description: 'Minor units.', example: 9930 }) readonly net_amount: number;
  @ApiProperty({ enum: SETTLEMENT_STATUSES }) readonly settlement_status: string;
  @TimeField({ nullable: true, description: 'When it was settled; null until then.', example: null }) readonly settlement_on: string | null;
  @Int64Field({ description: 'Minor units: sum of the refunds that have succeeded.', example: 0 }) readonly refunded_amount: number;
  @Int64Field({ description: 'Minor units: amount held or lost in disputes.', example: 0 }) readonly disputed_amount: number;
  @TimeField({ required: false, description: 'When the money is due; only if the charge has succeeded.' }) readonly settlement_date?: string;
  @TimeField({ required: false, description: 'When the charge was paid; only if it has succeeded.' }) readonly paid_on?: string;
  @TimeField({ required: false, description: 'When the charge failed; only if it has failed.' }) readonly failed_on?: string;
}

/** Shape B: one charge. Before payment, fee_amount and net_amount are the amounts that a payment would yield. */
export class ChargeDetailDto extends ChargeListItemDto {
  @Int64Field({
    description: 'Minor units: amount that can still be refunded, less pending and processing refunds; 0 unless the charge has succeeded.',
    example: 10000,
  })
  readonly refundable_amount: number;

  @ApiProperty({ type: FeeDto }) readonly fee: FeeDto;
  @UuidField() readonly charge_statement_id: string;
  @ApiProperty({ example: 'SIMULATOR' }) readonly processor: string;

  @ApiPropertyOptional({
    type: ChargeActionDto,
    nullable: true,
    description: 'How the customer pays; null until the payment provider has answered. Only on charges that a payment provider processes.',
  })
  readonly action?: ChargeActionDto | null;

  @ApiPropertyOptional(PROCESSOR_REFERENCE) readonly processor_reference?: string | null;
  @ApiPropertyOptional(FAILURE_CODE) readonly failure_code?: string;
  @ApiProperty({ pattern: '^T\\+[0-9]+$', example: 'T+2' }) readonly settlement_cycle: string;
  @UuidField() readonly owned_by: string;
  @ApiProperty({ description: 'The same as updated_by.', example: 'System' }) readonly last_modified_by: string;
  @TimeField({ description: 'The same as updated_on.' }) readonly last_modified_on: string;
}

export class ChargePageDto {
  @Int32Field({ example: 1 }) readonly page_number: number;
  @Int32Field({ example: 10 }) readonly page_size: number;
  @Int64Field({ description: 'Number of pages; 0 when nothing matches.', example: 1 }) readonly page_count: number;
  @Int64Field({ description: 'Exact number of matching charges.', example: 1 }) readonly total_item_count: number;
  @ApiProperty({ type: [ChargeListItemDto] }) readonly items: readonly ChargeListItemDto[];
}

/** One event of a charge's history. */
export class ChargeEventDto extends HistoryEventDto {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The recorded event.' }) readonly data: object;
}

/** Shape A of the event. The same on every repeat. */
export function toCreatedCharge(created: ChargeCreated): CreatedChargeDto {
  const { action, meta_data, action_flow, amount, channel_code, code, currency, description, merchant_id, reference_id } = created;
  const { created_by, created_on, charge_id: id, return_url } = created;
  return {
    action,
    meta_data,
    action_flow,
    amount,
    channel_code,
    code,
    currency,
    description,
    merchant_id,
    reference_id,
    status: 'PENDING',
    created_by,
    updated_by: created_by,
    created_on,
    updated_on: created_on,
    id,
    ...(return_url === undefined ? {} : { return_url }),
  };
}

/**
 * Shape A of a remote processor's charge, built from its creation and the processor's instruction. Once the instruction is recorded,
 * every repeat returns the same.
 */
export function toRemoteCharge({ created, status, attempts, failed }: ExistingCharge): CreatedChargeDto {
  const { instructed } = attempts;
  const isPending = instructed !== null || status === 'PENDING';
  return {
    ...toCreatedCharge(created),
    action: instructed?.action ?? created.action,
    status: isPending ? 'PENDING' : status,
    processor_reference: instructed?.processor_reference ?? null,
    ...(!isPending && failed?.failure_code !== undefined && { failure_code: failed.failure_code }),
  };
}

/** One event of the charge `of`. A settlement's event shows only the charge's own lines. */
export function toChargeEvent(recorded: RecordedEvent, of: string): ChargeEventDto {
  return { ...headOf(recorded), data: onlyLinesOf(of, recorded).data };
}
