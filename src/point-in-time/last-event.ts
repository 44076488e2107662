import type { Pool } from 'pg';
import { findEventRefs, findLastOrdinal, findOrdinals } from '../../projections/audit/event-index.js';
import { periodStream } from '../ledger/events/period.events.js';
import { MODES, type Mode } from '../ledger/mode.js';
import { LedgerProblem } from '../ledger/problems.js';
import { milliseconds, type Timestamp } from '../ledger/time.js';
import { timeLimit } from '../platform/async/waiting.js';
import { StoreUnavailable, type EventStore } from '../platform/event-store/event-store.js';
import { pagesOf } from '../platform/event-store/pages-of.js';
import type { LastEvent } from './moments.js';

/** How a moment is named: by its last event, by a time, or by a month as it was closed. */
export type MomentName = { readonly position: number } | { readonly time: Timestamp } | { readonly month: string; readonly mode?: Mode | undefined };

/** A name that leads to no event; the message is for people. */
export class NoSuchMoment extends Error {
  override readonly name = 'NoSuchMoment';

  constructor(
    readonly member: 'position' | 'time' | 'month',
    readonly code: 'out-of-range' | 'in-the-future' | 'unknown',
    message: string,
  ) {
    super(message);
  }
}

export interface LogReads {
  /** Database of the event index. */
  readonly pool: Pool;
  readonly store: Pick<EventStore, 'read' | 'subscribe'>;
}

/** Clocks of the service's processes differ by no more, ms: an event that is that much older may come later in the log. */
const SKEW_MAX_MS = 5_000;
const SCAN_EVENTS = 500;
/** Longest time for it, ms: the events of some seconds. */
const SCANNED_WITHIN_MS = 4_000;

/**
 * Returns the last event of the moment: for a time the one before the first event that occurred later.
 * @param now milliseconds since the epoch
 * @throws NoSuchMoment; Problem month-open; StoreUnavailable
 */
export async function findLastEvent(reads: LogReads, name: MomentName, now: number): Promise<LastEvent> {
  if ('position' in name) return atPosition(reads, name.position);
  return 'time' in name ? atTime(reads, milliseconds(name.time), now) : asClosed(reads, name.month, name.mode);
}

async function atPosition(reads: LogReads, position: number): Promise<LastEvent> {
  const last = await findLastOrdinal(reads.pool);
  if (position < 1 || position > last) throw new NoSuchMoment('position', 'out-of-range', `Must be from 1 to ${last}, the newest event.`);
  return eventAt(reads, position);
}

async function atTime(reads: LogReads, atMs: number, now: number): Promise<LastEvent> {
  if (atMs > now) throw new NoSuchMoment('time', 'in-the-future', 'Must not be in the future.');
  let [low, high] = [0, await findLastOrdinal(reads.pool)];
  // Up to `low` no event is later than the time; the first later one is behind it.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const { event } = await eventAt(reads, middle);
    if (milliseconds(event.metadata.occurred_on) <= atMs - SKEW_MAX_MS) low = middle;
    else high = middle - 1;
  }
  const found = await lastUntil(reads, low, atMs);
  if (!found) throw new NoSuchMoment('time', 'out-of-range', 'Must not be before the first event.');
  return found;
}

/** Returns the event at `from` or the last of those behind it, before the first one that occurred later; undefined when there is none. */
async function lastUntil(reads: LogReads, from: number, atMs: number): Promise<LastEvent | undefined> {
  let found = from === 0 ? undefined : await eventAt(reads, from);
  const signal = timeLimit(SCANNED_WITHIN_MS);
  for await (const { events, caughtUp } of reads.store.subscribe(found?.event.position ?? null, { signal, batchSize: SCAN_EVENTS })) {
    for (const event of events) {
      if (milliseconds(event.metadata.occurred_on) > atMs) return found;
      found = { ordinal: (found?.ordinal ?? 0) + 1, event };
    }
    if (caughtUp) return found;
  }
  throw new StoreUnavailable('the log could not be read in time');
}

/** Without a mode, the month of live money, if that is closed. */
async function asClosed(reads: LogReads, month: string, mode: Mode | undefined): Promise<LastEvent> {
  for (const each of mode === undefined ? MODES : [mode]) {
    for await (const page of pagesOf(reads.store, periodStream(each))) {
      const event = page.find(({ type, data }) => type === 'PeriodClosed' && (data as { readonly month?: string }).month === month);
      const ordinal = event && (await findOrdinals(reads.pool, [event.position])).get(event.position);
      if (event && ordinal === undefined) throw new StoreUnavailable('the event index does not contain the close of the month yet');
      if (event) return { ordinal: ordinal!, event };
    }
  }
  throw new LedgerProblem('month-open', `The month ${month}${mode === undefined ? '' : ` of mode ${mode}`} is not closed.`);
}

async function eventAt(reads: LogReads, ordinal: number): Promise<LastEvent> {
  const [ref] = await findEventRefs(reads.pool, { after: ordinal - 1, limit: 1 });
  const [event] = ref ? await reads.store.read(ref.stream, { from: ref.revision, limit: 1 }) : [];
  if (event?.revision !== ref?.revision || !event) throw new StoreUnavailable(`event ${ordinal} is not in the index, or not in the log`);
  return { ordinal, event };
}
