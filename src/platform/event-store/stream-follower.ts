import { EventEmitter, once } from 'node:events';
import { pause, timeLimit, unlessAborted } from '../async/waiting.js';
import { StoreRestored, type EventStore, type Position, type RecordedEvent } from './event-store.js';

export interface FollowerOptions {
  /** Prefix of the names of the streams. */
  readonly streamPrefix: string;
  /** Receives one event, in log order, each once. An error that it throws stops the follower for good: nothing is skipped. */
  readonly apply: (event: RecordedEvent) => void;
  /** Called once, when `apply` has thrown. */
  readonly onStopped?: (error: Error) => void;
  /** Called when the store was restored: the applied events are invalid, and all events are applied again, from the first one on. */
  readonly onRestored?: (error: Error) => void;
  /** Called when the whole log has been applied: for the first time, or again after the store was restored. */
  readonly onCaughtUp?: () => void;
}

/** The follower is fresh while it has applied everything that the log held this long ago, ms. */
const FRESH_MS = 1000;
/** Pause between two confirmations. Several fit into FRESH_MS, so that a slow one raises no alarm. */
const CONFIRM_EVERY_MS = 250;
/** A confirmation that takes longer has failed. */
const CONFIRM_WITHIN_MS = 800;
/** Minimum pause between requested confirmations, however many requests arrive: unknown keys must not cause load. */
const CONFIRM_SPACING_MS = 20;
const RETRY_MS = 200;

/**
 * Keeps state in memory in step with a part of the log, and knows whether it is.
 *
 * Events arrive through one live subscription, within milliseconds. Its silence proves nothing: it may be idle or dead.
 * Freshness is therefore confirmed by a request to the store itself: its head, and when that has moved, the events in between.
 */
export class StreamFollower {
  private readonly ending = new AbortController();
  /** All matching events up to here have been applied. */
  private appliedTo: Position | null = null;
  /** The log up to here is known to hold no matching event that was not applied. */
  private confirmedTo: Position | null = null;
  /** Start of the last confirmation that succeeded, `performance.now()`. */
  private confirmedAt = -Infinity;
  private failure: Error | undefined;
  private isCaughtUp = false;
  /** Incremented when the store was restored: events of a subscription from before are ignored. */
  private history = 0;
  private readonly events = new EventEmitter<{ 'caught-up': [] }>();
  private running: Promise<boolean> | undefined;
  private next: Promise<boolean> | undefined;
  private tasks: readonly Promise<void>[] = [];

  constructor(
    private readonly store: EventStore,
    private readonly options: FollowerOptions,
  ) {}

  start(): void {
    if (this.tasks.length > 0) throw new Error('a follower can start only once');
    this.tasks = [this.follow(), this.keepConfirming()];
  }

  /** Resolves when everything that was recorded before the call has been applied, however long that takes. @throws the error that stopped it. */
  async ready(): Promise<void> {
    while (!(await this.confirm())) {
      if (this.failure) throw this.failure;
      if (this.ending.signal.aborted) throw new Error('the follower was stopped before it was ready');
      await pause(RETRY_MS, this.ending.signal);
    }
  }

  /** True when everything that was recorded until a second ago has been applied. */
  isFresh(): boolean {
    return this.failure === undefined && performance.now() - this.confirmedAt <= FRESH_MS;
  }

  /** The error that stopped it for good. */
  stoppedBy(): Error | undefined {
    return this.failure;
  }

  /** Waits until all that was recorded before this call has been applied; false when that is not confirmed within 0.8 s, twice at most. */
  confirm(): Promise<boolean> {
    if (this.next) return this.next;
    if (!this.running) return this.run();
    // The check that runs may have asked for the head before this caller's event was recorded. All waiting callers share the next one, and none
    // starts another before it: otherwise they would wait for that one, too, and so on.
    this.next = this.running.then(async () => {
      await pause(CONFIRM_SPACING_MS, this.ending.signal);
      this.next = undefined;
      return this.run();
    });
    return this.next;
  }

  private run(): Promise<boolean> {
    this.running = this.check().finally(() => (this.running = undefined));
    return this.running;
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.tasks);
    await this.running;
  }

  private async follow(): Promise<void> {
    const { signal } = this.ending;
    const { streamPrefix } = this.options;
    while (!signal.aborted && !this.failure) {
      const { history } = this;
      try {
        for await (const batch of this.store.subscribe(this.appliedTo, { signal, streamPrefix })) {
          this.take(batch.events, history);
          if (batch.caughtUp) this.becomeCaughtUp();
        }
      } catch (error) {
        if (error instanceof StoreRestored) this.startOver(error, history);
        if (history !== this.history) continue;
        // Lost for now, or stopped by `take`: the loop's condition decides.
      }
      await pause(RETRY_MS, this.ending.signal);
    }
  }

  private async keepConfirming(): Promise<void> {
    while (!this.ending.signal.aborted && !this.failure) {
      await this.confirm();
      await pause(CONFIRM_EVERY_MS, this.ending.signal);
    }
  }

  private async check(): Promise<boolean> {
    const startedAt = performance.now();
    const signal = AbortSignal.any([this.ending.signal, timeLimit(CONFIRM_WITHIN_MS)]);
    try {
      // The store's own time-outs are longer.
      await unlessAborted(() => this.reachHead(signal), signal);
    } catch {
      return false;
    }
    if (this.failure) return false;
    this.confirmedAt = startedAt;
    return true;
  }

  private async reachHead(signal: AbortSignal): Promise<void> {
    // Before the first catch-up is done there is nothing to compare with, and a second read of the log would only slow it.
    if (!this.isCaughtUp) await once(this.events, 'caught-up', { signal });
    const { history } = this;
    const from = isAtLeast(this.appliedTo, this.confirmedTo) ? this.appliedTo : this.confirmedTo;
    const head = await this.store.head();
    if (from !== null && (head === null || head < from)) this.startOver(new StoreRestored(from), history);
    if (history !== this.history) throw new Error('the event store was restored to an older state');
    if (head === null || isAtLeast(this.appliedTo, head) || isAtLeast(from, head)) return;
    for await (const batch of this.store.subscribe(from, { signal, streamPrefix: this.options.streamPrefix })) {
      this.take(batch.events, history);
      if (batch.caughtUp || isAtLeast(this.appliedTo, head)) {
        this.confirmedTo = head;
        return;
      }
    }
    throw new Error('the subscription ended before it had caught up');
  }

  /** Runs once, whichever subscription detects it: discards all state, and is not fresh until everything has been read again. */
  private startOver(error: StoreRestored, history: number): void {
    if (history !== this.history) return;
    this.history += 1;
    this.appliedTo = this.confirmedTo = null;
    this.confirmedAt = -Infinity;
    this.isCaughtUp = false;
    this.options.onRestored?.(error);
  }

  /** Both subscriptions begin where all had been applied, so neither leaves a gap; events that the other one delivered first are skipped. */
  private take(events: readonly RecordedEvent[], history: number): void {
    if (this.failure) throw this.failure;
    if (history !== this.history) throw new Error('these events were read before the event store was restored');
    for (const event of events) {
      if (isAtLeast(this.appliedTo, event.position)) continue;
      try {
        this.options.apply(event);
      } catch (error) {
        this.failure = error as Error;
        this.options.onStopped?.(this.failure);
        throw error;
      }
      this.appliedTo = event.position;
    }
  }

  private becomeCaughtUp(): void {
    if (this.isCaughtUp) return;
    this.isCaughtUp = true;
    this.options.onCaughtUp?.();
    this.events.emit('caught-up');
  }
}

function isAtLeast(position: Position | null, other: Position | null): boolean {
  return other === null || (position !== null && position >= other);
}
