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
export function formatTime(moment: string, country: keyof typeof ZONES): string {
  const format = TIMES.get(country);
  if (!format) throw new RangeError(`no clock for ${country}`);
  return `${format.format(Date.parse(moment))} ${ZONES[country].name}`;
}
