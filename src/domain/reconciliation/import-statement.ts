import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import { sourceStream, type ReconSourceSet, type StatementAccepted, type StatementReceived } from '../../ledger/events/reconciliation.events.js';
import { addDays, daysIn } from '../../ledger/days.js';
import { foldStream } from '../../ledger/streams/fold-stream.js';
import { derivedId } from '../../ledger/ids/idempotency.js';
import { later, timestamp, type Timestamp } from '../../ledger/time.js';
import type { Position } from '../../platform/event-store/event-store.js';
import { LedgerProblem } from '../../ledger/problems.js';
import type { Spool } from '../../platform/spool/spool.js';
import { SpooledRecords } from '../../platform/spool/spooled-records.js';
import { AmountScale, type FindPaidAmounts } from './statements/amount-scale.js';
import { numbersOf, type CheckedLine, type FileSummary } from './statements/checked-statement.js';
import { StatementRefused, type RefusedStatement } from './formats/statement-item.js';
import { isDecided, refusalOf, source, type AcceptFile, type SourceState } from './source.decider.js';
import { PROBLEM_OF_REFUSAL, type ReconciliationAct, type ReconciliationDeps } from './sources.js';
import { withKnownBatches, type FindBatches } from './statements/known-batches.js';
import { checkedLines, type StatementReading } from './statements/statement-file.js';
import { partsOf } from './statements/statement-parts.js';
import type { StatementPeople } from './statements/statement-people.js';
import { ReadOtherwise, StatementStream } from './statement-stream.js';

export interface ImportServices extends ReconciliationDeps {
  readonly people: Pick<StatementPeople, 'put'>;
  readonly accountHmac: (account: string) => string;
  readonly findPaidAmounts: FindPaidAmounts;
  /** Names of batches of a mode's processors, as of its first call. */
  readonly batchesOf: (mode: 'live' | 'test') => FindBatches;
}

export interface StatementImport {
  /** `<mode>-<name>`. */
  readonly source: string;
  readonly spool: Pick<Spool, 'read' | 'sha256' | 'size'>;
  /** Batch of all of its lines; required if the source's profile has `batch: given`, and refused otherwise. */
  readonly batch?: string | undefined;
  /** The file that it replaces, and the reason. */
  readonly replaces: AcceptFile['replaces'];
  /** Aborts when the client no longer waits for the response. */
  readonly signal: AbortSignal;
}

export interface ImportedStatement {
  readonly statement_id: string;
  /** A read after this response must include this position. */
  readonly position: Position;
  /** True when the same file was decided before. */
  readonly replayed: boolean;
}

/** The same bytes of a source are the same file, for ever. */
export const statementId = (source: string, sha256: string): string => derivedId(source, sha256);

/**
 * Accepts a file as a whole or not at all. First reads all of it, and checks it against itself, the recorded payments and the previous statements;
 * until then nothing is recorded, and its lines wait on the disk. Then they become events of the file's stream, part by part in order; they count
 * once the source's stream has accepted them. A repeat of the same file resumes where the last attempt ended, however it ended, and two at once share
 * the work.
 * @throws Problem statement-refused, state-conflict, not-found; StoreUnavailable, OutcomeUnknown; the signal's reason
 */
export async function importStatement(services: ImportServices, order: StatementImport, act: ReconciliationAct): Promise<ImportedStatement> {
  const { store, clock } = services;
  const { source: id, spool, batch, replaces, signal } = order;
  const began = timestamp(clock());
  const { state, newest } = await foldStream(store, sourceStream(id), source);
  if (state.settings.length === 0 || newest === null) throw new LedgerProblem('not-found', `There is no source ${id}.`);
  const statement_id = statementId(id, spool.sha256);
  const stream = new StatementStream(services, { statement_id, source: id, sha256: spool.sha256 }, act);
  const begun = await stream.load();
  const version = begun?.settings ?? state.settings.length;
  const settings = state.settings[version - 1]!;
  requireBatch(settings, batch, begun);
  if (isDecided(state, statement_id)) return { statement_id, position: newest.position, replayed: true };

  // The clock of the process that accepted the last file may be ahead of this one.
  const readOn = begun?.received_on ?? state.files.map(({ accepted_on }) => accepted_on).reduce(later, began);
  const known = knownFiles(state, readOn);
  const taken = takenNumbers(state, known, replaces);
  const reading: StatementReading = {
    settings,
    accountHmac: services.accountHmac,
    clock,
    batch,
    taken,
    from: earliestDay(state, settings.time_zone, replaces, clock()),
  };
  const parts = await SpooledRecords.open();
  try {
    const summary = await check(services, order, reading, parts).catch(asProblem);
    const { person_id, key_id } = act.operator;
    const file = { statement_id, source: id, account_hmac: settings.account_hmac, summary, known: new Set(known.map(({ statement_id: of }) => of)) };
    const command = (now: Timestamp): AcceptFile => ({ kind: 'accept', file, replaces, person_id, key_id, now });
    // A file that the present state refuses is not recorded first.
    const expected = refusedBy(state, command(timestamp(clock())));
    if (expected) throw expected;
    const about = { size: spool.size, lines: summary.lines, settings: version, received_on: readOn };
    await stream.receive(batch === undefined ? about : { ...about, batch }).catch(asProblem);
    await stream.write(parts.read(), summary, signal).catch(asProblem);
    const outcome = await decideOnStream(store, clock, sourceStream(id), source, command, { ...act.context, dependsOn: [stream.place] });
    if ('refusal' in outcome) throw refusedBy(outcome.state, command(timestamp(clock())))!;
    return { statement_id, position: outcome.position, replayed: outcome.events.length === 0 };
  } finally {
    await parts.close();
  }
}

/**
 * The same bytes are the same file, so a file keeps the batch with which it was received first.
 * @throws Problem validation-failed when the profile needs a batch and none is given, or the other way round; state-conflict for another batch
 */
function requireBatch({ source: id, profile }: ReconSourceSet, batch: string | undefined, begun: StatementReceived | undefined): void {
  if (profile?.batch === 'given' && batch === undefined)
    throw new LedgerProblem('validation-failed', `Files of ${id} name no batch: give the batch together with the file.`);
  if (profile?.batch !== 'given' && batch !== undefined)
    throw new LedgerProblem('validation-failed', `Files of ${id} determine their batches: no batch is given with them.`);
  if (begun && begun.batch !== batch) throw new LedgerProblem('state-conflict', `The file was imported as batch ${begun.batch}, and keeps it.`);
}

/** Returns the files that were accepted by that moment, also if they have been replaced since: each attempt to resume a file must read it alike. */
const knownFiles = ({ files, replaced }: SourceState, readOn: Timestamp): StatementAccepted[] =>
  [...files, ...replaced].filter(({ accepted_on }) => accepted_on <= readOn);

/**
 * Returns the numbers of statements that keep a later one from having short keys. A file that replaces another one has the keys of that one, so only
 * files before it, and numbers that it does not have, count.
 */
function takenNumbers({ files }: SourceState, known: readonly StatementAccepted[], replaces: AcceptFile['replaces']): ReadonlySet<string> {
  const place = files.findIndex(({ statement_id }) => statement_id === replaces?.statement_id);
  const own = new Set(files[place]?.statements.flatMap(numbersOf));
  const before = place < 0 ? known : files.slice(0, place);
  const numbers = known.flatMap(({ statements }) => statements.flatMap(numbersOf)).filter((number) => !own.has(number));
  return new Set([...numbers, ...before.flatMap(({ statements }) => statements.flatMap(numbersOf))]);
}

/** A year, and a day for its 29 February. */
const DAYS_BACK = 366;

/** Returns the day a year before the source's last other file; before the first one, a year ago. */
function earliestDay({ files }: SourceState, timeZone: string, replaces: AcceptFile['replaces'], now: number): string {
  const others = files.filter(({ statement_id }) => statement_id !== replaces?.statement_id);
  const days = others.flatMap(({ statements, batches }) => [
    ...statements.map(({ closes_on }) => closes_on),
    ...batches.map(({ booked_on }) => booked_on),
  ]);
  return addDays(days.sort().at(-1) ?? daysIn(timeZone)(now), -DAYS_BACK);
}

/** Returns the refusal of a file by the source's present state; undefined when it is accepted. */
function refusedBy(state: SourceState, command: AcceptFile): LedgerProblem | undefined {
  const decision = source.decide(state, command);
  if (!('refusal' in decision)) return undefined;
  return decision.refusal === 'statement-refused'
    ? refused(refusalOf(state, command)!)
    : new LedgerProblem(PROBLEM_OF_REFUSAL[decision.refusal], decision.detail);
}

const refused = ({ reason, line, expected, found }: RefusedStatement): LedgerProblem =>
  new LedgerProblem('statement-refused', `${line === null ? '' : `Line ${line}: `}${reason}: expected ${expected}, found ${found}.`, {
    members: { reason, line, expected, found },
  });

function asProblem(error: unknown): never {
  if (error instanceof StatementRefused) throw refused(error);
  throw error instanceof ReadOtherwise ? new LedgerProblem('state-conflict', `It cannot be resumed: ${error.message}.`) : error;
}

/** Reads the whole file into `parts`. @throws StatementRefused */
async function check(
  { findPaidAmounts, batchesOf }: ImportServices,
  { spool, signal }: StatementImport,
  reading: StatementReading,
  parts: SpooledRecords,
): Promise<FileSummary> {
  const lines = withKnownBatches(checkedLines(spool, reading), batchesOf(reading.settings.mode));
  const all = partsOf(inScale(lines, new AmountScale(findPaidAmounts)));
  for (let next = await all.next(); ; next = await all.next()) {
    signal.throwIfAborted();
    if (next.done) return next.value;
    await parts.add(next.value);
  }
}

/** Passes the lines on, and checks the scale of their amounts. @throws StatementRefused */
async function* inScale(lines: AsyncGenerator<CheckedLine[], FileSummary>, scale: AmountScale): AsyncGenerator<CheckedLine[], FileSummary> {
  for (let next = await lines.next(); ; next = await lines.next()) {
    if (next.done) {
      await scale.end();
      return next.value;
    }
    await scale.add(next.value.map(({ stored }) => stored));
    yield next.value;
  }
}
