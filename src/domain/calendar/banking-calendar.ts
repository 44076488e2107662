import type { HolidaysSet } from '../../ledger/events/calendar.events.js';
import type { LoadedStream } from '../../ledger/streams/fold-stream.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { loadCalendar } from './calendar.commands.js';
import { calendar, type Calendar } from './calendar.decider.js';
import { ofYear, type YearFilter } from './holidays.js';

/** Decisions share a read of the calendar that began this long ago, ms. */
const SHARED_MS = 100;

/**
 * The calendar as this process reads it from its stream, on demand: the stream is small and rarely changes, so that a read returns the one event that
 * is known already. After the store was restored, the whole stream is read again.
 */
export class BankingCalendar {
  #loaded: LoadedStream<Calendar> = { state: calendar.initial, newest: null };
  /** `performance.now()`. */
  #readAt = -Infinity;
  #reading: Promise<Calendar> | undefined;

  constructor(private readonly store: Pick<EventStore, 'read'>) {}

  /** The calendar for a decision: as of the call, or a tenth of a second before. @throws StoreUnavailable */
  async current(): Promise<Calendar> {
    if (performance.now() - this.#readAt < SHARED_MS) return this.#loaded.state;
    this.#reading ??= this.read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** The calendar with everything that was recorded before the call. @throws StoreUnavailable */
  async read(): Promise<Calendar> {
    const readAt = performance.now();
    const loaded = await loadCalendar(this.store, this.#loaded);
    // Of two reads at once, the one that began later has the newer events.
    if (readAt < this.#readAt) return loaded.state;
    this.#loaded = loaded;
    this.#readAt = readAt;
    return loaded.state;
  }

  /** The holidays in force by country and year, in the order of both: all, or those of a country or year. @throws StoreUnavailable */
  async years(filter: YearFilter = {}): Promise<readonly HolidaysSet[]> {
    const { years } = await this.read();
    return ofYear(years.values(), filter).toSorted((one, other) =>
      one.country === other.country ? one.year - other.year : one.country < other.country ? -1 : 1,
    );
  }
}
