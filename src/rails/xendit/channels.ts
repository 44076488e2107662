import { channelByCode } from '../../ledger/channels.js';
import type { RemoteChannel, RemoteOrder } from '../../domain/charges/remote/remote-processor.js';
import { HOUR_MS, MINUTE_MS } from '../../ledger/time.js';

/** A channel with Xendit's properties. */
export interface XenditChannel extends RemoteChannel {
  /** `channel_code` of an order. undefined: the payer's input is not usable. */
  code(input: string | undefined): string | undefined;
  /** `channel_properties` of an order. undefined: the payer's input is not usable. */
  properties(order: RemoteOrder, returnUrl: string): Readonly<Record<string, string>> | undefined;
  /** Kind of instruction for the payer; null: the channel notifies the payer itself. */
  readonly gives: 'qr_string' | 'redirect_url' | null;
  /** Off until an operator has the provider's confirmation, or a recording has shown it. */
  readonly isUnconfirmed: boolean;
}

/** Banks of FPX for people, not companies. Source: docs.xendit.co, FPX Online Banking, 2026-04-30. */
export const FPX_BANKS: ReadonlySet<string> = new Set([
  ...['AFFIN', 'AGRO', 'ALLIANCE', 'AMBANK', 'BOC', 'BSN', 'CIMB', 'HLB', 'HSBC', 'ISLAM'],
  ...['KFH', 'MAYB2E', 'MAYB2U', 'MUAMALAT', 'OCBC', 'PUBLIC', 'RAKYAT', 'RHB', 'SCH', 'UOB'],
]);

/** A mobile number of Indonesia, with or without the country code. */
const INDONESIAN_MOBILE = /^(?:\+?62|0)(8\d{7,11})$/;

const bounds = (code: string) => {
  const { min_amount, max_amount, refund } = channelByCode(code)!;
  return { min_amount, max_amount, push: false, refund: refund !== null, isUnconfirmed: false };
};
const always = (code: string) => () => code;
const REDIRECT = {
  gives: 'redirect_url',
  properties: (_: RemoteOrder, url: string) => ({ success_return_url: url, failure_return_url: url }),
} as const;

/** Channels by code. GrabPay of Singapore is not offered. Source: docs.xendit.co, available payment channels, 2026-04-23. */
export const XENDIT_CHANNELS: Readonly<Record<string, XenditChannel>> = {
  QR_QRIS: {
    ...bounds('QR_QRIS'),
    max_amount: 1_000_000_000,
    code: always('QRIS'),
    // Fixed by Xendit.
    life_ms: 48 * HOUR_MS,
    gives: 'qr_string',
    properties: () => ({}),
  },
  WALLET_DANA: { ...bounds('WALLET_DANA'), ...REDIRECT, code: always('DANA'), life_ms: 24 * HOUR_MS },
  WALLET_SHOPEEPAY: { ...bounds('WALLET_SHOPEEPAY'), ...REDIRECT, code: always('SHOPEEPAY'), life_ms: 30 * MINUTE_MS },
  WALLET_OVO: {
    ...bounds('WALLET_OVO'),
    code: always('OVO'),
    life_ms: 55_000,
    input: 'phone',
    push: true,
    gives: null,
    properties: ({ input }) => {
      const [, number] = INDONESIAN_MOBILE.exec(input ?? '') ?? [];
      return number === undefined ? undefined : { account_mobile_number: `+62${number}` };
    },
    // The field's name is from an older interface.
    isUnconfirmed: true,
  },
  WALLET_TNG: { ...bounds('WALLET_TNG'), ...REDIRECT, code: always('TOUCHNGO'), life_ms: HOUR_MS },
  WALLET_GRABPAY: { ...bounds('WALLET_GRABPAY'), ...REDIRECT, code: always('GRABPAY'), life_ms: 35 * MINUTE_MS },
  BANK_REDIRECT_FPX: {
    ...bounds('BANK_REDIRECT_FPX'),
    ...REDIRECT,
    min_amount: 100,
    max_amount: 3_000_000,
    code: (bank) => (bank !== undefined && FPX_BANKS.has(bank) ? `${bank}_FPX` : undefined),
    life_ms: null,
    input: 'bank',
    refund: false,
  },
  QR_PAYNOW: {
    ...bounds('QR_PAYNOW'),
    code: always('SGQR'),
    life_ms: null,
    gives: 'qr_string',
    properties: ({ expires_on }) => ({ expires_at: new Date(expires_on).toISOString() }),
    // Documented on a separate page, but missing in the table of channels.
    isUnconfirmed: true,
  },
};
