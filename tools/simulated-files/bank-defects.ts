import type { Deed } from '../../src/rails/simulator/deeds.js';
import type { BankEntry, Planted } from './day.js';
import type { Picks } from './picks.js';

/** The entries of a banking day while defects are planted in them. */
export interface EntriesInWork {
  readonly entries: BankEntry[];
  /** Deeds of the bank, up to this day. */
  readonly done: readonly Deed[];
  /** Payouts that were returned, then or later. */
  readonly returned: ReadonlySet<string>;
  readonly picks: Picks;
  readonly planted: Planted[];
}

type Plant = (work: EntriesInWork, defect: number) => boolean;

/** Minor units. */
const SHORT_MIN = 100;
const SHORT_MAX = 900;
const UNKNOWN_MIN = 10_000;
const UNKNOWN_MAX = 900_000;
const UNKNOWN = 'TRANSFER WITHOUT REFERENCE';

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

const unannounced: Plant = (work, defect) => {
  const { done, returned, picks, entries, planted } = work;
  const isUndisturbed = (deed: Deed): boolean => entries.every((entry) => entry.deed !== deed || picks.isFree(entry));
  const deed = picks.of(
    done.filter((each) => each.kind === 'PAYOUT' && !returned.has(each.record_id) && isUndisturbed(each)),
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
};
