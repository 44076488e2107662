import { randomUUID } from 'node:crypto';
import { pause } from '../../async/waiting.js';
import type { EncodedAppend } from '../append-rules.js';
import { OutcomeUnknown, StoreUnavailable, StoreRestored, type AppendResult, type EventRef, type EventStore, type Position } from '../event-store.js';
import { isReady, type BatchAppendCall, type EventStoreDBConnection, type Session } from './eventstoredb-connection.js';
import { batchAppendRequest, type AppendAnswer, type AppendVerdict } from './eventstoredb-messages.js';
import { BackOff } from '../../async/back-off.js';

export interface AppendLimits {
  /** Maximum unanswered appends. */
  readonly appendsMax: number;
  /** Maximum bytes of the unanswered appends. */
  readonly bytesMax: number;
  /** Every append is answered within this and `CHECK_MS`, ms. */
  readonly answerWithinMs: number;
}

const CHECK_MS = 100;
/**
 * An unanswered append is sent again after this time. The server silently drops an append while the same one is on its way to the followers; appends
 * can also stall for a second.
 */
const RESEND_MS = 1_000;
const CONNECT_MS = 1_000;
const FIRST_RETRY_MS = 25;
const LONGEST_RETRY_MS = 400;
/** An attempt with less time than this for its answer is not made: it would turn "not written" into "unknown". */
const LAST_ATTEMPT_MS = 500;
/** Maximum events that are known to exist; beyond it all are forgotten, which costs a read each. */
const KNOWN_MAX = 20_000;

interface PendingAppend {
  readonly append: EncodedAppend;
  readonly deadline: number;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
  /** Attempts that were sent and may have been written: without an answer, or with an inconclusive one. */
  unknown: number;
  /** Attempts that may still be answered. */
  readonly open: Set<string>;
  sentAt: number;
  readonly backOff: BackOff;
}

interface OpenCall {
  readonly call: BatchAppendCall;
  /** Appends in progress on it, by the id of the attempt. */
  readonly attempts: Map<string, PendingAppend>;
  /** Events that were seen at their places during this call: a server that is restored ends the call. */
  readonly known: Set<string>;
}

/**
 * Appends over one batch stream. When it breaks, every append in progress has an unknown outcome, and is sent again with the same ids and the same
 * expected revision: EventStoreDB then finds the events that it has. An expectation that was wrong once never becomes right again, so a late copy of
 * an append that was answered can do no harm.
 *
 * The server compares revisions, not ids. An append that names the event it follows, or events of other streams, is therefore sent at once only when
 * each of them was seen during the present call; else they are read first. A server that is restored to an older state loses its connections, so
 * events that were seen before are checked once.
 */
export class EventStoreDBAppends {
  /** Unanswered appends, oldest first. */
  readonly #pending = new Set<PendingAppend>();
  readonly #check: NodeJS.Timeout;
  readonly #closing = new AbortController();
  #unsent: PendingAppend[] = [];
  #open: OpenCall | undefined;
  #opening = false;
  #bytes = 0;
  #lastFailure: Error | undefined;
  #onDrained: (() => void) | undefined;

  constructor(
    private readonly connection: EventStoreDBConnection,
    private readonly read: EventStore['read'],
    private readonly onConnectionLost: (error: Error) => void,
    private readonly limits: AppendLimits,
  ) {
    this.#check = setInterval(() => this.#lookAtClock(), CHECK_MS).unref();
  }

  /** @throws StoreUnavailable, OutcomeUnknown; an Error when the server reports that it will never accept it. */
  append(append: EncodedAppend): Promise<AppendResult> {
    if (this.#closing.signal.aborted) return Promise.reject(new StoreUnavailable('the event store is closed'));
    const { appendsMax, bytesMax, answerWithinMs } = this.limits;
    if (this.#pending.size >= appendsMax || this.#bytes + append.bytes > bytesMax) {
      return Promise.reject(new StoreUnavailable(`the event store's queue is full: ${this.#pending.size} appends, ${this.#bytes} bytes`));
    }
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + answerWithinMs;
      const pending = {
        append,
        deadline,
        resolve,
        reject,
        unknown: 0,
        open: new Set<string>(),
        sentAt: Infinity,
        backOff: new BackOff(FIRST_RETRY_MS, LONGEST_RETRY_MS),
      };
      this.#pending.add(pending);
      this.#bytes += append.bytes;
      this.#send(pending);
    });
  }

  /** Accepts no more appends, and resolves when all are answered. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#pending.size > 0) await new Promise<void>((resolve) => (this.#onDrained = resolve));
    clearInterval(this.#check);
    this.#open?.call.end();
    this.#open?.call.cancel();
  }

  #send(pending: PendingAppend): void {
    if (!this.#pending.has(pending)) return;
    if (!this.#open) {
      this.#unsent.push(pending);
      void this.#connect();
      return;
    }
    const { known } = this.#open;
    const unknown = placesNamedIn(pending.append).filter((place) => !known.has(placeName(place)));
    if (unknown.length > 0) {
      void this.#confirm(pending, unknown, this.#open);
      return;
    }
    const attempt = randomUUID();
    pending.unknown += 1;
    pending.open.add(attempt);
    pending.sentAt = performance.now();
    this.#open.attempts.set(attempt, pending);
    this.#open.call.write(batchAppendRequest(attempt, pending.append));
  }

  /** Sends it when the events that it names are at their expected places; else it is answered, and was not written. */
  async #confirm(pending: PendingAppend, places: readonly EventRef[], open: OpenCall): Promise<void> {
    const { stream } = pending.append;
    pending.sentAt = Infinity;
    try {
      const found = await Promise.all(places.map((place) => this.read(place.stream, { from: place.revision, limit: 1 })));
      const gone = places.filter(({ id }, index) => found[index]![0]?.id !== id);
      if (gone.length === 0) {
        for (const place of places) know(open, place);
        this.#send(pending);
        return;
      }
      if (gone.some((place) => place.stream !== stream)) {
        this.#answer(pending, () => pending.reject(new StoreRestored(`an event before an append to "${stream}"`)));
        return;
      }
      const [newest] = await this.read(stream, { direction: 'backwards', limit: 1 });
      this.#answer(pending, () => pending.resolve({ ok: false, actual: newest?.revision ?? null }));
    } catch (error) {
      this.#lastFailure = error as Error;
      this.#sendLater(pending);
    }
  }

  #sendLater(pending: PendingAppend): void {
    if (pending.unknown === 0 && performance.now() + pending.backOff.nextMs > pending.deadline - LAST_ATTEMPT_MS) {
      this.#giveUp(pending);
      return;
    }
    pending.sentAt = Infinity;
    setTimeout(() => this.#send(pending), pending.backOff.take()).unref();
  }

  async #connect(): Promise<void> {
    if (this.#opening) return;
    this.#opening = true;
    const never = new AbortController().signal;
    for (const backOff = new BackOff(FIRST_RETRY_MS, LONGEST_RETRY_MS); !this.#open && this.#pending.size > 0;) {
      try {
        const session = await this.connection.session();
        // Nothing is sent before there is a connection, so an append that was not sent was not written.
        if (await isReady(session, CONNECT_MS)) this.#openCall(session);
        else throw new StoreUnavailable(`no connection to ${this.connection.address}`);
      } catch (error) {
        this.#lastFailure = error as Error;
        await pause(backOff.take(), never);
      }
    }
    this.#opening = false;
    const unsent = this.#unsent;
    this.#unsent = [];
    for (const pending of unsent) this.#send(pending);
  }

  #openCall(session: Session): void {
    const call = this.connection.batchAppend(session);
    const open: OpenCall = { call, attempts: new Map(), known: new Set() };
    this.#open = open;
    const broke = (error: Error): void => {
      session.over.removeEventListener('abort', onOver);
      this.#broke(open, error);
    };
    const onOver = (): void => {
      call.cancel();
      broke(session.over.reason as Error);
    };
    session.over.addEventListener('abort', onOver, { once: true });
    call.on('data', (answer: AppendAnswer) => this.#answered(open, answer));
    call.on('error', (error) => {
      void this.connection.failed(session, error);
      broke(error);
    });
    call.on('end', () => broke(new Error('the server ended the call')));
  }

  /** Every append in progress may have been written or not. */
  #broke(open: OpenCall, error: Error): void {
    if (this.#open !== open) return;
    this.#open = undefined;
    this.#lastFailure = error;
    if (!this.#closing.signal.aborted) this.onConnectionLost(error);
    const hit = new Set(open.attempts.values());
    for (const [attempt, pending] of open.attempts) pending.open.delete(attempt);
    open.attempts.clear();
    for (const pending of hit) this.#sendLater(pending);
  }

  #answered(open: OpenCall, { attempt, verdict }: AppendAnswer): void {
    const pending = open.attempts.get(attempt);
    // A second answer, or an answer to an append that was answered through another attempt.
    if (!pending) return;
    open.attempts.delete(attempt);
    pending.open.delete(attempt);
    if (this.#pending.has(pending)) this.#act(open, pending, verdict);
  }

  #act(open: OpenCall, pending: PendingAppend, verdict: AppendVerdict): void {
    const { stream, events } = pending.append;
    switch (verdict.kind) {
      case 'written':
        know(open, { stream, revision: verdict.revision, id: events.at(-1)!.id });
        void this.#written(pending, verdict.revision, verdict.position);
        return;
      case 'wrong-revision':
        this.#answer(pending, () => pending.resolve({ ok: false, actual: verdict.actual }));
        return;
      case 'refused':
        this.#answer(pending, () => pending.reject(new Error(`the event store rejects an append to "${stream}": ${verdict.message}`)));
        return;
      case 'access-denied':
        pending.unknown -= 1;
        this.#lastFailure = new Error('access denied');
        this.#giveUp(pending);
        return;
      case 'not-handled':
        pending.unknown -= 1;
        break;
      case 'unknown':
        break;
      default:
        verdict satisfies never;
    }
    this.#lastFailure = new Error(verdict.message);
    if (pending.open.size === 0) this.#sendLater(pending);
  }

  /** An append that was found to be there already is answered without its position while the server's index does not know it. */
  async #written(pending: PendingAppend, revision: number, position: Position | null): Promise<void> {
    try {
      const known = position ?? (await this.#positionOf(pending.append.stream, revision));
      this.#answer(pending, () => pending.resolve({ ok: true, revision, position: known }));
    } catch (error) {
      this.#lastFailure = error as Error;
      this.#sendLater(pending);
    }
  }

  async #positionOf(stream: string, revision: number): Promise<Position> {
    const [event] = await this.read(stream, { from: revision, limit: 1 });
    if (!event) throw new StoreUnavailable(`revision ${revision} of "${stream}" cannot be read yet`);
    return event.position;
  }

  #lookAtClock(): void {
    const now = performance.now();
    for (const pending of this.#pending) {
      if (pending.deadline <= now) this.#giveUp(pending);
      else if (now - pending.sentAt >= RESEND_MS) this.#send(pending);
    }
  }

  #giveUp(pending: PendingAppend): void {
    const { stream } = pending.append;
    const because = this.#lastFailure ? `: ${this.#lastFailure.message}` : '';
    const error =
      pending.unknown > 0
        ? new OutcomeUnknown(`no answer to an append to "${stream}"${because}`, { cause: this.#lastFailure })
        : new StoreUnavailable(`an append to "${stream}" was not written${because}`, { cause: this.#lastFailure });
    this.#answer(pending, () => pending.reject(error));
  }

  #answer(pending: PendingAppend, settle: () => void): void {
    if (!this.#pending.delete(pending)) return;
    this.#bytes -= pending.append.bytes;
    for (const attempt of pending.open) this.#open?.attempts.delete(attempt);
    settle();
    if (this.#pending.size === 0) this.#onDrained?.();
  }
}

/** Returns the event that it follows, and the events of other streams that it depends on. */
function placesNamedIn({ stream, revision, after, dependsOn }: EncodedAppend): readonly EventRef[] {
  return after === null ? dependsOn : [{ stream, revision: revision - 1, id: after }, ...dependsOn];
}

const placeName = ({ stream, revision, id }: EventRef): string => `${stream} ${revision} ${id}`;

function know({ known }: OpenCall, place: EventRef): void {
  if (known.size >= KNOWN_MAX) known.clear();
  known.add(placeName(place));
}
