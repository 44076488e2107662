import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findTrialBalance } from '../../projections/balances/trial-balance.js';
import { findCloseOfDay } from '../../projections/reconciliation/days/day-close-reads.js';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { findBreaks, findMatches } from '../../projections/reconciliation/matches/match-reads.js';
import { REMITTED_KINDS } from '../../projections/reconciliation/matches/remittance-matcher-1-batches.js';
import { findSourceDays } from '../../projections/reconciliation/matches/day-reads.js';
import { findBreakDays } from '../../projections/reconciliation/matches/break-days.js';
import { findReceivable } from '../../projections/reconciliation/matches/receivable.js';
import { findSuspenseAges } from '../../projections/approvals/suspense.js';
import { ledger } from '../../src/app/ledger.projection.js';
import { BankingCalendar } from '../../src/domain/calendar/banking-calendar.js';
import type { CashForecastDto } from '../../src/domain/reconciliation/cash/cash-forecast.dto.js';
import { CashForecasts } from '../../src/domain/reconciliation/cash/cash-forecasts.js';
import { DAY_MS } from '../../src/ledger/time.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { addDays, daysFromTo } from '../../src/ledger/days.js';
import type { DayClosed } from '../../src/ledger/events/day-close.events.js';
import type { SourceSettings } from '../../src/ledger/events/reconciliation.events.js';
import { resultOf } from '../../src/domain/reconciliation/days/day-figures.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { HOUSE_OWNERS } from '../../src/ledger/events/adjustment.events.js';
import { BankDays, openItemsAfterEach, type Differing } from '../support/bank-days.js';
import { closeDay, projectBoth } from '../support/day-closing.js';
import { balancesAfterEach } from '../support/ledger-oracle.js';
import { owedByItems, owedSumsIn } from '../support/owed-by-items.js';
import { contents, project } from '../support/projected.js';
import type { Remittances } from '../support/remittances.js';
import { suiteDatabase } from '../support/suite-database.js';

const DAYS = 5;

/** The same, with decisions of operators that take effect at once. */
class DecidedDays extends BankDays {
  readonly #writtenOff = new Set<string>();
  /** Breaks whose difference was approved. */
  readonly #settled: string[] = [];

  protected override steps(): readonly (() => void)[] {
    return [...super.steps(), () => this.#writeOff()];
  }

  /** The processor has other costs, and counts days in another zone. */
  setTerms(day: number): void {
    const cost = [{}, { QR_QRIS: { type: 'PERCENTAGE', value: 1.37 } }, { QR_QRIS: { type: 'FIXED', value: 250 } }][day % 3];
    const time_zone = ['Asia/Jakarta', 'Pacific/Auckland', 'America/Los_Angeles'][day % 3];
    this.world.set('live-sim', { time_zone, costs: cost, ...(day % 2 === 0 && { tax: 11 }) } as Partial<SourceSettings>);
  }

  #writeOff(): void {
    const charge = this.one(this.paid);
    if (!charge || this.random() < 0.5 || this.#writtenOff.has(charge.event_id)) return;
    this.#writtenOff.add(charge.event_id);
    this.world.house('WRITE_OFF', charge.amount, { item_id: charge.event_id });
  }

  /** Some differences of amount are approved, of those that are open, and the longest approved is taken back. */
  settle(open: readonly Differing[]): void {
    for (const { id, source, line_key, event_id, batch, amount } of open) {
      if (this.random() < 0.2 || this.#settled.includes(id)) continue;
      // Some are another one when they take effect: then nothing does.
      const approved = amount + (this.random() < 0.1 ? 1 : 0);
      const account = this.random() < 0.5 ? 'costs' : 'losses';
      this.world.acts(id).matchDifference(line_key, batch ?? [event_id!], approved, { account, source });
      this.#settled.push(id);
    }
    const longest = this.#settled.length > 1 ? this.#settled.shift() : undefined;
    if (longest !== undefined) this.world.acts(longest).unmatch();
  }

  /** Resolves some items in suspense. @param open items of lines */
  resolve(open: readonly { readonly id: string; readonly amount: number }[]): void {
    for (const { id, amount } of open) {
      if (this.random() < 0.8) continue;
      const { log } = this.world;
      const data = { merchant_id: null, item_id: id, proposal_id: log.id(`proposal ${log.events.length}`), claimed_on: log.now };
      log.add({ type: 'SuspenseItemClaimed', data }, `suspense-${id}`);
      this.world.house(amount < 0 ? 'LOSS' : 'GAIN', Math.abs(amount), { item_id: id });
    }
  }
}

describe('the laws of closed bank days', () => {
  let pool: Pool;
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  const openItems = async (): Promise<{ id: string; amount: number; owner: string }[]> => {
    const { rows } = await pool.query(
      `select id, amount::int as amount, merchant_id as owner from ledger.suspense_items where item_status <> 'RESOLVED' order by came`,
    );
    return rows as { id: string; amount: number; owner: string }[];
  };

  const kindsOfCash = new Set<string>();
  /** @param days after the end of the world */
  const cashForecast = ({ log }: Remittances, days: number): Promise<CashForecastDto[]> =>
    new CashForecasts(new BankingCalendar(new InMemoryEventStore()), { booksTimeZone: 'Asia/Jakarta' }, () => log.clockMs + days * DAY_MS).make(
      pool,
      { Mode: 'live', Days: 2 },
    );

  const differing = async (): Promise<Differing[]> => {
    const { rows } = await pool.query(
      `select b.id, b.source, l.line_key, i.id as event_id, b.batch, (coalesce(l.gross, l.amount) - coalesce(i.amount, g.amount))::int as amount
         from recon.breaks b join recon.lines l on l.id = b.line_id left join recon.items i on i.ordinal = b.item
         left join recon.groups g on g.source = b.batch_source and g.name = b.batch and g.counted_until is null
        where b.resolved_from is null and b.kind in ('AMOUNT', 'PAYOUT_AMOUNT', 'REMITTANCE_SHORT') order by b.opened_from, b.id`,
    );
    return rows as Differing[];
  };

  async function holds(world: Remittances): Promise<void> {
    const [books] = await findTrialBalance(pool, { mode: 'live' });
    const balanceOf = (name: string) => books!.accounts.filter(({ account }) => account === name).reduce((sum, { balance }) => sum + balance, 0n);
    expect(books!.difference).toBe(0n);
    const receivable = await findReceivable(pool, 'live', world.log.now);
    expect(receivable).toEqual(await findReceivable(pool, 'live', world.log.now, world.log.events.length));
    expect(await owedSumsIn(pool)).toEqual(await owedByItems(pool, world.log));
    const owed = receivable.reduce((sum, { amount }) => sum + amount, 0n);
    const inSuspense = (await openItems()).reduce((sum, { amount }) => sum + amount, 0);
    expect([owed, inSuspense]).toEqual([-balanceOf('processor'), Number(balanceOf('suspense'))]);
    // So do the rows of the cash forecast, on whichever day it is made.
    for (const days of [0, 3, 400]) {
      const rows = await cashForecast(world, days);
      expect(rows.reduce((sum, { owed_amount }) => sum + owed_amount, 0n)).toBe(owed);
      for (const { kind } of rows) kindsOfCash.add(kind);
    }
    // The ages of items add up to the account, too.
    const ages = await findSuspenseAges(pool, 'live', world.log.now);
    expect(ages.reduce((sum, { amount }) => sum + amount, 0n)).toBe(balanceOf('suspense'));
    expect(ages.reduce((count, { items }) => count + items, 0)).toBe((await openItems()).length);
  }

  /** The lines of a source's day, and those without a match, are those of the tables. */
  async function linesOfDaysAreThoseOfTheFiles(now: string): Promise<void> {
    const found = (await findSourceDays(pool, 'live', '2000-01-01', now)).filter(({ groups }) => groups > 0);
    const { rows } = await pool.query(
      `select g.source, g.day, count(distinct (g.statement_id, g.name))::int as groups, count(l.id)::int as lines,
              (count(l.id) filter (where (g.number is not null or l.kind = any($1))
                and not exists (select from recon.matches m where m.line_id = l.id and m.matched_until is null)))::int as open_lines
         from recon.groups g left join recon.lines l on l.statement_id = g.statement_id and l.group_name = g.name
        where g.counted_until is null group by 1, 2 order by 1, 2`,
      // A processor’s own charges name nothing to match.
      [REMITTED_KINDS],
    );
    expect(found.map(({ source, day, groups, lines, open_lines }) => ({ source, day, groups, lines, open_lines }))).toEqual(rows);
    expect(found.some(({ open_lines }) => open_lines > 0) && found.some(({ lines, open_lines }) => lines > open_lines)).toBe(true);
  }

  /** The breaks of each day are those that came up or were resolved on it, and the open ones are those of the list. */
  async function breaksOfDaysAreThoseOfTheList(last: string): Promise<void> {
    const { rows } = await pool.query<{ source: string; opened_on: string; resolved_on: string | null }>(
      'select source, opened_on, resolved_on from recon.breaks',
    );
    const days = daysFromTo(addDays(rows.map(({ opened_on }) => opened_on.slice(0, 10)).sort()[0]!, -1), last);
    const sources = [undefined, ...new Set(rows.map(({ source }) => source))];
    expect(rows.some(({ resolved_on }) => resolved_on !== null) && sources.length > 2).toBe(true);
    for (const source of sources) {
      const theirs = rows.filter((row) => row.source === (source ?? row.source));
      const before = (moment: string | null, day: string): boolean => moment !== null && moment.slice(0, 10) <= day;
      const expected = days.map((day) => ({
        day,
        opened_count: theirs.filter(({ opened_on }) => opened_on.startsWith(day)).length,
        resolved_count: theirs.filter(({ resolved_on }) => resolved_on?.startsWith(day)).length,
        open_count: theirs.filter(({ opened_on, resolved_on }) => before(opened_on, day) && !before(resolved_on, day)).length,
      }));
      expect(await findBreakDays(pool, { mode: 'live', source, days })).toEqual(expected);
      expect(await findBreakDays(pool, { source, days: days.slice(2, -1) })).toEqual(expected.slice(2, -1));
      expect(await findBreakDays(pool, { mode: 'test', source, days })).toEqual(
        days.map((day) => ({ day, opened_count: 0, resolved_count: 0, open_count: 0 })),
      );
    }
    const listed = await Promise.all((['OPEN', 'ACCEPTED'] as const).map((status) => findBreaks(pool, { status, limit: 100_000 }, Date.parse(last))));
    expect((await findBreakDays(pool, { days })).at(-1)!.open_count).toBe(listed.flat().length);
  }

  /** The matches and breaks of each charge and payout are those of the whole lists that name it. @returns how many there are */
  async function recordsHaveTheirParts(now: number, as_of?: number): Promise<number> {
    const whole = { as_of, limit: 100_000 };
    const lists = [await findMatches(pool, whole), (await findBreaks(pool, whole, now))!] as const;
    const ids = (column: 'charge_id' | 'payout_id') => new Set(lists.flat().flatMap(({ item }) => item?.[column] ?? []));
    let count = 0;
    for (const column of ['charge_id', 'payout_id'] as const) {
      for (const id of ids(column)) {
        const [matches, breaks] = lists.map((list) => list.filter(({ item }) => item?.[column] === id));
        const of = { ...whole, [column]: id };
        expect([await findMatches(pool, of), await findBreaks(pool, of, now)]).toEqual([matches, breaks]);
        count += matches!.length * breaks!.length;
      }
    }
    return count;
  }

  /** After each event of the log, suspense equals the items that had arrived and were not resolved. */
  async function suspenseIsItemsAtEveryPrefix(events: readonly OrdinalEvent[]): Promise<void> {
    const balances = balancesAfterEach(events, 'suspense');
    expect(await openItemsAfterEach(pool, events)).toEqual(balances);
    expect(new Set(balances.map(String)).size).toBeGreaterThan(DAYS);
  }

  /** Computing each closed day again gives its recorded figures. */
  async function verifiesAll(events: readonly OrdinalEvent[]): Promise<void> {
    const closed = events.filter(({ type }) => type === 'DayClosed').map(({ data }) => data as unknown as DayClosed);
    expect(closed).toHaveLength(DAYS);
    for (const { source, day, digest, parts, rows, figures, breaks } of closed) {
      const close = await findCloseOfDay(pool, source, day);
      expect(await resultOf(pool, close!)).toEqual({ digest, parts, rows, figures, breaks });
    }
  }

  /** Kinds of rows of the histories; with a minus, reversed. */
  const seen = new Set<string>();

  it.each([1, 2, 3])(
    'every closed bank day has no residual; the debts of processors and suspense equal their open items (%i)',
    async (seed) => {
      const days = new DecidedDays(seed);
      const { world } = days;
      const were: { readonly now: string; readonly asOf: number; readonly owed: unknown }[] = [];
      for (let n = 1; n <= DAYS; n += 1) {
        days.setTerms(n);
        await projectBoth(pool, world);
        await days.day();
        const closed = await closeDay(pool, world, n, world.log.now.slice(0, 10));
        expect(closed.figures.map(({ residual }) => residual)).toEqual([0]);
        await holds(world);
        const { now, events } = world.log;
        were.push({ now, asOf: events.length, owed: await findReceivable(pool, 'live', now) });
        days.settle(await differing());
        days.resolve((await openItems()).filter(({ owner }) => owner === HOUSE_OWNERS.live));
        await projectBoth(pool, world);
        await holds(world);
        const { rows } = await pool.query(`select distinct case when reversed then '-' else '' end || movement as what from recon.day_rows`);
        for (const { what } of rows as { what: string }[]) seen.add(what);
        world.days(1);
      }
      const moment = Date.parse(world.log.now);
      expect(await recordsHaveTheirParts(moment)).toBeGreaterThan(0);
      expect(await recordsHaveTheirParts(moment, were[2]!.asOf)).toBeGreaterThan(0);
      await linesOfDaysAreThoseOfTheFiles(world.log.now);
      await breaksOfDaysAreThoseOfTheList(addDays(world.log.now.slice(0, 10), 1));
      for (const { now, asOf, owed } of were) expect(await findReceivable(pool, 'live', now, asOf)).toEqual(owed);
      const expected = await contents(pool, 'recon');
      await projectBoth(pool, world, 7);
      expect(await contents(pool, 'recon')).toEqual(expected);
      // As an engine has it that counts positions otherwise.
      const moved = world.log.events.map((event) => ({ ...event, position: event.position * 4_099n + 17n }));
      for (const projection of [recon, ledger]) await project(pool, projection, moved, 100);
      expect(await contents(pool, 'recon')).toEqual(expected);
      await verifiesAll(moved);
      await suspenseIsItemsAtEveryPrefix(world.log.events);
    },
    120_000,
  );

  it('the histories have reversed rows, differences and reversed differences', () => {
    for (const what of ['-', 'DIFFERENCE', '-DIFFERENCE']) expect([...seen].filter((each) => each.startsWith(what))).not.toEqual([]);
    expect(['DAY', 'LATER', 'OVERDUE'].filter((kind) => !kindsOfCash.has(kind))).toEqual([]);
  });
});
