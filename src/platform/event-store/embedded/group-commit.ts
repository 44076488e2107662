import { OutcomeUnknown, StoreUnavailable, StoreRestored, type AppendResult } from '../event-store.js';
import { APPEND_EVENTS_MAX, type EncodedAppend } from '../append-rules.js';
import { BackOff } from '../../async/back-off.js';

/** Why a batch returned no verdicts. */
export type FailureOutcome =
  /** A condition of the server; certainly rolled back. */
  | 'not-written'
  /** The connection was lost: committed or not. */
  | 'maybe-written'
  /** A fault of the batch itself; certainly rolled back, and it would be again. */
  | 'refused';

export class BatchFailure extends Error {
  override readonly name = 'BatchFailure';

  constructor(
    readonly outcome: FailureOutcome,
    override readonly cause: Error,
  ) {
    super(cause.message);
  }
}

/** StoreRestored answers an append of which nothing was written, and nothing ever will be. */
export type AppendVerdict = AppendResult | StoreRestored;

/**
 * Appends a batch in one transaction: one verdict per append, in order. No two appends of a batch are to the same stream.
 * To send an append again is safe: its ids show that it was written. It settles by itself, however long the server is silent.
 * @param onSending called when there is a connection: from now on it may be written. Its errors are rethrown, and nothing is sent.
 * @throws BatchFailure
 */
export type SendBatch = (batch: readonly EncodedAppend[], onSending: () => void) => Promise<readonly AppendVerdict[]>;

export interface GroupCommitLimits {
  /** Maximum unanswered appends. */
  readonly appendsMax: number;
  /** Maximum bytes of the unanswered appends. */
  readonly bytesMax: number;
  /** Every append is answered within this and `EXPIRY_CHECK_MS`, ms. */
  readonly answerWithinMs: number;
}

const BATCH_EVENTS_MAX = APPEND_EVENTS_MAX;
const BATCH_BYTES_MAX = 4 * 1_048_576;
const EXPIRY_CHECK_MS = 100;
const FIRST_RETRY_MS = 25;
const LONGEST_RETRY_MS = 400;

interface PendingAppend {
  readonly append: EncodedAppend;
  readonly deadline: number;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
  /** Was sent in a batch that has no answer yet, or never got one. */
  maybeWritten: boolean;
  /** Was in a batch that the server rejected. It is sent alone, so that only the faulty append fails. */
  alone: boolean;
}

interface Delivered {
  /** Delay before the next batch, ms. */
  readonly delayMs: number;
  /** Settles the appends of the batch. */
  readonly answer: () => void;
}

/**
 * Group commit: while a batch is in progress, further appends gather for the next one. The higher the load, the larger the batches, and the less each
 * append costs. One batch at a time: a second one would wait for the writers' lock, while the appends that wait here keep gathering.
 */
export class GroupCommit {
  /** Unanswered appends, oldest first. */
  readonly #pending = new Set<PendingAppend>();
  readonly #expiry: NodeJS.Timeout;
  #waiting: PendingAppend[] = [];
  #bytes = 0;
  #busy = false;
  readonly #backOff = new BackOff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
  #lastFailure: Error | undefined;
  #onDrained: (() => void) | undefined;
  #closed = false;

  constructor(
    private readonly send: SendBatch,
    private readonly limits: GroupCommitLimits,
  ) {
    this.#expiry = setInterval(() => this.#expire(), EXPIRY_CHECK_MS).unref();
  }

  /** @throws StoreUnavailable, OutcomeUnknown; the server's error for an append that it will never accept. */
  append(append: EncodedAppend): Promise<AppendResult> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('the event store is closed'));
    const { appendsMax, bytesMax, answerWithinMs } = this.limits;
    if (this.#pending.size >= appendsMax || this.#bytes + append.bytes > bytesMax) {
      return Promise.reject(new StoreUnavailable(`the event store's queue is full: ${this.#pending.size} appends, ${this.#bytes} bytes`));
    }
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + answerWithinMs;
      const pending = { append, deadline, resolve, reject, maybeWritten: false, alone: false };
      this.#pending.add(pending);
      this.#bytes += append.bytes;
      this.#waiting.push(pending);
      this.#schedule();
    });
  }

  /** Accepts no more appends, and resolves when all are answered. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#pending.size > 0) await new Promise<void>((resolve) => (this.#onDrained = resolve));
    clearInterval(this.#expiry);
  }

  /** Other appends of this turn of the event loop join the batch. */
  #schedule(delayMs = 0): void {
    if (this.#busy) return;
    this.#busy = true;
    const run = (): void => void this.#sendNext();
    if (delayMs === 0) setImmediate(run);
    else setTimeout(run, delayMs);
  }

  async #sendNext(): Promise<void> {
    const batch = this.#take();
    const { delayMs, answer } = batch.length > 0 ? await this.#deliver(batch) : { delayMs: 0, answer: () => undefined };
    this.#busy = false;
    if (this.#waiting.length === 0) return answer();
    this.#schedule(delayMs);
    // The callers' work on the answers keeps this process busy for a while: the server has the next batch by then.
    setImmediate(answer);
  }

  /** Takes the oldest appends that fit, at most one per stream; the others keep their order for the next batch. */
  #take(): PendingAppend[] {
    const batch: PendingAppend[] = [];
    const later: PendingAppend[] = [];
    const streams = new Set<string>();
    let events = 0;
    let bytes = 0;
    let full = false;
    for (const pending of this.#waiting) {
      if (!this.#pending.has(pending)) continue; // expired while it waited
      const { append } = pending;
      events += append.events.length;
      bytes += append.bytes;
      full ||= batch.length > 0 && (events > BATCH_EVENTS_MAX || bytes > BATCH_BYTES_MAX || pending.alone);
      if (full || streams.has(append.stream)) {
        later.push(pending);
        continue;
      }
      streams.add(append.stream);
      batch.push(pending);
      full = pending.alone;
    }
    this.#waiting = later;
    return batch;
  }

  async #deliver(batch: readonly PendingAppend[]): Promise<Delivered> {
    const before = batch.map(({ maybeWritten }) => maybeWritten);
    const onSending = (): void => {
      // An append that expired while the connection was made was answered as not written.
      if (batch.some((pending) => !this.#pending.has(pending))) throw new BatchFailure('not-written', new Error('it timed out before it was sent'));
      batch.forEach((pending) => (pending.maybeWritten = true));
    };
    try {
      const results = await this.send(
        batch.map(({ append }) => append),
        onSending,
      );
      this.#backOff.reset();
      const answer = (): void => {
        for (const [index, pending] of batch.entries()) {
          const result = results[index]!;
          this.#answer(pending, () => (result instanceof StoreRestored ? pending.reject(result) : pending.resolve(result)));
        }
      };
      return { delayMs: 0, answer };
    } catch (error) {
      const failure = error instanceof BatchFailure ? error : new BatchFailure('refused', error as Error);
      if (failure.outcome !== 'maybe-written') batch.forEach((pending, index) => (pending.maybeWritten = before[index]!));
      return { delayMs: this.#failed(batch, failure), answer: () => undefined };
    }
  }

  /** @returns the delay before the next batch, ms. */
  #failed(batch: readonly PendingAppend[], { outcome, cause }: BatchFailure): number {
    if (outcome === 'refused' && batch.length === 1) {
      for (const pending of batch) this.#answer(pending, () => pending.reject(cause));
      return 0;
    }
    // The same appends are sent under the same ids, so those that were written after all are found.
    this.#waiting = [...batch, ...this.#waiting];
    if (outcome === 'refused') {
      for (const pending of batch) pending.alone = true;
      return 0;
    }
    this.#lastFailure = cause;
    return this.#backOff.take();
  }

  #expire(): void {
    const now = performance.now();
    for (const pending of this.#pending) {
      if (pending.deadline > now) return;
      const because = this.#lastFailure ? `: ${this.#lastFailure.message}` : '';
      const error = pending.maybeWritten
        ? new OutcomeUnknown(`no answer to an append to "${pending.append.stream}"${because}`, { cause: this.#lastFailure })
        : new StoreUnavailable(`an append to "${pending.append.stream}" could not be sent${because}`, { cause: this.#lastFailure });
      this.#answer(pending, () => pending.reject(error));
    }
  }

  #answer(pending: PendingAppend, settle: () => void): void {
    if (!this.#pending.delete(pending)) return; // expired meanwhile
    this.#bytes -= pending.append.bytes;
    settle();
    if (this.#pending.size === 0) this.#onDrained?.();
  }
}
