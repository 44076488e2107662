import type { Pool } from 'pg';
import { encodeAppend, type EncodedEvent } from '../src/platform/event-store/append-rules.js';
import type {
  AppendResult,
  EventMetadata,
  EventStore,
  ExpectedRevision,
  NewEvent,
  Position,
  ReadOptions,
  RecordedEvent,
  SubscribeOptions,
  SubscriptionBatch,
} from '../src/platform/event-store/event-store.js';

/** A row of the embedded engine's table, without its position. */
export interface WrittenEvent extends EncodedEvent {
  readonly stream: string;
  readonly revision: number;
}

/** Position of the newest event; 0 when there is none. */
export async function headOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ position: bigint }>('select position from event_store.head');
  return Number(rows[0]!.position);
}

/** Inserts into the embedded engine's table directly, after `position`. No other process may append meanwhile. @returns the new head */
export async function writeBehind(pool: Pool, position: number, events: readonly WrittenEvent[]): Promise<number> {
  await pool.query(
    `insert into event_store.events (position, id, revision, stream, type, data, metadata)
     select * from unnest($1::bigint[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::json[], $7::json[])`,
    [
      events.map((_, index) => position + index + 1),
      events.map(({ id }) => id),
      events.map(({ revision }) => revision),
      events.map(({ stream }) => stream),
      events.map(({ type }) => type),
      events.map(({ data }) => data),
      events.map(({ metadata }) => metadata),
    ],
  );
  await pool.query('update event_store.head set position = $1', [position + events.length]);
  return position + events.length;
}

const CHUNK = 10_000;
/** Streams in each of the two generations in memory: about those that a history of millions writes to within some weeks. */
const YOUNG_STREAMS = 60_000;

/**
 * An event store over the embedded engine for a single writer of an empty log. An append is checked in memory and written later with
 * thousands of others. Streams without recent use are read from the table again.
 */
export class LogWriter implements EventStore {
  #position = 0;
  #written = 0;
  /** Streams that may be in the table only. */
  readonly #forgotten = new Set<string>();
  #young = new Map<string, WrittenEvent[]>();
  #old = new Map<string, WrittenEvent[]>();
  #unwritten: WrittenEvent[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: Pool,
    /** An engine with an empty log. */
    private readonly engine: EventStore,
  ) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const append = encodeAppend(stream, expected, events);
    const before = await this.#load(stream);
    const newest = before ? before.length - 1 : -1;
    if (append.revision !== newest + 1) return { ok: false, actual: newest < 0 ? null : newest };
    const added = append.events.map((event, index) => ({ ...event, stream, revision: append.revision + index }));
    this.#keep(stream, before ? [...before, ...added] : added);
    this.#unwritten.push(...added);
    this.#position += added.length;
    if (this.#unwritten.length >= CHUNK) await this.#write();
    return { ok: true, revision: newest + added.length, position: BigInt(this.#position) };
  }

  async read(stream: string, { from, direction = 'forwards', limit = Infinity }: ReadOptions = {}): Promise<RecordedEvent[]> {
    const events = (await this.#load(stream)) ?? [];
    const chosen = direction === 'forwards' ? events.slice(from ?? 0) : events.slice(0, (from ?? Infinity) + 1).reverse();
    return chosen.slice(0, limit).map((event) => ({
      ...event,
      position: 0n,
      data: JSON.parse(event.data) as object,
      metadata: JSON.parse(event.metadata) as EventMetadata,
    }));
  }

  async *subscribe(after: Position | null, options: SubscribeOptions): AsyncGenerator<SubscriptionBatch> {
    await this.close();
    yield* this.engine.subscribe(after, options);
  }

  head(): Promise<Position> {
    return Promise.resolve(BigInt(this.#position));
  }

  /** Writes all remaining events. The engine stays open. */
  async close(): Promise<void> {
    await this.#write();
  }

  #write(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const events = this.#unwritten;
      this.#unwritten = [];
      if (events.length > 0) this.#written = await writeBehind(this.pool, this.#written, events);
    });
    return this.#writing;
  }

  async #load(stream: string): Promise<WrittenEvent[] | undefined> {
    const known = this.#young.get(stream) ?? this.#old.get(stream);
    if (known || !this.#forgotten.has(stream)) return known;
    await this.#write();
    const { rows } = await this.pool.query<WrittenEvent>({
      name: 'log writer: stream',
      text: `select stream, revision, id, type, data::text as data, metadata::text as metadata from event_store.events where stream = $1 order by revision`,
      values: [stream],
    });
    this.#keep(stream, rows);
    return rows;
  }

  #keep(stream: string, events: WrittenEvent[]): void {
    this.#young.set(stream, events);
    if (this.#young.size < YOUNG_STREAMS) return;
    for (const forgotten of this.#old.keys()) this.#forgotten.add(forgotten);
    this.#old = this.#young;
    this.#young = new Map();
  }
}
