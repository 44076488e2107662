import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findTrialBalance } from '../../projections/balances/trial-balance.js';
import { breakId } from '../../projections/reconciliation/break-id.js';
import { findCloseOfDay } from '../../projections/reconciliation/days/day-close-reads.js';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { findReceivable } from '../../projections/reconciliation/receivable.js';
import { ledger } from '../../src/app/ledger.projection.js';
import type { DayClosed } from '../../src/ledger/events/day-close.events.js';
import { resultOf } from '../../src/domain/reconciliation/day-figures.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { moneyMove, movesMoney } from '../../src/ledger/postings.js';
import { HOUSE_OWNERS } from '../../src/ledger/events/adjustment.events.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { closeDay, projectBoth } from '../support/day-closing.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { contents, project } from '../support/projected.js';
import { randomNumbers } from '../support/random-numbers.js';
import { Remittances, type Booked, type Remitted } from '../support/remittances.js';

const DAYS = 5;

/** A break of an amount, and by how much its line has more. */
interface Differing {
  readonly id: string;
  readonly source: string;
  readonly line_key: string;
  readonly event_id: string | null;
  readonly batch: string | null;
  readonly amount: number;
}

/** Trade, files, banks and persons, right and wrong, day by day. */
class BankDays {
  readonly world = new Remittances();
  readonly #random: () => number;
  readonly #paid: { n: number; amount: number; event_id: string; is_reversed: boolean }[] = [];
  readonly #payouts: { reference: string; amount: number; state: 'SUBMITTED' | 'SUCCEEDED' | 'FAILED' | 'RETURNED' }[] = [];
  /** Credits, debits and files that are on their way. */
  #waiting: Booked[] = [];
  readonly #files: { id: string; batch: string; lines: Remitted[] }[] = [];
  readonly #matched: { key: string; isOn: boolean; item: string }[] = [];
  /** Breaks whose difference was approved. */
  readonly #settled: string[] = [];

  constructor(seed: number) {
    const below = randomNumbers(seed);
    this.#random = () => below(1_000_000) / 1_000_000;
    this.world.set('live-bca', { currencies: ['IDR'] });
  }

  #upTo(n: number): number {
    return Math.floor(this.#random() * n);
  }

  #one<Each>(all: readonly Each[]): Each | undefined {
    return all[this.#upTo(all.length)];
  }

  day(): void {
    for (let left = 12; left > 0; left -= 1) this.#step();
    const lines = this.#waiting.filter(() => this.#random() < 0.8);
    this.#waiting = this.#waiting.filter((line) => !lines.includes(line));
    this.world.book(lines);
  }

  #step(): void {
    const amount = 100 + this.#upTo(900);
    const step = this.#one([
      () => this.#pay(amount),
      () => this.#pay(amount),
      () => this.#remit(),
      () => this.#remit(),
      () => this.#pay2(amount),
      () => this.#payout(amount),
      () => this.#payoutGoes(),
      () => this.#bank(amount),
      () => this.#reverse(),
      () => this.#operator(),
      () => this.#writeOff(),
      () => this.#again(),
    ])!;
    step();
  }

  #pay(amount: number): void {
    this.#paid.push({ ...this.world.pay(amount), amount, is_reversed: false });
  }

  #pay2(amount: number): void {
    const charge = this.#one(this.#paid);
    if (charge) this.world.payAgain(charge.n, amount, `second ${amount} ${this.world.log.events.length}`);
  }

  #reverse(): void {
    const charge = this.#one(this.#paid.filter(({ is_reversed }) => !is_reversed));
    if (!charge) return;
    charge.is_reversed = true;
    this.world.reverse(charge.n, charge.amount);
  }

  #remit(): void {
    const lines = Array.from({ length: 1 + this.#upTo(4) }, (): Remitted => {
      const charge = this.#one(this.#paid);
      const fee = this.#upTo(9);
      if (!charge || this.#random() < 0.2)
        return { reference: 'nobody', amount: 50 + this.#upTo(50), fee, kind: this.#random() < 0.3 ? 'CHARGE' : 'PAYMENT' };
      return { reference: `R${charge.n}`, amount: charge.amount + (this.#random() < 0.2 ? 1 : 0), fee, tax: this.#upTo(2) };
    });
    const batch = `B-${this.#files.length}`;
    this.#files.push({ id: this.world.remit(lines, { batch }), batch, lines });
    const net = lines.reduce((sum, { amount, fee = 0, tax = 0 }) => sum + amount - fee - tax, 0);
    this.#waiting.push({ reference: batch, amount: net - (this.#random() < 0.3 ? 1 : 0) });
  }

  /** The processor has issued a batch again, with another fee and the same net. */
  #again(): void {
    const file = this.#one(this.#files);
    if (!file) return;
    file.lines = file.lines.map((line) => ({ ...line, amount: line.amount + 1, fee: (line.fee ?? 0) + 1 }));
    file.id = this.world.remit(file.lines, { batch: file.batch, replaces: file.id });
  }

  #payout(amount: number): void {
    const reference = this.world.payout(amount);
    this.#payouts.push({ reference, amount, state: 'SUBMITTED' });
    this.#waiting.push({ reference, amount: -amount + (this.#random() < 0.4 ? 1 : 0) });
  }

  #payoutGoes(): void {
    const n = this.#upTo(this.#payouts.length);
    const payout = this.#payouts[n];
    if (!payout) return;
    if (payout.state === 'SUCCEEDED') {
      this.world.payoutGoes('PayoutReturned', n);
      payout.state = 'RETURNED';
      this.#waiting.push({ reference: payout.reference, amount: payout.amount });
    }
    if (payout.state !== 'SUBMITTED') return;
    payout.state = this.#random() < 0.7 ? 'SUCCEEDED' : 'FAILED';
    this.world.payoutGoes(payout.state === 'SUCCEEDED' ? 'PayoutSucceeded' : 'PayoutFailed', n);
  }

  #bank(amount: number): void {
    this.#waiting.push(this.#random() < 0.5 ? { amount: -7, kind: 'CHARGE' } : { amount: this.#random() < 0.5 ? amount : -amount });
  }

  /** An operator matches an unidentified line with a payment of its amount, or removes such a match. */
  #operator(): void {
    const before = this.#one(this.#matched);
    if (before && this.#random() < 0.5) {
      const acts = this.world.acts(breakId('live-sim', 'PROCESSOR_ONLY', before.key));
      if (before.isOn) acts.unmatch();
      else acts.match(before.key, [before.item]);
      before.isOn = !before.isOn;
      return;
    }
    const file = this.#one(this.#files);
    const at = file?.lines.findIndex(({ reference, kind = 'PAYMENT' }) => reference === 'nobody' && kind === 'PAYMENT') ?? -1;
    if (!file || at < 0) return;
    const { id: _, event_id, n } = { ...this.world.pay(file.lines[at]!.amount) };
    this.#paid.push({ n, amount: file.lines[at]!.amount, event_id, is_reversed: false });
    const key = `${file.batch} ${at}`;
    this.world.acts(breakId('live-sim', 'PROCESSOR_ONLY', key)).match(key, [event_id]);
    this.#matched.push({ key, isOn: true, item: event_id });
  }

  readonly #writtenOff = new Set<string>();
  #writeOff(): void {
    const charge = this.#one(this.#paid);
    if (!charge || this.#random() < 0.5 || this.#writtenOff.has(charge.event_id)) return;
    this.#writtenOff.add(charge.event_id);
    this.world.house('WRITE_OFF', charge.amount, { item_id: charge.event_id });
  }

  /** Some differences of amount are approved, of those that are open, and the longest approved is taken back. */
  settle(open: readonly Differing[]): void {
    for (const { id, source, line_key, event_id, batch, amount } of open) {
      if (this.#random() < 0.2 || this.#settled.includes(id)) continue;
      // Some are another one when they take effect: then nothing does.
      const approved = amount + (this.#random() < 0.1 ? 1 : 0);
      const account = this.#random() < 0.5 ? 'costs' : 'losses';
      this.world.acts(id).matchDifference(line_key, batch ?? [event_id!], approved, { account, source });
      this.#settled.push(id);
    }
    const longest = this.#settled.length > 1 ? this.#settled.shift() : undefined;
    if (longest !== undefined) this.world.acts(longest).unmatch();
  }

  /** Resolves some items in suspense. @param open items of lines */
  resolve(open: readonly { readonly id: string; readonly amount: number }[]): void {
    for (const { id, amount } of open) {
      if (this.#random() < 0.8) continue;
      const { log } = this.world;
      const data = { merchant_id: null, item_id: id, proposal_id: log.id(`proposal ${log.events.length}`), claimed_on: log.now };
      log.add({ type: 'SuspenseItemClaimed', data }, `suspense-${id}`);
      this.world.house(amount < 0 ? 'LOSS' : 'GAIN', Math.abs(amount), { item_id: id });
    }
  }
}

/** Computes the change of suspense from the postings of the event alone. */
function intoSuspense(recorded: OrdinalEvent): bigint {
  const event = ledger.decode(recorded);
  if (!movesMoney(event)) return 0n;
  const { postings } = moneyMove(event);
  return postings.reduce((sum, { from, to, amount }) => sum + (to === 'suspense' ? amount : 0n) - (from === 'suspense' ? amount : 0n), 0n);
}

describe('the laws of closed bank days', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createPool({ url: database.url, applicationName: 'test', statementTimeoutMs: 0 });
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const openItems = async (): Promise<{ id: string; amount: number; owner: string }[]> => {
    const { rows } = await pool.query(
      `select id, amount::int as amount, merchant_id as owner from ledger.suspense_items where item_status <> 'RESOLVED' order by came`,
    );
    return rows as { id: string; amount: number; owner: string }[];
  };

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
    const owed = (await findReceivable(pool, 'live', world.log.now)).reduce((sum, { amount }) => sum + amount, 0n);
    const inSuspense = (await openItems()).reduce((sum, { amount }) => sum + amount, 0);
    expect([owed, inSuspense]).toEqual([-balanceOf('processor'), Number(balanceOf('suspense'))]);
  }

  /** After each event of the log, suspense equals the items that had arrived and were not resolved. */
  async function suspenseIsItemsAtEveryPrefix(events: readonly OrdinalEvent[]): Promise<void> {
    const { rows } = await pool.query<{ ordinal: bigint; resolved_from: bigint | null; amount: bigint }>(
      'select ordinal, resolved_from, amount from ledger.suspense_items',
    );
    const isOpen = (at: number) => (item: (typeof rows)[number]) => item.ordinal <= at && (item.resolved_from === null || item.resolved_from > at);
    const sums = events.map(({ ordinal: at }) => rows.filter(isOpen(at)).reduce((sum, { amount }) => sum + BigInt(amount), 0n));
    let held = 0n;
    const balances = events.map((event) => (held += intoSuspense(event)));
    expect(sums).toEqual(balances);
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

  it.each([1, 2, 3])(
    'every closed bank day has no residual; the debts of processors and suspense equal their open items (%i)',
    async (seed) => {
      const days = new BankDays(seed);
      const { world } = days;
      const seen = new Set<string>();
      const were: { readonly now: string; readonly asOf: number; readonly owed: unknown }[] = [];
      for (let n = 1; n <= DAYS; n += 1) {
        days.day();
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
      for (const what of ['-', 'DIFFERENCE', '-DIFFERENCE']) expect([...seen].filter((each) => each.startsWith(what))).not.toEqual([]);
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
});
