import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '../../src/ledger/streams/new-event.js';
import { APPROVAL_POLICY_STREAM } from '../../src/ledger/events/approval-policy.events.js';
import { loadApprovalPolicies, setApprovalPolicy } from '../../src/domain/operators/approval-policy.commands.js';
import { MerchantDirectory } from '../../src/domain/merchants/merchant-directory.js';
import {
  issueKey,
  registerMerchant,
  revokeKey,
  rotateKey,
  setChannel,
  setFee,
  type NewMerchant,
} from '../../src/domain/merchants/merchant.commands.js';
import type { DirectoryDeps } from '../../src/domain/operators/directory.js';
import { merchantStream } from '../../src/ledger/events/merchant.events.js';
import { addOperator, issueOperatorKey, loadOperators, setRoles, switchOperator } from '../../src/domain/operators/operator.commands.js';
import { openEmails, OperatorKeys } from '../../src/domain/operators/operator-keys.js';
import { operatorKeysMigrations } from '../../src/domain/operators/operator-keys.migrations.js';
import { OPERATORS_STREAM } from '../../src/ledger/events/operator.events.js';
import { hashKey } from '../../src/platform/auth/api-key.js';
import { isGood } from '../../src/platform/auth/key-directory.js';
import { embeddedEventStoreMigrations } from '../../src/platform/event-store/embedded/embedded-event-store.migrations.js';
import { EmbeddedEventStore } from '../../src/platform/event-store/embedded/embedded-event-store.js';
import type { EventStore, NewEvent } from '../../src/platform/event-store/event-store.js';
import { BUSY, eventually, within } from '../support/eventually.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { putBack } from '../support/put-back.js';

const details: NewMerchant = { name: 'Kopi Kita', email: 'kasir@kopikita.example', country: 'ID', mode: 'test' };

describe('the merchant directory', () => {
  let database: TestDatabase;
  /** The store of the process that runs commands; `there` is the store of another process that answers requests. */
  let here: EmbeddedEventStore;
  let there: EmbeddedEventStore;
  let deps: DirectoryDeps;
  const started: MerchantDirectory[] = [];

  beforeAll(async () => {
    database = await createTestDatabase([...embeddedEventStoreMigrations, ...operatorKeysMigrations]);
    here = new EmbeddedEventStore({ databaseUrl: database.url });
    there = new EmbeddedEventStore({ databaseUrl: database.url });
    deps = { store: here, clock: Date.now };
  });

  afterEach(async () => {
    await Promise.all(started.splice(0).map((directory) => directory.stop()));
  });

  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await database.drop();
  });

  async function follow(store: EventStore = there): Promise<MerchantDirectory> {
    const directory = new MerchantDirectory(store);
    started.push(directory);
    directory.start();
    await directory.ready();
    return directory;
  }

  it('the directory knows earlier merchants when it starts, and is fresh at once', async () => {
    const { merchant_id, key_id, key } = await registerMerchant(deps, details);
    const directory = await follow();
    expect(directory.isFresh()).toBe(true);
    expect(directory.find(hashKey(key))).toMatchObject({
      key_id,
      kind: 'merchant',
      merchant_id,
      mode: 'test',
      scopes: ['*'],
      expires_on: null,
      revoked_on: null,
      is_revoked: false,
    });
    expect(directory.merchants.merchant(merchant_id)).toMatchObject({
      ...details,
      id: merchant_id,
      default_currency: 'IDR',
      timezone: 'Asia/Jakarta',
    });
  });

  it('the directory knows a key issued elsewhere as soon as it confirms', async () => {
    const directory = await follow();
    const { merchant_id } = await registerMerchant(deps, details);
    const { key } = await issueKey(deps, { kind: 'merchant', merchant_id }, { name: 'Reads', scopes: ['charges:read'], expires_on: null });
    expect(await directory.confirm()).toBe(true);
    expect(directory.find(hashKey(key))).toMatchObject({ merchant_id, scopes: ['charges:read'] });
  });

  it('the directory learns of a revocation within a second, unasked, while others write', async () => {
    const directory = await follow();
    const { merchant_id, key_id, key } = await registerMerchant(deps, details);
    await directory.confirm();
    const write = (n: number): NewEvent => ({ ...newEvent(foreign(merchant_id, n), contextOf()), id: randomUUID() });
    const others = Array.from({ length: 500 }, (_, n) => here.append(`charge-${randomUUID()}`, 'no-stream', [write(n)]));
    const { revoked_on } = await revokeKey(deps, { kind: 'merchant', merchant_id }, key_id);
    await within(1_000, () => eventually(() => directory.find(hashKey(key))?.revoked_on !== null));
    expect(directory.find(hashKey(key))?.revoked_on).toBe(revoked_on);
    await Promise.all(others);
  });

  it('the directory keeps both keys of a rotation, the old one with its end', async () => {
    const directory = await follow();
    const { merchant_id, key_id, key } = await registerMerchant(deps, details);
    const rotated = await rotateKey(deps, { kind: 'merchant', merchant_id }, key_id, 3_600_000);
    await directory.confirm();
    const old = directory.find(hashKey(key));
    expect(old?.revoked_on).toBe(rotated.replaced.revoked_on);
    expect(Date.parse(old!.revoked_on!)).toBeGreaterThan(Date.now() + 3_500_000);
    expect(directory.find(hashKey(rotated.key))).toMatchObject({ key_id: rotated.key_id, revoked_on: null, scopes: ['*'] });
  });

  it('the directory forgets keys that a restored store has lost, and learns within a second of their replacements', async () => {
    const { merchant_id, key_id, key } = await registerMerchant(deps, details);
    const [kept, lost] = [{ kind: 'merchant', merchant_id } as const, await registerMerchant(deps, details)];
    const position = (await here.read(merchantStream(merchant_id))).at(-1)!.position;
    const directory = await follow();
    expect(directory.find(hashKey(lost.key))).toBeDefined();
    await putBack(database, position);
    // As many events as were lost, so no count shows the difference.
    const { revoked_on } = await revokeKey(deps, kept, key_id);
    await issueKey(deps, kept, { name: 'New', scopes: ['*'], expires_on: null });
    const isRight = (): boolean =>
      directory.isFresh() && directory.find(hashKey(key))?.revoked_on === revoked_on && directory.find(hashKey(lost.key)) === undefined;
    await within(1_000, () => eventually(isRight));
    expect(directory.restores.times).toBe(1);
    expect(directory.merchants.merchant(lost.merchant_id)).toBeUndefined();
  });

  it.each([
    ['ahead', 30],
    ['behind', -30],
  ])('refuses a key at once that a clock %s has revoked, and no rotation restores it', async (_, days) => {
    const directory = await follow();
    const wrong: DirectoryDeps = { store: here, clock: () => Date.now() + days * 86_400_000 };
    const { merchant_id, ...first } = await registerMerchant(deps, details);
    const finance = await issueKey(deps, { kind: 'finance' }, { name: 'Auditor', expires_on: null });
    const owners = [
      [{ kind: 'merchant', merchant_id }, first],
      [{ kind: 'finance' }, finance],
    ] as const;
    for (const [owner, { key, key_id }] of owners) {
      await revokeKey(wrong, owner, key_id);
      await directory.confirm();
      expect(isGood(directory.find(hashKey(key))!, Date.now())).toBe(false);
      await expect(rotateKey(deps, owner, key_id, 3_600_000)).rejects.toThrow('The key is revoked');
    }
  });

  it('the old key of a rotation works until the end of its overlap', async () => {
    const directory = await follow();
    const { merchant_id, key_id, key } = await registerMerchant(deps, details);
    await rotateKey(deps, { kind: 'merchant', merchant_id }, key_id, 3_600_000);
    await directory.confirm();
    const old = directory.find(hashKey(key))!;
    expect([3_500_000, 3_700_000].map((ms) => isGood(old, Date.now() + ms))).toEqual([true, false]);
    await revokeKey(deps, { kind: 'merchant', merchant_id }, key_id);
    await directory.confirm();
    expect(isGood(directory.find(hashKey(key))!, Date.now() - 3_600_000)).toBe(false);
  });

  it('the directory follows finance keys', async () => {
    const directory = await follow();
    const { key, key_id } = await issueKey(deps, { kind: 'finance' }, { name: 'Auditor', expires_on: null });
    await directory.confirm();
    expect(directory.find(hashKey(key))).toMatchObject({ key_id, kind: 'finance', merchant_id: null });
    await revokeKey(deps, { kind: 'finance' }, key_id);
    await directory.confirm();
    expect(directory.find(hashKey(key))?.revoked_on).not.toBeNull();
  });

  describe('operators in the directory', () => {
    const siti = { name: 'Siti Rahma', email: 'Siti@Bank.example', roles: ['preparer'], reason: 'joins the finance desk' } as const;
    let pool: Pool;
    let keys: OperatorKeys;
    beforeAll(() => {
      pool = createPool({ url: database.url, applicationName: 'test', maxConnections: 1 });
      keys = new OperatorKeys(pool, Buffer.alloc(32, 7), Date.now);
    });
    afterAll(() => pool.end());

    it('the directory knows operators and their keys, which work until they are revoked or the operator is suspended', async () => {
      const directory = await follow();
      const person_id = await addOperator(deps, keys, siti);
      const [kept, revoked] = [await issueOperatorKey(deps, person_id, undefined), await issueOperatorKey(deps, person_id, undefined)];
      const work = async (): Promise<boolean[]> => {
        await directory.confirm();
        return [kept, revoked].map(({ key }) => isGood(directory.find(hashKey(key))!, Date.now()));
      };
      expect(await work()).toEqual([true, true]);
      expect(directory.find(hashKey(kept.key))).toMatchObject({ key_id: kept.key_id, kind: 'operator', merchant_id: null, name: 'Siti Rahma' });
      expect(directory.merchants.ownerOf(kept.key_id)).toEqual({ kind: 'operator', person_id });
      await revokeKey(deps, { kind: 'operator', person_id }, revoked.key_id);
      expect(await work()).toEqual([true, false]);
      await switchOperator(deps, person_id, 'suspend', 'on leave');
      expect(await work()).toEqual([false, false]);
      expect(directory.merchants.operators.operator(person_id)).toMatchObject({ is_suspended: true, keys: [{ is_revoked: false }, {}] });
      await setRoles(deps, person_id, ['approver', 'preparer'], 'approves, too');
      await switchOperator(deps, person_id, 'restore', 'is back');
      expect(await work()).toEqual([true, false]);
      expect(directory.merchants.operators.operator(person_id)).toMatchObject({ roles: ['preparer', 'approver'], is_suspended: false });
    });

    it('one operator only can have an e-mail address, the first one, and it is stored encrypted', async () => {
      const operator = { ...siti, roles: [], email: 'Budi@Bank.example' };
      const outcomes = await Promise.allSettled([
        addOperator(deps, keys, operator),
        addOperator({ store: there, clock: Date.now }, keys, { ...operator, email: 'budi@bank.EXAMPLE' }),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { refusal: 'email-taken' } });
      const known = (await loadOperators(here)).all();
      expect([...(await openEmails(keys, known)).values()].filter((email) => email?.startsWith('budi'))).toEqual(['budi@bank.example']);
      expect(JSON.stringify((await here.read(OPERATORS_STREAM)).map(({ data }) => data)).toLowerCase()).not.toContain('bank.example');
      const [first, second] = known;
      await expect(openEmails(keys, [{ ...first!, sealed: second!.sealed }])).rejects.toThrow('cannot be decrypted');
      await keys.destroy([second!.id]);
      expect((await openEmails(keys, known)).get(second!.id)).toBeNull();
    });

    it('events of operators name the actor', async () => {
      const by = { ...deps, by: 'cli:budi' };
      const person_id = await addOperator(by, keys, { ...siti, email: 'ani@bank.example', roles: [] });
      const { key_id } = await issueOperatorKey(by, person_id, undefined);
      await revokeKey(by, { kind: 'operator', person_id }, key_id);
      const events = (await here.read(OPERATORS_STREAM)).filter(({ data }) => (data as { person_id?: string }).person_id === person_id);
      expect(events.map(({ type, metadata }) => [type, metadata.actor])).toEqual(
        ['OperatorAdded', 'OperatorKeyIssued', 'OperatorKeyRevoked'].map((type) => [type, 'cli:budi']),
      );
    });
  });

  it('the directory follows the approval policies, as does a single read of them', async () => {
    const directory = await follow();
    expect(directory.merchants.approvalPolicy('live')).toBeNull();
    const lists = { payouts: [{ currency: 'IDR', above: 0, approvals: 2 }], payouts_day: [], merchants: {}, adjustments: [] } as const;
    const policy = { mode: 'live', ...lists, settings: 1, expires_hours: 24 } as const;
    const { live } = await setApprovalPolicy(deps, policy, randomUUID(), 'key_1');
    await directory.confirm();
    expect(live).toMatchObject(policy);
    expect([directory.merchants.approvalPolicy('live'), directory.merchants.approvalPolicy('test')]).toEqual([live, null]);
    expect(await loadApprovalPolicies(here)).toMatchObject({ live, test: null, proposals: { count: 1, last_id: live!.proposal_id } });
    const [event] = await here.read(APPROVAL_POLICY_STREAM);
    expect(event).toMatchObject({ type: 'DeskPolicySet', metadata: { actor: 'key_1', merchant_id: null } });
  });

  it('the directory returns the terms of a merchant: all shipped channels at first, then the changes', async () => {
    const { merchant_id } = await registerMerchant(deps, details);
    const directory = await follow();
    const { merchants } = directory;
    expect(merchants.channels(merchant_id)).toHaveLength(9);
    expect(merchants.currencies(merchant_id)).toEqual(['IDR', 'MYR', 'SGD']);
    expect(merchants.payoutFee(merchant_id, 'IDR')).toEqual({ type: 'FIXED', value: 250_000 });
    expect(merchants.disputeFee(merchant_id, 'IDR')).toBe(0);

    await setChannel(deps, merchant_id, 'QR_PAYNOW', { enabled: false });
    await setChannel(deps, merchant_id, 'WALLET_GRABPAY_SG', { enabled: false });
    await setChannel(deps, merchant_id, 'QR_QRIS', { max_amount: 5_000 });
    await setFee(deps, merchant_id, { kind: 'charge', channel_code: 'QR_QRIS' }, { type: 'FIXED', value: 10 });
    await setFee(deps, merchant_id, { kind: 'payout', currency: 'IDR' }, { type: 'FIXED', value: 1 });
    await setFee(deps, merchant_id, { kind: 'dispute', currency: 'IDR' }, { type: 'FIXED', value: 25_000 });
    await directory.confirm();
    expect(merchants.currencies(merchant_id)).toEqual(['IDR', 'MYR']);
    expect(merchants.disputeFee(merchant_id, 'IDR')).toBe(25_000);
    expect(merchants.disputeFee(merchant_id, 'SGD')).toBe(0);
    expect(merchants.channelTerms(merchant_id, 'QR_PAYNOW')).toMatchObject({ enabled: false, fee: { type: 'PERCENTAGE', value: 1.3 } });
    expect(merchants.channelTerms(merchant_id, 'QR_QRIS')).toMatchObject({
      enabled: true,
      min_amount: 100,
      max_amount: 5_000,
      fee: { type: 'FIXED', value: 10 },
    });
    expect(merchants.payoutFee(merchant_id, 'IDR')).toEqual({ type: 'FIXED', value: 1 });
    expect(merchants.channelTerms(randomUUID(), 'QR_QRIS')).toBeUndefined();
  });

  it('the directory is not fresh when the store has been away for a second, and is fresh again when it is back', async () => {
    const store = new Interruptible(there);
    const directory = await follow(store);
    store.isAway = true;
    await eventually(() => !directory.isFresh());
    expect(await directory.confirm()).toBe(false);
    store.isAway = false;
    await eventually(() => directory.isFresh());
  });

  it('any number of requests wait at most two confirmations while the store is away', async () => {
    const store = new Interruptible(there);
    const directory = await follow(store);
    store.isSilent = true;
    const asking = new AbortController();
    let longestMs = 0;
    let answers = 0;
    const client = async (nth: number): Promise<void> => {
      // Out of step with each other, as clients are.
      for (await delay(nth * 5); !asking.signal.aborted; await delay(1)) {
        const askedMs = performance.now();
        expect(await directory.confirm()).toBe(false);
        longestMs = Math.max(longestMs, performance.now() - askedMs);
        if ((answers += 1) >= 48) asking.abort();
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, nth) => client(nth)));
    // Twice 0.8 s.
    expect(longestMs).toBeLessThan(BUSY * 1_600);
  });

  it('the directory detects a subscription that is silent because it is dead', async () => {
    const store = new Interruptible(there);
    const directory = await follow(store);
    store.isMute = true;
    const { key } = await registerMerchant(deps, details);
    await eventually(() => directory.find(hashKey(key)) !== undefined);
    expect(directory.isFresh()).toBe(true);
  });

  it('the directory stops at an unknown event', async () => {
    const { merchant_id } = await registerMerchant(deps, details);
    const directory = await follow();
    const unknown = { ...newEvent(foreign(merchant_id, 0), contextOf()), id: randomUUID(), type: 'MerchantFrozen' };
    await here.append(merchantStream(merchant_id), 1, [unknown]);
    expect(await directory.confirm()).toBe(false);
    expect(directory.isFresh()).toBe(false);
    expect(directory.stoppedBy()?.message).toContain('MerchantFrozen');
    await expect(follow()).rejects.toThrow('MerchantFrozen');
  });
});

function contextOf() {
  return { now: '2026-01-30T10:00:00.000+00:00', actor: 'System', correlation_id: 'c', causation_id: 'c' };
}

function foreign(merchant_id: string, n: number) {
  return {
    type: 'ChargeFailed',
    data: { charge_id: `${n}`, merchant_id, currency: 'IDR', reason: 'x', failed_on: '2026-01-30T10:00:00.000+00:00' },
  } as const;
}

/** The real store, behind a network that fails: away altogether, or with a first subscription that hangs without a word. */
class Interruptible implements EventStore {
  isAway = false;
  isMute = false;
  isSilent = false;
  private subscriptions = 0;

  constructor(private readonly store: EventStore) {}

  append: EventStore['append'] = (...args) => this.store.append(...args);
  read: EventStore['read'] = (...args) => this.store.read(...args);
  close = (): Promise<void> => Promise.resolve();

  async head() {
    if (this.isAway) throw new Error('away');
    return this.isSilent ? new Promise<never>(() => undefined) : this.store.head();
  }

  async *subscribe(...args: Parameters<EventStore['subscribe']>) {
    const isFirst = this.subscriptions++ === 0;
    for await (const batch of this.store.subscribe(...args)) {
      if (isFirst && this.isMute) return await new Promise<void>((resolve) => args[1].signal.addEventListener('abort', () => resolve()));
      yield batch;
    }
  }
}
