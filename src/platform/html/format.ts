import { withTwoDecimals } from '../two-decimals.js';

/** How each currency is written in its country. All three have two decimals. */
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

/** How dates are written in the languages of the pages that customers see. */
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

/** 10000 minor units of IDR are `Rp 100,00`, of MYR `RM 100.00`, of SGD `S$100.00`: exact, whatever the size. */
export function formatAmount(minorUnits: number | bigint, currency: string): string {
  const format = MONEY.get(currency);
  if (!format) throw new RangeError(`no form for amounts of ${currency}`);
  const text = format.format(withTwoDecimals(minorUnits, '.') as `${number}`);
  // Singapore's own form does not tell its dollar from others.
  return currency === 'SGD' ? text.replace('$', 'S$') : text;
}

/** The same without the currency, for columns that name it: `2.982.780,00` of IDR, `1,234.50` of MYR and SGD. */
export function formatFigure(minorUnits: number | bigint, currency: string): string {
  const format = FIGURES.get(currency);
  if (!format) throw new RangeError(`no form for figures of ${currency}`);
  return format.format(withTwoDecimals(minorUnits, '.') as `${number}`);
}

/** As people write it where the currency is spent: `Rp 100` without sen, which nobody uses, unless there are some; `RM 100.00`, `S$100.00`. */
export function formatPrice(minorUnits: number, currency: string): string {
  const text = formatAmount(minorUnits, currency);
  return currency === 'IDR' ? text.replace(/,00$/, '') : text;
}

/** `31 Jan 2026, 15:15:30 WIB`: the moment on the clocks of the channel's country, as the language writes it. */
export function formatTime(moment: string, country: keyof typeof ZONES, language: keyof typeof DATES): string {
  const format = TIMES.get(`${country} ${language}`);
  if (!format) throw new RangeError(`no clock for ${country}`);
  return `${format.format(Date.parse(moment))} ${ZONES[country].name}`;
}

const CLOCKS = new Map<string, { readonly name: string; readonly format: Intl.DateTimeFormat }>(
  Object.values(ZONES).map(({ zone, name }) => [zone, { name, format: clockOf(zone) }]),
);

function clockOf(timeZone: string): Intl.DateTimeFormat {
  // Sweden writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
}

/** `15:15:30 WIB`: the moment on the clocks of an IANA zone, with the date where it is not the one of UTC. Zones without a name of their own keep the IANA name. */
export function formatClock(moment: string, zone: string): string {
  const clock = CLOCKS.get(zone) ?? { name: zone, format: clockOf(zone) };
  CLOCKS.set(zone, clock);
  const text = clock.format.format(Date.parse(moment));
  return `${text.startsWith(moment.slice(0, 10)) ? text.slice(11) : text} ${clock.name}`;
}
