import type { ChargeStatus } from '../../src/ledger/events/charge.events.js';
import { channelByCode } from '../../src/ledger/channels.js';

/**
 * The cell of a charge in the indexes of lists: its channel and its status in one small integer. A list shows some of a merchant's cells. The
 * currency follows from the channel.
 */

/** Stored in rows: a channel keeps its number for ever, and a new one gets the next. */
const CHANNEL_NUMBERS: Readonly<Record<string, number>> = {
  QR_QRIS: 0,
  BANK_REDIRECT_FPX: 1,
  QR_PAYNOW: 2,
  WALLET_OVO: 3,
  WALLET_DANA: 4,
  WALLET_SHOPEEPAY: 5,
  WALLET_TNG: 6,
  WALLET_GRABPAY: 7,
  WALLET_GRABPAY_SG: 8,
};

/** In alphabetical order, which is the order of lists by status. */
export const STATUSES = ['CANCELLED', 'EXPIRED', 'FAILED', 'PENDING', 'SUCCEEDED'] as const satisfies readonly ChargeStatus[];
/** More than the number of statuses, so that a status can be added without moving the others. */
const CELLS_PER_CHANNEL = 8;

/** @throws when the channel has no number, or its charges may have several currencies, because lists would not find them */
export function channelNumber(channel_code: string, currency: string): number {
  const number = CHANNEL_NUMBERS[channel_code];
  if (number === undefined || channelByCode(channel_code)?.currency !== currency) {
    throw new Error(`channel ${channel_code} with ${currency} has no place in the lists of charges`);
  }
  return number;
}

/** Returns the numbers of channels with this code and this currency, if given. */
export function channelNumbers(channel_code?: string, currency?: string): number[] {
  return Object.keys(CHANNEL_NUMBERS)
    .filter((code) => (channel_code === undefined || code === channel_code) && (currency === undefined || channelByCode(code)?.currency === currency))
    .map((code) => CHANNEL_NUMBERS[code]!);
}

/** Returns the code for a channel's number. */
export function channelCode(number: number): string {
  return Object.keys(CHANNEL_NUMBERS).find((code) => CHANNEL_NUMBERS[code] === number)!;
}

export function cellOf(channel: number, status: ChargeStatus): number {
  return channel * CELLS_PER_CHANNEL + STATUSES.indexOf(status);
}

export function channelOf(cell: number): number {
  return Math.floor(cell / CELLS_PER_CHANNEL);
}

/** SQL for the index of a cell's status in STATUSES. */
export const statusRank = (cell: string): string => `${cell} % ${CELLS_PER_CHANNEL}`;
