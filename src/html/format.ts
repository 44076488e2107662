import type { Channel } from '../ledger/channels.js';
import { milliseconds, type Timestamp } from '../ledger/time.js';

/** How each currency is written where it is at home. All three have two decimals. */
const LOCALES: Readonly<Record<Channel['currency'], string>> = { IDR: 'id-ID', MYR: 'en-MY', SGD: 'en-SG' };

/** Zone of a country's banks, and what people there call it. */
const ZONES: Readonly<Record<Channel['country'], { readonly zone: string; readonly name: string }>> = {
  ID: { zone: 'Asia/Jakarta', name: 'WIB' },
  MY: { zone: 'Asia/Kuala_Lumpur', name: 'MYT' },
  SG: { zone: 'Asia/Singapore', name: 'SGT' },
};

const MONEY = new Map(
  Object.entries(LOCALES).map(([currency, locale]) => [
    currency,
    new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  ]),
);

const TIMES = new Map(
  Object.entries(ZONES).map(([country, { zone }]) => [
    country,
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }),
  ]),
);

/** 10000 minor units of IDR are `Rp 100,00`, of MYR `RM 100.00`, of SGD `$100.00`: exact, whatever the size. */
export function formatAmount(minorUnits: number | bigint, currency: string): string {
  const format = MONEY.get(currency);
  if (!format) throw new RangeError(`no form for amounts of ${currency}`);
  const digits = (minorUnits < 0 ? -minorUnits : minorUnits).toString().padStart(3, '0');
  return format.format(`${minorUnits < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`);
}

/** `31 Jan 2026, 15:15:30 WIB`: the moment on the clocks of the channel's country. */
export function formatTime(moment: Timestamp, country: Channel['country']): string {
  const format = TIMES.get(country);
  if (!format) throw new RangeError(`no clock for ${country}`);
  return `${format.format(milliseconds(moment))} ${ZONES[country].name}`;
}
