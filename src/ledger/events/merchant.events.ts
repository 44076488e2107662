import type { Fee } from '../money.js';
import type { ProposalRefusedEvent } from './proposal.events.js';

/** Events in `merchant-<id>`: the merchant, its keys, channels, fees and webhook. */
export const merchantStream = (merchantId: string): string => `merchant-${merchantId}`;

export interface MerchantRegistered {
  readonly merchant_id: string;
  readonly name: string;
  readonly email: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly mode: 'test' | 'live';
  readonly default_currency: string;
  readonly timezone: string;
  readonly created_on: string;
}

interface ApiKeyIssued {
  readonly merchant_id: string;
  readonly key_id: string;
  /** SHA-256 of the key, hex; the key itself is stored nowhere. */
  readonly key_hash: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires_on: string | null;
  readonly issued_on: string;
}

interface ApiKeyRevoked {
  readonly merchant_id: string;
  readonly key_id: string;
  /** Time of the decision; with an overlap, its end. */
  readonly revoked_on: string;
  /** True: the key is rejected as soon as this is known, whatever the date is. False only for a rotation's overlap: rejected from `revoked_on` on. */
  readonly at_once: boolean;
}

/** A channel's settings for this merchant; bounds are minor units. */
export interface MerchantChannelSet {
  readonly merchant_id: string;
  readonly channel_code: string;
  readonly enabled: boolean;
  readonly min_amount: number;
  readonly max_amount: number;
  readonly settlement_cycle: string;
  readonly set_by: string;
  readonly set_on: string;
  /** The proposal that caused it; absent when the command line set it. */
  readonly proposal_id?: string;
}

/** The merchant's fee for a channel (charges) or a currency (payouts, disputes), from now on. The fee of a dispute is FIXED. */
export interface MerchantFeeSet {
  readonly merchant_id: string;
  readonly of: { readonly kind: 'charge'; readonly channel_code: string } | { readonly kind: 'payout' | 'dispute'; readonly currency: string };
  readonly fee: Fee;
  readonly set_by: string;
  readonly set_on: string;
  /** The proposal that caused it; absent when the command line set it. */
  readonly proposal_id?: string;
}

/** The merchant's route for charges by a channel or payouts in a currency, from now on. Existing records keep the rail they were created with. */
export interface MerchantRailSet {
  readonly merchant_id: string;
  /** A channel's code, or `payout.<currency>`. */
  readonly use: string;
  /** null: the default route of its mode. */
  readonly rail: string | null;
  /** The merchant's name at the provider. */
  readonly merchant_name_id: string | null;
  readonly set_by: string;
  readonly set_on: string;
  /** The proposal that caused it; absent when the command line set it. */
  readonly proposal_id?: string;
}

/** A key that signs webhooks, encrypted under a key that derives from the service's secret. It keeps signing until `valid_until`. */
export interface PreviousWebhookKey {
  readonly sealed_key: string;
  readonly valid_until: string;
}

export interface WebHookSet {
  readonly merchant_id: string;
  readonly web_hook_uri: string;
  /** Kinds that are sent; empty means all. */
  readonly events: readonly string[];
  /** The key in force, encrypted. The same key always has the same ciphertext. */
  readonly sealed_key: string;
  /** Last characters of the key. */
  readonly key_hint: string;
  /** Keys that were in force before and still sign, newest first. */
  readonly former_keys: readonly PreviousWebhookKey[];
  readonly set_by: string;
  readonly set_on: string;
}

export interface WebHookDeleted {
  readonly merchant_id: string;
  readonly deleted_by: string;
  readonly deleted_on: string;
}

/** Nothing is sent until it is set again. `gone`: the receiver responded 410; `exhausted`: it accepted nothing for three days. */
export interface WebHookDisabled {
  readonly merchant_id: string;
  readonly reason: 'gone' | 'exhausted';
  readonly disabled_on: string;
}

export type MerchantEvent =
  | { readonly type: 'WebHookSet'; readonly data: WebHookSet }
  | { readonly type: 'WebHookDeleted'; readonly data: WebHookDeleted }
  | { readonly type: 'WebHookDisabled'; readonly data: WebHookDisabled }
  | { readonly type: 'MerchantRegistered'; readonly data: MerchantRegistered }
  | { readonly type: 'ApiKeyIssued'; readonly data: ApiKeyIssued }
  | { readonly type: 'ApiKeyRevoked'; readonly data: ApiKeyRevoked }
  | { readonly type: 'MerchantChannelSet'; readonly data: MerchantChannelSet }
  | { readonly type: 'MerchantFeeSet'; readonly data: MerchantFeeSet }
  | { readonly type: 'MerchantRailSet'; readonly data: MerchantRailSet }
  | ProposalRefusedEvent;
