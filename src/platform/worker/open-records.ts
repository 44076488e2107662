import { RoundRobinQueue } from '../round-robin-queue.js';
import { DueLater } from './due-later.js';

/** A record that is not at its end, as something is to be done for it. */
export interface OpenRecord {
  readonly merchant_id: string;
  /** Before it was last looked after. */
  pauseMs: number;
}

export interface OpenRecordsOptions<Row extends { readonly ordinal: number }, Item extends OpenRecord> {
  /**
   * Those that were begun behind the ordinal `after`, in the order of the log; `reached`: the ordinal that the read model had come to
   * before they were looked for.
   */
  readonly findOpen: (after: number, limit: number) => Promise<{ readonly rows: readonly Row[]; readonly reached: number }>;
  /** null: nothing is done for it. `restMs`: until it is first looked after. */
  readonly taken: (row: Row) => { readonly item: Item; readonly restMs: number } | null;
  /** True when nothing is left to be done for it; else after how many milliseconds it is looked after again, false after a pause that grows. */
  readonly advance: (item: Item) => Promise<boolean | number>;
  /** Milliseconds that never run backwards: what waits is waited for by these, whatever becomes of the clock. */
  readonly elapsedMs: () => number;
  /** How often it was noticed that the store was put back: all is found anew then, since ordinals are used again. */
  readonly timesWentBack: () => number;
  /** Until the next look for new records at the latest; `idle` resolves when nothing is in work. */
  readonly untilNextLook: (idle: Promise<void>) => Promise<void>;
  /** Called for a record that could not be moved on; it is tried again. */
  readonly onError: (item: Item, error: unknown) => void;
}

const PAGE_SIZE = 1_000;
/**
 * Records in work at a time, and those of one merchant: what takes long for one merchant leaves places to the others. What is in work on
 * one account is appended together, so that its worker keeps up with its requests.
 */
const IN_WORK_MAX = 256;
const IN_WORK_PER_MERCHANT_MAX = 128;
/** A record is looked after again after this, and then ever more seldom. */
const AGAIN_MS = 250;
const AGAIN_FACTOR = 1.5;
const AGAIN_MAX_MS = 15 * 60_000;

/** The pause of a record that has been looked after for `ms` milliseconds. */
const pauseAfter = (ms: number): number => between(0, (ms * (AGAIN_FACTOR - 1)) / AGAIN_FACTOR, AGAIN_MAX_MS);

interface Handed {
  /** Milliseconds since the epoch. */
  readonly created: number;
  /** Since when it has been with whoever answers for it, milliseconds since the epoch; null: it has not been handed over. */
  readonly submitted: number | null;
  /** Between its creation and its being handed over; undefined: not known yet. */
  readonly rest_ms: number | undefined;
}

/** When a record that was begun earlier is looked after next: one that was handed over, as if it had been asked about ever since. */
export function resumed({ created, submitted, rest_ms = 0 }: Handed, now: number): { readonly pauseMs: number; readonly restMs: number } {
  return submitted === null ? { pauseMs: 0, restMs: restLeft(rest_ms, created, now) } : { pauseMs: pauseAfter(now - submitted), restMs: 0 };
}

/**
 * Moves open records on until each is at its end. Everything it knows is in the read model and the streams: what it remembers itself is
 * which records are open, and when each is looked after next, so that those for which nothing is to be done cost nothing. Each is
 * found once, behind the last one in the log. After a restart all of them are found and looked after once.
 */
export class OpenRecords<Row extends { readonly ordinal: number }, Item extends OpenRecord> {
  readonly #later: DueLater<Item>;
  readonly #turns = new RoundRobinQueue<Item>(IN_WORK_MAX, IN_WORK_PER_MERCHANT_MAX);
  #waitForIdle: (() => void)[] = [];
  /** Of the newest pass: nothing is begun any more once it aborts. */
  #signal: AbortSignal | undefined;
  /** The ordinal up to which every open record was found. */
  #found = 0;
  #timesWentBack: number;

  constructor(private readonly options: OpenRecordsOptions<Row, Item>) {
    this.#later = new DueLater(options.elapsedMs());
    this.#timesWentBack = options.timesWentBack();
  }

  /** Looks for new records and moves on what is due, for as long as `untilNextLook` lasts. What is in work then goes on. */
  async pass(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    await this.#look(signal);
    this.#begin();
    await this.options.untilNextLook(this.idle());
  }

  /** Has the records that are `wanted` looked after by the next pass, however long they were to wait; their pauses are short again. */
  hasten(wanted: (item: Item) => boolean): void {
    for (const item of this.#later.takeEarly(wanted)) {
      item.pauseMs = 0;
      this.#turns.add(item.merchant_id, item);
    }
  }

  /** Resolves when nothing is in work. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#turns.underWay === 0) resolve();
      else this.#waitForIdle.push(resolve);
    });
  }

  async #look(signal: AbortSignal): Promise<void> {
    const timesWentBack = this.options.timesWentBack();
    if (timesWentBack !== this.#timesWentBack) this.#forget();
    this.#timesWentBack = timesWentBack;
    while (!signal.aborted) {
      const { rows, reached } = await this.options.findOpen(this.#found, PAGE_SIZE);
      // The database was put back: what was found may be gone, and others may stand in its place.
      if (reached < this.#found) this.#forget();
      else {
        for (const row of rows) this.#take(row);
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

  #take(row: Row): void {
    const taken = this.options.taken(row);
    if (taken === null) return;
    const { item, restMs } = taken;
    if (restMs === 0) this.#turns.add(item.merchant_id, item);
    else this.#later.add(item, this.options.elapsedMs() + restMs);
  }

  #begin(): void {
    for (const item of this.#later.take(this.options.elapsedMs())) this.#turns.add(item.merchant_id, item);
    while (this.#signal?.aborted === false) {
      const item = this.#turns.next();
      if (!item) break;
      void this.#moveOn(item).finally(() => {
        this.#turns.done(item.merchant_id);
        this.#begin();
      });
    }
    if (this.#turns.underWay > 0) return;
    for (const resolve of this.#waitForIdle.splice(0)) resolve();
  }

  async #moveOn(item: Item): Promise<void> {
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

/** How long a record still rests that was created at `created` and rests for `ms`: by whatever clock, never longer than from now on. */
export function restLeft(ms: number, created: number, now: number): number {
  return Math.abs(now - created) >= ms ? 0 : Math.min(ms - (now - created), ms);
}
