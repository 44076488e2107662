import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { IsQueryInteger } from '../../platform/http/validation/number-validators.js';
import { IsNameList, IsText, IsWord } from '../../platform/http/validation/validators.js';
import type { Delivery } from './delivery-log.js';
import { EVENT_KINDS, type EventKind } from '../../ledger/published/outbox-messages.js';
import type { Webhook } from './webhook.decider.js';
import { Int32Field, Int64Field, NullableText, TimeField, UuidField } from '../../platform/http/answer-fields.js';

const URI = 'https://shop.example.com/hooks';

/** Body of POST /v1/merchants/me/web-hook. */
export class SetWebHookBody {
  @IsText({
    max: 2_048,
    format: 'uri',
    description:
      'Address that receives the events: an absolute https URI on the public internet, without credentials. It is returned in its normalized form, which is the address that is called.',
    example: URI,
  })
  readonly web_hook_uri: string;

  @IsText({
    min: 16,
    max: 255,
    description:
      'Key that signs deliveries: whsec_ and base64 of 24 to 64 bytes, or any text. After a change, the previous key also signs for 24 hours.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  readonly signature_key: string;

  @IsOptional()
  @IsNameList(EVENT_KINDS, { description: 'Event kinds to send; an empty array means all.', example: ['charge.succeeded'] })
  readonly events?: readonly EventKind[] | null;
}

export class WebHookSettingsDto {
  @ApiProperty({ format: 'uri', example: URI }) readonly web_hook_uri: string;

  @ApiProperty({
    type: [String],
    enum: EVENT_KINDS,
    description: 'Event kinds that are sent; an empty array means all.',
    example: ['charge.succeeded'],
  })
  readonly events: readonly string[];

  @ApiProperty({ description: 'Last characters of the signature key.', example: '…LaSw' }) readonly key_hint: string;
  @ApiProperty({ enum: ['ENABLED', 'DISABLED'], description: 'DISABLED: no events are sent until the web-hook is set again.' })
  readonly status: string;

  @ApiProperty({
    type: 'string',
    enum: ['GONE', 'EXHAUSTED', null],
    nullable: true,
    example: null,
    description: 'GONE: the receiver returned 410. EXHAUSTED: the receiver accepted nothing for three days.',
  })
  readonly disabled_reason: string | null;

  @TimeField({ nullable: true, example: null }) readonly disabled_on: string | null;
  @TimeField() readonly updated_on: string;
}

export class WebHookSetDto extends WebHookSettingsDto {
  @ApiProperty({
    description: 'The signing bytes in the form that Standard Webhooks libraries take. Returned this once.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  readonly verification_secret: string;
}

export class DeliveryAttemptDto {
  @TimeField() readonly attempted_on: string;
  @ApiProperty({ enum: ['SUCCEEDED', 'FAILED'] }) readonly status: string;
  @Int32Field({ nullable: true, description: 'HTTP status of the response; null without a response.', example: 204 }) readonly response_code:
    number | null;
  @Int32Field({ description: 'Milliseconds until the response began or the attempt failed.', example: 41 }) readonly latency_ms: number;
  @NullableText({ description: 'Reason why there was no response.', example: null }) readonly error: string | null;
}

export class DeliveryDto {
  @UuidField() readonly id: string;
  @UuidField({ description: 'Value of the header webhook-id, and id of the event.' }) readonly webhook_id: string;
  @ApiProperty({ example: 'charge.succeeded' }) readonly type: string;
  @Int64Field({ nullable: true, description: 'null for a test.', example: 42 }) readonly sequence: number | null;

  @ApiProperty({
    enum: ['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'],
    description: 'CANCELLED: before the delivery the web-hook was deleted or disabled, or its event was lost with a restore.',
  })
  readonly status: string;

  @Int32Field({ nullable: true, description: 'HTTP status of the last attempt.', example: 204 }) readonly response_code: number | null;
  @Int32Field({ nullable: true, description: 'Milliseconds of the last attempt.', example: 41 }) readonly latency_ms: number | null;
  @Int32Field({ description: 'Total number of attempts.', example: 1 }) readonly total_attempts: number;
  @ApiProperty({ type: [DeliveryAttemptDto], description: 'The last 50, oldest first.' }) readonly attempts: readonly DeliveryAttemptDto[];
  @TimeField({ nullable: true, description: 'When the next attempt is due; null when the delivery has ended.', example: null })
  readonly next_attempt_on: string | null;
  @TimeField() readonly created_on: string;
  @TimeField() readonly updated_on: string;
}

/** Query of GET /v1/events. */
export class ListEventsQuery {
  @IsQueryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Returns events after this sequence: the last one that you have.' })
  readonly After: number = 0;

  @IsOptional() @IsWord(EVENT_KINDS, { description: 'Returns this kind only.' }) readonly Type?: string;
  @IsQueryInteger({ min: 1, max: 100, description: 'Maximum number of events.' }) readonly PageSize: number = 10;
}

export class EventDto {
  @UuidField({ description: 'Equal to the header webhook-id of its deliveries.' }) readonly id: string;
  @ApiProperty({ enum: EVENT_KINDS }) readonly type: string;
  @TimeField({ description: 'When it happened.' }) readonly timestamp: string;
  @Int64Field({ description: '1, 2, 3 … over all kinds, without gaps.', example: 42 }) readonly sequence: number;

  @Int64Field({
    required: false,
    nullable: true,
    description: 'Deliveries only: sequence of the previous event among the kinds that are sent.',
    example: 41,
  })
  readonly previous_sequence?: number | null;

  @UuidField() readonly merchant_id: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The charge, the payout or the balance as the event left it; the customer as it is now, `{id, deleted: true}` when it was deleted.',
  })
  readonly data: object;
}

export function toSettings({ web_hook_uri, events, key_hint, disabled, set_on }: Webhook): WebHookSettingsDto {
  return {
    web_hook_uri,
    events,
    key_hint,
    status: disabled ? 'DISABLED' : 'ENABLED',
    disabled_reason: disabled && disabled.reason.toUpperCase(),
    disabled_on: disabled && disabled.disabled_on,
    updated_on: disabled?.disabled_on ?? set_on,
  };
}

export function toDelivery({
  id,
  webhook_id,
  type,
  sequence,
  status,
  total_attempts,
  attempts,
  next_attempt_on,
  created_on,
  updated_on,
}: Delivery): DeliveryDto {
  const last = attempts.at(-1);
  return {
    id,
    webhook_id,
    type,
    sequence,
    status,
    response_code: last?.response_code ?? null,
    latency_ms: last?.latency_ms ?? null,
    total_attempts,
    attempts: attempts.map(({ attempted_on, status, response_code, latency_ms, error }) => ({
      attempted_on,
      status,
      response_code,
      latency_ms,
      error,
    })),
    next_attempt_on,
    created_on,
    updated_on,
  };
}
