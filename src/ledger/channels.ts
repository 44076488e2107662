import type { Fee } from './money.js';

/** A payment channel as shipped; a merchant may have other bounds, another cycle or fee, or not have the channel at all. */
export interface Channel {
  /** Upper case; the channel list returns it in lower case. */
  readonly code: string;
  readonly name: string;
  readonly country: 'ID' | 'MY' | 'SG';
  readonly currency: 'IDR' | 'MYR' | 'SGD';
  /** Minor units, inclusive. */
  readonly min_amount: number;
  readonly max_amount: number;
  /** `T+n`, banking days. */
  readonly settlement_cycle: string;
  readonly fee: Fee;
  /** The payload is shown as a QR code. */
  readonly qr: 'QRIS' | 'PAYNOW' | null;
  /** How long a charge stays payable, unless configured otherwise. */
  readonly ttl_seconds: number;
  /** null: the channel supports no refunds. */
  readonly refund: RefundTerms | null;
}

export interface RefundTerms {
  /** Days from the payment on, 24 hours each. */
  readonly days: number;
  /** False: only the whole charge can be refunded. */
  readonly partial: boolean;
}

/** A QR payload has 13 characters for an amount with two decimals (EMVCo, merchant-presented mode 1.1, id 54); minor units. */
export const QR_AMOUNT_MAX = 999_999_999_999;

const percentage = (value: number): Fee => ({ type: 'PERCENTAGE', value });
const fixed = (value: number): Fee => ({ type: 'FIXED', value });
const refundable = (days: number, partial = true): RefundTerms => ({ days, partial });
const QR = { ttl_seconds: 30 * 60 };
const NO_QR = { qr: null, ttl_seconds: 24 * 60 * 60 };
const ID = { country: 'ID', currency: 'IDR' } as const;
const MY = { country: 'MY', currency: 'MYR' } as const;
const SG = { country: 'SG', currency: 'SGD' } as const;

/** Source: the interface's list of shipped channels. */
export const CHANNELS: readonly Channel[] = [
  {
    code: 'QR_QRIS',
    name: 'QRIS',
    ...ID,
    min_amount: 100,
    max_amount: 1_000_000_000,
    settlement_cycle: 'T+2',
    fee: percentage(0.7),
    qr: 'QRIS',
    refund: refundable(30),
    ...QR,
  },
  {
    code: 'BANK_REDIRECT_FPX',
    name: 'FPX',
    ...MY,
    min_amount: 100,
    max_amount: 3_000_000,
    settlement_cycle: 'T+2',
    fee: fixed(100),
    refund: null,
    ...NO_QR,
  },
  {
    code: 'QR_PAYNOW',
    name: 'PayNow',
    ...SG,
    min_amount: 1,
    max_amount: 20_000_000,
    settlement_cycle: 'T+0',
    fee: percentage(1.3),
    qr: 'PAYNOW',
    refund: refundable(90),
    ...QR,
  },
  {
    code: 'WALLET_OVO',
    name: 'OVO',
    ...ID,
    min_amount: 10_000,
    max_amount: 2_000_000_000,
    settlement_cycle: 'T+2',
    fee: percentage(1.5),
    refund: refundable(7, false),
    ...NO_QR,
  },
  {
    code: 'WALLET_DANA',
    name: 'DANA',
    ...ID,
    min_amount: 10_000,
    max_amount: 2_000_000_000,
    settlement_cycle: 'T+2',
    fee: percentage(1.5),
    refund: refundable(45),
    ...NO_QR,
  },
  {
    code: 'WALLET_SHOPEEPAY',
    name: 'ShopeePay',
    ...ID,
    min_amount: 100,
    max_amount: 2_000_000_000,
    settlement_cycle: 'T+2',
    fee: percentage(2),
    refund: refundable(365),
    ...NO_QR,
  },
  {
    code: 'WALLET_TNG',
    name: "Touch 'n Go eWallet",
    ...MY,
    min_amount: 100,
    max_amount: 2_000_000,
    settlement_cycle: 'T+2',
    fee: percentage(1.5),
    refund: refundable(90),
    ...NO_QR,
  },
  {
    code: 'WALLET_GRABPAY',
    name: 'GrabPay Malaysia',
    ...MY,
    min_amount: 100,
    max_amount: 150_000,
    settlement_cycle: 'T+2',
    fee: percentage(1.5),
    refund: refundable(90),
    ...NO_QR,
  },
  {
    code: 'WALLET_GRABPAY_SG',
    name: 'GrabPay Singapore',
    ...SG,
    min_amount: 1,
    max_amount: 500_000,
    settlement_cycle: 'T+2',
    fee: percentage(1.5),
    refund: refundable(90),
    ...NO_QR,
  },
];

const BY_CODE: ReadonlyMap<string, Channel> = new Map(CHANNELS.map((channel) => [channel.code, channel]));

/** Returns the shipped channel of this upper-case code. */
export function channelByCode(code: string): Channel | undefined {
  return BY_CODE.get(code);
}

/** The name of a channel for people; the code of a channel that is not shipped any more. */
export const channelName = (code: string): string => channelByCode(code)?.name ?? code;

/** Returns the currencies of channels, each once, in the channels' order. */
export function currenciesOf(channels: readonly Channel[]): readonly string[] {
  return [...new Set(channels.map((channel) => channel.currency))];
}

/** The currencies that some channel takes. */
export const CURRENCIES = currenciesOf(CHANNELS);

/** Countries with payment channels, ISO 3166-1 alpha-2. */
export const CHANNEL_COUNTRIES: readonly string[] = [...new Set(CHANNELS.map(({ country }) => country))];

/** Payout fees as shipped, by currency. */
export const PAYOUT_FEES: Readonly<Record<string, Fee>> = { IDR: fixed(250_000), MYR: fixed(100), SGD: fixed(50) } satisfies Record<
  Channel['currency'],
  Fee
>;

/**
 * Returns the use of a rail: an upper-case channel code for its charges, or `payout.<currency>`. Accepts any case of letters.
 * @returns undefined when there is no such channel, or no payouts in that currency
 */
export function railUseOf(text: string): string | undefined {
  const upper = text.toUpperCase();
  if (BY_CODE.has(upper)) return upper;
  const currency = upper.startsWith('PAYOUT.') ? upper.slice('PAYOUT.'.length) : '';
  return Object.hasOwn(PAYOUT_FEES, currency) ? payoutUse(currency) : undefined;
}

/** `currency` is an ISO 4217 code. */
export const payoutUse = (currency: string): string => `payout.${currency}`;
