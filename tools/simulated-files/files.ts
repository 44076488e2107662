import { isBankingDay } from '../../src/ledger/days.js';
import type { Deed } from '../../src/rails/simulator/deeds.js';
import { NothingToPlantIn, simulatedDays } from './books.js';
import type { DayPlan, PersonalNumber, Planted, PlantedKind, SimulatedDay } from './day.js';
import { Picks } from './picks.js';
import { REFUSED_REMITTANCES, REFUSED_STATEMENTS, writeStatements, type RefusedFile } from './refused-files.js';
import { bankSettings, processorSettings, type BankFormat } from './terms.js';
import { writeRemittance, type WrittenFile } from './write-files.js';

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
  /** Day of the missing file. */
  readonly day: string | null;
  /** Kind of the missing or doubtful item, and its reference. */
  readonly item: string | null;
  readonly reference: string | null;
  /** Breaks with the same number belong together. */
  readonly joined: number | null;
}

export interface ExpectedRefusal {
  readonly defect: number;
  readonly file: string;
  readonly reason: RefusedFile['reason'];
  /** The line that the refusal must name; null: any. */
  readonly line: number | null;
  /** A part of the content that it must expect; null: any. */
  readonly expected: string | null;
}

export interface SimulatedFiles {
  readonly files: readonly SimulatedFile[];
  readonly settings: Readonly<Record<SourceName, object>>;
  readonly expected: {
    readonly breaks: readonly ExpectedBreak[];
    readonly refusals: readonly ExpectedRefusal[];
    /** Numbers of persons in free texts: they must not be in the log. */
    readonly hidden: readonly PersonalNumber[];
  };
}

/** Defects of files that must be refused; the day's true deeds are unchanged. */
export const REFUSED_DEFECTS: readonly number[] = [REFUSED_REMITTANCES, REFUSED_STATEMENTS].flatMap((defects) => Object.keys(defects).map(Number));

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
      refused.filter((defect) => REFUSED_REMITTANCES[defect]),
      picks,
    ),
    ...statements(
      days,
      refused.find((defect) => REFUSED_STATEMENTS[defect]),
      format,
      picks,
    ),
  ];
  return {
    files: written.map(({ name, source, file }) => ({ name, source, text: file.text })),
    settings: { processor: processorSettings(), bank: bankSettings(format) },
    expected: {
      breaks: today.planted.map((planted) => expectedOf(planted, written, mode)),
      refusals: written.flatMap(({ refusal }) => refusal ?? []),
      hidden: today.personal,
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
  readonly refusal?: ExpectedRefusal;
}

function asRefused(of: Pick<Written, 'name' | 'source'>, defect: number, refused: RefusedFile): Written {
  const { file, reason, of: named, expected = null } = refused;
  return { ...of, file, refusal: { defect, file: of.name, reason, line: named ? file.lines.get(named)! : null, expected } };
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
      const file = REFUSED_REMITTANCES[defect]!({ day, rows: ours, before, picks });
      if (!file) continue;
      left.delete(defect);
      return asRefused(of, defect, file);
    }
    // A byte order mark, and rows that were sent before: both are harmless.
    const isRepeating = refused.length === 0 && new Date(day).getUTCDay() === MONDAY;
    return { ...of, file: writeRemittance(day, isRepeating ? [...before, ...ours] : ours, { hasBom: Number(day.slice(-2)) % 2 === 1 }) };
  });
  const [defect] = left.keys();
  if (defect !== undefined) throw new NothingToPlantIn(defect, day);
  return written;
}

/** Returns one file of all currencies, on a day on which banks work. */
function statements(days: readonly SimulatedDay[], refused: number | undefined, format: BankFormat, picks: Picks): Written[] {
  const { day, statements: ours } = days.at(-1)!;
  const before = days.slice(0, -1).findLast((each) => isBankingDay(each.day))?.statements ?? [];
  const of = { name: `bank-${day}.${format === 'camt053' ? 'xml' : 'sta'}`, source: 'bank' } as const;
  if (refused !== undefined) {
    const file = ours.length > 0 && REFUSED_STATEMENTS[refused]!({ ours, before, format, picks });
    if (!file) throw new NothingToPlantIn(refused, day);
    return [asRefused(of, refused, file)];
  }
  if (ours.length === 0) return [];
  // Mondays repeat the statements of Friday.
  const isRepeating = new Date(day).getUTCDay() === MONDAY;
  return [{ ...of, file: writeStatements(format, isRepeating ? [...before, ...ours] : ours) }];
}

function expectedOf({ defect, kind, at, deed, batch, day, joined }: Planted, written: readonly Written[], mode: 'live' | 'test'): ExpectedBreak {
  const found = at && written.find(({ file }) => file.lines.has(at));
  if (at && !found) throw new Error(`defect ${defect} of a ${mode} file stands in none`);
  const isOfBank = kind.startsWith('PAYOUT_') || kind.startsWith('REMITTANCE_') || kind === 'BANK_UNKNOWN';
  const isPayout = kind.startsWith('PAYOUT_');
  return {
    ...{ defect, kind, source: isOfBank ? 'bank' : 'processor' },
    line: found ? { file: found.name, line: found.file.lines.get(at)! } : null,
    charge_id: deed && !isPayout ? deed.record_id : null,
    payout_id: deed && isPayout ? deed.record_id : null,
    ...{ batch: batch ?? null, day: day ?? null, item: deed?.kind ?? null, reference: deed?.reference ?? null, joined: joined ?? null },
  };
}
