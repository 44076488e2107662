import { describe, expect, it } from '@jest/globals';
import type { RailEvent, RailSet } from '../../src/ledger/events/rail.events.js';
import { timestamp } from '../../src/ledger/time.js';
import { rails, routeKey, type RailsCommand } from '../../src/rails/settings/rails.decider.js';
import { given } from '../support/given.js';

const givenRails = given(rails);

const NOW = timestamp(Date.UTC(2026, 10, 22));
const LATER = timestamp(Date.UTC(2027, 5, 1));
const BY = { by: 'ops', now: NOW };
const CREDENTIALS = { version: 1, fingerprints: [{ field: 'secret_key', sha256: '01234567' }] };
const NEXT = { version: 2, fingerprints: [{ field: 'secret_key', sha256: '89abcdef' }] };
const XENDIT: Omit<RailSet, 'merchant_id' | 'rail' | 'set_by' | 'set_on'> = {
  kind: 'xendit',
  profile: null,
  mode: 'live',
  base_url: 'https://api.xendit.co',
  allow_private: false,
  tls: '1.3',
  on_name_difference: 'wait',
};
const BCA = { ...XENDIT, kind: 'snap', profile: 'bca', base_url: 'https://api.bank.example' } as const;

const isSet = (rail: string, data: Omit<RailSet, 'merchant_id' | 'rail' | 'set_by' | 'set_on'> = XENDIT): RailEvent => ({
  type: 'RailSet',
  data: { merchant_id: null, rail, ...data, set_by: 'ops', set_on: NOW },
});
const hasCredentials = (rail: string, credentials = CREDENTIALS): RailEvent => ({
  type: 'RailCredentialsSet',
  data: { merchant_id: null, rail, ...credentials, set_by: 'ops', set_on: NOW },
});
const retired = (rail: string): RailEvent => ({
  type: 'RailCredentialsRetired',
  data: { merchant_id: null, rail, version: 1, retired_by: 'ops', retired_on: NOW },
});
const routed = (use: string, rail: string | null, mode: 'live' | 'test' = 'live'): RailEvent => ({
  type: 'RailRouteSet',
  data: { merchant_id: null, mode, use, rail, set_by: 'ops', set_on: NOW },
});
const allowed = (rail: string, what: string, until: string | null): RailEvent => ({
  type: 'RailAllowed',
  data: { merchant_id: null, rail, what, until, evidence: 'letter 1', allowed_by: 'ops', allowed_on: NOW },
});
const paused: RailEvent = { type: 'RailPaused', data: { merchant_id: null, rail: 'x', paused_by: 'ops', paused_on: NOW } };

const set = (change: Extract<RailsCommand, { kind: 'set' }>['change'], credentials: typeof CREDENTIALS | null = CREDENTIALS): RailsCommand => ({
  ...{ kind: 'set', rail: 'x', change, credentials, ...BY },
});
const route = (use: string, rail: string | null, mode: 'live' | 'test' = 'live'): RailsCommand => ({ kind: 'route', mode, use, rail, ...BY });
const allow = (what: string, until: string | null, evidence = 'letter 1'): RailsCommand => ({
  kind: 'allow',
  rail: 'x',
  what,
  until,
  evidence,
  ...BY,
});
const x = [isSet('x'), hasCredentials('x')];
const bank = [isSet('x', BCA), hasCredentials('x')];

describe('a rail', () => {
  it('creates a rail with all of its settings and its credentials at once', () => {
    givenRails()
      .when(set({ kind: 'xendit', mode: 'live' }))
      .then(isSet('x'), hasCredentials('x'));
    givenRails()
      .when(set({ kind: 'snap', profile: 'bca', mode: 'sandbox', allow_private: true, base_url: 'http://127.0.0.1:4010', tls: '1.2' }))
      .then(isSet('x', { ...BCA, mode: 'sandbox', allow_private: true, base_url: 'http://127.0.0.1:4010', tls: '1.2' }), hasCredentials('x'));
  });

  it.each<[Extract<RailsCommand, { kind: 'set' }>['change'], string]>([
    [{ kind: 'xendit' }, 'rail-incomplete'],
    [{ mode: 'live' }, 'rail-incomplete'],
    [{ kind: 'xendit', mode: 'live', profile: 'bca' }, 'profile-unknown'],
    [{ kind: 'snap', mode: 'live' }, 'profile-unknown'],
    [{ kind: 'snap', mode: 'live', profile: 'constructor', base_url: 'https://b.example' }, 'profile-unknown'],
    [{ kind: 'snap', mode: 'live', profile: 'bca' }, 'base-invalid'],
    [{ kind: 'xendit', mode: 'live', base_url: 'http://api.xendit.co' }, 'base-invalid'],
    [{ kind: 'xendit', mode: 'sandbox', base_url: 'http://api.xendit.co' }, 'base-invalid'],
    [{ kind: 'xendit', mode: 'live', base_url: 'https://u:p@api.xendit.co' }, 'base-invalid'],
    [{ kind: 'xendit', mode: 'live', base_url: 'https://api.xendit.co/' }, 'base-invalid'],
    [{ kind: 'xendit', mode: 'live', base_url: 'https://api.xendit.co/?x=1' }, 'base-invalid'],
    [{ kind: 'xendit', mode: 'live', allow_private: true }, 'private-not-allowed'],
  ])('refuses to create a rail from %j', (change, refusal) => {
    givenRails()
      .when(set(change))
      .isRefused(refusal as 'base-invalid');
  });

  it('refuses a rail without credentials, and refuses new credentials when a rail is set again', () => {
    givenRails()
      .when(set({ kind: 'xendit', mode: 'live' }, null))
      .isRefused('rail-incomplete');
    givenRails(...x)
      .when(set({}, NEXT))
      .isRefused('credentials-by-rotation');
  });

  it('a rail change keeps omitted settings and does nothing the second time', () => {
    givenRails(...bank)
      .when(set({ on_name_difference: 'pay' }, null))
      .then(isSet('x', { ...BCA, on_name_difference: 'pay' }));
    givenRails(...bank, isSet('x', { ...BCA, on_name_difference: 'pay' }))
      .when(set({ kind: 'snap', profile: 'bca', mode: 'live' }, null))
      .doesNothing();
  });

  it.each([{ kind: 'snap', profile: 'bca' }, { mode: 'sandbox' }] as const)('refuses to change the identity of a rail: %j', (change) => {
    givenRails(...x)
      .when(set(change, null))
      .isRefused('rail-is-another');
  });

  it('pauses and resumes a rail, each once', () => {
    const command = (kind: 'pause' | 'resume'): RailsCommand => ({ kind, rail: 'x', ...BY });
    givenRails(...x)
      .when(command('pause'))
      .then(paused);
    givenRails(...x, paused)
      .when(command('pause'))
      .doesNothing();
    givenRails(...x)
      .when(command('resume'))
      .doesNothing();
    givenRails(...x, paused)
      .when(command('resume'))
      .then({ type: 'RailResumed', data: { merchant_id: null, rail: 'x', resumed_by: 'ops', resumed_on: NOW } });
    givenRails().when(command('pause')).isRefused('rail-not-found');
  });

  it('folding throws for an event of a rail that was never set', () => {
    expect(() => givenRails(paused).when({ kind: 'pause', rail: 'x', ...BY })).toThrow('never set');
  });
});

describe('credentials', () => {
  const rotate: RailsCommand = { kind: 'rotate', rail: 'x', credentials: NEXT, ...BY };
  const retire: RailsCommand = { kind: 'retire-old', rail: 'x', ...BY };
  const rail = (...events: RailEvent[]) => events.reduce((state, event) => rails.evolve(state, event), rails.initial).byName.get('x')!;

  it('replaces credentials; the previous ones stay valid until they are retired', () => {
    givenRails(...x)
      .when(rotate)
      .then(hasCredentials('x', NEXT));
    expect(rail(...x)).toMatchObject({ credentials: CREDENTIALS, previous_credentials: null });
    const rotated = [...x, hasCredentials('x', NEXT)];
    expect(rail(...rotated)).toMatchObject({ credentials: NEXT, previous_credentials: CREDENTIALS });
    givenRails(...rotated)
      .when({ ...rotate, credentials: { version: 3, fingerprints: [] } })
      .isRefused('rotation-under-way');
    givenRails(...rotated)
      .when(retire)
      .then(retired('x'));
    expect(rail(...rotated, retired('x'))).toMatchObject({ credentials: NEXT, previous_credentials: null });
  });

  it('retires credentials once', () => {
    givenRails(...x)
      .when(retire)
      .doesNothing();
  });
});

describe('a default route', () => {
  it('routes by default to a rail that offers the use and serves the mode', () => {
    givenRails(...x)
      .when(route('qr_qris', 'x'))
      .then(routed('QR_QRIS', 'x'));
    givenRails(...bank)
      .when(route('PAYOUT.idr', 'x'))
      .then(routed('payout.IDR', 'x'));
    givenRails(...x)
      .when(route('payout.IDR', 'x'))
      .isRefused('use-not-offered');
    givenRails(...x)
      .when(route('wallet_grabpay_sg', 'x'))
      .isRefused('use-not-offered');
    givenRails(...x)
      .when(route('qr_qris', 'x', 'test'))
      .isRefused('rail-of-other-mode');
    givenRails(...x)
      .when(route('qr_none', 'x'))
      .isRefused('use-unknown');
    givenRails(...x)
      .when(route('qr_qris', 'y'))
      .isRefused('rail-not-found');
  });

  it('removes a default route, and does nothing the second time', () => {
    const events = [...x, routed('QR_QRIS', 'x')];
    givenRails(...events)
      .when(route('qr_qris', 'x'))
      .doesNothing();
    givenRails(...events)
      .when(route('qr_qris', null))
      .then(routed('QR_QRIS', null));
    const state = [...events, routed('QR_QRIS', null)].reduce((folded, event) => rails.evolve(folded, event), rails.initial);
    expect(state.routes.has(routeKey('live', 'QR_QRIS'))).toBe(false);
  });
});

describe('an allowance of a rail', () => {
  it('allows only a use that is off by default, with an end where one is required', () => {
    givenRails(...bank)
      .when(allow('pay-again', LATER))
      .then(allowed('x', 'pay-again', LATER));
    givenRails(...x)
      .when(allow('channel:WALLET_OVO', null))
      .then(allowed('x', 'channel:WALLET_OVO', null));
    givenRails(...bank)
      .when(allow('pay-again', null))
      .isRefused('until-missing');
    givenRails(...bank)
      .when(allow('pay-again', NOW))
      .isRefused('until-in-the-past');
    givenRails(...x)
      .when(allow('pay-again', LATER))
      .isRefused('nothing-to-allow');
    givenRails(...x)
      .when(allow('channel:QR_QRIS', null))
      .isRefused('nothing-to-allow');
  });

  it('records an allowance once per evidence, and withdraws it', () => {
    const events = [...bank, allowed('x', 'pay-again', LATER)];
    const withdraw: RailsCommand = { kind: 'withdraw', rail: 'x', what: 'pay-again', evidence: 'letter 2', ...BY };
    givenRails(...events)
      .when(allow('pay-again', LATER))
      .doesNothing();
    givenRails(...events)
      .when(allow('pay-again', LATER, 'letter 3'))
      .then({ type: 'RailAllowed', data: { ...(allowed('x', 'pay-again', LATER).data as object), evidence: 'letter 3' } } as RailEvent);
    const withdrawn: RailEvent = {
      type: 'RailAllowanceWithdrawn',
      data: { merchant_id: null, rail: 'x', what: 'pay-again', evidence: 'letter 2', withdrawn_by: 'ops', withdrawn_on: NOW },
    };
    givenRails(...events)
      .when(withdraw)
      .then(withdrawn);
    givenRails(...events, withdrawn)
      .when(withdraw)
      .doesNothing();
  });
});
