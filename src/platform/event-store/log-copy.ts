import { createHash, type Hash } from 'node:crypto';
import { BackOff } from '../async/back-off.js';
import { pause } from '../async/waiting.js';
import {
  StoreUnavailable,
  storedTexts,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type Position,
  type RecordedEvent,
} from './event-store.js';

/** Limits of one append, which takes neighbouring events of one stream: well below the limits of an engine. */
const APPEND_EVENTS_MAX = 500;
const APPEND_BYTES_MAX = 512 * 1_024;
/** Limits of appends that are in progress together. */
const WINDOW_APPENDS_MAX = 256;
const WINDOW_BYTES_MAX = 1_024 * 1_024;
/** Maximum time for which an append without an answer, or to an unavailable target, is sent again, ms. */
const AGAIN_WITHIN_MS = 60_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2_000;

export interface CopyOptions {
  /** Ends the copy between two appends; when it is started again, it continues there. */
  readonly signal: AbortSignal;
  /** Called with the number of further events that are known to be in the target. */
  readonly onCopied?: (events: number) => void;
}

export interface CopyReport {
  /** Number of events in both logs. */
  readonly events: number;
  /** Number of those that this copy wrote. */
  readonly copied: number;
  /**
   * SHA-256, hex, over all events in order, read from the target: stream, revision, id, type, data and metadata as they are stored, each after its
   * length (4 bytes, big-endian).
   */
  readonly digest: string;
}

/** The logs cannot be made equal, or are not; the message is one line for the operator. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

/**
 * Makes the log `to` equal to `from`, up to the head of `from` at the start: the same events in the same order, with the same streams, revisions, ids
 * and bytes. Events that are there already are compared, the rest is appended; then all of `to` is read again and compared.
 * It may end at any point and be started again, also to copy events that were written since. Nothing else may write to `to` meanwhile.
 * @throws CopyRefused, and the errors of the stores; StoreUnavailable of `to` after it was unavailable for a minute.
 */
export async function copyLog(from: EventStore, to: EventStore, { signal, onCopied = () => undefined }: CopyOptions): Promise<CopyReport> {
  const digest = createHash('sha256');
  const standing = wholeLog(to, signal);
  const target = new Target(to, signal);
  let events = 0;
  let hasStanding = true;
  for await (const event of wholeLog(from, signal)) {
    events += 1;
    addTo(digest, event);
    const there = hasStanding ? await standing.next() : undefined;
    if (there?.done === false) {
      if (!isSame(event, there.value)) throw new CopyRefused(`the target holds other events: its event ${events} is ${describe(there.value)}`);
      onCopied(1);
      continue;
    }
    hasStanding = false;
    const written = await target.add(event);
    if (written > 0) onCopied(written);
    signal.throwIfAborted();
  }
  if (hasStanding) {
    const surplus = await standing.next();
    if (surplus.done === false) throw new CopyRefused(`the target holds more than the source: its event ${events + 1} is ${describe(surplus.value)}`);
  }
  onCopied(await target.flush());
  const copy = await digestOf(to, events, signal);
  if (copy !== digest.digest('hex')) throw new CopyRefused('the events of the target differ from the events of the source that were written to it');
  return { events, copied: target.copied, digest: copy };
}

/**
 * Writes new events to the end of a log, in this order and at their revisions. Nothing else may write to their streams meanwhile.
 * @throws CopyRefused, and as `copyLog` does
 */
export async function appendInOrder(to: EventStore, events: readonly RecordedEvent[], signal: AbortSignal): Promise<void> {
  const target = new Target(to, signal);
  for (const event of events) await target.add(event);
  await target.flush();
}

/** Neighbouring events of one stream. */
interface Append {
  readonly events: RecordedEvent[];
  bytes: number;
}

/**
 * The end of the target's log. Appends to different streams are in progress together, in a window: they are sent in order over one connection, and
 * both engines write them in the order in which they arrive. The first append of a window is sent alone, so that the rest meets a target that is
 * known to accept appends; then every position is checked, because an engine that had to retry could have changed the order, and such a change is
 * never ignored.
 */
class Target {
  copied = 0;
  #window: Append[] = [];
  #streams = new Set<string>();
  #windowBytes = 0;
  #newest: Position | null = null;

  constructor(
    private readonly store: EventStore,
    private readonly signal: AbortSignal,
  ) {}

  /** @returns the number of events that were written meanwhile. */
  async add(event: RecordedEvent): Promise<number> {
    const { data, metadata } = storedTexts(event);
    if (JSON.stringify(event.data) !== data || JSON.stringify(event.metadata) !== metadata) {
      throw new CopyRefused(`${describe(event)} cannot be copied byte for byte: it was not written by this service`);
    }
    const bytes = Buffer.byteLength(data) + Buffer.byteLength(metadata);
    const last = this.#window.at(-1);
    if (last?.events[0]!.stream === event.stream && last.events.length < APPEND_EVENTS_MAX && last.bytes + bytes <= APPEND_BYTES_MAX) {
      last.events.push(event);
      last.bytes += bytes;
      this.#windowBytes += bytes;
      return 0;
    }
    // The second append to a stream waits for the first: engines may keep it back for that, and would let others pass it.
    const isFull = this.#window.length >= WINDOW_APPENDS_MAX || this.#windowBytes + bytes > WINDOW_BYTES_MAX || this.#streams.has(event.stream);
    const written = isFull ? await this.flush() : 0;
    this.#window.push({ events: [event], bytes });
    this.#streams.add(event.stream);
    this.#windowBytes += bytes;
    return written;
  }

  async flush(): Promise<number> {
    const [first, ...rest] = this.#window;
    if (first === undefined) return 0;
    let written = this.#taken(first, await this.#append(first).catch((error: unknown) => this.#appendAgain(first, error)));
    const outcomes = await Promise.allSettled(rest.map((append) => this.#append(append)));
    for (const [index, outcome] of outcomes.entries()) {
      const append = rest[index]!;
      written += this.#taken(append, outcome.status === 'fulfilled' ? outcome.value : await this.#appendAgain(append, outcome.reason));
    }
    this.#window = [];
    this.#streams.clear();
    this.#windowBytes = 0;
    return written;
  }

  #append({ events }: Append): Promise<AppendResult> {
    const { stream, revision } = events[0]!;
    const expected: ExpectedRevision = revision === 0 ? 'no-stream' : revision - 1;
    return this.store.append(stream, expected, events);
  }

  /** Sends an append again that failed with `error`, alone: the same ids, of which the target keeps those that it has. */
  async #appendAgain(append: Append, error: unknown): Promise<AppendResult> {
    const deadline = performance.now() + AGAIN_WITHIN_MS;
    const backOff = new BackOff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
    for (let reason = error; ;) {
      if (!(reason instanceof StoreUnavailable) || performance.now() >= deadline) throw reason;
      await pause(backOff.take(), this.signal);
      this.signal.throwIfAborted();
      try {
        return await this.#append(append);
      } catch (again) {
        reason = again;
      }
    }
  }

  #taken({ events }: Append, result: AppendResult): number {
    const first = describe(events[0]!);
    if (!result.ok) {
      throw new CopyRefused(
        `${first} cannot be written: the target's stream ends at ${result.actual ?? 'nothing'}; stop any other writer of the target`,
      );
    }
    if (this.#newest !== null && result.position <= this.#newest) {
      throw new CopyRefused(`the target was interrupted and took ${first} out of order: start again with an empty target`);
    }
    this.#newest = result.position;
    this.copied += events.length;
    return events.length;
  }
}

/** Yields the log up to its head at the start. */
async function* wholeLog(store: EventStore, signal: AbortSignal): AsyncGenerator<RecordedEvent, undefined> {
  const head: Position | null = await store.head();
  if (head === null) return;
  for await (const { events } of store.subscribe(null, { signal, stored: true })) {
    for (const event of events) {
      if (event.position > head) return;
      yield event;
      if (event.position === head) return;
    }
  }
  signal.throwIfAborted();
}

async function digestOf(store: EventStore, events: number, signal: AbortSignal): Promise<string> {
  const digest = createHash('sha256');
  let count = 0;
  for await (const event of wholeLog(store, signal)) {
    count += 1;
    addTo(digest, event);
  }
  if (count !== events) throw new CopyRefused(`the target holds ${count} events, the source ${events}`);
  return digest.digest('hex');
}

function addTo(digest: Hash, event: RecordedEvent): void {
  for (const field of fieldsOf(event)) {
    const bytes = Buffer.from(field);
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32BE(bytes.length);
    digest.update(length).update(bytes);
  }
}

function isSame(one: RecordedEvent, other: RecordedEvent): boolean {
  const others = fieldsOf(other);
  return fieldsOf(one).every((field, index) => field === others[index]);
}

function fieldsOf(event: RecordedEvent): string[] {
  const { data, metadata } = storedTexts(event);
  return [event.stream, String(event.revision), event.id, event.type, data, metadata];
}

const describe = ({ type, id, stream, revision }: RecordedEvent): string => `${type} ${id} (${stream} at ${revision})`;
