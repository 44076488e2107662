import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { findBalances, findBalancesAsOf, type Balance } from '../../projections/balances/balance-reads.js';
import { findJournal, type JournalLine } from '../../projections/balances/journal-lines.js';
import { findJournalTotals } from '../../projections/balances/journal-totals.js';
import { ledger } from '../../src/app/ledger.projection.js';
import { findPayouts } from '../../projections/payouts/payouts.js';
import { findMovements, findStatementFrame, type BalanceSnapshot } from '../../projections/balances/statement.js';
import { findTrialBalance, findTrialTotals, type TrialBalance } from '../../projections/balances/trial-balance.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { MODES } from '../../src/ledger/mode.js';
import { timestamp } from '../../src/ledger/time.js';
import { CURRENCIES, World } from '../support/histories.js';
import { project } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';

/** LAWS_SEED repeats a run; a failure names the seed and the path to the shortest history that shows it. */
const SEED = Number(process.env.LAWS_SEED ?? 20_261_122);
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 31, 8);
const PROCESSES = 3;

/** Step, process, and the jump of the clock of that process before the step, ms. */
const steps = fc.array(
  fc.record({
    what: fc.nat(12),
    which: fc.nat(1_000),
    amount: fc.integer({ min: 1, max: 9_007_199_254 }),
    process: fc.nat(PROCESSES - 1),
    jump: fc.oneof(
      { weight: 40, arbitrary: fc.constant(0) },
      { weight: 4, arbitrary: fc.integer({ min: -2_000, max: 2_000 }) },
      { weight: 1, arbitrary: fc.constantFrom(30 * DAY, -30 * DAY, 3_600_000, -3_600_000) },
    ),
  }),
  { minLength: 80, maxLength: 250, size: 'max' },
);
type Step = typeof steps extends fc.Arbitrary<readonly (infer Each)[]> ? Each : never;

interface Played {
  readonly world: World;
  /** The time of a correct clock at the end. */
  readonly now: string;
}

/** Real time advances with each step; each process sees it shifted by the jumps of its clock so far. */
function play(history: readonly Step[], world = new World()): Played {
  const skews = Array<number>(PROCESSES).fill(0);
  let real = START;
  for (const { what, which, amount, process, jump } of history) {
    real += (amount % 1_000) + 500;
    skews[process]! += jump;
    world.log.clockMs = real + skews[process]!;
    world.step(what, which, amount);
  }
  return { world, now: timestamp(real + 1_000) };
}

const CREATED = timestamp(START - 365 * DAY);
const AT_THE_END_OF_TIME = timestamp(START + 3_650 * DAY);
const accountOf = ({ merchant_id, currency }: { merchant_id: string; currency: string }): string => `${merchant_id} ${currency}`;
const same = (a: JournalLine, b: JournalLine): boolean => a.position === b.position && a.line === b.line;
const figures = ({ last_modified_on: _, last_modified_by: __, ...balance }: Balance): Partial<Balance> => balance;

describe('books under any process clocks', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  const law = (check: (played: Played) => Promise<void>, numRuns = 8) =>
    fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const played = play(history);
        await project(pool, ledger, played.world.log.events, 50);
        await check(played);
      }),
      { seed: SEED, numRuns, endOnFailure: true },
    );

  const live = async (merchant_id: string): Promise<Balance[]> => findBalances(pool, { merchant_id, created_on: CREATED }, CURRENCIES);
  const asOf = async (merchant_id: string, moment: string): Promise<Balance[]> =>
    findBalancesAsOf(pool, { merchant_id, created_on: CREATED }, CURRENCIES, moment);
  const everyLine = async (): Promise<JournalLine[]> => findJournal(pool, { limit: 100_000 });

  /** When each account's newest entry was booked. */
  function newest(lines: readonly JournalLine[]): Map<string, string> {
    const times = new Map<string, string>();
    for (const line of lines) {
      const before = times.get(accountOf(line)) ?? '';
      if (line.occurred_on > before) times.set(accountOf(line), line.occurred_on);
    }
    return times;
  }

  it(`each account as of its newest booking is its current state, and the accounts add up to the books (seed ${SEED})`, async () => {
    let ahead = 0;
    await law(async ({ world, now }) => {
      const times = newest(await everyLine());
      for (const merchant_id of world.merchants) {
        for (const balance of await live(merchant_id)) {
          const time = times.get(accountOf(balance)) ?? CREATED;
          expect((await asOf(merchant_id, time)).find(({ currency }) => currency === balance.currency)).toEqual(balance);
          if (time > now) ahead += 1;
          else expect((await asOf(merchant_id, now)).find(({ currency }) => currency === balance.currency)).toEqual(balance);
          expect(balance.last_modified_on >= balance.created_on).toBe(true);
        }
      }
      expect(await findTrialBalance(pool, { as_of: AT_THE_END_OF_TIME })).toEqual(await findTrialBalance(pool));
      expect(await findTrialTotals(pool, { as_of: AT_THE_END_OF_TIME })).toEqual(await findTrialTotals(pool));
      // At any moment the totals are the sum of the merchants.
      for (const as_of of [now, timestamp(START + 60_000)]) {
        const parts = await Promise.all(world.merchants.map((merchant_id) => findTrialBalance(pool, { as_of, merchant_id })));
        for (const total of await findTrialTotals(pool, { as_of })) {
          expect(total.difference).toBe(0n);
          for (const { account, balance, debit } of total.accounts) {
            const theirs = parts.flat().filter(({ currency }) => currency === total.currency);
            const each = (of: TrialBalance): { balance: bigint; debit: bigint } => of.accounts.find((line) => line.account === account)!;
            expect([balance, debit]).toEqual([
              theirs.reduce((sum, part) => sum + each(part).balance, 0n),
              theirs.reduce((sum, part) => sum + each(part).debit, 0n),
            ]);
          }
        }
      }
    });
    expect(ahead).toBeGreaterThan(0);
  });

  it(`an account as of any moment depends on its own events alone (seed ${SEED})`, async () => {
    await law(async ({ world, now }) => {
      const moments = [now, timestamp(START + 30_000), timestamp(START + 90_000), timestamp(START + 31 * DAY), timestamp(START - DAY)];
      const shown = async (merchant_id: string): Promise<unknown> => [
        ...(await Promise.all(moments.map(async (moment) => (await asOf(merchant_id, moment)).map(figures)))),
        ...(await Promise.all(moments.map(async (as_of) => findTrialBalance(pool, { as_of, merchant_id })))),
        (await findJournal(pool, { merchant_id, date_to: now, limit: 100_000 })).map(({ event_id, occurred_on, line }) => [
          event_id,
          occurred_on,
          line,
        ]),
      ];
      const withAll = new Map<string, unknown>();
      for (const merchant_id of world.merchants) withAll.set(merchant_id, await shown(merchant_id));
      for (const merchant_id of world.merchants) {
        await project(pool, ledger, alone(world.log.events, merchant_id), 50);
        expect(await shown(merchant_id)).toEqual(withAll.get(merchant_id));
      }
    }, 4);
  });

  it(`a statement of any period opens, moves and closes without a gap (seed ${SEED})`, async () => {
    await law(async ({ world, now }) => {
      const lines = await everyLine();
      const thirds = [0, 1, 2].map((third) => lines[Math.floor((lines.length * third) / 3)]?.occurred_on ?? now);
      const moments = thirds.sort();
      for (const merchant_id of world.merchants) {
        for (const currency of CURRENCIES) {
          for (const [from, to] of [
            [undefined, now],
            [moments[0], moments[1]],
            [moments[1], moments[2]],
            [moments[2], AT_THE_END_OF_TIME],
          ] as const) {
            const account = { merchant_id, currency };
            const frame = await findStatementFrame(pool, { ...account, from, to: to! });
            let standing = frame.opening;
            let booked = from ?? '';
            for (const movement of await findMovements(pool, account, frame, 10_000)) {
              standing = moved(standing, movement);
              expect(movement.after).toEqual(standing);
              expect(movement.booked_on >= booked && movement.booked_on <= to!).toBe(true);
              booked = movement.booked_on;
            }
            expect(frame.closing).toEqual(standing);
          }
        }
      }
    });
  });

  it(`a period of the journal has each line once, in the order of booking (seed ${SEED})`, async () => {
    await law(async () => {
      const all = await everyLine();
      const [from = '', to = ''] = [all[5], all[all.length - 5]].map((line) => line?.occurred_on ?? AT_THE_END_OF_TIME).sort();
      const wanted = all
        .filter(({ occurred_on }) => occurred_on >= from && occurred_on <= to)
        .toSorted((a, b) => (a.occurred_on < b.occurred_on ? -1 : a.occurred_on > b.occurred_on ? 1 : a.position - b.position || a.line - b.line));
      const paged: JournalLine[] = [];
      for (;;) {
        const page = await findJournal(pool, { date_from: from, date_to: to, after: paged.at(-1), limit: 13 });
        if (page.length === 0) break;
        paged.push(...page);
      }
      expect(paged).toEqual(wanted);
    });
  });

  it(`running balances and sums of an account are those of a client that adds up the whole journal (seed ${SEED})`, async () => {
    let many = 0;
    await law(async ({ world }) => {
      const all = await everyLine();
      const byTime = all.toSorted((a, b) => (a.occurred_on < b.occurred_on ? -1 : a.occurred_on > b.occurred_on ? 1 : 0));
      const moments = byTime.map(({ occurred_on }) => occurred_on);
      const [from, to] = [moments[Math.floor(moments.length / 3)], moments[Math.floor((2 * moments.length) / 3)]];
      const owners = [...MODES.map((mode) => ({ mode })), ...world.merchants.map((merchant_id) => ({ merchant_id }))];
      const named = new Map(all.map(({ account, currency }) => [`${account} ${currency}`, { account, currency }]));
      for (const selection of owners.flatMap((owner) => [...named.values()].map((name) => ({ ...owner, ...name })))) {
        for (const { within, lines: inOrder } of [
          { within: {}, lines: all },
          { within: { date_from: from, date_to: to }, lines: byTime },
          { within: { date_from: to }, lines: byTime },
        ]) {
          const theirs = inOrder.filter((line) => Object.entries(selection).every(([name, value]) => line[name as keyof JournalLine] === value));
          const running = theirs.reduce<bigint[]>((sums, { credit, debit }) => [...sums, (sums.at(-1) ?? 0n) + credit - debit], []);
          const expected = theirs
            .map((line, at) => ({ ...line, running_balance: running[at]! }))
            .filter(({ occurred_on: on }) => on >= (within.date_from ?? '') && on <= (within.date_to ?? AT_THE_END_OF_TIME));
          for (const is_descending of [false, true]) {
            const paged: JournalLine[] = [];
            for (;;) {
              const page = await findJournal(pool, { ...selection, ...within, is_descending, after: paged.at(-1), limit: 5 });
              if (page.length === 0) break;
              paged.push(...page);
            }
            expect(
              is_descending ? paged.toSorted((a, b) => expected.findIndex((e) => same(e, a)) - expected.findIndex((e) => same(e, b))) : paged,
            ).toEqual(expected);
            if (is_descending) expect(paged.map(({ position }) => position)).toEqual(expected.map(({ position }) => position).reverse());
          }
          const [total] = await findJournalTotals(pool, { ...selection, ...within });
          const before = theirs.findLastIndex(({ occurred_on }) => occurred_on < (within.date_from ?? ''));
          const opening = running[before] ?? 0n;
          const sum = (side: 'debit' | 'credit'): bigint => expected.reduce((all, line) => all + line[side], 0n);
          expect(total ?? { opening_balance: 0n, debit: 0n, credit: 0n, closing_balance: 0n }).toMatchObject({
            opening_balance: opening,
            debit: sum('debit'),
            credit: sum('credit'),
            closing_balance: expected.at(-1)?.running_balance ?? opening,
          });
          if (expected.length > 5) many += 1;
        }
      }
    }, 3);
    expect(many).toBeGreaterThan(10);
  });

  it(`the last change of a payout is never before its creation, and otherwise has the time of its newest event (seed ${SEED})`, async () => {
    await law(async ({ world }) => {
      // Event by event, so that existing rows of the table change as well.
      await project(pool, ledger, world.log.events, 1);
      for (const merchant_id of world.merchants) {
        const { items } = await findPayouts(pool, merchant_id, { page_number: 1, page_size: 100, is_descending: false });
        for (const { id, created_on, updated_on } of items) {
          const times = world.log.events.flatMap(({ type, data, metadata }) => (changesPayout(type, data, id) ? [metadata.occurred_on] : []));
          const last = times.at(-1)!;
          expect(updated_on).toBe(last > created_on ? last : created_on);
        }
      }
    }, 4);
  });

  it('one process 30 days ahead during one payment and one payout: everybody else’s books stay right', async () => {
    const world = new World();
    const act = (ms: number, what: () => void): void => {
      world.log.clockMs = START + ms;
      what();
    };
    // 0, 1 and 2 choose merchant and currency alike: each merchant sells in one currency.
    for (const merchant of [0, 1, 2]) act(1_000 + merchant, () => void world.create(merchant, 100_000));
    const [hit] = world.merchants;
    act(30 * DAY, () => world.pay(0));
    act(30 * DAY + 1_000, () => world.requestPayout(0, 5_000));
    for (const time of [2_000, 3_000]) act(time, () => world.pay(0));
    act(4_000, () => world.settle(1, 1));
    act(5_000, () => world.requestPayout(1, 40_000));
    await project(pool, ledger, world.log.events, 3);

    const now = timestamp(START + 6_000);
    for (const merchant_id of world.merchants.slice(1)) {
      expect(await asOf(merchant_id, now)).toEqual(await live(merchant_id));
      expect(await findTrialBalance(pool, { as_of: now, merchant_id })).toEqual(await findTrialBalance(pool, { merchant_id }));
      const currency = CURRENCIES[world.merchants.indexOf(merchant_id)]!;
      const { closing } = await findStatementFrame(pool, { merchant_id, currency, to: now });
      expect(closing.total_amount).toBe((await live(merchant_id)).find((balance) => balance.currency === currency)!.total_amount);
    }
    // The affected merchant shows nothing yet, and everything once the time has come. Its live balances are right throughout.
    expect((await asOf(hit!, now)).every(({ total_amount, reserved_amount }) => total_amount === 0n && reserved_amount === 0n)).toBe(true);
    expect((await live(hit!)).some(({ pending_amount }) => pending_amount > 0n)).toBe(true);
    expect(await asOf(hit!, timestamp(START + 31 * DAY))).toEqual(await live(hit!));
    const others = (await findTrialBalance(pool)).filter(({ accounts }) => accounts.every(({ merchant_id }) => merchant_id !== hit));
    expect(others).toHaveLength(2);
    expect(await findTrialBalance(pool, { as_of: now })).toEqual(others);
    expect((await findJournal(pool, { date_to: now, limit: 100 })).every(({ merchant_id }) => merchant_id !== hit)).toBe(true);
  });

  it('a payout submitted under a clock 30 days ahead has the time of its outcome as its last change', async () => {
    const world = new World();
    for (const [ms, what] of [
      [0, () => world.requestPayout(1, 5_000)],
      [30 * DAY, () => world.movePayout(1)],
      [2_000, () => world.movePayout(1)],
      // In a process whose clock is behind.
      [10_000, () => world.requestPayout(1, 5_000)],
      [9_000, () => world.movePayout(1)],
    ] as const) {
      world.log.clockMs = START + ms;
      what();
    }
    for (const batchSize of [1, 100]) {
      await project(pool, ledger, world.log.events, batchSize);
      const { items } = await findPayouts(pool, world.merchants[1]!, { page_number: 1, page_size: 100, is_descending: false });
      expect(items.map(({ payout_status, updated_on }) => [payout_status, updated_on])).toEqual([
        ['SUCCEEDED', timestamp(START + 2_000)],
        ['PROCESSING', timestamp(START + 10_000)],
      ]);
    }
  });

  it('a month of sales that is written after today’s appears as a month', async () => {
    const world = new World();
    const today = START + 30 * DAY;
    world.log.clockMs = today;
    world.create(0, 1_000);
    world.pay(0);
    // Another merchant's month, day by day, written afterwards.
    for (let day = 0; day < 30; day += 1) {
      world.log.clockMs = START + day * DAY;
      world.create(1, 10_000);
      world.pay(0);
    }
    await project(pool, ledger, world.log.events, 20);
    const pending = await Promise.all(
      [1, 10, 20, 30].map(async (days) => {
        const [balance] = (await asOf(world.merchants[1]!, timestamp(START + (days - 1) * DAY))).filter(({ currency }) => currency === 'MYR');
        return [Number(balance!.pending_count), (await findTrialTotals(pool, { as_of: timestamp(START + (days - 1) * DAY) })).length];
      }),
    );
    expect(pending).toEqual([
      [1, 1],
      [10, 1],
      [20, 1],
      [30, 1],
    ]);
  });
});

/** The events of one merchant, as if there were no other: the same in every way but their places in the log. */
function alone(events: readonly OrdinalEvent[], merchantId: string): OrdinalEvent[] {
  return events
    .filter(({ metadata }) => metadata.merchant_id === merchantId)
    .map((event, index) => ({ ...event, ordinal: index + 1, position: BigInt(index + 1) }));
}

function moved(
  { pending_amount, available_amount, reserved_amount, fee_amount }: BalanceSnapshot,
  change: { pending_change: bigint; available_change: bigint; reserved_change: bigint; fee_change: bigint },
): BalanceSnapshot {
  const [pending, available] = [pending_amount + change.pending_change, available_amount + change.available_change];
  return {
    pending_amount: pending,
    available_amount: available,
    reserved_amount: reserved_amount + change.reserved_change,
    total_amount: pending + available,
    fee_amount: fee_amount + change.fee_change,
  };
}

function changesPayout(type: string, data: object, id: string): boolean {
  if (type === 'FundsSettled')
    return (data as { lines: { kind: string; record_id: string }[] }).lines.some((line) => line.kind === 'return' && line.record_id === id);
  const isOfAccount = ['PayoutRequested', 'PayoutSubmitted', 'PayoutSucceeded', 'PayoutFailed', 'PayoutCancelled'].includes(type);
  return isOfAccount && (data as { payout_id: string }).payout_id === id;
}
