import { addDays, daysIn, isBankingDay } from '../../src/ledger/days.js';
import { HOUR_MS, milliseconds } from '../../src/ledger/time.js';
import type { Deed, DeedKind } from '../../src/rails/simulator/deeds.js';
import { BANK_DEFECTS, type EntriesInWork } from './bank-defects.js';
import {
  netOf,
  type BankEntry,
  type BankStatement,
  type DayPlan,
  type PersonalNumber,
  type Planted,
  type RemittanceRow,
  type SimulatedDay,
} from './day.js';
import { Picks } from './picks.js';
import { ROW_DEFECTS } from './row-defects.js';
import { costOf, TIME_ZONE } from './terms.js';

/** A day has nothing in which a defect could be planted. */
export class NothingToPlantIn extends Error {
  override readonly name = 'NothingToPlantIn';

  constructor(defect: number, day: string) {
    super(`${day} has nothing that defect ${defect} could be planted in`);
  }
}

export interface BooksOptions {
  /** Deeds for merchants of the files' mode, in the order in which they were done. */
  readonly deeds: readonly Deed[];
  /** Payments of the other mode. */
  readonly foreign: readonly Deed[];
  /** Plans by day. */
  readonly plans: ReadonlyMap<string, DayPlan>;
}

/** Payments before and after noon are in two batches. */
const HOUR_OF_CUT = 12;
/** Offset of Jakarta. */
const UTC_OFFSET_HOURS = 7;
/** Maximum earlier rows from which a payment is remitted again. */
const EARLIER_ROWS_MAX = 500;
/** The bank's charge per account on Fridays, minor units. */
const ACCOUNT_CHARGE = 1_000;
const FRIDAY = 5;

const dayAt = daysIn(TIME_ZONE);
const dayOfDeed = ({ done_on }: Deed): string => dayAt(milliseconds(done_on));
const halfOf = ({ done_on }: Deed): number => {
  const hour = (Math.floor(milliseconds(done_on) / HOUR_MS) + UTC_OFFSET_HOURS) % 24;
  return hour < HOUR_OF_CUT ? 1 : 2;
};
const OF_BANK: ReadonlySet<DeedKind> = new Set<DeedKind>(['PAYOUT', 'REJECTED', 'RETURN']);

/**
 * The reports of the simulated processor and bank, day by day. The processor reports its deeds of the previous day, in two batches per currency. The
 * bank reports, from Monday to Friday, the batches of that day and of the rest days before it, and its payouts and returns. Planted defects of a day
 * are kept: later balances include them. The same deeds and plans always yield the same reports.
 */
export function simulatedDays({ deeds, foreign, plans }: BooksOptions, until: string): readonly SimulatedDay[] {
  const byDay = grouped(deeds, dayOfDeed);
  const [first = until] = [...byDay.keys(), until].sort();
  const books = new Books(deeds, foreign);
  const days: SimulatedDay[] = [];
  for (let day = first; day <= until; day = addDays(day, 1)) {
    const ofProcessor = (byDay.get(addDays(day, -1)) ?? []).filter(({ kind }) => !OF_BANK.has(kind));
    const ofBank = (byDay.get(day) ?? []).filter(({ kind }) => OF_BANK.has(kind));
    days.push(books.day(day, ofProcessor, ofBank, plans.get(day) ?? { defects: [], seed: 1 }));
  }
  return days;
}

class Books {
  private readonly returned: ReadonlySet<string>;
  private readonly accounts = new Map<string, { balance: number; statements: number; first: readonly BankEntry[] }>();
  private earlier: RemittanceRow[] = [];
  private late: RemittanceRow[] = [];
  private waiting: BankEntry[] = [];
  private done: Deed[] = [];

  constructor(
    deeds: readonly Deed[],
    private readonly foreign: readonly Deed[],
  ) {
    this.returned = new Set(deeds.filter(({ kind }) => kind === 'RETURN').map(({ record_id }) => record_id));
  }

  day(day: string, ofProcessor: readonly Deed[], ofBank: readonly Deed[], { defects, seed }: DayPlan): SimulatedDay {
    const picks = new Picks(seed, day);
    const planted: Planted[] = [];
    const personal: PersonalNumber[] = [];
    const rows = [...ofProcessor.map((deed) => rowOf(day, deed)), ...this.late];
    const late: RemittanceRow[] = [];
    const { earlier, foreign } = this;
    const batchOf = (currency: string): string => rows.find((row) => row.currency === currency)?.batch ?? batchName(day, currency, 1);
    for (const defect of defects) {
      const work = { day, rows, earlier, foreign, batchOf, late, picks, planted };
      // After a file that is not sent, there is none in which another defect could be planted.
      if (ROW_DEFECTS[defect] && (late.length > 0 || !ROW_DEFECTS[defect](work, defect))) throw new NothingToPlantIn(defect, day);
    }
    this.late = late;
    this.earlier = [...earlier, ...rows].slice(-EARLIER_ROWS_MAX);
    this.waiting.push(...creditsOf(rows), ...ofBank.flatMap(entryOf));
    this.done.push(...ofBank);
    const found = { picks, planted, personal };
    return { day, rows, planted, personal, statements: isBankingDay(day) ? this.bankingDay(day, defects, found) : refuseOnRest(day, defects) };
  }

  private bankingDay(day: string, defects: readonly number[], found: Pick<EntriesInWork, 'picks' | 'planted' | 'personal'>): BankStatement[] {
    const entries = this.waiting;
    this.waiting = [];
    for (const currency of this.accounts.keys()) if (new Date(day).getUTCDay() === FRIDAY) entries.push(chargeOf(currency));
    const { done, returned } = this;
    const numbers = new Map<string, string>();
    const apart = new Set<BankEntry>();
    const first = [...this.accounts.values()].flatMap((account) => (account.statements > 1 ? account.first : []));
    for (const defect of defects) {
      const work = { entries, done, returned, first, numbers, apart, ...found };
      if (BANK_DEFECTS[defect] && !BANK_DEFECTS[defect](work, defect)) throw new NothingToPlantIn(defect, day);
    }
    for (const { currency } of entries) if (!this.accounts.has(currency)) this.accounts.set(currency, { balance: 0, statements: 0, first: [] });
    return [...this.accounts].flatMap(([currency, account]) => {
      const ours = entries.filter((entry) => entry.currency === currency);
      account.statements += 1;
      if (account.statements === 1) account.first = ours.map((entry) => ({ ...entry, booked: day }));
      const number = numbers.get(currency) ?? `${account.statements}`;
      const [before, others] = [true, false].map((isApart) => ours.filter((entry) => apart.has(entry) === isApart));
      return [...(before!.length > 0 ? [before!] : []), others!].map((part) => {
        const opening = account.balance;
        account.balance = part.reduce((sum, { amount }) => sum + amount, opening);
        return { number, currency, day, opening, entries: part, closing: account.balance };
      });
    });
  }
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function refuseOnRest(day: string, defects: readonly number[]): [] {
  const defect = defects.find((each) => BANK_DEFECTS[each]);
  if (defect !== undefined) throw new NothingToPlantIn(defect, day);
  return [];
}

const batchName = (day: string, currency: string, half: number): string => `SIM-${day.replaceAll('-', '')}-${currency}-${half}`;

function rowOf(day: string, deed: Deed): RemittanceRow {
  const { kind, reference, channel_code, currency, amount: gross } = deed;
  const cost = kind === 'PAYMENT' ? costOf(channel_code!, gross) : { fee: 0, tax: 0 };
  return { batch: batchName(day, currency, halfOf(deed)), kind: kind as RemittanceRow['kind'], reference, gross, ...cost, currency, deed };
}

/** Returns one credit for each batch whose net amount is not zero. */
function creditsOf(rows: readonly RemittanceRow[]): BankEntry[] {
  return [...grouped(rows, ({ batch }) => batch)].flatMap(([batch, ofBatch]) => {
    const amount = ofBatch.reduce((sum, row) => sum + netOf(row), 0);
    const { currency } = ofBatch[0]!;
    return amount === 0 ? [] : [{ kind: 'REMITTANCE', currency, amount, reference: batch, text: `SETTLEMENT ${batch}`, deed: null } as const];
  });
}

function entryOf(deed: Deed): BankEntry[] {
  const { kind, currency, amount, reference } = deed;
  if (kind === 'PAYOUT') return [{ kind, currency, amount, reference, text: `TRANSFER ${reference}`, deed }];
  return kind === 'RETURN' ? [{ kind, currency, amount, reference, text: `RETURN ${reference}`, deed }] : [];
}

const chargeOf = (currency: string): BankEntry => ({
  ...{ kind: 'CHARGE', currency, amount: -ACCOUNT_CHARGE, reference: null, text: 'ACCOUNT CHARGE', deed: null },
});
