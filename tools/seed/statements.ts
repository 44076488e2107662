import { Readable } from 'node:stream';
import type { Pool } from 'pg';
import { addDays, daysIn } from '../../src/ledger/days.js';
import type { CommandContext } from '../../src/ledger/streams/new-event.js';
import { Spool } from '../../src/platform/spool/spool.js';
import { NothingToPlantIn } from '../simulated-files/books.js';
import type { DayPlan } from '../simulated-files/day.js';
import { simulatedFiles, type SimulatedFile, type SimulatedFiles, type SourceName } from '../simulated-files/files.js';
import { keepPlan } from '../simulated-files/plans.js';
import { TIME_ZONE } from '../simulated-files/terms.js';
import { readDeeds } from '../../src/rails/simulator/simulator-journal.js';
import { importStatement, type ImportServices } from '../../src/domain/reconciliation/import-statement.js';
import { importServices } from '../../src/domain/reconciliation/reconciliation-services.js';
import { identityOf, setSource, settingsOf, type GivenSettings, type ReconciliationAct } from '../../src/domain/reconciliation/sources.js';
import type { EventStore } from '../../src/platform/event-store/event-store.js';
import type { SeedPeople, SeedOperator } from './people.js';
import { because } from './seeder.js';

/** Names of the sources for which `simulator files` writes. */
export const SOURCES: Readonly<Record<SourceName, string>> = { processor: 'test-simulator', bank: 'test-simulator-bank' };
const MODE = 'test';
const FORMAT = 'camt053';
const FILE_BYTES_MAX = 16 * 1_048_576;
const NEVER = new AbortController().signal;
/**
 * Defects in the files of a day, by the number of days before: a payment that is not remitted, one that is unknown; a different amount, a different
 * fee; a short credit, an unknown one; a payout of a different amount, one that is not presented. When a day has no suitable row, the next one
 * receives it.
 */
const DEFECTS: readonly { readonly ago: number; readonly defects: readonly number[] }[] = [
  { ago: 14, defects: [1] },
  { ago: 12, defects: [7] },
  { ago: 9, defects: [24] },
  { ago: 8, defects: [3] },
  { ago: 7, defects: [9] },
  { ago: 6, defects: [21] },
  { ago: 4, defects: [5] },
];

interface StatementServices {
  readonly store: EventStore;
  readonly pool: Pool;
  readonly secret: Buffer;
}

/** Remittances and statements of the demo's month: files of the simulated processor and bank, imported on the next day. */
export class SeedStatements {
  private now = 0;
  private readonly imports: ImportServices;
  private readonly plans = new Map<string, DayPlan>();
  private waiting: number[] = [];
  private areSet = false;

  constructor(
    private readonly services: StatementServices,
    private readonly operators: SeedPeople,
    /** Time of the seed, milliseconds since the epoch. */
    private readonly until: number,
  ) {
    this.imports = importServices({ ...services, readPool: services.pool, clock: () => this.now });
  }

  /** @param midnight end of the day in Jakarta; `at`: time of the import; both milliseconds since the epoch */
  async import(midnight: number, at: number): Promise<void> {
    this.now = at;
    const deeds = await readDeeds(this.services.pool);
    const day = daysIn(TIME_ZONE)(midnight - 1);
    const paid = new Map(
      deeds.flatMap(({ kind, reference, currency, amount }) => (kind === 'PAYMENT' ? [[`${currency} ${reference}`, amount]] : [])),
    );
    const { files, settings } = await this.filesOf(day, deeds);
    if (!this.areSet) await this.setSources(settings);
    const ofSource = async (name: SourceName): Promise<void> => {
      for (const file of files) if (file.source === name) await this.importFile(file, paid);
    };
    await Promise.all([ofSource('processor'), ofSource('bank')]);
  }

  /** Defects that could not be planted on an earlier day wait for the next. */
  private async filesOf(day: string, deeds: Awaited<ReturnType<typeof readDeeds>>): Promise<SimulatedFiles> {
    const today = daysIn(TIME_ZONE)(this.until);
    const due = DEFECTS.filter(({ ago }) => addDays(today, -ago) === day).flatMap(({ defects }) => defects);
    const wanted = [...this.waiting, ...due];
    this.waiting = [];
    for (const planted = [...wanted]; ;) {
      const plan = { defects: planted, seed: 1 };
      try {
        const files = simulatedFiles({ day, mode: MODE, format: FORMAT, deeds, foreign: [], plans: new Map(this.plans).set(day, plan) });
        this.plans.set(day, plan);
        if (planted.length > 0) await keepPlan(this.services.pool, MODE, day, plan);
        return files;
      } catch (error) {
        if (!(error instanceof NothingToPlantIn) || planted.length === 0) throw error;
        this.waiting.unshift(planted.pop()!);
      }
    }
  }

  private async setSources(settings: SimulatedFiles['settings']): Promise<void> {
    for (const [name, source] of Object.entries(SOURCES) as [SourceName, string][]) {
      const given = { costs: {}, by_amount: false, ...settings[name] } as unknown as GivenSettings;
      const identity = identityOf(MODE, source.slice(`${MODE}-`.length));
      await setSource(
        this.imports,
        identity,
        settingsOf(given, this.imports.accountHmac),
        'as agreed with the simulator',
        actOf(this.operators.controller),
      );
    }
    this.areSet = true;
  }

  private async importFile({ source, text }: SimulatedFile, paid: ReadonlyMap<string, number>): Promise<void> {
    const spool = await Spool.of(Readable.from([Buffer.from(text)]), FILE_BYTES_MAX);
    const services = {
      ...this.imports,
      // The same result as that of the read model: the journal has every reported payment.
      findPaidAmounts: (currency: string, references: readonly string[]) =>
        Promise.resolve(new Map(references.flatMap((reference) => pairOf(reference, paid.get(`${currency} ${reference}`))))),
    };
    try {
      await importStatement(services, { source: SOURCES[source], spool, replaces: null, signal: NEVER }, actOf(this.operators.preparer));
    } finally {
      await spool.close();
    }
  }
}

const pairOf = (reference: string, amount: number | undefined): (readonly [string, number])[] => (amount === undefined ? [] : [[reference, amount]]);

/** Context of an act at the desk of the demo. */
export function actOf({ person_id, key_id }: SeedOperator): ReconciliationAct & { readonly context: Omit<CommandContext, 'now'> } {
  return { operator: { person_id, key_id }, context: because(key_id) };
}
