import type { Channel } from './channels.js';
import type { PayoutRules } from './events/desk.events.js';
import type { Fee } from './money.js';

/** A channel on the terms of one merchant. */
export interface ChannelTerms extends Channel {
  readonly enabled: boolean;
}

/** What is agreed with each merchant: what resources other than `merchants` may ask of it. The merchant directory answers. */
export interface MerchantTerms {
  merchantName(merchantId: string): string | undefined;
  /** The shipped channel `code` (upper case) with this merchant's bounds, cycle and fee; undefined when no such channel is shipped. */
  channelTerms(merchantId: string, code: string): ChannelTerms | undefined;
  /** Fee of a payout from now on; undefined for a currency without one. */
  payoutFee(merchantId: string, currency: string): Fee | undefined;
  /** How many approvals payouts requested from now on take; null: none. */
  payoutRules(merchantId: string): PayoutRules | null;
  /** What a lost dispute costs from now on, minor units; 0 where nothing is agreed. */
  disputeFee(merchantId: string, currency: string): number;
  /** Currencies of the merchant's channels, in a fixed order. */
  currencies(merchantId: string): readonly string[];
  /** IANA name of the merchant's time zone. */
  timezone(merchantId: string): string | undefined;
  /** When the merchant was registered. */
  merchantCreatedOn(merchantId: string): string | undefined;
}

export const MERCHANT_TERMS = Symbol('MerchantTerms');
