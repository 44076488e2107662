import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { findJournal, type JournalLine } from '../../projections/balances/journal-lines.js';
import { ACCOUNTS, SUM_COLUMNS } from '../../projections/balances/journal.js';
import { PLATFORM } from '../../projections/merchants/owners.js';
import { findTrialBalance, findTrialTotals, type TrialBalance } from '../../projections/balances/trial-balance.js';
import { ledger } from '../../src/app/ledger.projection.js';
import { HOUSE_OWNERS } from '../../src/ledger/events/adjustment.events.js';
import { MODES, type Mode } from '../../src/ledger/mode.js';
import { moneyMove, movesMoney, type Account } from '../../src/ledger/postings.js';
import { World } from '../support/histories.js';
import { project } from '../support/projected.js';
import { suiteDatabase } from '../support/suite-database.js';

/** LAWS_SEED repeats a run; a failure names the seed and the path to the shortest history that shows it. */
const SEED = Number(process.env.LAWS_SEED ?? 20_261_123);
const LAW_MS = 120_000;

const steps = fc.array(fc.tuple(fc.nat(12), fc.nat(1_000), fc.integer({ min: 1, max: 9_007_199_254 })), {
  minLength: 80,
  maxLength: 250,
  size: 'max',
});

/** Two live merchants and two test ones, each of which sells in all currencies. */
function play(history: readonly (readonly [number, number, number])[]): World {
  const world = new World(4);
  for (const step of history) world.step(...step);
  return world;
}

const modeOf = (world: World, merchantId: string): Mode => MODES[world.merchants.indexOf(merchantId) % MODES.length]!;

/** Balances of accounts, keyed by the `name` of the mode, currency and account of each posting. */
function posted(world: World, name: (mode: Mode, currency: string, account: Account) => string): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const event of world.log.events.map(ledger.decode)) {
    if (!movesMoney(event)) continue;
    const { merchant_id, currency, postings } = moneyMove(event);
    for (const { from, to, amount } of postings) {
      for (const [account, change] of [
        [from, -amount],
        [to, amount],
      ] as const) {
        const key = name(modeOf(world, merchant_id), currency, account);
        sums.set(key, (sums.get(key) ?? 0n) + change);
      }
    }
  }
  return sums;
}

function shown(books: readonly TrialBalance[], name: (mode: Mode, currency: string, account: Account) => string): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { mode, currency, accounts } of books) {
    for (const { account, balance } of accounts) {
      const key = name(mode, currency, account);
      sums.set(key, (sums.get(key) ?? 0n) + balance);
    }
  }
  return sums;
}

/** Accounts that hold nothing are left out: a currency without an entry of some account shows 0. */
const held = (sums: Map<string, bigint>): unknown[] => [...sums].filter(([, balance]) => balance !== 0n).sort();

describe('live money and test money', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  const law = (check: (world: World) => Promise<void>, numRuns: number) => () =>
    fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const world = play(history);
        await project(pool, ledger, world.log.events, 50);
        await check(world);
      }),
      { seed: SEED, numRuns, endOnFailure: true },
    );

  const everyLine = async (mode?: Mode): Promise<JournalLine[]> => findJournal(pool, { mode, limit: 100_000 });

  it(
    `live and test money are separate and add up to the total, by currency and account (seed ${SEED})`,
    law(async (world) => {
      const ofMode = (mode: Mode, currency: string, account: Account): string => `${mode} ${currency} ${account}`;
      const ofBoth = (_: Mode, currency: string, account: Account): string => `${currency} ${account}`;
      for (const books of [await findTrialBalance(pool), await findTrialTotals(pool)]) {
        expect(held(shown(books, ofMode))).toEqual(held(posted(world, ofMode)));
        expect(held(shown(books, ofBoth))).toEqual(held(posted(world, ofBoth)));
        expect(books.every(({ difference }) => difference === 0n)).toBe(true);
        const order = books.map(({ mode, currency }) => `${mode} ${currency}`);
        expect(order).toEqual([...order].sort());
      }
      for (const mode of MODES) {
        const theirs = (await findTrialBalance(pool)).filter((each) => each.mode === mode);
        expect(await findTrialBalance(pool, { mode })).toEqual(theirs);
        const { rows } = await pool.query<{ currency: string; processor: string; bank: string; returns: string; fees: string; available: string }>(
          `select currency, ${['processor', 'bank', 'returns', 'fees', 'available'].map((account) => `${account}_credit - ${account}_debit as ${account}`).join(', ')}
             from ledger.balances where merchant_id = $1 order by currency`,
          [PLATFORM[mode]],
        );
        const totals = await findTrialTotals(pool, { mode });
        expect(rows.map(({ currency }) => currency)).toEqual(totals.map(({ currency }) => currency));
        for (const [n, { currency: _, ...balances }] of rows.entries()) {
          for (const [account, balance] of Object.entries(balances))
            expect([account, BigInt(balance)]).toEqual([account, totals[n]!.accounts.find((each) => each.account === account)!.balance]);
        }
      }
    }, 8),
    LAW_MS,
  );

  it(
    `the books of one mode are the same without the other mode (seed ${SEED})`,
    law(async (world) => {
      const all = await everyLine();
      const figures = ({ position: _, ...line }: JournalLine): object => line;
      for (const mode of MODES) {
        await project(pool, ledger, world.log.events, 50);
        const [lines, books] = [await everyLine(mode), await findTrialBalance(pool, { mode })];
        expect(lines).toEqual(all.filter(({ merchant_id }) => modeOf(world, merchant_id) === mode));
        const alone = world.log.events
          .filter(({ metadata }) => modeOf(world, metadata.merchant_id!) === mode)
          .map((event, index) => ({ ...event, ordinal: index + 1, position: BigInt(index + 1) }));
        await project(pool, ledger, alone, 50);
        expect((await everyLine()).map(figures)).toEqual(lines.map(figures));
        expect(await findTrialBalance(pool)).toEqual(books);
      }
    }, 4),
    LAW_MS,
  );

  it(
    `suspense equals the open items, and bookings of the house account belong to no merchant (seed ${SEED})`,
    law(async (world) => {
      for (let n = 0; n < 60; n += 1) {
        world.create(n, 5_000 + n);
        world.pay(n);
        world.payAgain(n * 5, 1_000 + n);
        world.adjust(n * 7, 1 + n * 1_001);
      }
      await project(pool, ledger, world.log.events, 50);
      const owners = `select o.mode, b.* from ledger.balances b join ledger.owners o using (merchant_id)`;
      const summed = ACCOUNTS.flatMap((account) => [`sum(${account}_debit) as ${account}_debit`, `sum(${account}_credit) as ${account}_credit`]);
      const byOwners = await pool.query(`select mode, currency, ${summed.join(', ')} from (${owners}) b group by mode, currency order by 1, 2`);
      const platform = await pool.query(
        `select case merchant_id when $1 then 'live' else 'test' end as mode, currency, ${SUM_COLUMNS.join(', ')}
           from ledger.balances where merchant_id in ($1, $2) order by 1, 2`,
        [PLATFORM.live, PLATFORM.test],
      );
      expect(byOwners.rows).toEqual(platform.rows);
      const { rows: suspense } = await pool.query(
        `select p.mode, p.currency, suspense_credit - suspense_debit - coalesce(i.amount, 0) as beside
           from (select mode, currency, sum(suspense_credit) as suspense_credit, sum(suspense_debit) as suspense_debit from (${owners}) o group by 1, 2) p
           left join (select o.mode, s.currency, sum(s.amount) as amount from ledger.suspense_items s join ledger.owners o using (merchant_id)
                       where item_status = 'OPEN' group by 1, 2) i using (mode, currency)
          where suspense_credit - suspense_debit <> coalesce(i.amount, 0)`,
      );
      expect(suspense).toEqual([]);
      for (const { difference } of await findTrialBalance(pool)) expect(difference).toBe(0n);
      const { rows: house } = await pool.query(`select count(*)::int as lines from ledger.journal where merchant_id = any ($1)`, [
        Object.values(HOUSE_OWNERS),
      ]);
      expect(house[0].lines).toBeGreaterThan(0);
    }, 4),
    LAW_MS,
  );

  it('the journal separates live and test money of more accounts than it reads one by one', async () => {
    const world = new World(140);
    for (const which of world.merchants.keys()) {
      world.create(which, 1_000);
      world.pay(which);
    }
    await project(pool, ledger, world.log.events, 1_000);
    const all = await everyLine();
    for (const mode of MODES) {
      const theirs = all.filter((line) => line.mode === mode);
      expect(new Set(theirs.map(({ merchant_id }) => merchant_id)).size).toBe(70);
      expect(await everyLine(mode)).toEqual(theirs);
      expect(await findJournal(pool, { mode, currency: 'IDR', limit: 1_000 })).toEqual(theirs.filter(({ currency }) => currency === 'IDR'));
    }
  });

  it('the ledger projection stops at money of a merchant that was never registered', async () => {
    const world = play([
      [0, 0, 1_000],
      [2, 0, 1],
    ]);
    const unregistered = world.log.events.filter(({ type }) => type !== 'MerchantRegistered');
    await expect(project(pool, ledger, unregistered, 50)).rejects.toThrow(`there is no merchant ${world.merchants[0]!}`);
  });
});
