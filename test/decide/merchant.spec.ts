import { describe, expect, it } from '@jest/globals';
import { financeKeys } from '../../src/domain/operators/finance-keys.decider.js';
import { OVERLAP_MS_MAX, USABLE_KEYS_MAX, type KeyCommand } from '../../src/domain/operators/key-ring.js';
import { merchant, type MerchantCommand } from '../../src/domain/merchants/merchant.decider.js';
import type { MerchantEvent, MerchantFeeSet } from '../../src/ledger/events/merchant.events.js';
import type { Fee } from '../../src/ledger/money.js';
import { timestamp } from '../../src/ledger/time.js';
import { given } from '../support/given.js';

const givenMerchant = given(merchant);
const givenFinanceKeys = given(financeKeys);

const HOUR = 60 * 60 * 1000;
const start = Date.UTC(2026, 0, 30, 10);
const at = (hours: number): string => timestamp(start + hours * HOUR);
const of = { merchant_id: 'm1' };

const details = { ...of, name: 'Kopi Kita', email: null, country: 'ID', mode: 'test', default_currency: 'IDR', timezone: 'Asia/Jakarta' } as const;
const firstKey = { key_id: 'key_1', key_hash: 'hash_1', name: 'First key', scopes: ['*'], expires_on: null };
const registered: MerchantEvent = { type: 'MerchantRegistered', data: { ...details, created_on: at(0) } };
const issued = (key_id: string, change: { scopes?: readonly string[]; issued_on?: string; expires_on?: string | null } = {}): MerchantEvent => ({
  type: 'ApiKeyIssued',
  data: { ...of, key_id, key_hash: key_id.replace('key', 'hash'), name: 'First key', scopes: ['*'], expires_on: null, issued_on: at(0), ...change },
});
const revoked = (key_id: string, revoked_on: string): MerchantEvent => ({
  type: 'ApiKeyRevoked',
  data: { ...of, key_id, revoked_on, at_once: true },
});
const ending = (key_id: string, revoked_on: string): MerchantEvent => ({
  type: 'ApiKeyRevoked',
  data: { ...of, key_id, revoked_on, at_once: false },
});

const issue = (key_id: string, now = at(0), expires_on: string | null = null): MerchantCommand & KeyCommand => ({
  kind: 'issue-key',
  key_id,
  key_hash: key_id.replace('key', 'hash'),
  name: 'First key',
  scopes: ['*'],
  expires_on,
  now,
});
const revoke = (key_id: string, now: string): MerchantCommand & KeyCommand => ({ kind: 'revoke-key', key_id, now });
const rotate = (now: string, overlap_ms: number): MerchantCommand & KeyCommand => ({
  kind: 'rotate-key',
  key_id: 'key_1',
  new_key_id: 'key_2',
  new_key_hash: 'hash_2',
  overlap_ms,
  now,
});

describe('a merchant', () => {
  it('registers a merchant once, together with its first key', () => {
    const register: MerchantCommand = { kind: 'register', merchant: details, first_key: firstKey, now: at(0) };
    givenMerchant().when(register).then(registered, issued('key_1'));
    givenMerchant(registered).when(register).isRefused('merchant-exists');
  });

  it.each<MerchantCommand>([
    issue('key_1'),
    revoke('key_1', at(0)),
    rotate(at(0), 0),
    { kind: 'set-channel', channel_code: 'QR_QRIS', change: {}, set_by: 'System', now: at(0) },
    { kind: 'set-fee', of: { kind: 'payout', currency: 'IDR' }, fee: { type: 'FIXED', value: 1 }, set_by: 'System', now: at(0) },
    { kind: 'set-rail', use: 'QR_QRIS', rail: null, merchant_name_id: null, set_by: 'ops', now: at(0) },
  ])('refuses $kind before the merchant exists', (command) => {
    givenMerchant().when(command).isRefused('merchant-not-found');
  });

  it('folding throws for an event before the registration', () => {
    expect(() => givenMerchant(issued('key_1')).when(issue('key_2'))).toThrow('ApiKeyIssued without MerchantRegistered');
  });
});

describe('the keys of a merchant', () => {
  it('issues a key, unless it would already have expired', () => {
    givenMerchant(registered)
      .when(issue('key_2', at(0), at(1)))
      .then(issued('key_2', { expires_on: at(1) }));
    givenMerchant(registered)
      .when(issue('key_2', at(1), at(1)))
      .isRefused('expiry-in-the-past');
  });

  it('limits the number of keys; expired and revoked keys do not count', () => {
    const full = Array.from({ length: USABLE_KEYS_MAX }, (_, n) => issued(`key_${n}`, { expires_on: n === 7 ? at(5) : null }));
    givenMerchant(registered, ...full)
      .when(issue('key_new', at(1)))
      .isRefused('too-many-keys');
    givenMerchant(registered, ...full)
      .when(issue('key_new', at(5)))
      .then(issued('key_new', { issued_on: at(5) }));
    givenMerchant(registered, ...full, revoked('key_3', at(1)))
      .when(issue('key_new', at(1)))
      .then(issued('key_new', { issued_on: at(1) }));
  });

  it('revokes a key once and keeps the first time of revocation', () => {
    givenMerchant(registered, issued('key_1'))
      .when(revoke('key_1', at(1)))
      .then(revoked('key_1', at(1)));
    givenMerchant(registered, issued('key_1'), revoked('key_1', at(1)))
      .when(revoke('key_1', at(2)))
      .doesNothing();
    givenMerchant(registered, issued('key_1'))
      .when(revoke('key_9', at(1)))
      .isRefused('key-not-found');
  });

  it('revokes a key in the overlap of its rotation at once', () => {
    givenMerchant(registered, issued('key_1'), ending('key_1', at(24)))
      .when(revoke('key_1', at(2)))
      .then(revoked('key_1', at(2)));
  });

  it('a revoked key stays revoked, whatever the recorded time and the current clock', () => {
    // Revoked by a clock a hundred hours ahead; everything that follows happens before that date.
    const early = [registered, issued('key_1'), revoked('key_1', at(100))];
    givenMerchant(...early)
      .when(revoke('key_1', at(1)))
      .doesNothing();
    givenMerchant(...early)
      .when(rotate(at(1), HOUR))
      .isRefused('key-not-usable');
    // A later end of an overlap does not restore it, and it does not count towards the maximum.
    const full = Array.from({ length: USABLE_KEYS_MAX - 1 }, (_, n) => issued(`key_${n + 2}`));
    givenMerchant(...early, ending('key_1', at(50)), ...full)
      .when(issue('key_200', at(1)))
      .then(issued('key_200', { issued_on: at(1) }));
  });

  it('revokes a key by a clock behind its issue, and by a clock after the end of its overlap', () => {
    givenMerchant(registered, issued('key_1', { issued_on: at(100) }))
      .when(revoke('key_1', at(-100)))
      .then(revoked('key_1', at(-100)));
    givenMerchant(registered, issued('key_1'), ending('key_1', at(24)))
      .when(revoke('key_1', at(1_000)))
      .then(revoked('key_1', at(24)));
  });

  it('rotates a key: the new key has the old name, scopes and lifetime; the old key ends with the overlap', () => {
    const old = issued('key_1', { scopes: ['charges:read'], expires_on: at(100) });
    givenMerchant(registered, old)
      .when(rotate(at(10), 24 * HOUR))
      .then(issued('key_2', { scopes: ['charges:read'], issued_on: at(10), expires_on: at(110) }), ending('key_1', at(34)));
  });

  it('a second rotation does not prolong the overlap of a key', () => {
    const rotated = [registered, issued('key_1'), ending('key_1', at(24))];
    givenMerchant(...rotated)
      .when(rotate(at(1), 48 * HOUR))
      .then(issued('key_2', { issued_on: at(1) }));
    givenMerchant(...rotated)
      .when(rotate(at(1), HOUR))
      .then(issued('key_2', { issued_on: at(1) }), ending('key_1', at(2)));
  });

  it('refuses to rotate a key that no longer works, or with an overlap out of bounds', () => {
    givenMerchant(registered, issued('key_1'), revoked('key_1', at(1)))
      .when(rotate(at(1), 0))
      .isRefused('key-not-usable');
    givenMerchant(registered, issued('key_1', { expires_on: at(1) }))
      .when(rotate(at(1), 0))
      .isRefused('key-not-usable');
    givenMerchant(registered)
      .when(rotate(at(1), 0))
      .isRefused('key-not-found');
    for (const overlap of [-1, 0.5, Number.NaN, OVERLAP_MS_MAX + 1]) {
      givenMerchant(registered, issued('key_1'))
        .when(rotate(at(1), overlap))
        .isRefused('overlap-out-of-range');
    }
  });

  it('rotates a key without overlap at the maximum number of keys', () => {
    const full = Array.from({ length: USABLE_KEYS_MAX }, (_, n) => issued(`key_${n + 10}`)).slice(1);
    givenMerchant(registered, issued('key_1'), ...full)
      .when(rotate(at(1), HOUR))
      .isRefused('too-many-keys');
    givenMerchant(registered, issued('key_1'), ...full)
      .when(rotate(at(1), 0))
      .then(issued('key_2', { issued_on: at(1) }), revoked('key_1', at(1)));
  });
});

describe('the channels of a merchant', () => {
  const shipped = { channel_code: 'QR_QRIS', enabled: true, min_amount: 100, max_amount: 1_000_000_000, settlement_cycle: 'T+2' };
  const set = (change: Partial<typeof shipped>, set_on = at(1)): MerchantEvent => ({
    type: 'MerchantChannelSet',
    data: { ...of, ...shipped, ...change, set_by: 'System', set_on },
  });
  const change = (wanted: Partial<typeof shipped>, now = at(1)): MerchantCommand => {
    const { channel_code = 'QR_QRIS', ...rest } = wanted;
    return { kind: 'set-channel', channel_code, change: rest, set_by: 'System', now };
  };

  it('a channel change sets the named terms and keeps the others', () => {
    givenMerchant(registered)
      .when(change({ max_amount: 5_000 }))
      .then(set({ max_amount: 5_000 }));
    givenMerchant(registered, set({ max_amount: 5_000 }))
      .when(change({ enabled: false }, at(2)))
      .then(set({ max_amount: 5_000, enabled: false }, at(2)));
  });

  it('a channel change to the current terms does nothing', () => {
    givenMerchant(registered)
      .when(change({ min_amount: 100, enabled: true }))
      .doesNothing();
    givenMerchant(registered, set({ settlement_cycle: 'T+0' }))
      .when(change({ settlement_cycle: 'T+0' }))
      .doesNothing();
  });

  it.each([{ min_amount: 0 }, { min_amount: 1.5 }, { max_amount: 99 }, { max_amount: 2 ** 53 }, { max_amount: 1_000_000_000_000 }])(
    'rejects the channel bounds %j',
    (bounds) => {
      givenMerchant(registered).when(change(bounds)).isRefused('bounds-invalid');
    },
  );

  it.each(['T+31', 'T+02', 'T-1', 'D+1', ''])('rejects the settlement cycle "%s"', (settlement_cycle) => {
    givenMerchant(registered).when(change({ settlement_cycle })).isRefused('settlement-cycle-invalid');
  });

  it('refuses to change a channel that is not shipped', () => {
    givenMerchant(registered)
      .when(change({ channel_code: 'WALLET_NONE' }))
      .isRefused('channel-unknown');
  });
});

describe('the fees of a merchant', () => {
  const ofQris = { kind: 'charge', channel_code: 'QR_QRIS' } as const;
  const fee = (subject: MerchantFeeSet['of'], value: Fee): MerchantCommand => ({
    kind: 'set-fee',
    of: subject,
    fee: value,
    set_by: 'System',
    now: at(1),
  });
  const feeSet = (subject: MerchantFeeSet['of'], value: Fee): MerchantEvent => ({
    type: 'MerchantFeeSet',
    data: { ...of, of: subject, fee: value, set_by: 'System', set_on: at(1) },
  });

  it('sets a fee for a channel and for payouts', () => {
    const half: Fee = { type: 'PERCENTAGE', value: 0.5 };
    const ofPayouts = { kind: 'payout', currency: 'SGD' } as const;
    givenMerchant(registered).when(fee(ofQris, half)).then(feeSet(ofQris, half));
    givenMerchant(registered)
      .when(fee(ofPayouts, { type: 'FIXED', value: 0 }))
      .then(feeSet(ofPayouts, { type: 'FIXED', value: 0 }));
    givenMerchant(registered, feeSet(ofQris, half)).when(fee(ofQris, half)).doesNothing();
  });

  it('sets a fixed fee for lost disputes, which is zero by default', () => {
    const ofDisputes = { kind: 'dispute', currency: 'IDR' } as const;
    const fixed = (value: number): Fee => ({ type: 'FIXED', value });
    givenMerchant(registered)
      .when(fee(ofDisputes, fixed(25_000)))
      .then(feeSet(ofDisputes, fixed(25_000)));
    givenMerchant(registered)
      .when(fee(ofDisputes, fixed(0)))
      .doesNothing();
    givenMerchant(registered, feeSet(ofDisputes, fixed(25_000)))
      .when(fee(ofDisputes, fixed(0)))
      .then(feeSet(ofDisputes, fixed(0)));
    givenMerchant(registered)
      .when(fee(ofDisputes, { type: 'PERCENTAGE', value: 1 }))
      .isRefused('fee-invalid');
    givenMerchant(registered)
      .when(fee({ kind: 'dispute', currency: 'USD' }, fixed(1)))
      .isRefused('currency-without-disputes');
  });

  it('a fee change to the shipped fee does nothing', () => {
    givenMerchant(registered)
      .when(fee(ofQris, { type: 'PERCENTAGE', value: 0.7 }))
      .doesNothing();
    givenMerchant(registered)
      .when(fee({ kind: 'payout', currency: 'MYR' }, { type: 'FIXED', value: 100 }))
      .doesNothing();
  });

  it.each<Fee>([
    { type: 'PERCENTAGE', value: 100.1 },
    { type: 'PERCENTAGE', value: -1 },
    { type: 'PERCENTAGE', value: 0.123456789 },
    { type: 'PERCENTAGE', value: Number.NaN },
    { type: 'FIXED', value: 0.5 },
    { type: 'FIXED', value: -1 },
    { type: 'FIXED', value: 2 ** 53 },
  ])('rejects the fee %j', (value) => {
    givenMerchant(registered).when(fee(ofQris, value)).isRefused('fee-invalid');
  });

  it('refuses fees of unknown channels and currencies', () => {
    givenMerchant(registered)
      .when(fee({ kind: 'charge', channel_code: 'NONE' }, { type: 'FIXED', value: 1 }))
      .isRefused('channel-unknown');
    givenMerchant(registered)
      .when(fee({ kind: 'payout', currency: 'constructor' }, { type: 'FIXED', value: 1 }))
      .isRefused('currency-without-payouts');
  });
});

describe('finance keys', () => {
  const financeKey = { merchant_id: null, key_id: 'key_1', key_hash: 'hash_1', name: 'First key', expires_on: null, issued_on: at(0) };

  it('issues, rotates and revokes finance keys by the rules of merchant keys', () => {
    givenFinanceKeys().when(issue('key_1')).then({ type: 'FinanceKeyIssued', data: financeKey });
    givenFinanceKeys({ type: 'FinanceKeyIssued', data: financeKey })
      .when(rotate(at(1), HOUR))
      .then(
        { type: 'FinanceKeyIssued', data: { ...financeKey, key_id: 'key_2', key_hash: 'hash_2', issued_on: at(1) } },
        { type: 'FinanceKeyRevoked', data: { merchant_id: null, key_id: 'key_1', revoked_on: at(2), at_once: false } },
      );
    givenFinanceKeys()
      .when(revoke('key_1', at(1)))
      .isRefused('key-not-found');
  });
});

describe('the routes of a merchant', () => {
  const set = (use: string, rail: string | null, serves: 'test' | 'live' = 'test', merchant_name_id: string | null = null): MerchantCommand => ({
    ...{ kind: 'set-rail', use, rail: rail === null ? null : { name: rail, serves }, merchant_name_id, set_by: 'ops', now: at(1) },
  });
  const routed = (use: string, rail: string | null, merchant_name_id: string | null = null): MerchantEvent => ({
    type: 'MerchantRailSet',
    data: { ...of, use, rail, merchant_name_id, set_by: 'ops', set_on: at(1) },
  });

  it('routes any channel and payouts of a merchant to a rail of the same mode', () => {
    givenMerchant(registered)
      .when(set('qr_qris', 'x', 'test', 'shop-1'))
      .then(routed('QR_QRIS', 'x', 'shop-1'));
    givenMerchant(registered).when(set('payout.IDR', 'x')).then(routed('payout.IDR', 'x'));
    givenMerchant(registered)
      .when(set('QR_QRIS', 'x', 'live'))
      .isRefused('rail-of-other-mode');
    givenMerchant(registered).when(set('qr_none', 'x')).isRefused('use-unknown');
    givenMerchant(registered).when(set('payout.USD', 'x')).isRefused('use-unknown');
  });

  it('changes and removes a merchant route; a repeat does nothing', () => {
    givenMerchant(registered, routed('QR_QRIS', 'x')).when(set('QR_QRIS', 'x')).doesNothing();
    givenMerchant(registered, routed('QR_QRIS', 'x'))
      .when(set('QR_QRIS', 'x', 'test', 'shop-2'))
      .then(routed('QR_QRIS', 'x', 'shop-2'));
    givenMerchant(registered, routed('QR_QRIS', 'x', 'shop-1'))
      .when(set('QR_QRIS', null, 'test', 'shop-2'))
      .then(routed('QR_QRIS', null));
    givenMerchant(registered).when(set('QR_QRIS', null)).doesNothing();
  });
});

describe('a setting that a proposal has made', () => {
  it('a setting made by a proposal names the proposal and records an event also without a change', () => {
    const by = { set_by: 'proposal p1', proposal_id: 'p1' };
    const fee: Fee = { type: 'FIXED', value: 7 };
    const ofQris = { kind: 'charge', channel_code: 'QR_QRIS' } as const;
    const set: MerchantEvent = { type: 'MerchantFeeSet', data: { ...of, of: ofQris, fee, ...by, set_on: at(1) } };
    const command: MerchantCommand = { kind: 'set-fee', of: ofQris, fee, ...by, now: at(1) };
    const refused: MerchantEvent = { type: 'ProposalRefused', data: { ...of, proposal_id: 'p0', refusal: 'x', detail: 'x', refused_on: at(0) } };
    givenMerchant(registered, refused).when(command).then(set);
    givenMerchant(registered, set).when(command).then(set);
    const route: MerchantEvent = {
      type: 'MerchantRailSet',
      data: { ...of, use: 'QR_QRIS', rail: null, merchant_name_id: null, ...by, set_on: at(1) },
    };
    givenMerchant(registered)
      .when({ kind: 'set-rail', use: 'QR_QRIS', rail: null, merchant_name_id: null, ...by, now: at(1) })
      .then(route);
    const same: MerchantCommand = { kind: 'set-channel', channel_code: 'QR_QRIS', change: {}, ...by, now: at(1) };
    const decision = merchant.decide([registered].flat().reduce(merchant.evolve, null), same);
    expect(decision).toMatchObject({ events: [{ type: 'MerchantChannelSet', data: { channel_code: 'QR_QRIS', ...by } }] });
  });
});
