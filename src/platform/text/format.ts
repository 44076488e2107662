import { withDecimals, withTwoDecimals } from './amounts.js';

/** Locale of each currency's country. All three currencies have two decimals. */
const LOCALES = { IDR: 'id-ID', MYR: 'en-MY', SGD: 'en-SG' } as const;

/** Time zone of a country's banks, and the zone's name in that country. */
const ZONES = {
  ID: { zone: 'Asia/Jakarta', name: 'WIB' },
  MY: { zone: 'Asia/Kuala_Lumpur', name: 'MYT' },
  SG: { zone: 'Asia/Singapore', name: 'SGT' },
} as const;

const MONEY = new Map(
  Object.entries(LOCALES).map(([currency, locale]) => [
    currency,
    new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  ]),
);

const FIGURES = new Map(
  Object.entries(LOCALES).map(([currency, locale]) => [
    currency,
    new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  ]),
);

/** Date locales of the languages of customer pages. */
const DATES = { id: 'id-ID', ms: 'ms-MY', en: 'en-GB' } as const;

const TIMES = new Map(
  Object.entries(ZONES).flatMap(([country, { zone: timeZone }]) =>
    Object.entries(DATES).map(([language, locale]) => [
      `${country} ${language}`,
      new Intl.DateTimeFormat(locale, {
        timeZone,
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        hourCycle: 'h23',
      }),
    ]),
  ),
);

/** Whether amounts of a currency have a form. */
export const isWritten = (currency: string): boolean => FIGURES.has(currency);

/**
 * 10000 minor units of IDR are `Rp 100,00`, of MYR `RM 100.00`, of SGD `S$100.00`, of any other currency of ISO 4217 `USD 100.00`, `JPY 10,000`:
 * exact for every size.
 */
export function formatAmount(minorUnits: number | bigint, currency: string): string {
  const format = MONEY.get(currency);
  if (!format) return formatForeign(minorUnits, currency);
  const text = format.format(withTwoDecimals(minorUnits, '.') as `${number}`);
  // Singapore's own form does not distinguish its dollar from others.
  return currency === 'SGD' ? text.replace('$', 'S$') : text;
}

/** An amount of a currency that no channel has: with the currency's code, and the decimals of ISO 4217. */
function formatForeign(minorUnits: number | bigint, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  const { maximumFractionDigits: decimals = 0 } = format.resolvedOptions();
  return format.format(withDecimals(minorUnits, decimals, '.') as `${number}`);
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `Rp 10M`, `-S$2.5K`: rounded, for the axis of a chart. */
export function formatRounded(minorUnits: number, currency: string): string {
  const symbol = formatAmount(0, currency).slice(0, -'0.00'.length);
  return `${minorUnits < 0 ? '-' : ''}${symbol}${COMPACT.format(Math.abs(minorUnits) / 100)}`;
}

/** An amount without its currency, for columns that name it: `2.982.780,00` of IDR, `1,234.50` of MYR and SGD. */
export function formatFigure(minorUnits: number | bigint, currency: string): string {
  const format = FIGURES.get(currency);
  if (!format) throw new RangeError(`no figure format for ${currency}`);
  return format.format(withTwoDecimals(minorUnits, '.') as `${number}`);
}

/**
 * Formats a price as people write it in the currency's country: `Rp 100` without sen, unless there are some, because they are unused; `RM 100.00`,
 * `S$100.00`.
 */
export function formatPrice(minorUnits: number | bigint, currency: string): string {
  const text = formatAmount(minorUnits, currency);
  return currency === 'IDR' ? text.replace(/,00$/, '') : text;
}

/** `31 Jan 2026, 15:15:30 WIB`: the time in the zone of the channel's country, in the form of the language. */
export function formatTime(moment: string, country: keyof typeof ZONES, language: keyof typeof DATES): string {
  const format = TIMES.get(`${country} ${language}`);
  if (!format) throw new RangeError(`no time zone for ${country}`);
  return `${format.format(Date.parse(moment))} ${ZONES[country].name}`;
}

const CLOCKS = new Map<string, { readonly name: string; readonly format: Intl.DateTimeFormat }>(
  Object.values(ZONES).map(({ zone, name }) => [zone, { name, format: clockOf(zone) }]),
);

/** `2026-01-31 15:15:30` in an IANA zone. @throws RangeError when there is no such zone */
export function clockOf(timeZone: string): Intl.DateTimeFormat {
  // Sweden's date format is that of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
}

const MINUTES = new Map<string, Intl.DateTimeFormat>();

/** `31 Oct 2026 17:00`: the time in an IANA zone. */
export function formatMinute(moment: string, zone: string): string {
  const format =
    MINUTES.get(zone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
  MINUTES.set(zone, format);
  return format.format(Date.parse(moment)).replace(',', '');
}

/** `WIB` for an IANA zone that has a short name here; else the zone itself. */
export const clockNameOf = (zone: string): string => CLOCKS.get(zone)?.name ?? zone;

/** `15:15:30 WIB`: the time in an IANA zone, with the date when it differs from that of UTC. A zone without a short name here keeps its IANA name. */
export function formatClock(moment: string, zone: string): string {
  const clock = CLOCKS.get(zone) ?? { name: zone, format: clockOf(zone) };
  CLOCKS.set(zone, clock);
  const text = clock.format.format(Date.parse(moment));
  return `${text.startsWith(moment.slice(0, 10)) ? text.slice(11) : text} ${clock.name}`;
}
