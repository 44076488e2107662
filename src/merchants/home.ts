/** What a merchant's country brings with it. Merchants elsewhere are accounted for where the service's regional channels meet. */
export interface Home {
  /** ISO 4217. */
  readonly default_currency: string;
  /** IANA. */
  readonly timezone: string;
}

const HOMES: Readonly<Record<string, Home>> = {
  ID: { default_currency: 'IDR', timezone: 'Asia/Jakarta' },
  MY: { default_currency: 'MYR', timezone: 'Asia/Kuala_Lumpur' },
  SG: { default_currency: 'SGD', timezone: 'Asia/Singapore' },
};
const ELSEWHERE: Home = { default_currency: 'SGD', timezone: 'UTC' };

export function homeOf(country: string): Home {
  return HOMES[country] ?? ELSEWHERE;
}
