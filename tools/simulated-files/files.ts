import { isBankingDay } from '../../src/ledger/days.js';
import type { Deed } from '../../src/rails/simulator/deeds.js';
import { NothingToPlantIn, simulatedDays } from './books.js';
import type { BankEntry, BankStatement, DayPlan, Planted, PlantedKind, RemittanceRow, SimulatedDay } from './day.js';
import { Picks } from './picks.js';
import { bankSettings, processorSettings, type BankFormat } from './terms.js';
import { writeCamt053, writeMt940, writeRemittance, type WrittenFile } from './write-files.js';

export interface FilesOptions {
  /** YYYY-MM-DD, in Jakarta. */
  readonly day: string;
  readonly mode: 'live' | 'test';
  readonly format: BankFormat;
  /** Deeds of the mode, in the order in which they were done. */
  readonly deeds: readonly Deed[];
  /** Payments of the other mode. */
  readonly foreign: readonly Deed[];
  /** Plans by day, that of this day included. */
  readonly plans: ReadonlyMap<string, DayPlan>;
}

export type SourceName = 'processor' | 'bank';

export interface SimulatedFile {
  readonly name: string;
  readonly source: SourceName;
  readonly text: string;
}

/** A break that reconciliation must find eventually: for a missing item, as soon as it is overdue. */
export interface ExpectedBreak {
  readonly defect: number;
  readonly kind: PlantedKind;
  readonly source: SourceName;
  /** Its line; null: it is about a missing item. */
  readonly line: { readonly file: string; readonly line: number } | null;
  readonly charge_id: string | null;
  readonly payout_id: string | null;
  readonly batch: string | null;
  /** Kind of the missing or doubtful item, and its reference. */
  readonly item: string | null;
  readonly reference: string | null;
  /** Breaks with the same number belong together. */
  readonly joined: number | null;
}

export interface ExpectedRefusal {
  readonly defect: number;
  readonly file: string;
  readonly reason: 'sum' | 'scale' | 'batch-changed' | 'gap' | 'reissued';
}

export interface SimulatedFiles {
  readonly files: readonly SimulatedFile[];
  readonly settings: Readonly<Record<SourceName, object>>;
  readonly expected: { readonly breaks: readonly ExpectedBreak[]; readonly refusals: readonly ExpectedRefusal[] };
}

/** Defects of files that must be refused; the day's true deeds are unchanged. */
export const REFUSED_DEFECTS: readonly number[] = [15, 16, 17, 18, 19, 20];

const DEFECTS_OF_REMITTANCES = [15, 16, 17];
/** Deviation of a tampered figure, minor units. */
const OFF_BY = 100;
const HUNDREDFOLD = 100;
/** Minimum number of payments, and their share of the rows, from which a wrong factor is recognised. */
const KNOWN_MIN = 3;
const SHARE_MIN = 0.9;
const MONDAY = 1;

/**
 * Returns the files of the simulated processor and bank for a day, and the breaks that reconciliation must find in them.
 * @throws NothingToPlantIn when the day has nothing in which a defect could be planted
 */
export function simulatedFiles(options: FilesOptions): SimulatedFiles {
  const { day, mode, format, deeds, foreign, plans } = options;
  const days = simulatedDays({ deeds, foreign, plans: truthOf(plans) }, day);
  const today = days.at(-1)!;
  const { defects, seed } = plans.get(day) ?? { defects: [], seed: 1 };
  const refused = defects.filter((defect) => REFUSED_DEFECTS.includes(defect));
  const picks = new Picks(seed, day);
  const written = [
    ...remittances(
      days,
      refused.filter((defect) => DEFECTS_OF_REMITTANCES.includes(defect)),
      picks,
    ),
    ...statements(
      days,
      refused.filter((defect) => !DEFECTS_OF_REMITTANCES.includes(defect)),
      format,
    ),
  ];
  return {
    files: written.map(({ name, source, file }) => ({ name, source, text: file.text })),
    settings: { processor: processorSettings(), bank: bankSettings(format) },
    expected: {
      breaks: today.planted.map((planted) => expectedOf(planted, written, mode)),
      refusals: written.flatMap(({ name, refusal }) => (refusal ? [{ file: name, ...refusal }] : [])),
    },
  };
}

/** Removes the defects of refused files, which were corrected. */
function truthOf(plans: ReadonlyMap<string, DayPlan>): ReadonlyMap<string, DayPlan> {
  return new Map(
    [...plans].map(([day, { defects, seed }]) => [day, { seed, defects: defects.filter((defect) => !REFUSED_DEFECTS.includes(defect)) }]),
  );
}

interface Written {
  readonly name: string;
  readonly source: SourceName;
  readonly file: WrittenFile;
  readonly refusal?: Omit<ExpectedRefusal, 'file'>;
}

/** Returns one remittance for each currency with a row. */
function remittances(days: readonly SimulatedDay[], refused: readonly number[], picks: Picks): Written[] {
  const { day, rows } = days.at(-1)!;
  const left = new Map(refused.map((defect) => [defect, true]));
  const written = [...new Set(rows.map(({ currency }) => currency))].sort().map((currency): Written => {
    const ours = rows.filter((row) => row.currency === currency);
    const before = days.at(-2)?.rows.filter((row) => row.currency === currency) ?? [];
    const name = `remittance-${day}-${currency}.csv`;
    const of = { name, source: 'processor' } as const;
    for (const defect of left.keys()) {
      const refusal = refusedRemittance(defect, day, ours, before, picks);
      if (!refusal) continue;
      left.delete(defect);
      return { ...of, ...refusal };
    }
    // A byte order mark, and rows that were sent before: both are harmless.
    const isRepeating = refused.length === 0 && new Date(day).getUTCDay() === MONDAY;
    return { ...of, file: writeRemittance(day, isRepeating ? [...before, ...ours] : ours, { hasBom: Number(day.slice(-2)) % 2 === 1 }) };
  });
  const [defect] = left.keys();
  if (defect !== undefined) throw new NothingToPlantIn(defect, day);
  return written;
}

function refusedRemittance(
  defect: number,
  day: string,
  rows: readonly RemittanceRow[],
  before: readonly RemittanceRow[],
  picks: Picks,
): Pick<Written, 'file' | 'refusal'> | undefined {
  switch (defect) {
    case 15:
      return { file: writeRemittance(day, rows, { totalOff: OFF_BY }), refusal: { defect, reason: 'sum' } };
    case 16: {
      // The factor is recognised by whole payments; partial ones prove nothing.
      const whole = rows.filter(({ kind, deed }) => kind !== 'REFUND' && deed !== null).length;
      if (whole < KNOWN_MIN || whole < SHARE_MIN * rows.length) return undefined;
      return { file: writeRemittance(day, rows, { unit: HUNDREDFOLD }), refusal: { defect, reason: 'scale' } };
    }
    case 17: {
      const row = picks.of(before, 'batch changed');
      if (!row) return undefined;
      const other = before.map((each) => (each === row ? { ...each, gross: each.gross + OFF_BY } : each));
      return { file: writeRemittance(day, [...other, ...rows]), refusal: { defect, reason: 'batch-changed' } };
    }
    default:
      throw new Error(`no remittance is refused for defect ${defect}`);
  }
}

/** Returns one file of all currencies, on a day on which banks work. */
function statements(days: readonly SimulatedDay[], refused: readonly number[], format: BankFormat): Written[] {
  const { day, statements: ours } = days.at(-1)!;
  const [defect] = refused;
  const write = format === 'camt053' ? writeCamt053 : writeMt940;
  if (ours.length === 0) {
    if (defect !== undefined) throw new NothingToPlantIn(defect, day);
    return [];
  }
  const before = days.slice(0, -1).findLast((each) => isBankingDay(each.day))?.statements ?? [];
  const of = { name: `bank-${day}.${format === 'camt053' ? 'xml' : 'sta'}`, source: 'bank' } as const;
  switch (defect) {
    case undefined: {
      // Mondays repeat the statements of Friday.
      const isRepeating = new Date(day).getUTCDay() === MONDAY;
      return [{ ...of, file: write(inOrder(isRepeating ? [...before, ...ours] : ours)) }];
    }
    case 18: {
      if (before.length === 0) throw new NothingToPlantIn(defect, day);
      const later = ours.map((each) => ({ ...each, number: each.number + 1, opening: each.opening + OFF_BY, closing: each.closing + OFF_BY }));
      return [{ ...of, file: write(later), refusal: { defect, reason: 'gap' } }];
    }
    case 19:
      return [{ ...of, file: write(ours, { closingOff: OFF_BY }), refusal: { defect, reason: 'sum' } }];
    case 20: {
      const again = before.find(({ entries }) => entries.length > 0);
      if (!again) throw new NothingToPlantIn(defect, day);
      const others = before.map((each) => (each === again ? { ...each, entries: inTwo(each) } : each));
      return [{ ...of, file: write(inOrder([...others, ...ours])), refusal: { defect, reason: 'reissued' } }];
    }
    default:
      throw new Error(`no statement is refused for defect ${defect}`);
  }
}

/** Groups the statements by currency, one after the other. */
const inOrder = (all: readonly BankStatement[]): BankStatement[] =>
  [...new Set(all.map(({ currency }) => currency))].flatMap((currency) => all.filter((each) => each.currency === currency));

/** The same sum in other lines. */
function inTwo({ entries: [first, ...others] }: BankStatement): BankEntry[] {
  return [{ ...first!, amount: first!.amount - OFF_BY }, { ...first!, amount: OFF_BY }, ...others];
}

function expectedOf({ defect, kind, at, deed, batch, joined }: Planted, written: readonly Written[], mode: 'live' | 'test'): ExpectedBreak {
  const found = at && written.find(({ file }) => file.lines.has(at));
  if (at && !found) throw new Error(`defect ${defect} of a ${mode} file stands in none`);
  const isOfBank = kind.startsWith('PAYOUT_') || kind.startsWith('REMITTANCE_') || kind === 'BANK_UNKNOWN';
  const isPayout = kind.startsWith('PAYOUT_');
  return {
    ...{ defect, kind, source: isOfBank ? 'bank' : 'processor' },
    line: found ? { file: found.name, line: found.file.lines.get(at)! } : null,
    charge_id: deed && !isPayout ? deed.record_id : null,
    payout_id: deed && isPayout ? deed.record_id : null,
    ...{ batch: batch ?? null, item: deed?.kind ?? null, reference: deed?.reference ?? null, joined: joined ?? null },
  };
}
