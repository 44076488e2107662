import type { Channel } from '../channels.js';
import type { PayoutRules } from '../events/approval-policy.events.js';
import type { Fee } from '../money.js';

/** A channel with the terms of one merchant. */
export interface ChannelTerms extends Channel {
  readonly enabled: boolean;
}

/** The agreed terms of each merchant, for resources other than `merchants`. The merchant directory implements it. */
export interface MerchantTerms {
  merchantName(merchantId: string): string | undefined;
  /** The shipped channel `code` (upper case) with this merchant's bounds, cycle and fee; undefined when no such channel is shipped. */
  channelTerms(merchantId: string, code: string): ChannelTerms | undefined;
  /** Fee of a payout from now on; undefined for a currency without one. */
  payoutFee(merchantId: string, currency: string): Fee | undefined;
  /** Rules for the approvals of payouts requested from now on; null: none is needed. */
  payoutRules(merchantId: string): PayoutRules | null;
  /** Fee of a dispute that is lost from now on, minor units; 0 when nothing is agreed. */
  disputeFee(merchantId: string, currency: string): number;
  /** Currencies of the merchant's channels, in a fixed order. */
  currencies(merchantId: string): readonly string[];
  /** IANA name of the merchant's time zone. */
  timezone(merchantId: string): string | undefined;
  /** When the merchant was registered. */
  merchantCreatedOn(merchantId: string): string | undefined;
}

export const MERCHANT_TERMS = Symbol('MerchantTerms');
