import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MerchantRail } from '../../../src/domain/merchants/known-merchants.js';
import { RailConditions, railState, worstOf, type RailCondition } from '../../../src/rails/registry/rail-health.js';
import type { Credentials } from '../../../src/rails/settings/rail-credentials.js';
import {
  allowOnRail,
  rotateRail,
  retireOldCredentials,
  setRail,
  setRoute,
  switchRail,
  type RailDeps,
} from '../../../src/rails/settings/rail.commands.js';
import { RailRegistry, type RailRegistryOptions } from '../../../src/rails/registry/rail-registry.js';
import { BankCalls } from '../../../src/domain/payouts/transfer/bank-calls.js';
import { ReferencesInMemory } from '../../support/references-in-memory.js';
import { eventually } from '../../support/eventually.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { SNAP_CREDENTIALS, XENDIT_CREDENTIALS } from '../../support/rail-credentials.js';

const NOW = Date.UTC(2026, 10, 22, 12);
const LIVE = { ...XENDIT_CREDENTIALS, secret_key: 'xnd_production_0123456789abcdef' };

/** As the table keeps them, in memory. */
class KeptCredentials {
  readonly byVersion = new Map<string, Credentials>();

  add(rail: string, credentials: Credentials, newest: number): Promise<number> {
    this.byVersion.set(`${rail} ${newest + 1}`, credentials);
    return Promise.resolve(newest + 1);
  }
  read(rail: string, version: number): Promise<Credentials | undefined> {
    return Promise.resolve(this.byVersion.get(`${rail} ${version}`));
  }
  remove(rail: string, version: number): Promise<void> {
    this.byVersion.delete(`${rail} ${version}`);
    return Promise.resolve();
  }
  async removeUpTo(rail: string, version: number): Promise<void> {
    for (let each = 1; each <= version; each += 1) await this.remove(rail, each);
  }
}

describe('the rails of a process', () => {
  let store: InMemoryEventStore;
  let kept: KeptCredentials;
  let deps: RailDeps;
  let conditions: RailConditions;
  let options: RailRegistryOptions;
  let registry: RailRegistry;
  let own: Map<string, MerchantRail>;
  let told: ReadonlyMap<string, readonly RailCondition[]>[];
  let now: number;

  beforeEach(() => {
    now = NOW;
    store = new InMemoryEventStore();
    kept = new KeptCredentials();
    deps = { store, clock: () => now, credentials: kept as unknown as RailDeps['credentials'], by: 'ops' };
    conditions = new RailConditions(() => now);
    own = new Map();
    told = [];
    options = {
      ...{ store, credentials: kept, conditions, clock: () => now },
      shared: { say: (each) => Promise.resolve(void told.push(each)), leave: () => Promise.resolve() },
      ownRoute: (merchantId, use) => own.get(`${merchantId} ${use}`),
      resolve: () => Promise.resolve(['192.0.2.1']),
      log: { info: () => undefined, warn: () => undefined },
      newExternalId: () => Promise.resolve('1'),
      returnUrl: (chargeId) => `https://pay.example/${chargeId}`,
      observe: (rail) => conditions.observer(rail),
      onError: () => undefined,
    };
    registry = new RailRegistry(options);
  });
  afterEach(() => registry.stop());

  const set = (name: string, mode: 'live' | 'sandbox', credentials: Credentials = mode === 'live' ? LIVE : XENDIT_CREDENTIALS) =>
    setRail(deps, name, { kind: 'xendit', mode }, () => Promise.resolve(credentials));
  const setBank = (name: string) =>
    setRail(deps, name, { kind: 'snap', profile: 'bca', mode: 'live', base_url: 'https://bank.example' }, () => Promise.resolve(SNAP_CREDENTIALS));
  const routed = (mode: 'live' | 'test' = 'live', merchant = 'm1') => registry.processors.route(merchant, mode, 'QR_QRIS');
  const isStopped = () => {
    const route = routed();
    return typeof route === 'object' && route.is_stopped;
  };

  it('routes nothing before a route is set', async () => {
    await set('x', 'live');
    await registry.start();
    expect(routed()).toBeUndefined();
    expect(registry.banks.route('m1', 'live', 'IDR')).toBeUndefined();
    expect(registry.processors.named('x')).toMatchObject({ name: 'x', remote: true });
    expect(registry.processors.named('y')).toBeUndefined();
    expect(registry.banks.named('x')).toBeUndefined();
  });

  it('routes to the merchant’s own rail, else to that of its mode', async () => {
    for (const name of ['x', 'y']) await set(name, 'live');
    await setRoute(deps, 'live', 'QR_QRIS', 'x');
    own.set('m2 QR_QRIS', { use: 'QR_QRIS', rail: 'y', merchant_name_id: 'shop-2' });
    await registry.start();
    expect(routed()).toMatchObject({ processor: { name: 'x' }, merchant_name_id: null, is_stopped: false });
    expect(routed('live', 'm2')).toMatchObject({ processor: { name: 'y' }, merchant_name_id: 'shop-2' });
    expect(registry.processors.route('m1', 'live', 'WALLET_DANA')).toBeUndefined();
    expect(routed('test')).toBeUndefined();
  });

  it('never routes live merchants to a sandbox, nor test merchants to a live rail, whatever the route', async () => {
    await set('s', 'sandbox');
    await set('x', 'live');
    for (const rail of ['s', 'x']) own.set(`of-${rail} QR_QRIS`, { use: 'QR_QRIS', rail, merchant_name_id: null });
    await registry.start();
    expect(routed('live', 'of-s')).toBeUndefined();
    expect(routed('test', 'of-x')).toBeUndefined();
    expect(routed('test', 'of-s')).toMatchObject({ processor: { name: 's' } });
  });

  it('routes payouts to banks, and QRIS charges, too', async () => {
    await setBank('bca');
    await setRoute(deps, 'live', 'payout.IDR', 'bca');
    await setRoute(deps, 'live', 'QR_QRIS', 'bca');
    await registry.start();
    expect(registry.banks.route('m1', 'live', 'IDR')).toMatchObject({
      bank: { name: 'bca', terms: { pay_again: false } },
      is_stopped: false,
      is_on_trial: false,
    });
    expect(routed()).toMatchObject({ processor: { name: 'bca' } });
    expect(registry.banks.route('m1', 'live', 'MYR')).toBeUndefined();
  });

  it('sends no further attempt of a payout by a paused rail, although new payouts use another rail by now', async () => {
    for (const name of ['bca', 'other']) await setBank(name);
    await setRoute(deps, 'live', 'payout.IDR', 'other');
    await switchRail(deps, 'bca', 'pause');
    await registry.start();
    const calls = new BankCalls({ routes: registry.banks, clock: () => now, references: new ReferencesInMemory(), onTrouble: () => undefined });
    const payout = { payout_id: 'p', merchant_id: 'm1', currency: 'IDR', mode: 'live' } as const;
    expect(calls.routeOf(payout, 'bca')).toMatchObject({ bank: { name: 'bca' }, is_stopped: true });
    expect(calls.routeOf(payout, null)).toMatchObject({ bank: { name: 'other' }, is_stopped: false });
    expect(registry.banks.named('bca')).toMatchObject({ name: 'bca' });
  });

  it('follows changes of rails, routes and banks', async () => {
    await set('x', 'live');
    await registry.start();
    await setRoute(deps, 'live', 'QR_QRIS', 'x');
    await eventually(() => routed() !== undefined && !isStopped());
    await switchRail(deps, 'x', 'pause');
    await eventually(isStopped);
    expect(registry.processors.named('x')).toBeDefined();
    await switchRail(deps, 'x', 'resume');
    await eventually(() => routed() !== undefined && !isStopped());
    await setBank('bca');
    await eventually(() => registry.banks.named('bca') !== undefined);
    await setRoute(deps, 'live', 'QR_QRIS', null);
    await eventually(() => routed() === undefined);
  });

  it('lets a bank pay again until the permission of an operator ends', async () => {
    await setBank('bca');
    await allowOnRail(deps, 'bca', { what: 'pay-again', until: '2026-12-01T00:00:00.000+00:00', evidence: 'letter 1' });
    await registry.start();
    expect(registry.banks.named('bca')?.terms.pay_again).toBe(true);
    now = Date.UTC(2026, 11, 1);
    await eventually(() => registry.banks.named('bca')?.terms.pay_again === false);
    expect(railState(registry.rails[0]!, [], now)).toMatchObject({ state: 'amber', reasons: [expect.stringContaining('pay-again')] });
  });

  it('accepts notifications under the previous credentials until those are retired', async () => {
    await set('x', 'live');
    await registry.start();
    const isTaken = (token: string): boolean =>
      registry.processors.named('x')?.parse(Buffer.from('{}'), { 'x-callback-token': token }, '', now) !== undefined;
    const next = { ...LIVE, callback_token: 'another-callback-token' };
    await rotateRail(deps, 'x', () => Promise.resolve(next));
    await eventually(() => isTaken(next.callback_token));
    expect(isTaken(LIVE.callback_token)).toBe(true);
    expect(isTaken('no-callback-token-of-ours')).toBe(false);
    await retireOldCredentials(deps, 'x');
    await eventually(() => !isTaken(LIVE.callback_token));
    expect(isTaken(next.callback_token)).toBe(true);
  });

  it('calls no rail whose credentials are missing or differ from those that were set, and reports it until they are back', async () => {
    await set('x', 'live');
    await setRoute(deps, 'live', 'QR_QRIS', 'x');
    kept.byVersion.set('x 1', { ...LIVE, secret_key: 'xnd_production_of_somebody_else' });
    await registry.start();
    expect(routed()).toBe('unusable');
    expect(conditions.of('x')).toMatchObject([{ level: 'red', code: 'credentials-differ' }]);
    kept.byVersion.delete('x 1');
    await eventually(() => conditions.of('x')[0]?.code === 'credentials-missing');
    await eventually(() => told.some((each) => each.get('x')?.[0]?.code === 'credentials-missing'));
    kept.byVersion.set('x 1', LIVE);
    await eventually(() => typeof routed() === 'object');
    expect(conditions.of('x')).toEqual([]);
  });

  it('reloads its rails when the store was restored', async () => {
    await set('x', 'live');
    await setRoute(deps, 'live', 'QR_QRIS', 'x');
    let present = store;
    const reading = { read: (...args: Parameters<InMemoryEventStore['read']>) => present.read(...args) };
    await registry.stop();
    registry = new RailRegistry({ ...options, store: reading });
    await registry.start();
    expect(routed()).toBeDefined();
    present = new InMemoryEventStore();
    // Another history, in which the stream is as long, or shorter.
    await setRail({ ...deps, store: present }, 'z', { kind: 'xendit', mode: 'live' }, () => Promise.resolve(LIVE));
    await eventually(() => registry.rails.map(({ name }) => name).join() === 'z');
    expect(routed()).toBeUndefined();
  });
});

describe('conditions that calls report', () => {
  const conditions = new RailConditions(() => NOW);
  const observer = conditions.observer('x');
  const levels = () => conditions.of('x').map(({ level, code, endpoint }) => [level, code, endpoint]);

  it('each condition lasts until its own calls succeed again', () => {
    conditions.report({ rail: 'x', level: 'red', endpoint: 'create', code: 'INVALID_API_KEY' });
    observer.circuit('create', 'open');
    observer.clockSkew(-7);
    expect(levels()).toEqual([
      ['red', 'INVALID_API_KEY', 'create'],
      ['red', 'circuit-open', 'create'],
      ['amber', 'clock-skew', null],
    ]);
    observer.clockSkew(61);
    expect(levels()).toContainEqual(['red', 'clock-skew', null]);
    observer.called('query', 'accepted', 1);
    observer.called('create', 'unknown', 1);
    observer.circuit('create', 'half-open');
    expect(levels()).toHaveLength(3);
    observer.called('create', 'accepted', 1);
    observer.circuit('create', 'closed');
    observer.clockSkew(1);
    expect(levels()).toEqual([]);
  });

  it('worstOf returns the worst state of all rails', () => {
    const of = (state: 'green' | 'amber' | 'red') => ({ rail: 'x', mode: 'live', state, reasons: [] }) as const;
    expect(worstOf([])).toBe('green');
    expect(worstOf([of('green'), of('amber')])).toBe('amber');
    expect(worstOf([of('amber'), of('red'), of('green')])).toBe('red');
  });
});
