/** What a merchant's currency and time zone are by its country; other countries have the service's own. */
export interface CountryDefaults {
  /** ISO 4217. */
  readonly default_currency: string;
  /** IANA. */
  readonly timezone: string;
}

const COUNTRY_DEFAULTS: Readonly<Record<string, CountryDefaults>> = {
  ID: { default_currency: 'IDR', timezone: 'Asia/Jakarta' },
  MY: { default_currency: 'MYR', timezone: 'Asia/Kuala_Lumpur' },
  SG: { default_currency: 'SGD', timezone: 'Asia/Singapore' },
};
const DEFAULTS_ELSEWHERE: CountryDefaults = { default_currency: 'SGD', timezone: 'UTC' };

export function countryDefaultsOf(country: string): CountryDefaults {
  return COUNTRY_DEFAULTS[country] ?? DEFAULTS_ELSEWHERE;
}
