import type { Pool } from 'pg';
import { findEventRefs, findOrdinals, findPosition, type EventRef } from '../../../projections/audit/event-index.js';
import { findMode } from '../../../projections/merchants/owners.js';
import type { LedgerEventType } from '../../ledger/catalogue.js';
import type { Mode } from '../../ledger/mode.js';
import { shownEvent, type ShownEvent } from '../../ledger/published/shown-event.js';
import type { EventStore, RecordedEvent } from '../../platform/event-store/event-store.js';
import { firstRevisionAfter } from '../../platform/event-store/first-revision-after.js';
import { concurrently } from '../../platform/worker/concurrently.js';

export interface EventSources {
  readonly pool: Pool;
  readonly store: Pick<EventStore, 'read' | 'subscribe'>;
}

export interface EventQuery {
  /** Only events of merchants of this mode. */
  readonly mode?: Mode | undefined;
  readonly stream?: string | undefined;
  readonly type?: LedgerEventType | undefined;
  readonly merchant_id?: string | undefined;
  /** Returns events after this ordinal; 0: from the start. */
  readonly after: number;
  /** Last ordinal to return. */
  readonly until?: number | undefined;
  /** 1 or more. */
  readonly limit: number;
}

export interface EventPage {
  /** In the order of the log, with hashes of keys and personal data sealed. */
  readonly items: readonly ShownEvent[];
  /** `after` of the next page; null at the end. */
  readonly next_after: number | null;
}

/** Maximum bytes of a page, as JSON, before its last event: a thousand settlements of a thousand lines must not fill the memory. */
const PAGE_BYTES_MAX = 4 * 1_048_576;
/** In a stream of at most this length, a type is found by reading all events; in longer ones through the index. */
const SHORT_STREAM_EVENTS = 1_000;
/** Events of an account are large, because each settlement has all of its lines; and nearly all of the merchant's events of these types are in it. */
const SHORT_ACCOUNT_EVENTS = 64;
const ACCOUNTS = 'account-';
/** Events closer together than this many places are read from the log in one scan, others one by one from their streams. */
const SCAN_PLACES_PER_EVENT = 8;
const SCAN_BATCH_EVENTS = 500;
const READS_AT_A_TIME = 4;
const READ_BATCH = 64;
/** Maximum events that are read at once; each may have the 150 KB of a settlement of a thousand lines. */
const NEWEST_MAX = 100;

/**
 * Returns a page of all events in the index, by their ordinals. It may be shorter than `limit` when events are large.
 * @throws StoreUnavailable
 */
export async function findEvents(sources: EventSources, query: EventQuery, signal: AbortSignal): Promise<EventPage> {
  const places = await findPlaces(sources, query);
  const isMore = places.length > query.limit;
  const wanted = isMore ? places.slice(0, query.limit) : places;
  const items: ShownEvent[] = [];
  let bytes = 0;
  for await (const event of eventsAt(sources, wanted, signal)) {
    const shown = shownEvent(event, wanted[items.length]!.ordinal);
    items.push(shown);
    bytes += JSON.stringify(shown.data).length;
    if (bytes > PAGE_BYTES_MAX) break;
  }
  const isCut = items.length < wanted.length;
  return { items, next_after: isMore || isCut ? items.at(-1)!.position : null };
}

/**
 * Returns the newest events first (of a mode: with those of no merchant), before the ordinal `before`: at most `limit`, and at most 100 at once.
 * @throws StoreUnavailable
 */
export async function findNewestEvents(
  sources: EventSources,
  { mode, type, merchant_id, before, limit }: Pick<EventQuery, 'mode' | 'type' | 'merchant_id' | 'limit'> & { readonly before: number | undefined },
  signal: AbortSignal,
): Promise<EventPage> {
  const size = Math.min(limit, NEWEST_MAX);
  const until = before === undefined ? undefined : before - 1;
  const found = await findEventRefs(sources.pool, {
    mode,
    with_house: true,
    type,
    merchant_id,
    after: 0,
    until,
    limit: size + 1,
    is_descending: true,
  });
  const wanted = found.slice(0, size).reverse();
  const items: ShownEvent[] = [];
  for await (const event of eventsAt(sources, wanted, signal)) items.push(shownEvent(event, wanted[items.length]!.ordinal));
  return { items: items.reverse(), next_after: found.length > size ? items.at(-1)!.position : null };
}

/** @returns at most `limit` + 1 places */
async function findPlaces(sources: EventSources, query: EventQuery): Promise<EventRef[]> {
  const { pool, store } = sources;
  const { mode, stream, type, merchant_id, after, until, limit } = query;
  if (stream === undefined) return findEventRefs(pool, { mode, merchant_id, type, after, until, limit: limit + 1 });
  const [[first], [newest]] = await Promise.all([store.read(stream, { limit: 1 }), store.read(stream, { direction: 'backwards', limit: 1 })]);
  if (!first || !newest) return [];
  // All events of a stream are of one merchant.
  const owner = first.metadata.merchant_id;
  if (merchant_id !== undefined && owner !== merchant_id) return [];
  if (mode !== undefined && (owner === null || (await findMode(pool, owner)) !== mode)) return [];
  if (type !== undefined && newest.revision >= (stream.startsWith(ACCOUNTS) ? SHORT_ACCOUNT_EVENTS : SHORT_STREAM_EVENTS)) {
    return findEventRefs(pool, { merchant_id: owner ?? undefined, type, stream, after, until, limit: limit + 1 });
  }
  return placesInStream(sources, query, stream, newest);
}

async function placesInStream({ pool, store }: EventSources, query: EventQuery, stream: string, newest: RecordedEvent): Promise<EventRef[]> {
  const { type, after, until = Number.MAX_SAFE_INTEGER, limit } = query;
  let from = 0;
  if (after > 0) {
    const position = await findPosition(pool, after);
    // `after` is beyond everything in the index.
    if (position === undefined) return [];
    from = await firstRevisionAfter(store, newest, position);
  }
  const found: EventRef[] = [];
  while (found.length <= limit && from <= newest.revision) {
    const events = await store.read(stream, { from, limit: Math.min(limit + 1, SHORT_STREAM_EVENTS) });
    const ordinals = await findOrdinals(
      pool,
      events.map(({ position }) => position),
    );
    for (const { position, revision, type: ofType } of events) {
      const ordinal = ordinals.get(position);
      if (ordinal === undefined || ordinal > until) return found;
      if (type === undefined || ofType === type) found.push({ ordinal, position, stream, revision });
    }
    if (events.length === 0) break;
    from = events.at(-1)!.revision + 1;
  }
  return found.slice(0, limit + 1);
}

/** Yields the events at `places`, in their order. */
async function* eventsAt(sources: EventSources, places: readonly EventRef[], signal: AbortSignal): AsyncGenerator<RecordedEvent> {
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last) return;
  if (last.ordinal - first.ordinal < places.length * SCAN_PLACES_PER_EVENT) yield* scanned(sources, places, signal);
  else yield* readApart(sources.store, places, signal);
}

async function* scanned({ pool, store }: EventSources, places: readonly EventRef[], signal: AbortSignal): AsyncGenerator<RecordedEvent> {
  const before = places[0]!.ordinal === 1 ? null : ((await findPosition(pool, places[0]!.ordinal - 1)) ?? null);
  // Does not read beyond the page: those events would be read and parsed in vain, and each may have 30 KB.
  const batchSize = Math.min(SCAN_BATCH_EVENTS, places.at(-1)!.ordinal - places[0]!.ordinal + 1);
  let next = 0;
  for await (const { events, caughtUp } of store.subscribe(before, { signal, batchSize })) {
    for (const event of events) {
      if (event.position !== places[next]?.position) continue;
      next += 1;
      yield event;
    }
    if (next === places.length) return;
    if (caughtUp) throw new Error(`event ${places[next]!.ordinal} is in the index and not in the log`);
  }
  signal.throwIfAborted();
}

async function* readApart(store: Pick<EventStore, 'read'>, places: readonly EventRef[], signal: AbortSignal): AsyncGenerator<RecordedEvent> {
  for (let at = 0; at < places.length; at += READ_BATCH) {
    signal.throwIfAborted();
    const events = await concurrently(places.slice(at, at + READ_BATCH), READS_AT_A_TIME, async ({ stream, revision, ordinal }) => {
      const [event] = await store.read(stream, { from: revision, limit: 1 });
      if (event?.revision !== revision) throw new Error(`event ${ordinal} is in the index and not in the log`);
      return event;
    });
    yield* events;
  }
}
