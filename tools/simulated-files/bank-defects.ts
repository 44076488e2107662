import type { Deed } from '../../src/rails/simulator/deeds.js';
import type { BankEntry, PersonalNumber, Planted } from './day.js';
import type { Picks } from './picks.js';

/** The entries of a banking day while defects are planted in them. */
export interface EntriesInWork {
  readonly entries: BankEntry[];
  /** Deeds of the bank, up to this day. */
  readonly done: readonly Deed[];
  /** Payouts that were returned, then or later. */
  readonly returned: ReadonlySet<string>;
  /** Entries of the first statement of each currency that has two statements at least. */
  readonly first: readonly BankEntry[];
  readonly picks: Picks;
  readonly planted: Planted[];
  readonly personal: PersonalNumber[];
  /** Numbers that statements of a currency have instead of counted ones. */
  readonly numbers: Map<string, string>;
  /** Entries that are in a separate statement, before that of the others. */
  readonly apart: Set<BankEntry>;
}

type Plant = (work: EntriesInWork, defect: number) => boolean;

/** Minor units. */
const SHORT_MIN = 100;
const SHORT_MAX = 900;
const UNKNOWN_MIN = 10_000;
const UNKNOWN_MAX = 900_000;
const UNKNOWN = 'TRANSFER WITHOUT REFERENCE';
const FIRST_NUMBER = '1';
/** Four digits. */
const DIGITS_MIN = 1_000;
const DIGITS_MAX = 9_999;
const NAMES_OF_NUMBERS = ['HP', 'REK', 'NIK'];

const remittances = ({ entries, picks }: EntriesInWork): BankEntry[] =>
  entries.filter((entry) => entry.kind === 'REMITTANCE' && entry.amount > SHORT_MAX && picks.isFree(entry));
const payouts = ({ entries, returned, picks }: EntriesInWork): BankEntry[] =>
  entries.filter((entry) => entry.kind === 'PAYOUT' && !returned.has(entry.deed!.record_id) && picks.isFree(entry));

function replace({ entries, picks }: EntriesInWork, entry: BankEntry, ...by: readonly BankEntry[]): void {
  entries.splice(entries.indexOf(entry), 1, ...by);
  for (const other of by) picks.take(other);
}

const short: Plant = (work, defect) => {
  const entry = work.picks.of(remittances(work), 'short');
  if (!entry) return false;
  const less = { ...entry, amount: entry.amount - work.picks.between(SHORT_MIN, SHORT_MAX, 'less') };
  replace(work, entry, less);
  work.planted.push({ defect, kind: 'REMITTANCE_SHORT', at: less, batch: entry.reference! });
  return true;
};

const notCredited: Plant = (work, defect) => {
  const entry = work.picks.of(remittances(work), 'not credited');
  if (!entry) return false;
  replace(work, entry);
  work.planted.push({ defect, kind: 'REMITTANCE_MISSING', batch: entry.reference! });
  return true;
};

const inOneCredit: Plant = (work, defect) => {
  const all = remittances(work);
  const first = work.picks.of(
    all.filter(({ currency }) => all.filter((other) => other.currency === currency).length > 1),
    'first of two',
  );
  const second = work.picks.of(
    all.filter((entry) => entry !== first && entry.currency === first?.currency),
    'second of two',
  );
  if (!first || !second) return false;
  const both: BankEntry = { ...first, kind: 'OTHER', amount: first.amount + second.amount, reference: null, text: 'SETTLEMENT OF SEVERAL DAYS' };
  replace(work, first, both);
  replace(work, second);
  for (const { reference } of [first, second]) work.planted.push({ defect, kind: 'REMITTANCE_MISSING', batch: reference!, joined: defect });
  work.planted.push({ defect, kind: 'BANK_UNKNOWN', at: both, joined: defect });
  return true;
};

const unknown =
  (sign: 1 | -1): Plant =>
  (work, defect) => {
    const like = work.picks.of(work.entries, `currency ${defect}`);
    if (!like) return false;
    const amount = sign * work.picks.between(UNKNOWN_MIN, UNKNOWN_MAX, `unknown ${defect}`);
    const entry: BankEntry = { kind: 'OTHER', currency: like.currency, amount, reference: null, text: UNKNOWN, deed: null };
    work.entries.push(entry);
    work.picks.take(entry);
    work.planted.push({ defect, kind: 'BANK_UNKNOWN', at: entry });
    return true;
  };

const payout =
  (kind: 'PAYOUT_NOT_PRESENTED' | 'PAYOUT_TWICE' | 'PAYOUT_AMOUNT', by: (entry: BankEntry, work: EntriesInWork) => readonly BankEntry[]): Plant =>
  (work, defect) => {
    const entry = work.picks.of(payouts(work), `payout ${defect}`);
    if (!entry) return false;
    const others = by(entry, work);
    replace(work, entry, ...others);
    const at = others.at(-1);
    work.planted.push({ defect, kind, deed: entry.deed!, ...(at && { at }) });
    return true;
  };

const unordered: Plant = (work, defect) => {
  const deed = work.picks.of(
    work.done.filter(({ kind }) => kind === 'REJECTED'),
    'rejected',
  );
  if (!deed) return false;
  const { currency, amount, reference } = deed;
  const entry: BankEntry = { kind: 'PAYOUT', currency, amount, reference, text: `TRANSFER ${reference}`, deed };
  work.entries.push(entry);
  work.picks.take(entry);
  work.planted.push({ defect, kind: 'PAYOUT_UNORDERED', at: entry, deed });
  return true;
};

/** Whether no other defect affects the payout. */
const isUndisturbed = ({ entries, returned, picks }: EntriesInWork, deed: Deed): boolean =>
  deed.kind === 'PAYOUT' && !returned.has(deed.record_id) && entries.every((entry) => entry.deed !== deed || picks.isFree(entry));

const unannounced: Plant = (work, defect) => {
  const { done, picks, entries, planted } = work;
  const deed = picks.of(
    done.filter((each) => isUndisturbed(work, each)),
    'to be returned',
  );
  if (!deed) return false;
  const { currency, amount, reference } = deed;
  const entry: BankEntry = { kind: 'RETURN', currency, amount: -amount, reference, text: `RETURN ${reference}`, deed };
  entries.push(entry);
  picks.take(entry);
  planted.push({ defect, kind: 'PAYOUT_RETURNED', at: entry, deed });
  return true;
};

/** The numbers begin anew, and the statement has a line of the first one once more. */
const numberedAnew: Plant = (work, defect) => {
  const { first, numbers, entries, picks, planted } = work;
  const before = picks.of(
    first.filter(({ deed, currency }) => deed !== null && isUndisturbed(work, deed) && !numbers.has(currency)),
    'of the first statement',
  );
  if (!before) return false;
  const again = { ...before };
  numbers.set(before.currency, FIRST_NUMBER);
  entries.push(again);
  picks.take(again);
  planted.push({ defect, kind: 'PAYOUT_TWICE', at: again, deed: before.deed! });
  return true;
};

/** Two statements of the day without a number, and an unknown credit in each that is equal to the other. */
const unnumbered: Plant = (work, defect) => {
  const { numbers, apart, entries, picks, planted } = work;
  const like = picks.of(
    entries.filter(({ currency }) => !numbers.has(currency)),
    'unnumbered',
  );
  if (!like) return false;
  const { currency } = like;
  const amount = picks.between(UNKNOWN_MIN, UNKNOWN_MAX, 'unnumbered');
  const first: BankEntry = { kind: 'OTHER', currency, amount, reference: null, text: UNKNOWN, deed: null };
  const second = { ...first };
  numbers.set(currency, '0');
  apart.add(first);
  for (const entry of [first, second]) {
    entries.push(entry);
    picks.take(entry);
    planted.push({ defect, kind: 'BANK_UNKNOWN', at: entry });
  }
  return true;
};

/** The number of a telephone, an account or an identity card of a person, in the text of a line. */
const personalNumber: Plant = (work, defect) => {
  const { entries, picks, personal } = work;
  const entry = picks.of(entries, 'personal number');
  if (!entry) return false;
  const [middle, last] = ['middle', 'last'].map((part) => picks.between(DIGITS_MIN, DIGITS_MAX, `${part} digits`));
  const text = `0812-${middle}-${last}`;
  replace(work, entry, { ...entry, text: `${entry.text} ${picks.of(NAMES_OF_NUMBERS, 'name of the number')}-${text}` });
  personal.push({ defect, text });
  return true;
};

export const BANK_DEFECTS: Readonly<Record<number, Plant>> = {
  21: short,
  22: notCredited,
  23: inOneCredit,
  24: unknown(1),
  25: unknown(-1),
  26: payout('PAYOUT_NOT_PRESENTED', () => []),
  27: payout('PAYOUT_TWICE', (entry) => [entry, { ...entry }]),
  28: payout('PAYOUT_AMOUNT', (entry, { picks }) => [{ ...entry, amount: entry.amount - picks.between(SHORT_MIN, SHORT_MAX, 'more') }]),
  29: unordered,
  30: unannounced,
  37: numberedAnew,
  38: unnumbered,
  44: personalNumber,
};
