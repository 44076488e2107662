import { setTimeout as delay } from 'node:timers/promises';
import type { DayPart, StoredDayClose } from '../../../../projections/reconciliation/days/day-close-reads.js';
import { decideOnStream, type StreamDecider } from '../../../ledger/streams/decide-on-stream.js';
import type { DayCloseEvent } from '../../../ledger/events/day-close.events.js';
import type { SealedHead } from '../../../ledger/events/period.events.js';
import { sourceStream } from '../../../ledger/events/reconciliation.events.js';
import { foldNewest, foldStream, type LoadedStream } from '../../../ledger/streams/fold-stream.js';
import type { CommandContext } from '../../../ledger/streams/new-event.js';
import type { Timestamp } from '../../../ledger/time.js';
import { bookedLines, isNewestPart, type BookedParts, type BookPart, type BookRefusal } from './booked-lines.decider.js';
import type { DayClose } from './day-close.decider.js';
import type { DayResult } from './day-figures.js';
import { source, type SourceCommand, type SourceState } from '../source.decider.js';
import { PROBLEM_OF_REFUSAL, type ReconciliationAct, type ReconciliationDeps } from '../sources.js';
import { LedgerProblem } from '../../../ledger/problems.js';
import type { EventRef, Position } from '../../../platform/event-store/event-store.js';

/** A close in the read models. */
export interface DayReads {
  readonly find: (source: string, day: string) => Promise<StoredDayClose | undefined>;
  readonly part: (source: string, n: number, part: number) => Promise<DayPart | undefined>;
  /** undefined: the read models have not reached it yet. */
  readonly result: (close: StoredDayClose) => Promise<DayResult | undefined>;
  /** Returns a head that covers at least the event with this id; undefined: it is not sealed yet. */
  readonly headOver: (eventId: string) => Promise<SealedHead | undefined>;
}

type Context = Omit<CommandContext, 'now'>;

/**
 * Opens the close of the next day of a bank. A repeat of the same day gets the first result.
 * @returns the position that a read after this response must include.
 * @throws Problem not-found, state-conflict
 */
export async function openDay(
  { store, clock }: ReconciliationDeps,
  id: string,
  day: string,
  reason: string,
  { operator, context }: ReconciliationAct,
): Promise<Position> {
  const { person_id, key_id } = operator;
  const command = (now: Timestamp): SourceCommand => ({ kind: 'open-day', source: id, day, reason, person_id, key_id, now });
  const outcome = await decideOnStream(store, clock, sourceStream(id), source, command, context);
  if (!('refusal' in outcome)) return outcome.position;
  const { refusal, detail, position, state } = outcome;
  if (refusal === 'day-closed' && state.close!.day === day) return position!;
  throw new LedgerProblem(refusal === 'source-missing' ? 'not-found' : PROBLEM_OF_REFUSAL[refusal], detail);
}

/** Decides about the lines of a close from the newest of them alone. */
export const LINES_OF_CLOSE: StreamDecider<BookedParts | null, BookPart, DayCloseEvent, BookRefusal> = {
  ...bookedLines,
  load: (store, stream) => foldNewest<BookedParts | null, DayCloseEvent>(store, stream, bookedLines, isNewestPart),
};

/**
 * Completes an open close (decisions 83 and 104): books the rows of its tick part by part, and then closes the day. Any number of processes
 * may run it, end at any point and resume anywhere: the stream of its lines accepts the next part only, and each append expects the revision that it
 * was decided on. A run reads each part once.
 */
export class DayCloser {
  constructor(
    private readonly deps: ReconciliationDeps,
    private readonly reads: DayReads,
  ) {}

  /**
   * @param until on the clock of `performance.now()`: no part is begun later
   * @returns the position of the source's stream afterwards; undefined: something that it waits for is not there yet, or parts are left.
   * @throws StoreUnavailable, OutcomeUnknown: run it again
   */
  async run(id: string, context: Context, signal?: AbortSignal, until = Number.POSITIVE_INFINITY): Promise<Position | undefined> {
    const { store, clock } = this.deps;
    const known = await foldStream<SourceState, never>(store, sourceStream(id), source);
    const { close } = known.state;
    if (close === null || close.is_closed) return known.newest?.position;
    const found = await this.reads.find(id, close.day);
    // The read models have not reached its tick yet. Then they have the fold up to the tick, regardless of later events.
    if (found?.n !== close.n) return undefined;
    const lines = await this.#book(found, { ...close, opened: known.newest! }, { context, signal, until });
    if (!lines) return undefined;
    const last = lines.newest ?? known.newest!;
    const end = await this.#end(found, lines.state, last.id);
    if (!end) return undefined;
    const outcome = await decideOnStream(store, clock, sourceStream(id), source, end, { ...context, known, dependsOn: [last] });
    if ('refusal' in outcome) throw cannotContinue(close, outcome.detail);
    return outcome.position;
  }

  /** Does the same for up to `ms`, and waits for missing read models and seals. */
  async runWithin(ms: number, id: string, context: Context, signal?: AbortSignal): Promise<Position | undefined> {
    const until = performance.now() + ms;
    for (;;) {
      const position = await this.run(id, context, signal, until);
      if (position !== undefined || performance.now() >= until) return position;
      await delay(PAUSE_MS, undefined, { signal });
    }
  }

  /** Books the parts that are missing; returns undefined when some are left. @param close.opened an event that the log has only after it was opened */
  async #book(
    found: StoredDayClose,
    { lines_stream, opened }: DayClose & { readonly opened: EventRef },
    { context, signal, until }: { readonly context: Context; readonly signal: AbortSignal | undefined; readonly until: number },
  ): Promise<LoadedStream<BookedParts | null> | undefined> {
    const { store, clock } = this.deps;
    const { source: of, mode, n, day, parts } = found;
    let lines = await LINES_OF_CLOSE.load!(store, lines_stream);
    for (;;) {
      const part = (lines.state?.part ?? 0) + 1;
      if (part > parts) return lines;
      signal?.throwIfAborted();
      if (performance.now() >= until) return undefined;
      const rows = await this.reads.part(of, n, part);
      if (!rows) throw new Error(`part ${part} of ${parts} of ${day} of ${of} has no lines`);
      const command = (now: Timestamp): BookPart => ({ kind: 'book-part', source: of, mode, n, day, part, parts, ...rows, now });
      const outcome = await decideOnStream(store, clock, lines_stream, LINES_OF_CLOSE, command, { ...context, known: lines, dependsOn: [opened] });
      if ('refusal' in outcome) throw cannotContinue(found, outcome.detail);
      lines = outcome.loaded;
    }
  }

  async #end(close: StoredDayClose, booked: BookedParts | null, newestId: string) {
    const head = await this.reads.headOver(newestId);
    const result = head && (await this.reads.result(close));
    if (!result) return undefined;
    const { source: id, n, ordinal: position } = close;
    return (now: Timestamp): SourceCommand => ({ kind: 'finish-day', source: id, n, position, head, booked, ...result, now });
  }
}

const cannotContinue = ({ day }: Pick<DayClose, 'day'>, detail: string): Error => new Error(`the close of ${day} cannot continue: ${detail}`);

const PAUSE_MS = 50;
