import type pg from 'pg';
import { int4Array, textArray } from '../../postgres/binary/binary-arrays.js';
import { SERVER_WITHOUT_WRITES } from '../../postgres/servers.js';
import { READ_BYTES_MAX, READ_EVENTS_MAX, StoreRestored, type EventMetadata, type Position, type RecordedEvent } from '../event-store.js';
import type { FoundEvents, StreamRead } from './group-read.js';

type EventRef = [position: bigint, stream: string, revision: number, id: string, type: string];
/** Data and metadata are texts when their stored form was requested. */
type EventRow = [...EventRef, data: object, metadata: EventMetadata] | [...EventRef, data: string, metadata: string];
/** `data` is null from the row at which the page's bytes are used up. */
type PageRow = EventRow | [...EventRef, data: null, metadata: unknown];

/** The position up to which a subscription has read. */
export interface Scanned {
  readonly position: Position;
  /** Id of the event there; null at the beginning of the log, or when it is not known yet. Positions are used again, ids never. */
  readonly id: string | null;
}

/** A page of the log for one subscription. */
export interface LogPage {
  readonly events: readonly RecordedEvent[];
  /** Everything up to here is delivered, or does not concern this subscription. */
  readonly scanned: Scanned;
  /** The log had nothing more when the page was read. */
  readonly caughtUp: boolean;
}

const NEWEST_REVISION = 2_147_483_647;
/** Approximate maximum of bytes of a page: a thousand settlements in a row, or lines of statements, must not fill the memory, once per reader. */
const PAGE_BYTES_MAX = 8 * 1_048_576;
/** Estimates the size of a stored event without decompressing it: large ones are compressed, and become several times as long. */
const ABOUT_BYTES = 'pg_column_size(data) * case when pg_column_compression(data) is null then 1 else 4 end';

/** How the events of a prefix are found. */
export interface PrefixSearch {
  /** Maximum positions of the log that a page scans, so that it takes milliseconds. */
  readonly window: number;
  /** Up to this many events of a prefix are found through the index over streams, however long the log is. */
  readonly few: number;
}

const PREFIX_SEARCH: PrefixSearch = { window: 50_000, few: 200_000 };

/** Settings of the engine's sessions. With the statistics of a new log, the planner would choose scans, and keep to them. */
export const THROUGH_INDEXES = { enable_seqscan: 'off', enable_bitmapscan: 'off', plan_cache_mode: 'force_generic_plan' };

/** The statements that read events. They throw the errors of the database. */
export class EmbeddedLog {
  /** @param requireNewest called with the id of a server without writes: throws when newer events may exist elsewhere */
  constructor(
    private readonly pool: pg.Pool,
    private readonly requireNewest: (server: string) => Promise<void>,
    private readonly search: PrefixSearch = PREFIX_SEARCH,
  ) {}

  async head(): Promise<Position> {
    const text = `select position, ${SERVER_WITHOUT_WRITES} from event_store.head`;
    const { rows } = await this.pool.query<[bigint, string | null]>({ name: 'event_store_head', text, rowMode: 'array' });
    const [position, server] = rows[0]!;
    if (server !== null) await this.requireNewest(server);
    return position;
  }

  /**
   * Reads the streams of one statement, all in the same direction and form. Together they have READ_BYTES_MAX and one event; each returns its first
   * row in any case, to show that it has events, with `data` null when the bytes were used up before it.
   */
  async streams(reads: readonly StreamRead[]): Promise<FoundEvents[]> {
    const { direction = 'forwards', stored = false } = reads[0]!;
    const forwards = direction === 'forwards';
    const { rows } = await this.pool.query<[server: string | null, place: number | null, there: number, ...PageRow]>({
      name: `event_store_streams_${direction}${stored ? '_stored' : ''}`,
      text: `select server, place, there, position, stream, revision, id, type, ${events(stored, `case when before < ${READ_BYTES_MAX} then data end`)}
               from (select ${SERVER_WITHOUT_WRITES} as server) here
               left join (select wanted.place::int, e.*, sum(e.bytes) over (order by wanted.place, e.nth) - e.bytes as before
                       from unnest($1::text[], $2::int[], $3::int[]) with ordinality wanted (stream, start, most, place)
                      cross join lateral (
                        select found.*, row_number() over (order by revision ${forwards ? 'asc' : 'desc'}) as nth, count(*) over ()::int as there
                          from (select *, ${ABOUT_BYTES} as bytes from event_store.events
                                 where stream = wanted.stream and revision ${forwards ? '>=' : '<='} wanted.start
                                 order by revision ${forwards ? 'asc' : 'desc'} limit wanted.most) found
                      ) e) page on nth = 1 or before < ${READ_BYTES_MAX}
              order by place, nth`,
      values: [
        textArray(reads.map(({ stream }) => stream)),
        int4Array(reads.map(({ from }) => Math.min(from ?? (forwards ? 0 : NEWEST_REVISION), NEWEST_REVISION))),
        // Without a limit one more is read, which shows that there are too many.
        int4Array(reads.map(({ limit }) => (limit === undefined ? READ_EVENTS_MAX + 1 : Math.min(limit, READ_EVENTS_MAX)))),
      ],
      rowMode: 'array',
    });
    const found = reads.map(() => ({ events: [] as RecordedEvent[], there: 0 }));
    const server = rows[0]![0];
    if (server !== null) await this.requireNewest(server);
    for (const [, place, there, ...row] of rows) {
      // Without events, the one row has only the server.
      if (place === null) break;
      const of = found[place - 1]!;
      of.there = there;
      if (row[5] !== null) of.events.push(recorded(row));
    }
    return found.map(({ events, there }) => ({ events, isCut: events.length < there || there > READ_EVENTS_MAX }));
  }

  /**
   * Positions have no gap and commits follow their order: the events after the last one read are all there are. The page begins with the event that
   * was read last, which shows whether it is still there.
   * @throws StoreRestored
   */
  async page(after: Scanned, size: number, stored = false): Promise<LogPage> {
    const known = after.position > 0n ? 1 : 0;
    const { rows } = await this.pool.query<PageRow>({
      ...page(stored),
      values: [after.position - BigInt(known), size + known],
      rowMode: 'array',
    });
    const standing = rows[0]?.[0] === after.position ? rows[0][3] : null;
    requireStanding(after, standing);
    const { events, isWhole } = eventsOf(rows.slice(known), size);
    return { events, scanned: placeOf(events.at(-1)) ?? { ...after, id: standing }, caughtUp: isWhole };
  }

  /** @param prefix not empty, ASCII. @throws StoreRestored */
  async pageOfPrefix(from: Scanned, size: number, prefix: string, stored = false): Promise<LogPage> {
    const { head, newest } = await this.#standing(from);
    const after = from.position;
    const range = [prefix, behind(prefix)];
    const window = BigInt(this.search.window);
    const isFar = head - after > window;
    const throughStreams = isFar && (await this.#isFew(range));
    const until = isFar && !throughStreams ? after + window : head;
    const { rows } = await this.pool.query<PageRow>({
      ...(throughStreams ? pageThroughStreams(stored) : pageThroughPositions(stored)),
      values: [after, size, until, ...range],
      rowMode: 'array',
    });
    const { events, isWhole } = eventsOf(rows, size);
    const scanned = isWhole ? { position: until, id: until === head ? newest : null } : placeOf(events.at(-1))!;
    return { events, scanned, caughtUp: isWhole && until === head };
  }

  /** Returns the log's newest event, when the event that was read last is still at its position. @throws StoreRestored */
  async #standing(from: Scanned): Promise<{ readonly head: Position; readonly newest: string | null }> {
    const { rows } = await this.pool.query<[bigint, string | null, string | null]>({
      name: 'event_store_standing',
      text: `select h.position, (select id from event_store.events where position = h.position),
                    (select id from event_store.events where position = $1) from event_store.head h`,
      values: [from.position],
      rowMode: 'array',
    });
    const [head, newest, standing] = rows[0]!;
    requireStanding(from, standing);
    return { head, newest };
  }

  async #isFew(range: readonly string[]): Promise<boolean> {
    const { rows } = await this.pool.query<[boolean]>({
      name: 'event_store_is_few',
      text: `select count(*) <= $3 from (select from event_store.events where stream >= $1 and stream < $2 limit $3 + 1) of_prefix`,
      values: [...range, this.search.few],
      rowMode: 'array',
    });
    return rows[0]![0];
  }
}

const placeOf = (event: RecordedEvent | undefined): Scanned | undefined => event && { position: event.position, id: event.id };

/** @param id of the event at that position now; null when there is none. @throws StoreRestored */
function requireStanding(scanned: Scanned, id: string | null): void {
  if (scanned.position > 0n && (id === null || (scanned.id !== null && scanned.id !== id))) throw new StoreRestored(scanned.position);
}

interface Statement {
  readonly name: string;
  readonly text: string;
}

/** The columns of an event's data and metadata: parsed, or as the texts that are stored. */
const events = (stored: boolean, data = 'data'): string => (stored ? `(${data})::text, metadata::text` : `${data}, metadata`);

/** Returns a statement in both forms. */
function pageWhere(name: string, condition: string, before = ''): (stored: boolean) => Statement {
  const statement = (stored: boolean): Statement => ({
    name: stored ? `${name}_stored` : name,
    text: `${before}
  select position, stream, revision, id, type, ${events(stored, `case when bytes < ${PAGE_BYTES_MAX} then data end`)}
    from (select *, sum(${ABOUT_BYTES}) over (order by position rows unbounded preceding) as bytes
            from event_store.events where ${condition} order by position limit $2) page
   order by position`,
  });
  const [parsed, texts] = [statement(false), statement(true)];
  return (stored) => (stored ? texts : parsed);
}

const page = pageWhere('event_store_page', 'position > $1');

/** Reads prefixes that many streams have: the log in order, passing over the others. */
const pageThroughPositions = pageWhere('event_store_page_through_positions', 'position > $1 and position <= $3 and stream >= $4 and stream < $5');

/** Reads prefixes that few streams have, over a long part of the log. */
const pageThroughStreams = pageWhere(
  'event_store_page_through_streams',
  'position in (select position from of_prefix order by position limit $2)',
  `with of_prefix as materialized (
     select position from event_store.events where stream >= $4 and stream < $5 and position > $1 and position <= $3
   )`,
);

/** @returns isWhole: nothing that was requested is missing. */
function eventsOf(rows: readonly PageRow[], size: number): { events: RecordedEvent[]; isWhole: boolean } {
  const events: RecordedEvent[] = [];
  for (const row of rows) {
    if (row[5] === null) return { events, isWhole: false };
    events.push(recorded(row));
  }
  return { events, isWhole: rows.length < size };
}

/** Returns the least name that sorts after every name with this prefix (collation "C"). */
function behind(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

function recorded([position, stream, revision, id, type, data, metadata]: EventRow): RecordedEvent {
  if (typeof data !== 'string') return { stream, revision, position, id, type, data, metadata: metadata as EventMetadata };
  const stored = { data, metadata: metadata as string };
  return { stream, revision, position, id, type, data: JSON.parse(data) as object, metadata: JSON.parse(stored.metadata) as EventMetadata, stored };
}
