import type { Pool } from 'pg';
import { breakId } from '../../projections/reconciliation/break-id.js';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { addDays, isBankingDay } from '../../src/ledger/days.js';
import { newEvent, systemContext } from '../../src/ledger/streams/new-event.js';
import { timestamp } from '../../src/ledger/time.js';
import { Problem } from '../../src/platform/problem.js';
import type { DayPlan, PersonalNumber } from '../../tools/simulated-files/day.js';
import {
  REFUSED_DEFECTS,
  simulatedFiles,
  type ExpectedBreak,
  type ExpectedRefusal,
  type SimulatedFile,
  type SimulatedFiles,
  type SourceName,
} from '../../tools/simulated-files/files.js';
import type { BankFormat } from '../../tools/simulated-files/terms.js';
import { importStatement, type ImportServices } from '../../src/domain/reconciliation/import-statement.js';
import { identityOf, setSource, settingsOf, type GivenSettings } from '../../src/domain/reconciliation/sources.js';
import type { RefusedStatement } from '../../src/domain/reconciliation/formats/statement-item.js';
import type { PartPeople } from '../../src/domain/reconciliation/statements/statement-people.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { project } from './projected.js';
import { hmacOf, spooled } from './recon.js';
import { DEFECT_DAY, FIRST_DAY, LAST_DAY, midnight, SimulatedTrade } from './simulated-trade.js';

const HOUR = 3_600_000;
/** Files of a day come in on the morning of the next. */
const IMPORTED_AT = 30 * HOUR;
const ACT = {
  operator: { person_id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', key_id: 'key_1' },
  context: { ...systemContext('test'), actor: 'key_1' },
};
const NOBODY = new AbortController().signal;
const SOURCES: Readonly<Record<SourceName, string>> = { processor: 'live-simulator', bank: 'live-simulator-bank' };

/** The final result: names of expected breaks that are missed, of further open breaks, and of expected breaks that are found. */
export interface ReconVerdict {
  readonly missed: readonly string[];
  readonly extra: readonly string[];
  readonly found: readonly string[];
}

/** A break that is open in the end. */
interface OpenBreak {
  readonly id: string;
  readonly source: string;
  readonly kind: string;
  readonly line: { readonly statement_id: string; readonly at: number; readonly line_key: string } | null;
  readonly item: { readonly charge_id: string | null; readonly payout_id: string | null } | null;
  readonly batch: string | null;
  readonly subject: string;
}

/**
 * Trade of seventeen days, the files of each, one day with defects, and reconciliation: import and read models are the service's own, the
 * log is in memory, and the test sets the clocks.
 */
export class ReconWorld {
  private readonly store = new InMemoryEventStore();
  private now = 0;
  private readonly paid = new Map<string, { currency: string; amount: number }>();
  private readonly files = new Map<string, string>();
  private readonly revisions = new Map<string, number>();
  private told = 0;
  /** Names and texts that are stored outside of the log. */
  private readonly people: PartPeople[] = [];
  private readonly verdict = { missed: [] as string[], extra: [] as string[], found: [] as string[] };

  constructor(
    private readonly trade: SimulatedTrade,
    private readonly format: BankFormat = 'camt053',
  ) {}

  /** @param defects planted in the files of one day */
  async run(pool: Pool, defects: readonly number[], seed: number): Promise<ReconVerdict> {
    const refused = defects.filter((defect) => REFUSED_DEFECTS.includes(defect));
    const planted = new Map<string, DayPlan>([[DEFECT_DAY, { defects: defects.filter((defect) => !refused.includes(defect)), seed }]]);
    const expected: ExpectedBreak[] = [];
    const hidden: PersonalNumber[] = [];
    for (let day = FIRST_DAY; day <= LAST_DAY; day = addDays(day, 1)) {
      await this.tell(midnight(day) + IMPORTED_AT);
      const files = this.filesOf(day, planted);
      if (day === FIRST_DAY) await this.setSources(files);
      // The files to be rejected come first, and then the correct ones.
      if (day === DEFECT_DAY)
        for (const defect of refused) await this.importRefused(this.filesOf(day, new Map([...planted, [day, { defects: [defect], seed }]])));
      expected.push(...files.expected.breaks);
      hidden.push(...files.expected.hidden);
      for (const file of files.files) for (let times = isBankingDay(day) ? 2 : 1; times > 0; times -= 1) await this.import(file);
    }
    await project(
      pool,
      recon,
      this.store.all().map((event, at) => ({ ...event, ordinal: at + 1 })),
      1_000,
    );
    this.compare(expected, await this.open(pool));
    this.requireHidden(hidden);
    for (const key of await this.keysOfTwo(pool)) this.verdict.extra.push(`lines that count with the key ${key}`);
    return this.verdict;
  }

  private filesOf(day: string, plans: ReadonlyMap<string, DayPlan>): SimulatedFiles {
    const { deeds, foreign } = this.trade;
    return simulatedFiles({ day, mode: 'live', format: this.format, deeds, foreign, plans });
  }

  /** Appends the trade up to that time to the ledger. */
  private async tell(until: number): Promise<void> {
    const { events } = this.trade;
    for (; this.told < events.length && events[this.told]!.at <= until; this.told += 1) {
      const { at, stream, event } = events[this.told]!;
      const revision = this.revisions.get(stream) ?? -1;
      await this.store.append(stream, revision < 0 ? 'no-stream' : revision, [newEvent(event, { ...ACT.context, now: timestamp(at) })]);
      this.revisions.set(stream, revision + 1);
      if (event.type === 'ChargePaid') this.paid.set(event.data.payment_reference, event.data);
    }
    this.now = until;
  }

  private get services(): ImportServices {
    return {
      ...{ store: this.store, clock: () => this.now, accountHmac: hmacOf },
      people: { put: async (_id, _part, people) => void this.people.push(people) },
      batchesOf: () => () => Promise.resolve(new Set()),
      findPaidAmounts: (currency, references) => {
        const known = references.flatMap((reference) => {
          const paid = this.paid.get(reference);
          return paid?.currency === currency ? [[reference, paid.amount] as const] : [];
        });
        return Promise.resolve(new Map(known));
      },
    };
  }

  private async setSources({ settings }: SimulatedFiles): Promise<void> {
    for (const [source, name] of Object.entries(SOURCES)) {
      const given = { costs: {}, by_amount: false, ...settings[source as SourceName] } as unknown as GivenSettings;
      await setSource(this.services, identityOf('live', name.slice('live-'.length)), settingsOf(given, hmacOf), 'why', ACT);
    }
  }

  private async import({ name, source, text }: SimulatedFile): Promise<void> {
    const order = { source: SOURCES[source], spool: spooled(text), replaces: null, signal: NOBODY };
    const { statement_id } = await importStatement(this.services, order, ACT);
    this.files.set(statement_id, name);
  }

  private async importRefused({ files, expected }: SimulatedFiles): Promise<void> {
    for (const refusal of expected.refusals) {
      const found = await this.import(files.find(({ name }) => name === refusal.file)!).then(
        () => 'accepted',
        (error: unknown) => (error instanceof Problem && error.members ? (error.members as unknown as RefusedStatement) : `${error as Error}`),
      );
      this.judge(refusal, found);
    }
  }

  private judge({ defect, reason, line, expected }: ExpectedRefusal, found: RefusedStatement | string): void {
    const isRight =
      typeof found === 'object' &&
      found.reason === reason &&
      (line === null || found.line === line) &&
      (expected === null || found.expected.includes(expected));
    if (isRight) this.verdict.found.push(`${defect}: refused ${reason}`);
    else this.verdict.missed.push(`${defect}: refused ${reason} ${line}, expected ${expected}, but: ${JSON.stringify(found)}`);
  }

  /** Each number of a person is in the part of the file that is encrypted, and nowhere in the log. */
  private requireHidden(hidden: readonly PersonalNumber[]): void {
    const [log, people] = [JSON.stringify(this.store.all().map(({ data }) => data)), JSON.stringify(this.people)];
    for (const { defect, text } of hidden) {
      if (people.includes(text) && !log.includes(text)) this.verdict.found.push(`${defect}: hidden ${text}`);
      else this.verdict.missed.push(`${defect}: hidden ${text}`);
    }
  }

  /** Keys that more than one line has: each line that counts has its own. */
  private async keysOfTwo(pool: Pool): Promise<string[]> {
    const { rows } = await pool.query<{ line_key: string }>(
      `select l.line_key from recon.lines l join recon.groups g on (g.statement_id, g.name) = (l.statement_id, l.group_name)
        where g.counted_until is null group by l.line_key having count(*) > 1`,
    );
    return rows.map(({ line_key }) => line_key);
  }

  private async open(pool: Pool): Promise<OpenBreak[]> {
    const { rows } = await pool.query<{ b: any; l: any; i: any }>(
      `select to_jsonb(b) as b, to_jsonb(l) as l, to_jsonb(i) as i from recon.breaks b
         left join recon.lines l on l.id = b.line_id left join recon.items i on i.ordinal = b.item where b.resolved_from is null`,
    );
    return rows.map(({ b, l, i }) => ({ ...b, line: l, item: i }));
  }

  private compare(expected: readonly ExpectedBreak[], open: readonly OpenBreak[]): void {
    const left = open.map((each) => ({ each, names: new Set(namesOfFound(each, this.files)) }));
    for (const wanted of expected) {
      const name = nameOfExpected(wanted);
      const at = left.findIndex(({ names, each }) => names.has(name) && each.source === SOURCES[wanted.source] && idIsRight(each));
      if (at < 0) this.verdict.missed.push(`${wanted.defect}: ${name}`);
      else this.verdict.found.push(...left.splice(at, 1).map(() => `${wanted.defect}: ${name}`));
    }
    for (const { names } of left) this.verdict.extra.push([...names].join(' = '));
  }
}

/** Names a break by its line, or else by the missing record. */
function nameOfExpected({ kind, line, charge_id, payout_id, batch, day, item }: ExpectedBreak): string {
  if (day !== null) return `${kind} ${day}`;
  if (line) return `${kind} ${line.file}:${line.line}`;
  return charge_id !== null ? `${kind} charge ${charge_id} ${item}` : payout_id !== null ? `${kind} payout ${payout_id}` : `${kind} batch ${batch}`;
}

function namesOfFound({ kind, line, item, batch, subject }: OpenBreak, files: ReadonlyMap<string, string>): string[] {
  if (line) return [`${kind} ${files.get(line.statement_id)}:${line.at}`];
  if (item?.charge_id) return [`${kind} charge ${item.charge_id} ${(item as { kind?: string }).kind}`];
  if (item?.payout_id) return [`${kind} payout ${item.payout_id}`];
  return batch === null ? [`${kind} ${subject}`] : [`${kind} batch ${batch}`];
}

/** Ids of lines are made of the keys of the lines: the same in every rebuild, and in every file that has the line. */
function idIsRight({ id, source, kind, line }: OpenBreak): boolean {
  return line === null || id === breakId(source, kind, line.line_key);
}
