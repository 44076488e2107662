import { setTimeout as delay } from 'node:timers/promises';
import type { DayPart, StoredDayClose } from '../../../projections/reconciliation/days/day-close-reads.js';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import type { SealedHead } from '../../ledger/events/period.events.js';
import { sourceStream } from '../../ledger/events/reconciliation.events.js';
import { foldStream } from '../../ledger/streams/fold-stream.js';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import type { Timestamp } from '../../ledger/time.js';
import type { DayClose } from './day-close.decider.js';
import type { DayResult } from './day-figures.js';
import { source, type SourceCommand, type SourceState } from './source.decider.js';
import { PROBLEM_OF_REFUSAL, type ReconciliationAct, type ReconciliationDeps } from './sources.js';
import { Problem } from '../../platform/problems.js';
import type { EventRef, Position } from '../../platform/event-store/event-store.js';

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
  throw new Problem(refusal === 'source-missing' ? 'not-found' : PROBLEM_OF_REFUSAL[refusal], detail);
}

/**
 * Completes an open close (docs/models/desk.mjs, part C): books the rows of its tick part by part, and then closes the day. Any number of processes
 * may run it, end at any point and resume anywhere: the source's stream accepts the next part only, and each append expects the revision that it was
 * decided on.
 */
export class DayCloser {
  constructor(
    private readonly deps: ReconciliationDeps,
    private readonly reads: DayReads,
  ) {}

  /**
   * @returns the position of the source's stream afterwards; undefined: something that it waits for is not there yet.
   * @throws StoreUnavailable, OutcomeUnknown: run it again
   */
  async run(id: string, context: Context, signal?: AbortSignal): Promise<Position | undefined> {
    const loaded = await foldStream<SourceState, never>(this.deps.store, sourceStream(id), source);
    let { state } = loaded;
    let newest: EventRef | null = loaded.newest;
    let position = loaded.newest?.position;
    for (;;) {
      const { close } = state;
      if (close === null || close.is_closed) return position;
      signal?.throwIfAborted();
      const found = await this.reads.find(id, close.day);
      // The read models have not reached its tick yet. Then they have the fold up to the tick, regardless of later events.
      if (found?.n !== close.n) return undefined;
      const command = await (close.booked < found.parts ? this.#part(found, close) : this.#end(found, newest!.id));
      if (!command) return undefined;
      const outcome = await decideOnStream(this.deps.store, this.deps.clock, sourceStream(id), source, command, context);
      if ('refusal' in outcome) throw new Error(`the close of ${close.day} of ${id} cannot continue: ${outcome.detail}`);
      ({ state, newest, position } = outcome);
    }
  }

  /** Does the same, and waits up to `ms` for missing read models and seals. */
  async runWithin(ms: number, id: string, context: Context, signal?: AbortSignal): Promise<Position | undefined> {
    const until = performance.now() + ms;
    for (;;) {
      const position = await this.run(id, context, signal);
      if (position !== undefined || performance.now() >= until) return position;
      await delay(PAUSE_MS, undefined, { signal });
    }
  }

  async #part({ source: id, n, parts, day }: StoredDayClose, { booked }: DayClose) {
    const part = await this.reads.part(id, n, booked + 1);
    if (!part) throw new Error(`part ${booked + 1} of ${parts} of ${day} of ${id} has no lines`);
    return (now: Timestamp): SourceCommand => ({ kind: 'book-part', source: id, n, part: booked + 1, parts, ...part, now });
  }

  async #end(close: StoredDayClose, newestId: string) {
    const head = await this.reads.headOver(newestId);
    const result = head && (await this.reads.result(close));
    if (!result) return undefined;
    const { source: id, n, ordinal: position } = close;
    return (now: Timestamp): SourceCommand => ({ kind: 'finish-day', source: id, n, position, head, ...result, now });
  }
}

const PAUSE_MS = 50;
