import { describe, expect, it } from '@jest/globals';
import type { StoredDayClose } from '../../projections/reconciliation/days/day-close-reads.js';
import { DayCloser, openDay, type DayReads } from '../../src/domain/reconciliation/days/day-closer.js';
import { addDays } from '../../src/ledger/days.js';
import { dayStream, type BankLinesBooked, type BookedRow, type DayCloseOpened } from '../../src/ledger/events/day-close.events.js';
import { sourceStream, type SourceEvent } from '../../src/ledger/events/reconciliation.events.js';
import { newEvent, systemContext } from '../../src/ledger/streams/new-event.js';
import type { ReadOptions, RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { bankBegins } from '../support/recon.js';
import { START } from './world.js';

const NOW = '2026-11-12T01:00:00.000+00:00';
const SOURCE = 'live-bca';
const OF = { merchant_id: null, source: SOURCE } as const;
const BY = { person_id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', key_id: 'key_1' };
const CONTEXT = { ...systemContext('test'), actor: 'key_1' };
const FIRST_DAY = '2026-10-01';
const LAST_DAY = '2026-10-30';
const PARTS = 40;
const HEAD = { position: 1, events: 1, hash: 'h', signature: 's', sealed_on: NOW };
const ROW: BookedRow = {
  ...{ movement: 'UNKNOWN', reversed: false, line_source: SOURCE, line_key: 'k', amount: 1, fee: 0, tax: 0 },
  ...{ batch_source: null, batch: null, processor: null, event_id: null, item_id: 'i' },
};

/** The engine, which counts the events that it returns. */
class Counting extends InMemoryEventStore {
  returned = 0;

  override async read(stream: string, options?: ReadOptions): Promise<RecordedEvent[]> {
    const events = await super.read(stream, options);
    this.returned += events.length;
    return events;
  }
}

/** A bank with statements of thirty days, each day of as many parts. */
class Bank {
  readonly store = new Counting();
  readonly deps = { store: this.store, clock: () => START };

  async begin(): Promise<this> {
    await this.add(bankBegins(SOURCE, [FIRST_DAY, LAST_DAY], NOW));
    return this;
  }

  async add(events: readonly SourceEvent[], version?: number): Promise<void> {
    const [newest] = await this.store.read(sourceStream(SOURCE), { direction: 'backwards', limit: 1 });
    const stored = events.map((event) => newEvent(event, { ...CONTEXT, now: NOW }));
    const versioned = stored.map((event) => ({ ...event, metadata: { ...event.metadata, ...(version && { schema_version: version }) } }));
    await this.store.append(sourceStream(SOURCE), newest ?? 'no-stream', versioned);
  }

  /** Events of a type in a stream. */
  eventsIn<Data>(stream: string, type: string): Data[] {
    return this.store
      .all()
      .filter((event) => event.stream === stream && event.type === type)
      .map(({ data }) => data as Data);
  }

  /** The read models, which have applied every tick. */
  get reads(): DayReads {
    return {
      find: async (source, day) => {
        const opened = this.eventsIn<DayCloseOpened>(sourceStream(source), 'DayCloseOpened').find((each) => each.day === day)!;
        return { source, mode: 'live', day, n: opened.n, parts: PARTS, rows: PARTS, ordinal: 1 } as StoredDayClose;
      },
      part: async () => ({ currency: 'IDR', rows: [ROW] }),
      result: async ({ parts, rows }) => ({ parts, rows, digest: 'd', figures: [], breaks: [] }),
      headOver: async () => HEAD,
    };
  }

  /** @returns the number of events that the close of the day has read */
  async close(day: string): Promise<number> {
    const before = this.store.returned;
    await openDay(this.deps, SOURCE, day, 'why', { operator: BY, context: CONTEXT });
    await new DayCloser(this.deps, this.reads).run(SOURCE, CONTEXT);
    return this.store.returned - before;
  }
}

describe('the events that the close of a bank day reads', () => {
  it('a close reads fewer events than the day has parts, and later days add two for each closed day', async () => {
    const bank = await new Bank().begin();
    const counts: number[] = [];
    for (let day = FIRST_DAY; day <= LAST_DAY; day = addDays(day, 1)) counts.push(await bank.close(day));
    expect(counts).toHaveLength(30);
    expect(counts[0]).toBeLessThan(PARTS / 2);
    // The source is read twice: for the opening, and for the rest.
    counts.forEach((count, day) => expect(count - counts[0]!).toBeLessThanOrEqual(2 * 2 * day));
    expect(bank.eventsIn(dayStream(SOURCE, LAST_DAY), 'BankLinesBooked')).toHaveLength(PARTS);
    expect(bank.eventsIn(sourceStream(SOURCE), 'BankLinesBooked')).toEqual([]);
  });

  it('begins no part after the time that a request has, and leaves the rest to a worker', async () => {
    const bank = await new Bank().begin();
    await openDay(bank.deps, SOURCE, FIRST_DAY, 'why', { operator: BY, context: CONTEXT });
    const closer = new DayCloser(bank.deps, bank.reads);
    const booked = () => bank.eventsIn(dayStream(SOURCE, FIRST_DAY), 'BankLinesBooked').length;
    expect([await closer.runWithin(0, SOURCE, CONTEXT), booked()]).toEqual([undefined, 0]);
    expect(await closer.run(SOURCE, CONTEXT)).toBeDefined();
    expect(booked()).toBe(PARTS);
  });

  it('continues a close of the first version in the stream of its source, between other decisions', async () => {
    const bank = await new Bank().begin();
    const close = { ...OF, mode: 'live', n: 1, day: FIRST_DAY } as const;
    const opened = { ...close, matcher: 2, closings: [{ currency: 'IDR', closing: 0 }], ...BY, reason: 'why', opened_on: NOW };
    const part = { ...close, part: 1, parts: PARTS, currency: 'IDR', rows: [ROW], booked_on: NOW };
    const ran = { ...OF, day: FIRST_DAY, ...BY, reason: 'why', matcher: 2, ran_on: NOW };
    await bank.add([{ type: 'DayCloseOpened', data: opened as unknown as DayCloseOpened }], 1);
    await bank.add([{ type: 'BankLinesBooked', data: part }]);
    await bank.add([{ type: 'ReconRan', data: ran }]);
    await bank.close(FIRST_DAY);
    const parts = bank.eventsIn<BankLinesBooked>(sourceStream(SOURCE), 'BankLinesBooked').map((each) => each.part);
    expect(parts).toEqual(Array.from({ length: PARTS }, (_, index) => index + 1));
    expect(bank.eventsIn(sourceStream(SOURCE), 'DayClosed')).toHaveLength(1);
    expect(bank.eventsIn(dayStream(SOURCE, FIRST_DAY), 'BankLinesBooked')).toEqual([]);
    await bank.close(addDays(FIRST_DAY, 1));
    expect(bank.eventsIn(dayStream(SOURCE, addDays(FIRST_DAY, 1)), 'BankLinesBooked')).toHaveLength(PARTS);
  });
});
