import type { Pool } from 'pg';
import { breakId } from '../../projections/reconciliation/break-id.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { BANK } from './recon.js';
import { randomNumbers } from './random-numbers.js';
import { Remittances, type Booked, type Remitted } from './remittances.js';

/** A break of an amount, and by how much its line has more. */
export interface Differing {
  readonly id: string;
  readonly source: string;
  readonly line_key: string;
  readonly event_id: string | null;
  readonly batch: string | null;
  readonly amount: number;
}

/** Trade, files, banks and persons, right and wrong, day by day. */
export class BankDays {
  readonly world = new Remittances();
  protected readonly random: () => number;
  protected readonly paid: { n: number; amount: number; event_id: string; is_reversed: boolean }[] = [];
  readonly #payouts: { reference: string; amount: number; state: 'SUBMITTED' | 'SUCCEEDED' | 'FAILED' | 'RETURNED' }[] = [];
  /** Credits, debits and files that are on their way. */
  #waiting: Booked[] = [];
  /** Names of batches that the bank may pay before their files arrive, and their files' lines. */
  readonly #announced: { batch: string; lines: Remitted[] }[] = [];
  readonly #files: { id: string; batch: string; lines: Remitted[] }[] = [];
  readonly #matched: { key: string; isOn: boolean; item: string }[] = [];

  /** @param banks their sources, which all have the one processor's batches and the payouts */
  constructor(
    seed: number,
    readonly banks: readonly string[] = ['live-bca'],
  ) {
    const below = randomNumbers(seed);
    this.random = () => below(1_000_000) / 1_000_000;
    for (const bank of banks) this.world.set(bank, BANK);
  }

  protected upTo(n: number): number {
    return Math.floor(this.random() * n);
  }

  protected one<Each>(all: readonly Each[]): Each | undefined {
    return all[this.upTo(all.length)];
  }

  /** Steps of one day, and then the statement of each bank. @param between called after each step */
  async day(between: () => Promise<void> = async () => undefined): Promise<void> {
    for (let left = 12; left > 0; left -= 1) {
      this.one(this.steps())!();
      await between();
    }
    for (const source of this.banks) {
      const lines = this.#waiting.filter(() => this.random() < 0.8 / this.banks.length);
      this.#waiting = this.#waiting.filter((line) => !lines.includes(line));
      this.world.book(lines, { source });
      await between();
    }
  }

  protected steps(): readonly (() => void)[] {
    const amount = 100 + this.upTo(900);
    return [
      () => this.#pay(amount),
      () => this.#pay(amount),
      () => this.#remit(),
      () => this.#remit(),
      () => this.#remitLate(),
      () => this.#pay2(amount),
      () => this.#payout(amount),
      () => this.#payoutGoes(),
      () => this.#bank(amount),
      () => this.#reverse(),
      () => this.#operator(),
      () => this.#again(),
    ];
  }

  #pay(amount: number) {
    const payment = { ...this.world.pay(amount), amount, is_reversed: false };
    this.paid.push(payment);
    return payment;
  }

  #pay2(amount: number): void {
    const charge = this.one(this.paid);
    if (charge) this.world.payAgain(charge.n, amount, `second ${amount} ${this.world.log.events.length}`);
  }

  #reverse(): void {
    const charge = this.one(this.paid.filter(({ is_reversed }) => !is_reversed));
    if (!charge) return;
    charge.is_reversed = true;
    this.world.reverse(charge.n, charge.amount);
  }

  #remit(): void {
    const lines = Array.from({ length: 1 + this.upTo(4) }, (): Remitted => {
      const charge = this.one(this.paid);
      const fee = this.upTo(9);
      if (!charge || this.random() < 0.2)
        return { reference: 'nobody', amount: 50 + this.upTo(50), fee, kind: this.random() < 0.3 ? 'CHARGE' : 'PAYMENT' };
      return { reference: `R${charge.n}`, amount: charge.amount + (this.random() < 0.2 ? 1 : 0), fee, tax: this.upTo(2) };
    });
    const batch = `B-${this.#files.length + this.#announced.length}`;
    const net = lines.reduce((sum, { amount, fee = 0, tax = 0 }) => sum + amount - fee - tax, 0);
    this.#waiting.push({ reference: batch, amount: net - (this.random() < 0.3 ? 1 : 0) });
    if (this.random() < 0.4) this.#announced.push({ batch, lines });
    else this.#files.push({ id: this.world.remit(lines, { batch }), batch, lines });
  }

  /** A file comes after the bank's credit for its batch. */
  #remitLate(): void {
    const [late] = this.#announced.splice(this.upTo(this.#announced.length), 1);
    if (late) this.#files.push({ id: this.world.remit(late.lines, { batch: late.batch }), ...late });
  }

  /** The processor has issued a batch again, with another fee and the same net. */
  #again(): void {
    const file = this.one(this.#files);
    if (!file) return;
    file.lines = file.lines.map((line) => ({ ...line, amount: line.amount + 1, fee: (line.fee ?? 0) + 1 }));
    file.id = this.world.remit(file.lines, { batch: file.batch, replaces: file.id });
  }

  #payout(amount: number): void {
    const reference = this.world.payout(amount);
    this.#payouts.push({ reference, amount, state: 'SUBMITTED' });
    this.#waiting.push({ reference, amount: -amount + (this.random() < 0.4 ? 1 : 0) });
  }

  #payoutGoes(): void {
    const n = this.upTo(this.#payouts.length);
    const payout = this.#payouts[n];
    if (!payout) return;
    if (payout.state === 'SUCCEEDED') {
      this.world.payoutGoes('PayoutReturned', n);
      payout.state = 'RETURNED';
      this.#waiting.push({ reference: payout.reference, amount: payout.amount });
    }
    if (payout.state !== 'SUBMITTED') return;
    payout.state = this.random() < 0.7 ? 'SUCCEEDED' : 'FAILED';
    this.world.payoutGoes(payout.state === 'SUCCEEDED' ? 'PayoutSucceeded' : 'PayoutFailed', n);
  }

  #bank(amount: number): void {
    this.#waiting.push(this.random() < 0.5 ? { amount: -7, kind: 'CHARGE' } : { amount: this.random() < 0.5 ? amount : -amount });
  }

  /** An operator matches an unidentified line with a payment of its amount, or removes such a match. */
  #operator(): void {
    const before = this.one(this.#matched);
    if (before && this.random() < 0.5) {
      const acts = this.world.acts(breakId('live-sim', 'PROCESSOR_ONLY', before.key));
      if (before.isOn) acts.unmatch();
      else acts.match(before.key, [before.item]);
      before.isOn = !before.isOn;
      return;
    }
    const file = this.one(this.#files);
    const at = file?.lines.findIndex(({ reference, kind = 'PAYMENT' }) => reference === 'nobody' && kind === 'PAYMENT') ?? -1;
    if (!file || at < 0) return;
    const { event_id } = this.#pay(file.lines[at]!.amount);
    const key = `${file.batch} ${at}`;
    this.world.acts(breakId('live-sim', 'PROCESSOR_ONLY', key)).match(key, [event_id]);
    this.#matched.push({ key, isOn: true, item: event_id });
  }
}

/** Returns the sum of the items that had been added to suspense and were not resolved, after each event of a log that `ledger` has applied. */
export async function openItemsAfterEach(pool: Pool, events: readonly OrdinalEvent[]): Promise<bigint[]> {
  const { rows } = await pool.query<{ ordinal: bigint; resolved_from: bigint | null; amount: bigint }>(
    'select ordinal, resolved_from, amount from ledger.suspense_items',
  );
  return events.map(({ ordinal: at }) =>
    rows
      .filter(({ ordinal, resolved_from }) => ordinal <= at && (resolved_from === null || resolved_from > at))
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n),
  );
}
