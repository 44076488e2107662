import type { SignatureEncoding } from './signature.js';

/** SNAP's numbers of the services that we call or offer. Source: SNAP, "Service code". */
export type Service = '11' | '14' | '15' | '16' | '17' | '18' | '36' | '47' | '51' | '52' | '77' | '78';

/** Documented properties of a provider's SNAP. An undocumented property has its strictest possible value. */
export interface SnapProfile {
  readonly name: string;
  /** Symmetric: an access token, and HMAC with the client's secret. Asymmetric: every call is signed with our private key. */
  readonly auth: 'symmetric' | 'asymmetric';
  readonly encoding: SignatureEncoding;
  /** Default base; live addresses are part of the contract. */
  readonly base: { readonly sandbox?: string };
  readonly token_path: string;
  /** Relative to the base. A service without a path is not offered. */
  readonly paths: Readonly<Partial<Record<Service, string>>>;
  /** Header CHANNEL-ID; null: the value in the credentials. */
  readonly channel_id: { readonly transfer: string; readonly qr: string } | null;
  /** Maximum digits of a partnerReferenceNo. */
  readonly reference_digits: number;
  /** Maximum digits of an X-EXTERNAL-ID; the next field has the number for statements and balances. */
  readonly external_digits: number;
  readonly statement_external_digits: number;
  /** Seconds, or a time of the next day in Asia/Jakarta. */
  readonly settle_after: number | { readonly next_day_at: string };
  /** Daily, `HH:MM` in Asia/Jakarta. */
  readonly quiet_hours: readonly { readonly from: string; readonly to: string }[];
  readonly inquiry_window_days: number;
  readonly reference_window_days: number;
  /** The transfers whose repeated partnerReferenceNo is recognised, within that window. */
  readonly reference_remembers: 'nothing' | 'successes' | 'all';
  readonly bank_code: 'digits' | 'bic-or-digits';
  /** The rail's own bank, by its code in transfers: service 17 pays to its accounts, and 15 names the holder. */
  readonly own_bank?: string;
  /** additionalInfo of services 16 and 18. */
  readonly interbank?: { readonly inquiry: Readonly<Record<string, string>>; readonly transfer: Readonly<Record<string, string>> };
  /** Method by which the bank signs messages to us. */
  readonly notify: 'asymmetric' | 'symmetric';
  readonly statement: {
    /** Maximum days of one statement. */
    readonly days: number;
    /** Maximum lines of an answer; null: not documented, and there are pages. */
    readonly rows: number | null;
    /** Periods are whole days, from midnight to midnight in Asia/Jakarta. */
    readonly whole_days: boolean;
    /** Seconds from a transfer until the statement has it. */
    readonly delay: number;
  };
  /** A status query names the day of the transfer, at midnight, instead of its time. */
  readonly status_by_day: boolean;
  /** A refund names the terminal, the time and the issuer of the payment. */
  readonly refund_names_payment: boolean;
}

const STANDARD: SnapProfile = {
  name: 'standard',
  auth: 'symmetric',
  encoding: 'hex',
  base: {},
  token_path: '/v1.0/access-token/b2b',
  paths: {
    '11': '/v1.0/balance-inquiry',
    '14': '/v1.0/bank-statement',
    '15': '/v1.0/account-inquiry-internal',
    '16': '/v1.0/account-inquiry-external',
    '17': '/v1.0/transfer-intrabank',
    '18': '/v1.0/transfer-interbank',
    '36': '/v1.0/transfer/status',
    '47': '/v1.0/qr/qr-mpm-generate',
    '51': '/v1.0/qr/qr-mpm-query',
    '52': '/v1.0/qr/qr-mpm-notify',
    '77': '/v1.0/qr/qr-mpm-cancel',
    '78': '/v1.0/qr/qr-mpm-refund',
  },
  channel_id: null,
  reference_digits: 19,
  external_digits: 32,
  statement_external_digits: 32,
  settle_after: 3_600,
  quiet_hours: [],
  inquiry_window_days: 7,
  reference_window_days: 0,
  reference_remembers: 'nothing',
  bank_code: 'digits',
  notify: 'asymmetric',
  statement: { days: 31, rows: null, whole_days: false, delay: 0 },
  status_by_day: false,
  refund_names_payment: false,
};

const behind = (prefix: string, paths: SnapProfile['paths']): SnapProfile['paths'] =>
  Object.fromEntries(Object.entries(paths).map(([service, path]) => [service, prefix + path]));

const PROFILES: readonly SnapProfile[] = [
  STANDARD,
  {
    ...STANDARD,
    name: 'bca',
    encoding: 'base64',
    base: { sandbox: 'https://sandbox.bca.co.id' },
    token_path: `/openapi${STANDARD.token_path}`,
    paths: {
      ...behind('/openapi', STANDARD.paths),
      '16': '/openapi/v2.0/account-inquiry-external',
      '18': '/openapi/v2.0/transfer-interbank',
    },
    channel_id: { transfer: '95051', qr: '95251' },
    inquiry_window_days: 31,
    bank_code: 'bic-or-digits',
    own_bank: 'CENAIDJA',
    // The switch: BI-FAST requires the amount in the inquiry for the holder.
    interbank: { inquiry: { inquiryService: '1' }, transfer: { transferType: '1', purposeCode: '' } },
    notify: 'symmetric',
    statement: { days: 31, rows: 9_000, whole_days: true, delay: 0 },
    status_by_day: true,
    refund_names_payment: true,
  },
  {
    ...STANDARD,
    name: 'mandiri',
    external_digits: 19,
    statement_external_digits: 19,
    reference_window_days: 7,
    reference_remembers: 'successes',
    own_bank: '008',
  },
  {
    ...STANDARD,
    name: 'bri',
    reference_digits: 20,
    external_digits: 36,
    statement_external_digits: 9,
    settle_after: { next_day_at: '08:00' },
    // "End of Day", during which no status is answered, has no published hours. From 08:00 on the accounts can be queried again.
    quiet_hours: [{ from: '21:00', to: '08:00' }],
    own_bank: '002',
    statement: { ...STANDARD.statement, delay: 15 * 60 },
  },
  {
    ...STANDARD,
    name: 'midtrans',
    encoding: 'base64',
    settle_after: 600,
    inquiry_window_days: 60,
    reference_window_days: 60,
    reference_remembers: 'all',
    external_digits: 36,
    statement_external_digits: 36,
  },
  { ...STANDARD, name: 'faspay', auth: 'asymmetric' },
  { ...STANDARD, name: 'espay', auth: 'asymmetric' },
  { ...STANDARD, name: 'bnc', auth: 'asymmetric', own_bank: '490' },
  {
    ...STANDARD,
    name: 'doku',
    encoding: 'base64',
    channel_id: { transfer: 'H2H', qr: 'H2H' },
    paths: {
      '47': '/snap-adapter/b2b/v1.0/qr/qr-mpm-generate',
      '51': '/snap-adapter/b2b/v1.0/qr/qr-mpm-query',
      '52': STANDARD.paths['52']!,
      '78': '/snap-adapter/b2b/v1.0/qr/qr-mpm-refund',
    },
  },
];

const BY_NAME: ReadonlyMap<string, SnapProfile> = new Map(PROFILES.map((profile) => [profile.name, profile]));

export const SNAP_PROFILE_NAMES: readonly string[] = PROFILES.map(({ name }) => name);

export function snapProfile(name: string): SnapProfile | undefined {
  return BY_NAME.get(name);
}

/** Can pay out. A transfer whose status cannot be queried does not count. */
export function paysOut({ paths }: SnapProfile): boolean {
  return paths['16'] !== undefined && paths['18'] !== undefined && paths['36'] !== undefined;
}

/** Can receive payments by QRIS. */
export function takesQris({ paths }: SnapProfile): boolean {
  return paths['47'] !== undefined && paths['51'] !== undefined;
}
