import { ApiProperty } from '@nestjs/swagger';
import { CHANNEL_COUNTRIES, CHANNELS, CURRENCIES, PAYOUT_FEES } from '../../ledger/channels.js';
import type { Fee } from '../../ledger/money.js';
import type { KnownWebhook, Merchant, MerchantChannel } from './known-merchants.js';
import { Int32Field, Int64Field, TimeField, UuidField } from '../../platform/http/answer-fields.js';

const CHANNEL_CODES = CHANNELS.map(({ code }) => code);

export class AgreedFeeDto {
  @ApiProperty({ enum: ['PERCENTAGE', 'FIXED'] }) readonly type: string;
  @ApiProperty({ type: Number, description: 'A percentage (0.7 means 0.7 %) or minor units.', example: 0.7 }) readonly value: number;
}

export class ChargeFeeDto {
  @ApiProperty({ enum: CHANNEL_CODES, example: 'QR_QRIS' }) readonly channel_code: string;
  @ApiProperty({ type: AgreedFeeDto }) readonly fee: AgreedFeeDto;
}

export class AgreedPayoutFeeDto {
  @ApiProperty() readonly currency: string;
  @ApiProperty({ type: AgreedFeeDto, example: { type: 'FIXED', value: 250000 } }) readonly fee: AgreedFeeDto;
}

export class AgreedDisputeFeeDto {
  @ApiProperty() readonly currency: string;
  @ApiProperty({ type: AgreedFeeDto, example: { type: 'FIXED', value: 5000 } }) readonly fee: AgreedFeeDto;
}

/** The merchant's fees for records that are created or opened from now on. */
export class FeesDto {
  @ApiProperty({ type: [ChargeFeeDto], description: 'Fees by channel, without disabled channels.' })
  readonly charges: readonly ChargeFeeDto[];

  @ApiProperty({ type: [AgreedPayoutFeeDto], description: 'Fees by currency.' }) readonly payouts: readonly AgreedPayoutFeeDto[];

  @ApiProperty({ type: [AgreedDisputeFeeDto], description: 'Fees by currency; charged when a dispute is lost for the first time.' })
  readonly disputes: readonly AgreedDisputeFeeDto[];
}

export class WebHookDto {
  @ApiProperty({ format: 'uri', example: 'https://shop.example.com/hooks' }) readonly web_hook_uri: string;

  @ApiProperty({ type: [String], description: 'Event kinds that are sent; an empty array means all.', example: ['charge.succeeded'] })
  readonly events: readonly string[];

  @ApiProperty({ description: 'Last characters of the signature key.', example: '…x4Qz' }) readonly key_hint: string;
  @ApiProperty({ enum: ['ENABLED', 'DISABLED'], description: 'DISABLED: no events are sent until the web-hook is set again.' })
  readonly status: string;

  @ApiProperty({
    type: 'string',
    enum: ['GONE', 'EXHAUSTED', null],
    nullable: true,
    description: 'GONE: the receiver returned 410. EXHAUSTED: the receiver accepted nothing for three days.',
  })
  readonly disabled_reason: string | null;

  @TimeField({ nullable: true, example: null }) readonly disabled_on: string | null;
}

/** Response of GET /v1/merchants/me. */
export class MerchantDto {
  @UuidField({ example: '0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d' }) readonly id: string;
  @ApiProperty({ example: 'Kopi Kita' }) readonly name: string;
  @ApiProperty({ type: 'string', format: 'email', nullable: true, example: 'kasir@kopikita.example' }) readonly email: string | null;
  @ApiProperty({ description: 'ISO 3166-1 alpha-2.', example: 'ID' }) readonly country: string;
  @ApiProperty({ enum: ['TEST', 'LIVE'], description: 'The payments of a test merchant are simulated.' }) readonly mode: string;
  @ApiProperty({ enum: ['ACTIVE'] }) readonly status: string;
  @ApiProperty({ example: 'IDR' }) readonly default_currency: string;
  @ApiProperty({ description: 'IANA.', example: 'Asia/Jakarta' }) readonly timezone: string;
  @ApiProperty({ type: FeesDto }) readonly fees: FeesDto;
  @ApiProperty({ type: WebHookDto, nullable: true, description: 'null until a web-hook is set.', example: null })
  readonly web_hook: WebHookDto | null;
  @TimeField() readonly created_on: string;
  @TimeField() readonly updated_on: string;
}

export class ChannelRefundDto {
  @Int32Field({ description: 'Number of days after the payment in which refunds are possible.', example: 30 }) readonly days: number;
  @ApiProperty({ type: Boolean, description: 'Whether a part can be refunded. False: only the whole charge.', example: true })
  readonly partial: boolean;
}

/** Item of GET /v1/merchants/me/channels. */
export class ChannelDto {
  @ApiProperty({ description: 'Code of the channel, in lower case.', example: 'qr_qris' }) readonly code: string;
  @ApiProperty({ example: 'QRIS' }) readonly name: string;
  @ApiProperty({ enum: CHANNEL_COUNTRIES }) readonly country: string;
  @ApiProperty({ enum: CURRENCIES }) readonly currency: string;

  @ApiProperty({ pattern: '^T\\+[0-9]{1,2}$', description: 'Banking days until paid money is available.', example: 'T+2' })
  readonly settlement: string;

  @Int64Field({ description: 'Minor units, inclusive.', example: 100 }) readonly min_amount: number;
  @Int64Field({ description: 'Minor units, inclusive.', example: 1000000000 }) readonly max_amount: number;

  @ApiProperty({ type: ChannelRefundDto, nullable: true, description: 'null if the channel cannot refund.' })
  readonly refund: ChannelRefundDto | null;

  @ApiProperty({
    description: 'Actor that changed the channel for this merchant; System while the channel has its default terms.',
    example: 'System',
  })
  readonly last_modified_by: string;

  @TimeField() readonly last_modified_on: string;
}

/** The merchant's fees in a currency; the fee of a dispute in minor units. */
interface FeesByCurrency {
  readonly payout: (currency: string) => Fee | undefined;
  readonly dispute: (currency: string) => number;
}

export function toMerchant(merchant: Merchant, channels: readonly MerchantChannel[], fees: FeesByCurrency): MerchantDto {
  const { id, name, email, country, mode, default_currency, timezone, web_hook, created_on, updated_on } = merchant;
  return {
    id,
    name,
    email,
    country,
    mode: mode.toUpperCase(),
    status: 'ACTIVE',
    default_currency,
    timezone,
    fees: {
      charges: channels.filter(({ enabled }) => enabled).map(({ code, fee }) => ({ channel_code: code, fee })),
      payouts: Object.keys(PAYOUT_FEES).map((currency) => ({ currency, fee: fees.payout(currency)! })),
      disputes: Object.keys(PAYOUT_FEES).map((currency) => ({ currency, fee: { type: 'FIXED', value: fees.dispute(currency) } })),
    },
    web_hook: web_hook && toWebhook(web_hook),
    created_on,
    updated_on,
  };
}

function toWebhook({ web_hook_uri, events, key_hint, disabled }: KnownWebhook): WebHookDto {
  return {
    web_hook_uri,
    events,
    key_hint,
    status: disabled ? 'DISABLED' : 'ENABLED',
    disabled_reason: disabled && disabled.reason.toUpperCase(),
    disabled_on: disabled && disabled.disabled_on,
  };
}

export function toChannel(channel: MerchantChannel): ChannelDto {
  const { code, name, country, currency, settlement_cycle, min_amount, max_amount, refund, last_modified_by, last_modified_on } = channel;
  return {
    code: code.toLowerCase(),
    name,
    country,
    currency,
    settlement: settlement_cycle,
    min_amount,
    max_amount,
    refund,
    last_modified_by,
    last_modified_on,
  };
}
