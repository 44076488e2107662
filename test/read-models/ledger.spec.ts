import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Pool, PoolClient } from 'pg';
import { findBalances, findBalancesAsOf, type Balance } from '../../projections/balances/balance-reads.js';
import { balances } from '../../projections/balances/balances.js';
import { findJournal, type JournalLine, type JournalQuery } from '../../projections/balances/journal-lines.js';
import { ledger } from '../../src/app/ledger.projection.js';
import { PROJECTIONS } from '../../src/app/projections.js';
import { findEnded, findOpenPayouts } from '../../projections/payouts/open-payouts.js';
import { findPayout, findPayouts, payouts, type PayoutStatus } from '../../projections/payouts/payouts.js';
import { findDueAccounts, findSettlementCandidates, settlementCandidates } from '../../projections/settlements/settlement-candidates.js';
import { findOpenSettlements, findSettlement, findSettlements, settlements } from '../../projections/settlements/settlements.js';
import { findTrialBalance } from '../../projections/balances/trial-balance.js';
import type { SettlementLine } from '../../src/ledger/events/account.events.js';
import { UnknownEvent } from '../../src/ledger/events/upcasting.js';
import { derivedId } from '../../src/ledger/ids/idempotency.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import type { SettlementClosed, SettlementOpened } from '../../src/ledger/events/settlement.events.js';
import { PostedSums, Records, type MovingEvent, type Sums } from '../support/ledger-oracle.js';
import { contents, project } from '../support/projected.js';
import { CURRENCIES, worldOf, type World } from '../support/histories.js';
import { suiteDatabase } from '../support/suite-database.js';

const steps = fc.array(fc.tuple(fc.nat(12), fc.nat(1_000), fc.integer({ min: 1, max: 9_007_199_254_740 })), {
  minLength: 40,
  maxLength: 250,
  size: 'max',
});
const RUNS = { seed: 20_260_131, numRuns: 8, endOnFailure: true };
/** Each run is hundreds of transactions, on a machine that may have other things to do. */
const LAW_MS = 120_000;

const MERCHANT_CREATED = '2026-01-01T00:00:00.000+00:00';
const NOW = '2027-01-01T00:00:00.000+00:00';

describe('the ledger projection', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  const law =
    (check: (world: World) => Promise<void>, runs = RUNS) =>
    () =>
      fc.assert(
        fc.asyncProperty(steps, async (history) => {
          const world = worldOf(history);
          await project(pool, ledger, world.log.events, 50);
          await check(world);
        }),
        runs,
      );

  it(
    'the ledger projection has the same rows in any batch size',
    law(
      async ({ log: { events } }) => {
        const inFifties = await contents(pool, 'ledger');
        for (const batchSize of [1, 7, 64, events.length]) {
          await project(pool, ledger, events, batchSize);
          expect(await contents(pool, 'ledger')).toEqual(inFifties);
        }
      },
      { ...RUNS, numRuns: 4 },
    ),
    LAW_MS,
  );

  it(
    'the balances equal the sums of the records of charges and payouts',
    law(async (world) => {
      for (const merchant_id of world.merchants) {
        const found = await findBalances(pool, { merchant_id, created_on: MERCHANT_CREATED }, CURRENCIES);
        expect(found.map(({ currency }) => currency)).toEqual([...CURRENCIES]);
        for (const balance of found) {
          const events = eventsOf(world.log.events, balance);
          const records = new Records();
          for (const event of events) records.add(event);
          expect(figures(balance)).toEqual(figuresOf(records.sums()));
        }
      }
    }),
    LAW_MS,
  );

  it(
    'each balance as of any moment equals the sum of the bookings until then',
    law(async (world) => {
      const bookings = bookingsOf(world.log.events);
      for (const { booked_on } of bookings.filter((_, index) => index % 9 === 0)) {
        for (const merchant_id of world.merchants) {
          for (const balance of await findBalancesAsOf(pool, { merchant_id, created_on: MERCHANT_CREATED }, CURRENCIES, booked_on)) {
            const seen = bookings.findLast((each) => each.account === accountOf(balance) && each.booked_on <= booked_on);
            const posted = new PostedSums();
            for (const event of eventsOf(world.log.events.slice(0, seen?.ordinal ?? 0), balance)) posted.add(event);
            expect(figures(balance)).toEqual(figuresOf(posted.sums()));
          }
        }
      }
      for (const merchant_id of world.merchants) {
        const owner = { merchant_id, created_on: MERCHANT_CREATED };
        expect(await findBalancesAsOf(pool, owner, CURRENCIES, NOW)).toEqual(await findBalances(pool, owner, CURRENCIES));
        for (const balance of await findBalancesAsOf(pool, owner, CURRENCIES, MERCHANT_CREATED)) {
          expect(balance).toMatchObject({ total_amount: 0n, pending_count: 0, fee_amount: 0n, last_modified_on: MERCHANT_CREATED });
        }
      }
    }),
    LAW_MS,
  );

  it(
    'the journal balances: for every event, every account and every moment',
    law(async (world) => {
      const lines = await findJournal(pool, { limit: 10_000 });
      for (const ofEvent of grouped(lines, ({ position }) => position).values()) {
        expect(sum(ofEvent, 'debit')).toBe(sum(ofEvent, 'credit'));
        expect(ofEvent.map(({ line }) => line)).toEqual(ofEvent.map((_, index) => index + 1));
      }
      const house = new Set(['processor', 'bank', 'returns', 'suspense', 'fees', 'costs', 'tax', 'losses', 'equity']);
      for (const ofAccount of grouped(
        lines,
        (each) => `${each.account} ${each.mode} ${each.currency} ${house.has(each.account) ? '' : each.merchant_id}`,
      ).values()) {
        let balance = 0n;
        for (const { balance_before, balance_after, credit, debit } of ofAccount) {
          expect(balance_before).toBe(balance);
          balance += credit - debit;
          expect(balance_after).toBe(balance);
        }
      }
      for (const ofOwner of grouped(lines, accountOf).values()) {
        const times = ofOwner.map(({ occurred_on }) => occurred_on);
        expect(times).toEqual([...times].sort());
      }

      const trial = await findTrialBalance(pool);
      for (const { mode, currency, accounts, difference, total_debit, total_credit } of trial) {
        expect(difference).toBe(0n);
        expect(total_debit).toBe(total_credit);
        for (const { account, merchant_id, debit, credit, balance } of accounts) {
          const theirs = lines.filter(
            (each) =>
              each.mode === mode &&
              each.currency === currency &&
              each.account === account &&
              (merchant_id === null || each.merchant_id === merchant_id),
          );
          expect([debit, credit, balance]).toEqual([sum(theirs, 'debit'), sum(theirs, 'credit'), sum(theirs, 'credit') - sum(theirs, 'debit')]);
        }
      }
      expect(await findTrialBalance(pool, { as_of: NOW })).toEqual(trial);
      expect(await findTrialBalance(pool, { as_of: MERCHANT_CREATED })).toEqual([]);
      const middle = lines[Math.floor(lines.length / 2)]?.occurred_on;
      for (const merchant_id of [undefined, ...world.merchants]) {
        for (const { mode, currency, accounts, difference } of await findTrialBalance(pool, { as_of: middle, merchant_id })) {
          expect(difference).toBe(0n);
          const before = lines.filter(
            (each) =>
              each.mode === mode &&
              each.currency === currency &&
              each.occurred_on <= middle! &&
              (merchant_id ?? each.merchant_id) === each.merchant_id,
          );
          expect(sum(before, 'debit')).toBe(accounts.reduce((total, { debit }) => total + debit, 0n));
        }
      }
    }),
    LAW_MS,
  );

  it(
    'lists the journal page by page, and by merchant, currency, time and event',
    law(async (world) => {
      const all = await findJournal(pool, { limit: 10_000 });
      expect(await everyPage(pool, {})).toEqual(all);
      expect(await everyPage(pool, { is_descending: true })).toEqual([...grouped(all, ({ position }) => position).values()].reverse().flat());
      const [merchant_id, currency] = [world.merchants[1]!, 'MYR'];
      expect(await findJournal(pool, { merchant_id, limit: 10_000 })).toEqual(all.filter((each) => each.merchant_id === merchant_id));
      expect(await findJournal(pool, { merchant_id, currency, limit: 3 })).toEqual(
        all.filter((each) => each.merchant_id === merchant_id && each.currency === currency).slice(0, 3),
      );
      const [from, to] = [all[10]?.occurred_on, all[all.length - 10]?.occurred_on].sort();
      const one = all[15];
      if (!from || !to || !one) return;
      const inOrder = all.toSorted((a, b) => (a.occurred_on < b.occurred_on ? -1 : a.occurred_on > b.occurred_on ? 1 : a.position - b.position));
      for (const range of [{ date_from: from, date_to: to }, { date_from: from }, { date_to: to }, { date_from: from, merchant_id }]) {
        const within = inOrder.filter(
          (each) =>
            each.occurred_on >= (range.date_from ?? '') &&
            each.occurred_on <= (range.date_to ?? NOW) &&
            each.merchant_id === (range.merchant_id ?? each.merchant_id),
        );
        expect(await everyPage(pool, range)).toEqual(within);
        expect(await everyPage(pool, { ...range, is_descending: true })).toEqual(
          [...grouped(within, ({ position }) => position).values()].reverse().flat(),
        );
        // A position alone: that of an entry, and of an event that moved nothing.
        for (const position of [within[Math.floor(within.length / 2)]?.position ?? 0, 0]) {
          const after = { position, line: Number.MAX_SAFE_INTEGER };
          expect(await findJournal(pool, { ...range, after, limit: 10_000 })).toEqual(
            within.slice(within.findLastIndex((each) => each.position === position) + 1),
          );
        }
      }
      expect(await findJournal(pool, { event_id: one.event_id, limit: 100 })).toEqual(all.filter(({ event_id }) => event_id === one.event_id));
      expect(await findJournal(pool, { date_from: NOW, limit: 10 })).toEqual([]);
      expect(await findJournal(pool, { date_to: MERCHANT_CREATED, limit: 10 })).toEqual([]);
    }),
    LAW_MS,
  );

  it(
    'lists payouts with exact totals, and the open ones',
    law(async (world) => {
      const status = (payout: World['payouts'][number]): PayoutStatus => (payout.returned === 'DONE' ? 'REVERSED' : payout.state);
      for (const merchant_id of world.merchants) {
        const theirs = world.payouts.filter((each) => each.merchant_id === merchant_id);
        for (const payout of theirs.slice(0, 3)) {
          expect(await findPayout(pool, merchant_id, payout.id)).toMatchObject({
            id: payout.id,
            amount: payout.amount,
            net_amount: payout.net_amount,
            payout_status: status(payout),
          });
          expect(await findPayout(pool, world.log.id('nobody'), payout.id)).toBeUndefined();
        }
        const everything = await findPayouts(pool, merchant_id, { page_number: 1, page_size: 100, is_descending: false });
        expect(everything.total).toBe(theirs.length);
        expect(everything.items.map(({ id }) => id).sort()).toEqual(theirs.map(({ id }) => id).sort());
        expect(everything.items).toEqual(everything.items.toSorted((a, b) => (a.created_on + a.id < b.created_on + b.id ? -1 : 1)));
        for (const payout_status of ['PENDING', 'SUCCEEDED', 'REVERSED'] as const) {
          const wanted = everything.items.filter((each) => each.payout_status === payout_status).reverse();
          const found = await findPayouts(pool, merchant_id, { page_number: 2, page_size: 2, is_descending: true, payout_status });
          expect(found).toEqual({ total: wanted.length, items: wanted.slice(2, 4) });
        }
        const [first] = everything.items;
        if (!first) continue;
        const range = { date_from: first.created_on, date_to: first.created_on };
        const sameMoment = everything.items.filter(({ created_on }) => created_on === first.created_on);
        expect(await findPayouts(pool, merchant_id, { page_number: 1, page_size: 100, is_descending: false, ...range })).toEqual({
          total: sameMoment.length,
          items: sameMoment,
        });
      }
      const open = world.payouts.filter(({ state }) => state === 'PENDING' || state === 'PROCESSING');
      const first = await findOpenPayouts(pool, 0, 2);
      const others = await findOpenPayouts(pool, first.at(-1)?.ordinal ?? 0, 1_000);
      const found = [...first, ...others];
      expect(found.map(({ id }) => id).sort()).toEqual(open.map(({ id }) => id).sort());
      expect(found).toEqual(found.toSorted((a, b) => a.ordinal - b.ordinal));
      const all = world.payouts.map(({ id }) => id);
      const ended = all.filter((id) => !open.some((payout) => payout.id === id));
      expect([...(await findEnded(pool, [...all, randomUUID()]))].sort()).toEqual(ended.sort());
    }),
    LAW_MS,
  );

  it(
    'finds the accounts due for settlement, the open settlements and the settled amounts',
    law(async (world) => {
      const candidates = new Map<string, string[]>();
      const add = (kind: SettlementLine['kind'], { id, merchant_id, currency }: { id: string; merchant_id: string; currency: string }): void => {
        const account = `${merchant_id} ${currency}`;
        candidates.set(account, [...(candidates.get(account) ?? []), `${kind} ${id}`].sort());
      };
      for (const charge of world.charges) {
        if (charge.state === 'PAID' && charge.reversal === 'NONE') add('charge', charge);
        if (charge.reversal === 'WAITING') add('reversal', charge);
      }
      for (const payout of world.payouts) if (payout.returned === 'WAITING') add('return', payout);
      const due = await findDueAccounts(pool, NOW);
      expect(due.map(({ merchant_id, currency }) => `${merchant_id} ${currency}`).sort()).toEqual([...candidates.keys()].sort());
      for (const account of due) {
        const found = await findSettlementCandidates(pool, account, NOW, 1_000);
        expect(found.map(({ kind, record_id }) => `${kind} ${record_id}`).sort()).toEqual(
          candidates.get(`${account.merchant_id} ${account.currency}`),
        );
        expect(await findSettlementCandidates(pool, account, NOW, 1)).toEqual(found.slice(0, 1));
      }
      expect(await findDueAccounts(pool, MERCHANT_CREATED)).toEqual([]);

      const closings = world.log.events.filter(({ type }) => type === 'SettlementClosed').map(({ data }) => data as SettlementClosed);
      for (const { settlement_id: id, merchant_id, currency, settlement_number: number, totals, lines, closed_on } of closings) {
        const found = await findSettlement(pool, id, merchant_id);
        expect(found).toMatchObject({ id, merchant_id, currency, number, totals, closed_on });
        expect(found!.settled_on).not.toBeNull();
        expect(found!.lines).toEqual(lines);
        expect(await findSettlement(pool, id, world.log.id('nobody'))).toBeUndefined();
      }
      for (const merchant_id of world.merchants) {
        const theirs = closings.filter((each) => each.merchant_id === merchant_id);
        const page = await findSettlements(pool, merchant_id, { page_number: 1, page_size: 100, is_descending: false });
        expect(page.total).toBe(theirs.length);
        expect(page.items.map(({ id }) => id).sort()).toEqual(theirs.map(({ settlement_id }) => settlement_id).sort());
      }
      expect(await findOpenSettlements(pool, 10)).toEqual([]);
    }),
    LAW_MS,
  );

  it('a settlement shows its candidates when opened, its claimed lines when closed, and then settled funds', async () => {
    const world = worldOf([
      [0, 0, 1_000],
      [0, 0, 2_000],
      [2, 0, 1],
      [2, 0, 1],
      [6, 0, 5],
    ]);
    const { events } = world.log;
    const at = (type: string): number => events.findIndex((event) => event.type === type);
    const opened = events[at('SettlementOpened')]!.data as SettlementOpened;

    await project(pool, ledger, events.slice(0, at('SettlementOpened') + 1), 1);
    expect(await findSettlement(pool, opened.settlement_id)).toMatchObject({
      closed_on: null,
      settled_on: null,
      totals: { net_amount: '2970', charges: 2 },
      lines: opened.lines,
    });
    expect(await findOpenSettlements(pool, 10)).toMatchObject([{ id: opened.settlement_id, number: 1, closed_on: null }]);

    await project(pool, ledger, events.slice(0, at('SettlementClosed') + 1), 1);
    expect(await findSettlement(pool, opened.settlement_id)).toMatchObject({
      settled_on: null,
      totals: { net_amount: '1980', charges: 1 },
      lines: opened.lines.slice(1),
    });
    expect(await findOpenSettlements(pool, 10)).toHaveLength(1);

    await project(pool, ledger, events, 1);
    expect(await findOpenSettlements(pool, 10)).toEqual([]);
  });

  it('returns zeros for a currency without entries, and its record keeps its id and creation time', async () => {
    const world = worldOf([
      [0, 0, 1_000],
      [2, 0, 1],
    ]);
    await project(pool, ledger, world.log.events, 10);
    const owner = { merchant_id: world.merchants[0]!, created_on: MERCHANT_CREATED };
    const nothing = { available_amount: 0n, reserved_amount: 0n, available_count: 0, created_by: 'System', created_on: MERCHANT_CREATED };
    expect(await findBalances(pool, owner, ['SGD', 'IDR'])).toEqual([
      {
        ...nothing,
        id: derivedId(owner.merchant_id, 'balance-SGD'),
        merchant_id: owner.merchant_id,
        currency: 'SGD',
        total_amount: 0n,
        pending_amount: 0n,
        fee_amount: 0n,
        pending_count: 0,
        last_modified_by: 'System',
        last_modified_on: MERCHANT_CREATED,
      },
      {
        ...nothing,
        id: derivedId(owner.merchant_id, 'balance-IDR'),
        merchant_id: owner.merchant_id,
        currency: 'IDR',
        total_amount: 990n,
        pending_amount: 990n,
        fee_amount: 10n,
        pending_count: 1,
        last_modified_by: 'key_test',
        last_modified_on: world.log.events.find(({ type }) => type === 'ChargePaid')!.metadata.occurred_on,
      },
    ]);
    // The channel is gone, the money is not.
    expect((await findBalances(pool, owner, [])).map(({ currency }) => currency)).toEqual(['IDR']);
    expect(await findBalancesAsOf(pool, owner, [], MERCHANT_CREATED)).toMatchObject([
      { currency: 'IDR', total_amount: 0n, last_modified_on: MERCHANT_CREATED },
    ]);
  });

  it('queries no money tables when a batch only creates charges', async () => {
    const { events } = worldOf([
      [0, 0, 1_000],
      [0, 1, 2_000],
      [4, 1, 1],
    ]).log;
    const untouchable = { query: () => Promise.reject(new Error('asked')) } as unknown as PoolClient;
    for (const readModel of [balances, payouts, settlements, settlementCandidates])
      await expect(
        readModel.apply(untouchable, 'ledger', events.filter(({ type }) => type !== 'MerchantRegistered').map(ledger.decode)),
      ).resolves.toBeUndefined();
  });

  it('the ledger projection stops at an event that this build does not know', () => {
    const [known] = worldOf([[0, 0, 1_000]]).log.events;
    for (const unknown of [
      { ...known!, type: 'ChargeForgiven' },
      { ...known!, metadata: { ...known!.metadata, schema_version: 2 } },
    ]) {
      for (const projection of PROJECTIONS) expect(() => projection.decode(unknown)).toThrow(UnknownEvent);
    }
  });

  it('the ledger projection stops at a payout or settlement whose first event is not in the log', async () => {
    const world = worldOf([
      [7, 0, 1_000],
      [8, 1, 1],
      [0, 0, 5],
      [2, 0, 1],
      [6, 0, 1],
    ]);
    const later = world.log.events.filter(({ type }) => ['PayoutSubmitted', 'SettlementClosed', 'FundsSettled'].includes(type));
    expect(later).toHaveLength(3);
    for (const event of later)
      await expect(project(pool, { ...ledger, readModels: [payouts, settlements] }, [event], 1)).rejects.toThrow(
        /never requested|without being opened/,
      );
  });
});

function grouped<T>(all: readonly T[], by: (each: T) => string | number): Map<string | number, T[]> {
  const groups = new Map<string | number, T[]>();
  for (const each of all) groups.set(by(each), [...(groups.get(by(each)) ?? []), each]);
  return groups;
}

/** Reads the journal in pages so small that they end within events. */
async function everyPage(pool: Pool, query: Omit<JournalQuery, 'limit' | 'after'>): Promise<JournalLine[]> {
  const lines: JournalLine[] = [];
  for (;;) {
    const page = await findJournal(pool, { ...query, after: lines.at(-1), limit: 7 });
    if (page.length === 0) return lines;
    lines.push(...page);
  }
}

const accountOf = ({ merchant_id, currency }: { readonly merchant_id: string; readonly currency: string }): string => `${merchant_id} ${currency}`;

const sum = (lines: readonly JournalLine[], side: 'debit' | 'credit'): bigint => lines.reduce((total, line) => total + line[side], 0n);

/** The events of this merchant and currency, in log order. */
function eventsOf(events: readonly OrdinalEvent[], { merchant_id, currency }: Balance): MovingEvent[] {
  return events.map((event) => event as unknown as MovingEvent).filter(({ data }) => data.merchant_id === merchant_id && data.currency === currency);
}

/** When each event that moves money was booked: its time, or that of the one before it of the same merchant and currency. */
function bookingsOf(events: readonly OrdinalEvent[]): { ordinal: number; account: string; booked_on: string }[] {
  const moving = [
    'ChargePaid',
    'ChargeReversed',
    'FundsSettled',
    'PayoutRequested',
    'PayoutCancelled',
    'PayoutFailed',
    'PayoutSucceeded',
    'PayoutReturned',
  ];
  const last = new Map<string, string>();
  return events
    .filter(({ type, data }) => moving.includes(type) && (data as { lines?: unknown[] }).lines?.length !== 0)
    .map(({ ordinal, metadata: { occurred_on }, data }) => {
      const account = accountOf(data as Balance);
      const before = last.get(account) ?? '';
      const booked_on = occurred_on > before ? occurred_on : before;
      last.set(account, booked_on);
      return { ordinal, account, booked_on };
    });
}

const figures = ({ available_amount, pending_amount, reserved_amount, fee_amount, total_amount, available_count, pending_count }: Balance) => ({
  available_amount,
  pending_amount,
  reserved_amount,
  fee_amount,
  total_amount,
  available_count,
  pending_count,
});

const figuresOf = (sums: Sums): ReturnType<typeof figures> => ({
  available_amount: sums.available,
  pending_amount: sums.pending,
  reserved_amount: sums.reserved,
  fee_amount: sums.fees,
  total_amount: sums.available + sums.pending,
  available_count: sums.available_count,
  pending_count: sums.pending_count,
});
