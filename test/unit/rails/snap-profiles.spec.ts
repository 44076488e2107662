import { describe, expect, it } from '@jest/globals';
import { indonesianBankCode } from '../../../src/rails/snap/bank-codes.js';
import { paysOut, SNAP_PROFILE_NAMES, snapProfile, takesQris, type SnapProfile } from '../../../src/rails/snap/profiles.js';
import { railFacts } from '../../support/rail-facts.js';

interface Facts {
  extends?: string;
  auth: string;
  encoding: string;
  base?: { sandbox?: string };
  prefix?: string;
  paths: Record<string, string>;
  channel_id: null | string | { transfer: string; qr: string };
  reference_digits: number;
  external_digits: number;
  statement_external_digits?: number;
  settle_after: number | string;
  quiet_hours: string[];
  inquiry_window_days: number;
  reference_window_days: number;
  reference_remembers: string;
  pay_again: boolean;
  bank_code: string;
  notify: string;
  statement: { days: number; rows: number | null; window?: string; delay_minutes?: number };
  additional?: { transferType: Record<string, string>; inquiryService: Record<string, string> };
  only?: string[];
}
const raw = railFacts('profiles').profiles as Record<string, Partial<Facts>>;

/** Merges a profile with the one that it extends. */
function resolved(name: string): Facts {
  const own = raw[name]!;
  const base = own.extends === undefined ? undefined : resolved(own.extends);
  const inherited = Object.fromEntries(
    Object.entries(base?.paths ?? {})
      .map(([service, path]): [string, string] => [service, (own.prefix ?? '') + path])
      .filter(([service]) => own.only === undefined || service === 'token' || own.only.includes(service)),
  );
  return {
    ...base,
    ...own,
    paths: { ...inherited, ...own.paths },
    statement: { ...base?.statement, ...own.statement },
  } as Facts;
}

const channelIds = (given: Facts['channel_id']): SnapProfile['channel_id'] => (typeof given === 'string' ? { transfer: given, qr: given } : given);

describe.each(SNAP_PROFILE_NAMES)('the profile %s', (name) => {
  const facts = resolved(name);
  const profile = snapProfile(name)!;

  it('matches the documentation of the provider', () => {
    const { token, ...paths } = facts.paths;
    expect(profile).toMatchObject({
      name,
      auth: facts.auth,
      encoding: facts.encoding,
      base: facts.base ?? {},
      token_path: token,
      channel_id: channelIds(facts.channel_id),
      reference_digits: facts.reference_digits,
      external_digits: facts.external_digits,
      statement_external_digits: facts.statement_external_digits ?? facts.external_digits,
      inquiry_window_days: facts.inquiry_window_days,
      reference_window_days: facts.reference_window_days,
      reference_remembers: facts.reference_remembers.split(' ')[0],
      bank_code: facts.bank_code === '3 digits' ? 'digits' : 'bic-or-digits',
      notify: facts.notify.startsWith('symmetric') ? 'symmetric' : 'asymmetric',
      statement: {
        days: facts.statement.days,
        rows: facts.statement.rows,
        whole_days: facts.statement.window?.startsWith('whole days') ?? false,
        delay: 60 * (facts.statement.delay_minutes ?? 0),
      },
    });
    expect(profile.paths).toEqual(paths);
  });

  it('settles at the provider’s time, and never pays again by default', () => {
    const [, nextDayAt] = /^(\d\d:\d\d) Asia\/Jakarta of the next day$/.exec(String(facts.settle_after)) ?? [];
    expect(profile.settle_after).toEqual(nextDayAt === undefined ? facts.settle_after : { next_day_at: nextDayAt });
    expect(facts.pay_again).toBe(false);
    expect(profile.reference_window_days === 0).toBe(facts.reference_remembers === 'nothing');
    expect(profile.quiet_hours.length).toBe(facts.quiet_hours.length);
  });

  it('contains the fields by which BCA selects the switch, and none for others', () => {
    const { inquiryService, transferType } = facts.additional ?? {};
    expect(profile.interbank?.inquiry['inquiryService']).toBe(inquiryService?.['switch']);
    expect(profile.interbank?.transfer['transferType']).toBe(transferType?.['switch']);
  });

  it('offers payouts and QRIS as its services allow', () => {
    expect(paysOut(profile)).toBe(name !== 'doku');
    expect(takesQris(profile)).toBe(true);
  });
});

describe('profiles', () => {
  it('every documented provider has a profile, and no other has one', () => {
    expect([...SNAP_PROFILE_NAMES].sort()).toEqual(Object.keys(raw).sort());
    expect(snapProfile('dana')).toBeUndefined();
  });
});

describe('bank codes', () => {
  const digits = (bank_name: string, bank_code: string | null = null) => indonesianBankCode({ bank_name, bank_code }, 'digits');

  it.each([
    ['BCA', '014'],
    ['PT. Bank Central Asia, Tbk', '014'],
    ['bank mandiri (persero)', '008'],
    ['Bank BRI', '002'],
    ['PT Bank Rakyat Indonesia (Persero) Tbk', '002'],
    ['BNI', '009'],
    ['CIMB Niaga', '022'],
    ['Bank Syariah Indonesia', '451'],
    ['BCA Syariah', '536'],
    ['Bank Jago', '542'],
    ['SEABANK', '535'],
    ['Allo Bank', '567'],
    ['Bank Mándiri', '008'],
    ['BCA Syariaħ', '536'],
  ])('finds %s by its name', (name, code) => expect(digits(name)).toBe(code));

  it.each(['', 'Bank', 'Central', 'BCA Mandiri', 'Bank of Nowhere', 'constructor', '014'])('guesses nothing of %j', (name) => {
    expect(digits(name)).toBeUndefined();
  });

  it('uses a known code, in either spelling, before the name', () => {
    expect(digits('Whatever', '014')).toBe('014');
    expect(digits('Whatever', ' cenaidja ')).toBe('014');
    expect(digits('Whatever', 'CENAIDJAXXX')).toBe('014');
    expect(digits('BCA', '999')).toBeUndefined();
    expect(digits('BCA', 'CENAIDJAJKT')).toBeUndefined();
  });

  it('uses a BIC where a provider requires one, and digits where no BIC is known', () => {
    const bic = (bank_name: string) => indonesianBankCode({ bank_name, bank_code: null }, 'bic-or-digits');
    expect(bic('BRI')).toBe('BRINIDJA');
    expect(bic('Bank Jago')).toBe('542');
  });

  it('own bank of each rail has the name that its transfers use', () => {
    for (const name of SNAP_PROFILE_NAMES) {
      const { own_bank, bank_code } = snapProfile(name)!;
      if (own_bank !== undefined) expect(indonesianBankCode({ bank_name: '', bank_code: own_bank }, bank_code)).toBe(own_bank);
    }
  });
});
