import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { account, type PayoutOrder } from '../../src/domain/accounts/account.decider.js';
import { accountStream, type AccountEvent, type SettlementLine, settlementTotals } from '../../src/ledger/events/account.events.js';
import { AccountQueue } from '../../src/domain/accounts/account-queue.js';
import { PersistentMap } from '../../src/domain/accounts/persistent-map.js';
import { accountSnapshotsMigrations } from '../../src/domain/accounts/account-snapshots.migrations.js';
import { PostgresAccountSnapshots } from '../../src/domain/accounts/account-snapshots.js';
import { OutcomeUnknown, StoreUnavailable } from '../../src/platform/event-store/event-store.js';
import { newEvent } from '../support/events.js';
import { eventually } from '../support/eventually.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { simulatedWaits } from '../support/simulated-waits.js';
import { suiteDatabase } from '../support/suite-database.js';

const ACCOUNT = { merchant_id: randomUUID(), currency: 'MYR' };
const STREAM = accountStream(ACCOUNT.merchant_id, ACCOUNT.currency);
const CONTEXT = { actor: 'key_1', correlation_id: 'c', causation_id: 'c' };
const NOW = Date.parse('2026-02-03T08:00:00.000Z');

const order = (payout_id: string, amount: number): PayoutOrder => ({
  ...ACCOUNT,
  payout_id,
  amount,
  fee: { type: 'FIXED', value: 1 },
  bank_account_name: 'Siti',
  bank_account_number: '12345678',
  bank_name: 'Maybank',
  reference_id: null,
  description: null,
  meta_data: {},
  fingerprint: 'print',
  created_by: 'key_1',
});

describe('the queue of an account', () => {
  let pool: Pool;
  let store: InMemoryEventStore;
  let queue: AccountQueue;

  // One connection: snapshots that a queue saves beside its answers reach the database before a test's next statement.
  suiteDatabase((opened) => (pool = opened), { migrations: accountSnapshotsMigrations, maxConnections: 1 });
  beforeEach(async () => {
    await pool.query('delete from account_snapshots');
    store = new InMemoryEventStore();
    queue = newQueue();
  });

  const newQueue = (): AccountQueue => new AccountQueue(store, new PostgresAccountSnapshots(pool), () => NOW, simulatedWaits());
  const settle = (settlement_number: number, net_amount: number, queueOf = queue) => {
    const lines: SettlementLine[] = [{ kind: 'charge', record_id: `c${settlement_number}`, net_amount, fee_amount: 0 }];
    const closed = {
      ...ACCOUNT,
      settlement_id: 's',
      settlement_number,
      lines,
      totals: settlementTotals(lines),
      closed_on: '2026-02-03T08:00:00.000+00:00',
    };
    return queueOf.submit(ACCOUNT, { command: (now) => ({ kind: 'settle-funds', closed, now }), context: CONTEXT });
  };
  const request = (id: string, amount = 2, queueOf = queue) =>
    queueOf.submit(ACCOUNT, { command: (now) => ({ kind: 'request-payout', order: order(id, amount), now }), context: CONTEXT });
  const cancel = (payout_id: string) =>
    queue.submit(ACCOUNT, { command: (now) => ({ kind: 'cancel-payout', payout_id, cancelled_by: 'key_1', now }), context: CONTEXT });
  const appends = (): number[] => {
    const sizes: number[] = [];
    store.hooks = { beforeAppend: ({ events }) => void sizes.push(events.length) };
    return sizes;
  };

  it('decides all waiting requests of an account together and appends once', async () => {
    await settle(1, 37);
    const sizes = appends();
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, i) => request(`p${i}`, 1 + 1)));
    expect(outcomes.filter(({ kind }) => kind === 'decided')).toHaveLength(18);
    expect(outcomes.filter((outcome) => outcome.kind === 'refused' && outcome.refusal === 'insufficient-balance')).toHaveLength(82);
    expect(sizes.length).toBeLessThanOrEqual(2);
  });

  it('appends no more at once than an engine accepts', async () => {
    await settle(1, 1_000_000);
    const sizes = appends();
    const big = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key-${i}`, 'x'.repeat(500)]));
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        queue.submit(ACCOUNT, {
          command: (now) => ({ kind: 'request-payout', order: { ...order(`p${i}`, 2), meta_data: big }, now }),
          context: CONTEXT,
        }),
      ),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(100);
    expect(Math.max(...sizes)).toBeLessThan(25);
  });

  it('refuses a request only against an account state loaded after the request arrived', async () => {
    await settle(1, 1);
    expect((await request('p1', 2)).kind).toBe('refused');
    await settle(2, 1, newQueue());
    expect((await request('p1', 2)).kind).toBe('decided');
  });

  it('appends the same events again while their outcome is unknown', async () => {
    await settle(1, 10);
    const sent: string[] = [];
    store.hooks = {
      beforeAppend: ({ events }) => void sent.push(...events.map(({ id }) => id)),
      afterAppend: () => {
        if (sent.length < 3) throw new OutcomeUnknown('simulated');
      },
    };
    expect((await request('p1')).kind).toBe('decided');
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(1);
    expect(store.all().filter(({ type }) => type === 'PayoutRequested')).toHaveLength(1);
  });

  it('rejects with an unknown outcome that persists, and finds the payout afterwards', async () => {
    await settle(1, 10);
    store.hooks = { afterAppend: () => Promise.reject(new OutcomeUnknown('simulated')) };
    await expect(request('p1')).rejects.toThrow(OutcomeUnknown);
    store.hooks = {};
    const again = await request('p1');
    expect(again).toMatchObject({ kind: 'decided', events: [] });
    expect(again.kind === 'decided' && again.state.open.get('p1')).toMatchObject({ requested_at: 1 });
  });

  it('gives up after a maximum number of conflicts with nothing recorded', async () => {
    await settle(1, 10);
    store.hooks = { beforeAppend: () => 'conflict' };
    const failure = await request('p1').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(failure).not.toBeInstanceOf(OutcomeUnknown);
    store.hooks = {};
    expect(store.all().map(({ type }) => type)).toEqual(['FundsSettled']);
    expect((await request('p1')).kind).toBe('decided');
  });

  it('a faulty request fails alone', async () => {
    await settle(1, 10);
    const [broken, fine] = await Promise.allSettled([
      queue.submit(ACCOUNT, {
        command: () => {
          throw new Error('a fault');
        },
        context: CONTEXT,
      }),
      request('p1'),
    ]);
    expect([broken.status, fine.status]).toEqual(['rejected', 'fulfilled']);
  });

  describe('on a store that was restored to an older state', () => {
    const folded = () => store.all().reduce((state, event) => account.evolve(state, event as unknown as AccountEvent), account.initial);

    it.each([
      { lost: 1, spent: [90], left: 5n },
      { lost: 2, spent: [80, 14], left: 6n },
      { lost: 3, spent: [2, 2, 2], left: 4n },
    ])('a restored store pays out no missing money when $lost events were lost and as many others were appended', async ({ lost, spent, left }) => {
      await settle(1, 10);
      await settle(2, 90);
      await request('p1', 5);
      await request('p2', 5);
      store.lose(lost);
      // Another process, which has read since, spends the rest.
      const other = newQueue();
      for (const [index, amount] of spent.entries()) await request(`other-${index}`, amount, other);
      expect(store.all()).toHaveLength(4);
      // All of them could be paid from the 90 that this process knows of.
      const outcomes = await Promise.all(Array.from({ length: 6 }, (_, index) => request(`q${index}`, 14)));
      expect(folded().available).toBe(left);
      expect(outcomes.map(({ kind }) => kind)).toEqual(Array(6).fill('refused'));
    });

    it('a restored store refuses no payout that its new balance allows', async () => {
      await settle(1, 10);
      await request('p1', 9);
      store.lose(1);
      await settle(2, 100, newQueue());
      expect((await request('p2', 50)).kind).toBe('decided');
      expect(folded()).toMatchObject({ available: 60n, reserved: 50n });
    });

    it('a restored store shows the current account', async () => {
      await settle(1, 10);
      await settle(2, 90);
      store.lose(1);
      await settle(2, 40, newQueue());
      expect(await look(queue)).toMatchObject({ available: 50n });
      store.lose(2);
      expect(await look(queue)).toMatchObject({ available: 0n, revision: -1 });
    });

    const look = async (queueOf: AccountQueue) => (await queueOf.read(ACCOUNT)).state;
  });

  describe('an account with a long history', () => {
    /** More events than a snapshot needs: 3,000 requested payouts, of which all but ten are cancelled. */
    async function longHistory(): Promise<void> {
      await settle(1, 1_000_000);
      const ids = Array.from({ length: 3_000 }, (_, i) => `p${i}`);
      for (let from = 0; from < ids.length; from += 250) await Promise.all(ids.slice(from, from + 250).map((id) => request(id)));
      for (let from = 0; from < ids.length - 10; from += 250)
        await Promise.all(ids.slice(from, Math.min(from + 250, ids.length - 10)).map((id) => cancel(id)));
      await request('last');
    }
    const readsOf = async (work: () => Promise<unknown>): Promise<number> => {
      const read = store.read.bind(store);
      let events = 0;
      store.read = async (...args) => {
        const found = await read(...args);
        events += found.length;
        return found;
      };
      await work();
      store.read = read;
      return events;
    };
    const snapshots = async (): Promise<number> =>
      Number((await pool.query<{ n: bigint }>('select count(*) as n from account_snapshots')).rows[0]!.n);

    it('saves a snapshot per number of bytes, and a cold start from it reads few of the settlements', async () => {
      const big = (n: number): Promise<unknown> => {
        const lines: SettlementLine[] = Array.from({ length: 1_000 }, (_, i) => ({
          kind: 'charge',
          record_id: `${n}-${i}`,
          net_amount: 1,
          fee_amount: 0,
        }));
        const totals = settlementTotals(lines);
        const closed = { ...ACCOUNT, settlement_id: 's', settlement_number: n, lines, totals, closed_on: '2026-02-03T08:00:00.000+00:00' };
        return queue.submit(ACCOUNT, { command: (now) => ({ kind: 'settle-funds', closed, now }), context: CONTEXT });
      };
      for (let n = 1; n <= 150; n += 1) await big(n);
      await eventually(async () => (await snapshots()) === 1);
      expect(await readsOf(async () => void (await newQueue().read(ACCOUNT)))).toBeLessThan(120);
      // Without a snapshot, a reader saves one on its way: the next attempt begins there.
      await pool.query('delete from account_snapshots');
      expect(await readsOf(async () => void (await newQueue().read(ACCOUNT)))).toBeGreaterThanOrEqual(150);
      await eventually(async () => (await snapshots()) === 1);
      expect(await readsOf(async () => void (await newQueue().read(ACCOUNT)))).toBeLessThan(120);
    });

    it('loads the same account from a snapshot as from the beginning, which it reads when the snapshot is missing, old or of another history', async () => {
      await longHistory();
      // Kept beside the answers, which wait for no snapshot.
      await eventually(async () => (await snapshots()) === 1);
      const look = async () => {
        const { available, reserved, settlement_number, open, revision } = (await newQueue().read(ACCOUNT)).state;
        return { available, reserved, settlement_number, revision, open: new Map(open.entries()) };
      };
      let fromSnapshot: unknown;
      expect(await readsOf(async () => void (fromSnapshot = await look()))).toBeLessThan(1_500);
      await pool.query('delete from account_snapshots');
      let fromStart: unknown;
      expect(await readsOf(async () => void (fromStart = await look()))).toBeLessThan(store.all().length + 10);
      expect(fromSnapshot).toEqual(fromStart);
      expect(fromStart).toMatchObject({ available: 1_000_000n - 22n, reserved: 22n, revision: 5_991 });

      await longHistoryAgainstSnapshot({ event_id: randomUUID() });
      expect(await look()).toEqual(fromStart);
      await longHistoryAgainstSnapshot({ version: 999 });
      expect(await look()).toEqual(fromStart);
    });

    async function longHistoryAgainstSnapshot(change: { event_id?: string; version?: number }): Promise<void> {
      const lie = {
        revision: 5_000,
        owner: ACCOUNT,
        available: '1',
        reserved: '0',
        settlement_number: 9,
        open: [],
        younger: [],
        older: [],
        younger_since: null,
      };
      await pool.query(
        `insert into account_snapshots (stream, version, revision, event_id, state) values ($1, $2, 5000, $3, $4)
         on conflict (stream) do update set version = excluded.version, event_id = excluded.event_id, state = excluded.state`,
        [STREAM, change.version ?? 1, change.event_id ?? store.all()[5_000]!.id, JSON.stringify(lie)],
      );
    }
  });

  describe('many accounts', () => {
    it('keeps account states up to a maximum of bytes, and always the one in use', async () => {
      const open = PersistentMap.from(
        Array.from(
          { length: 60_000 },
          (_, n) => [`p${n}`, { status: 'PENDING', amount: 1, fee_amount: 0, net_amount: 1, requested_at: n, approval: null }] as const,
        ),
      );
      const looked: string[] = [];
      const find = async (stream: string) => {
        looked.push(stream);
        const [event] = await store.read(stream);
        return { event_id: event!.id, state: { ...account.initial, owner: ACCOUNT, open, revision: 0 } };
      };
      const accounts = new AccountQueue(store, { find, save: async () => false }, () => NOW, simulatedWaits());
      const use = (merchant_id: string) => accounts.read({ ...ACCOUNT, merchant_id });
      const merchants = Array.from({ length: 5 }, (_, n) => `m${n}`);
      for (const merchant_id of merchants) await store.append(accountStream(merchant_id, 'MYR'), 'no-stream', [newEvent()]);
      for (const merchant_id of merchants) await use(merchant_id);
      for (const merchant_id of [...merchants].reverse()) await use(merchant_id);
      expect(looked.map((stream) => stream.slice('account-'.length, -'-MYR'.length))).toEqual([...merchants, 'm0']);
    });

    it('limits waiting requests by bytes, and accepts new ones after others are answered', async () => {
      const large = {
        command: (now: string) => ({ kind: 'submit-payout', payout_id: 'none', now }) as const,
        context: CONTEXT,
        bytes: 12 * 1_048_576,
      };
      const ask = (merchant_id: string) => queue.submit({ ...ACCOUNT, merchant_id }, large).catch((error: unknown) => error);
      const answers = await Promise.all(['a', 'a', 'b'].map(ask));
      expect(answers).toMatchObject([{ kind: 'refused' }, { kind: 'refused' }, { name: 'StreamBusy' }]);
      expect(await ask('b')).toMatchObject({ kind: 'refused' });
    });
  });
});
