import { encodeAppend, type EncodedAppend } from '../../src/platform/event-store/append-rules.js';
import {
  READ_BYTES_MAX,
  READ_EVENTS_MAX,
  StoreUnavailable,
  StoreRestored,
  StreamTooLong,
  type AppendResult,
  type EventRef,
  type EventMetadata,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  type SubscribeOptions,
  type SubscriptionBatch,
} from '../../src/platform/event-store/event-store.js';

export interface AppendCall {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
}

/**
 * Hooks by which a test or a simulation intervenes. The caller receives the error that a hook throws: `StoreUnavailable` before an append,
 * `OutcomeUnknown` before it (it was not written) or after it (it was), `SimulatedCrash` on either side.
 * A hook may wait, which lets others go first, and may use the store, as a rival would.
 */
export interface InMemoryHooks {
  /** Nothing is written yet. `conflict` answers a wrong revision although none is; the stream must exist. */
  readonly beforeAppend?: (call: AppendCall) => Promise<'conflict' | void> | 'conflict' | void;
  /** The result is decided; the caller has not received it. */
  readonly afterAppend?: (call: AppendCall, result: AppendResult) => Promise<void> | void;
  /** Before a stream is read, or (undefined) the head. */
  readonly beforeRead?: (stream: string | undefined) => Promise<void> | void;
}

/** The process ended here. Only the simulation catches it. */
export class SimulatedCrash extends Error {
  override readonly name = 'SimulatedCrash';
}

interface StoredEvent {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  /** As it is read, once it was. */
  recorded?: RecordedEvent;
}

const BATCH_SIZE = 5_000;

/**
 * An engine in memory with the semantics of the real ones. Without hooks it is deterministic: no timers, no randomness,
 * an append is there when the call returns.
 */
export class InMemoryEventStore implements EventStore {
  /** May be changed while it runs. */
  hooks: InMemoryHooks;
  /** An event's position is its place here, from 1. */
  readonly #log: StoredEvent[] = [];
  /** Places in the log of a stream's events, by revision. */
  readonly #streams = new Map<string, number[]>();
  readonly #closing = new AbortController();
  #wake: () => void = () => undefined;
  #news = this.#nextNews();

  constructor(hooks: InMemoryHooks = {}) {
    this.hooks = hooks;
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[], dependsOn?: readonly EventRef[]): Promise<AppendResult> {
    const append = encodeAppend(stream, expected, events, dependsOn);
    if (this.#closing.signal.aborted) throw new StoreUnavailable('the event store is closed');
    const { beforeAppend, afterAppend } = this.hooks;
    const call = { stream, expected, events };
    const fault = beforeAppend && (await beforeAppend(call));
    const result = fault === 'conflict' ? this.#conflict(stream) : this.#decide(append);
    if (afterAppend) await afterAppend(call, result);
    return result;
  }

  async read(stream: string, { from, direction = 'forwards', limit, stored = false }: ReadOptions = {}): Promise<RecordedEvent[]> {
    await this.hooks.beforeRead?.(stream);
    const places = this.#streams.get(stream) ?? [];
    const chosen = direction === 'forwards' ? places.slice(from ?? 0) : places.slice(0, (from ?? Infinity) + 1).reverse();
    const wanted = chosen.slice(0, limit);
    let bytes = 0;
    const isBehind = wanted.findIndex((place, index) => {
      const isOver = index >= READ_EVENTS_MAX || bytes >= READ_BYTES_MAX;
      bytes += this.#log[place]!.data.length;
      return isOver;
    });
    if (isBehind !== -1 && limit === undefined) throw new StreamTooLong(stream);
    return (isBehind === -1 ? wanted : wanted.slice(0, isBehind)).map((place) => this.#recorded(place, stored));
  }

  async head(): Promise<Position | null> {
    await this.hooks.beforeRead?.(undefined);
    return this.#log.length === 0 ? null : BigInt(this.#log.length);
  }

  async *subscribe(after: Position | null, options: SubscribeOptions): AsyncGenerator<SubscriptionBatch, void, undefined> {
    const { batchSize = BATCH_SIZE, streamPrefix = '', stored = false } = options;
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    signal.addEventListener('abort', () => this.#announce());
    let place = Number(after ?? 0n);
    let last = this.#log[place - 1]?.id;
    let toldCaughtUp = false;
    while (!signal.aborted) {
      const news = this.#news;
      const events: RecordedEvent[] = [];
      if (this.#log[place - 1]?.id !== last) throw new StoreRestored(BigInt(place));
      for (; place < this.#log.length && events.length < batchSize; place += 1) {
        if (this.#log[place]!.stream.startsWith(streamPrefix)) events.push(this.#recorded(place, stored));
      }
      last = this.#log[place - 1]?.id;
      const caughtUp = place >= this.#log.length;
      if (events.length > 0 || (caughtUp && !toldCaughtUp)) {
        toldCaughtUp = caughtUp;
        yield { events, caughtUp };
      }
      if (caughtUp && !signal.aborted) await news;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  /** Loses its newest `count` events, as one that was put back to an older state: their revisions and positions are used again. */
  lose(count: number): void {
    for (const { stream } of this.#log.splice(Math.max(this.#log.length - count, 0))) {
      const places = this.#streams.get(stream)!;
      places.pop();
      if (places.length === 0) this.#streams.delete(stream);
    }
    this.#announce();
  }

  /** Every event behind the first `count`, in log order. */
  all(count = 0): RecordedEvent[] {
    return this.#log.slice(count).map((_, index) => this.#recorded(count + index));
  }

  #decide({ stream, revision, after, events, dependsOn }: EncodedAppend): AppendResult {
    const isStanding = (place: EventRef): boolean => this.#log[this.#streams.get(place.stream)?.[place.revision] ?? -1]?.id === place.id;
    if (!dependsOn.every(isStanding)) throw new StoreRestored(`an event before an append to "${stream}"`);
    const places = this.#streams.get(stream) ?? [];
    const last = revision + events.length - 1;
    const isAfter = after === null || isStanding({ stream, revision: revision - 1, id: after });
    if (revision === places.length && isAfter) {
      for (const [index, event] of events.entries()) {
        places.push(this.#log.length);
        this.#log.push({ ...event, stream, revision: revision + index });
      }
      this.#streams.set(stream, places);
      this.#announce();
      return { ok: true, revision: last, position: BigInt(this.#log.length) };
    }
    const isThere = events.every(({ id }, index) => this.#log[places[revision + index] ?? -1]?.id === id);
    return isThere ? { ok: true, revision: last, position: BigInt(places[last]! + 1) } : wrongRevision(places);
  }

  #conflict(stream: string): AppendResult {
    const places = this.#streams.get(stream);
    if (!places) throw new Error(`nothing can conflict with a first event of "${stream}" but a rival's: append one in the hook`);
    return wrongRevision(places);
  }

  /** Creates each event once: a simulation mostly reads. The events are frozen, so a reader that changed one would fail. */
  #recorded(place: number, stored = false): RecordedEvent {
    const event = this.#log[place]!;
    const { stream, revision, id, type, data, metadata } = event;
    event.recorded ??= frozen({
      ...{ stream, revision, id, type, position: BigInt(place + 1) },
      ...{ data: JSON.parse(data) as object, metadata: JSON.parse(metadata) as EventMetadata },
    });
    // The projector writes the ordinal on the event that it receives, as on one that an engine has just created.
    return { ...event.recorded, ...(stored && { stored: { data, metadata } }) };
  }

  /** Lets every subscription look again. */
  #announce(): void {
    const wake = this.#wake;
    this.#news = this.#nextNews();
    wake();
  }

  #nextNews(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}

/** Returns a store with these events of a log, at the same positions. */
export async function storeOf(events: readonly RecordedEvent[]): Promise<InMemoryEventStore> {
  const store = new InMemoryEventStore();
  await appendRecorded(store, events);
  return store;
}

/** Appends the events of a log, or of its end, to a store that has those before them. */
export async function appendRecorded(store: Pick<EventStore, 'append'>, events: readonly RecordedEvent[]): Promise<void> {
  for (const { stream, revision, id, type, data, metadata } of events)
    await store.append(stream, revision === 0 ? 'no-stream' : revision - 1, [{ id, type, data, metadata }]);
}

function wrongRevision(places: readonly number[]): AppendResult {
  return { ok: false, actual: places.length === 0 ? null : places.length - 1 };
}

function frozen<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part as object);
  return Object.freeze(value);
}
