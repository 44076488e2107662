import { StoreUnavailable, type RecordedEvent } from './event-store.js';
import { pause } from '../async/waiting.js';

/** The process's clock is ahead, or could not be compared: nothing was decided. Clients see the message. */
export class ClockRefused extends StoreUnavailable {
  override readonly name = 'ClockRefused';
}

export interface ClockGuardOptions {
  /** The database's clock, milliseconds since the epoch. */
  readonly ask: () => Promise<number>;
  /** The process's clock, milliseconds since the epoch. */
  readonly clock: () => number;
  /** A clock that no change of the process's clock affects, ms. */
  readonly steady?: () => number;
}

export type ClockReport = (level: 'error' | 'warn', fields: Readonly<Record<string, unknown>>, message: string) => void;

interface Comparison {
  /** Positive: the process's clock is ahead of the database's, ms. */
  readonly skewMs: number;
  /** The database may have read its clock at any time between request and response, ms. */
  readonly uncertaintyMs: number;
  /** Offset of the database's clock from the steady one. */
  readonly offsetMs: number;
}

const COMPARE_EVERY_MS = 5_000;
/** A clock is wrong when it is off by more than this; a wrong clock is right again below the other bound. */
const WRONG_MS = 5_000;
const RIGHT_MS = 1_000;
/** A clock that has moved this far against the steady one since it was compared is compared again before anything is decided. */
const JUMP_MS = 1_000;
/** A comparison that took longer is too inexact. */
const ROUND_TRIP_MAX_MS = 1_000;
const TRIES_MAX = 3;
const EVENTS_REPORTED_EVERY_MS = 60_000;

/**
 * Compares the process's clock with the database's, every five seconds and whenever it has jumped. Events keep the process's time, so a process whose
 * clock is ahead decides nothing; one whose clock is behind reports it and keeps deciding.
 */
export class ClockGuard {
  /** The process's clock: the time of events. */
  readonly clock: () => number;
  readonly #steady: () => number;
  readonly #stopping = new AbortController();
  #report: ClockReport = () => undefined;
  #last: Comparison | undefined;
  #state: 'right' | 'ahead' | 'behind' = 'right';
  #comparing: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #eventsAhead = 0;
  #eventsReportedMs = -Infinity;

  constructor(private readonly options: ClockGuardOptions) {
    this.clock = options.clock;
    this.#steady = options.steady ?? (() => performance.now());
  }

  /**
   * The database's clock as this process estimates it, whole milliseconds since the epoch. Used for leases, and to judge a moment (an expiry, a
   * signature, a time in the future), which no jump of the process's own clock may affect. Returns the process's clock until the first comparison.
   */
  readonly common = (): number => (this.#last ? Math.floor(this.#steady() + this.#last.offsetMs) : this.clock());

  /** Lead of the process's clock over the database's, ms, as estimated since the last comparison; negative: behind. */
  get skewMs(): number {
    return this.clock() - this.common();
  }

  get isBehind(): boolean {
    return this.#state === 'behind';
  }

  /** Number of events read so far that were more than five seconds ahead of the database's clock. */
  get eventsAhead(): number {
    return this.#eventsAhead;
  }

  /** Compares now, and from now on every five seconds. Only the report of the first call is used. */
  async start(report: ClockReport): Promise<void> {
    if (this.#running) return this.compare();
    this.#report = report;
    this.#running = this.#run();
    await this.compare();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#comparing;
  }

  /**
   * Callers check it before they decide anything. Costs nothing unless the clock has jumped.
   * @throws ClockRefused, at once or later
   */
  check(): Promise<void> | undefined {
    if (this.#isUncompared()) return this.#compareAndCheck();
    this.#refuseAhead();
    return undefined;
  }

  /** Returns true when decisions are allowed. Never throws. */
  async mayDecide(): Promise<boolean> {
    try {
      await this.check();
      return true;
    } catch {
      return false;
    }
  }

  /** Rejects an event whose time was set before the clock was corrected. @throws ClockRefused */
  refuseFuture(occurred_on: string): void {
    const aheadMs = Date.parse(occurred_on) - this.common();
    if (aheadMs - (this.#last?.uncertaintyMs ?? 0) > WRONG_MS) throw refusal(aheadMs);
  }

  /** Receives the events that were read: an event ahead of the clock comes from a process whose clock was wrong. */
  saw(events: readonly RecordedEvent[]): void {
    if (!this.#last || events.length === 0) return;
    // Times have one form, whose order as text is the order in time.
    const limit = new Date(this.common() + WRONG_MS).toISOString().slice(0, -1);
    const ahead = events.filter(({ metadata }) => metadata.occurred_on > limit);
    this.#eventsAhead += ahead.length;
    const newest = ahead.at(-1);
    if (!newest || this.#steady() - this.#eventsReportedMs < EVENTS_REPORTED_EVERY_MS) return;
    this.#eventsReportedMs = this.#steady();
    const { stream, revision, metadata } = newest;
    this.#report(
      'error',
      { stream, revision, occurred_on: metadata.occurred_on },
      'an event is ahead of the clock: a process with a wrong clock wrote it',
    );
  }

  /** Concurrent calls wait for the same comparison. When the database does not answer, nothing changes. */
  compare(): Promise<void> {
    return (this.#comparing ??= this.#compare().finally(() => (this.#comparing = undefined)));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await pause(COMPARE_EVERY_MS, signal);
      if (!signal.aborted) await this.compare();
    }
  }

  async #compare(): Promise<void> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const comparison = await this.#ask().catch(() => undefined);
      if (comparison) return this.#take(comparison);
    }
  }

  /** Returns undefined when the answer proves nothing: it took too long, or the clock jumped meanwhile. */
  async #ask(): Promise<Comparison | undefined> {
    const [begun, clockBegun] = [this.#steady(), this.clock()];
    const databaseMs = await this.options.ask();
    const [tookMs, clockTookMs] = [this.#steady() - begun, this.clock() - clockBegun];
    if (tookMs > ROUND_TRIP_MAX_MS || Math.abs(clockTookMs - tookMs) > JUMP_MS / 2) return undefined;
    return { skewMs: clockBegun + clockTookMs / 2 - databaseMs, uncertaintyMs: tookMs / 2, offsetMs: databaseMs - (begun + tookMs / 2) };
  }

  #take(comparison: Comparison): void {
    this.#last = comparison;
    const { skewMs, uncertaintyMs } = comparison;
    const before = this.#state;
    if (skewMs - uncertaintyMs > WRONG_MS) this.#state = 'ahead';
    else if (skewMs + uncertaintyMs < -WRONG_MS) this.#state = 'behind';
    else if (before === 'ahead' ? skewMs + uncertaintyMs < RIGHT_MS : skewMs - uncertaintyMs > -RIGHT_MS) this.#state = 'right';
    if (this.#state === before) return;
    const fields = { skew_seconds: skewMs / 1_000 };
    if (before === 'ahead') this.#report('warn', fields, "the process's clock is right again: writes are accepted");
    if (before === 'behind') this.#report('warn', fields, "the process's clock is no longer behind the database's");
    if (this.#state === 'ahead') this.#report('error', fields, "the process's clock is ahead of the database's: writes are rejected");
    if (this.#state === 'behind') this.#report('warn', fields, "the process's clock is behind the database's");
  }

  #isUncompared(): boolean {
    return this.#last === undefined || Math.abs(this.skewMs - this.#last.skewMs) > JUMP_MS;
  }

  async #compareAndCheck(): Promise<void> {
    // A comparison in progress may have read the clock before the jump.
    for (let tries = 0; tries < 2 && this.#isUncompared(); tries += 1) await this.compare();
    this.#refuseAhead();
    if (this.#isUncompared()) throw new ClockRefused("This process currently cannot compare its clock with the database's. Nothing was recorded.");
  }

  #refuseAhead(): void {
    if (this.#state === 'ahead') throw refusal(this.skewMs);
  }
}

function refusal(aheadMs: number): ClockRefused {
  return new ClockRefused(
    `The clock of this process is ${Math.round(aheadMs / 1_000)} s ahead of the database's: it rejects writes until the clock is corrected. Nothing was recorded.`,
  );
}
