import { RoundRobinQueue } from '../async/round-robin-queue.js';
import { DueLater } from './due-later.js';

/** A record that has not ended, because work is left to be done for it. */
export interface OpenRecord {
  readonly merchant_id: string;
  /** Pause before its last attempt, ms. */
  pauseMs: number;
}

export interface OpenRecordPollerOptions<Row extends { readonly ordinal: number }, Item extends OpenRecord> {
  /**
   * Returns records that were created after the ordinal `after`, in the order of the log; `reached`: the ordinal that the read model had reached
   * before the search.
   */
  readonly findOpen: (after: number, limit: number) => Promise<{ readonly rows: readonly Row[]; readonly reached: number }>;
  /** Returns null for a record without work. `restMs`: time until its first attempt. */
  readonly toItem: (row: Row) => { readonly item: Item; readonly restMs: number } | null;
  /** Returns true when no work is left; a number: milliseconds until the next attempt; false: the next attempt follows after a pause that grows. */
  readonly advance: (item: Item) => Promise<boolean | number>;
  /** Milliseconds that never run backwards: all waiting uses these, whatever happens to the system's clock. */
  readonly elapsedMs: () => number;
  /** How often a restored store was detected: all records are found again then, since ordinals are used again. */
  readonly restoreCount: () => number;
  /** Waits until the next search for new records at the latest; `idle` resolves when no record is in progress. */
  readonly untilNextPoll: (idle: Promise<void>) => Promise<void>;
  /** Called for a record whose attempt failed; it is tried again. */
  readonly onError: (item: Item, error: unknown) => void;
}

const PAGE_SIZE = 1_000;
/**
 * Maximum records in progress, in all and for one merchant: slow work for one merchant leaves places to the others. Records in progress on one
 * account are appended together, so that its worker keeps up with its requests.
 */
const IN_WORK_MAX = 256;
const IN_WORK_PER_MERCHANT_MAX = 128;
/** Pause before a record is tried again, ms; it grows with each attempt, up to the maximum. */
const AGAIN_MS = 250;
const AGAIN_FACTOR = 1.5;
const AGAIN_MAX_MS = 15 * 60_000;

/** Returns the pause of a record that has been tried for `ms` milliseconds. */
const pauseAfter = (ms: number): number => between(0, (ms * (AGAIN_FACTOR - 1)) / AGAIN_FACTOR, AGAIN_MAX_MS);

interface Handed {
  /** Milliseconds since the epoch. */
  readonly created: number;
  /** When it was handed over to the party that responds for it, milliseconds since the epoch; null: not yet. */
  readonly submitted: number | null;
  /** Time between its creation and its handover; undefined: not known yet. */
  readonly rest_ms: number | undefined;
}

/** Returns when a record that was begun earlier is tried next: one that was handed over, as if it had been queried ever since. */
export function resumed({ created, submitted, rest_ms = 0 }: Handed, now: number): { readonly pauseMs: number; readonly restMs: number } {
  return submitted === null ? { pauseMs: 0, restMs: restLeft(rest_ms, created, now) } : { pauseMs: pauseAfter(now - submitted), restMs: 0 };
}

/**
 * Advances open records until each has ended. All knowledge is in the read model and the streams: memory holds only which records are open, and when
 * each is tried next, so that records without pending work cost nothing. Each is found once, after the last one in the log. After a restart all of
 * them are found and tried once.
 */
export class OpenRecordPoller<Row extends { readonly ordinal: number }, Item extends OpenRecord> {
  readonly #later: DueLater<Item>;
  readonly #turns = new RoundRobinQueue<Item>(IN_WORK_MAX, IN_WORK_PER_MERCHANT_MAX);
  #waitForIdle: (() => void)[] = [];
  /** Signal of the newest pass: no work starts once it aborts. */
  #signal: AbortSignal | undefined;
  /** The ordinal up to which every open record was found. */
  #found = 0;
  #restoreCount: number;

  constructor(private readonly options: OpenRecordPollerOptions<Row, Item>) {
    this.#later = new DueLater(options.elapsedMs());
    this.#restoreCount = options.restoreCount();
  }

  /** Searches for new records and advances those that are due, for as long as `untilNextPoll` lasts. Work in progress then continues. */
  async pass(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    await this.#poll(signal);
    this.#begin();
    await this.options.untilNextPoll(this.idle());
  }

  /** Has the next pass try the records that are `wanted`, however long they were to wait; their pauses are short again. */
  hasten(wanted: (item: Item) => boolean): void {
    for (const item of this.#later.takeEarly(wanted)) {
      item.pauseMs = 0;
      this.#turns.add(item.merchant_id, item);
    }
  }

  /** Resolves when no record is in progress. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#turns.underWay === 0) resolve();
      else this.#waitForIdle.push(resolve);
    });
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const restoreCount = this.options.restoreCount();
    if (restoreCount !== this.#restoreCount) this.#forget();
    this.#restoreCount = restoreCount;
    while (!signal.aborted) {
      const { rows, reached } = await this.options.findOpen(this.#found, PAGE_SIZE);
      // The database was restored: found records may be gone, and others may have their ordinals.
      if (reached < this.#found) this.#forget();
      else {
        for (const row of rows) this.#add(row);
        const last = rows.at(-1)?.ordinal ?? 0;
        this.#found = rows.length < PAGE_SIZE ? Math.max(reached, last) : last;
        if (rows.length < PAGE_SIZE) return;
        this.#begin();
      }
    }
  }

  #forget(): void {
    this.#found = 0;
    this.#later.clear();
    this.#turns.clear();
  }

  #add(row: Row): void {
    const toItem = this.options.toItem(row);
    if (toItem === null) return;
    const { item, restMs } = toItem;
    if (restMs === 0) this.#turns.add(item.merchant_id, item);
    else this.#later.add(item, this.options.elapsedMs() + restMs);
  }

  #begin(): void {
    for (const item of this.#later.take(this.options.elapsedMs())) this.#turns.add(item.merchant_id, item);
    while (this.#signal?.aborted === false) {
      const item = this.#turns.next();
      if (!item) break;
      void this.#advance(item).finally(() => {
        this.#turns.done(item.merchant_id);
        this.#begin();
      });
    }
    if (this.#turns.underWay > 0) return;
    for (const resolve of this.#waitForIdle.splice(0)) resolve();
  }

  async #advance(item: Item): Promise<void> {
    let advanced: boolean | number = false;
    try {
      advanced = await this.options.advance(item);
    } catch (error) {
      this.options.onError(item, error);
    }
    if (advanced === true) return;
    if (advanced === false) item.pauseMs = between(AGAIN_MS, item.pauseMs * AGAIN_FACTOR, AGAIN_MAX_MS);
    this.#later.add(item, this.options.elapsedMs() + (advanced === false ? item.pauseMs : advanced));
  }
}

const between = (min: number, value: number, max: number): number => Math.min(Math.max(value, min), max);

/** Returns the remaining rest of a record that was created at `created` and rests for `ms`: on any clock, never longer than `ms` from now on. */
export function restLeft(ms: number, created: number, now: number): number {
  return Math.abs(now - created) >= ms ? 0 : Math.min(ms - (now - created), ms);
}
