import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { beginCalendarFromFile } from '../../../src/app/begin-calendar.js';
import { BankingCalendar } from '../../../src/domain/calendar/banking-calendar.js';
import { setHolidays } from '../../../src/domain/calendar/calendar.commands.js';
import { CALENDAR_STREAM } from '../../../src/ledger/events/calendar.events.js';
import { ClockGuard } from '../../../src/platform/event-store/clock-guard.js';
import { StoreUnavailable } from '../../../src/platform/event-store/event-store.js';
import { ConfigError } from '../../../src/platform/process/config-error.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

const NOW = Date.UTC(2026, 11, 1);

describe('holidays.json at a start', () => {
  let dataDir: string;
  let store: InMemoryEventStore;
  let warnings: string[];
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-holidays-'));
    store = new InMemoryEventStore();
    warnings = [];
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const clockGuard = new ClockGuard({ ask: () => Promise.resolve(NOW), clock: () => NOW });
  const written = (text: string): Promise<void> => writeFile(join(dataDir, 'holidays.json'), text);
  const begin = (stopping = new AbortController().signal): Promise<void> =>
    beginCalendarFromFile(
      { dataDir },
      { eventStore: store, clockGuard },
      { warn: (_: object, message: string) => void warnings.push(message) },
      stopping,
    );
  const years = async () => (await new BankingCalendar(store).years()).map(({ country, year, days }) => [country, year, ...days]);

  it('records nothing without the file', async () => {
    await begin();
    expect([await store.read(CALENDAR_STREAM), warnings]).toEqual([[], []]);
  });

  it('records the file once, as the system, also when several processes start at the same time', async () => {
    await written('{"ID":["2027-12-25","2026-12-25","2027-01-01"],"MY":["2027-02-01"],"SG":[]}');
    await Promise.all([begin(), begin(), begin()]);
    await begin();
    const events = await store.read(CALENDAR_STREAM);
    expect(events.map(({ type, metadata: { actor } }) => [type, actor])).toEqual(Array(3).fill(['HolidaysSet', 'System']));
    expect(await years()).toEqual([
      ['ID', 2026, '2026-12-25'],
      ['ID', 2027, '2027-01-01', '2027-12-25'],
      ['MY', 2027, '2027-02-01'],
    ]);
    expect(warnings).toEqual([]);
  });

  it('later reports a file that differs in one line, and keeps the holidays in the log', async () => {
    await written('{"ID":["2027-01-01"]}');
    await begin();
    await setHolidays({ store, clock: () => NOW }, { country: 'ID', year: 2027, days: ['2027-08-17'] }, 'ops');
    await begin();
    expect(warnings).toEqual([expect.stringContaining('differs from the holidays in the log')]);
    expect(await years()).toEqual([['ID', 2027, '2027-08-17']]);
    // Other years in the log are no difference.
    await written('{"ID":["2027-08-17"]}');
    await begin();
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ['{', 'is not JSON'],
    ['{"ID":["2027-02-31"]}', '"2027-02-31" is not a day'],
    ['{"TH":["2027-01-01"]}', 'No payment channel is in TH'],
    ['{"ID":["1999-01-01"]}', 'from 2000 to 2100'],
    ['{"ID":["2027-01-01","2027-01-01"]}', '2027-01-01 occurs twice'],
  ])('a wrong file %s ends the start while the log has no holidays, and is a warning afterwards', async (text, words) => {
    await written(text);
    const ended = await begin().catch((error: unknown) => error);
    expect(ended).toBeInstanceOf(ConfigError);
    expect((ended as Error).message).toContain(words);
    expect((ended as Error).message).toContain('holidays.json');
    expect(await store.read(CALENDAR_STREAM)).toEqual([]);
    await setHolidays({ store, clock: () => NOW }, { country: 'SG', year: 2027, days: [] }, 'ops');
    await begin();
    expect([warnings.length, await years()]).toEqual([1, [['SG', 2027]]]);
  });

  it('waits for the event store, and reports that once', async () => {
    await written('{"ID":["2027-01-01"]}');
    let asked = 0;
    store.hooks = {
      beforeRead: () => {
        asked += 1;
        if (asked <= 2) throw new StoreUnavailable('away');
      },
    };
    await begin();
    expect([asked > 2, warnings]).toEqual([true, ['the holidays are not known yet; waiting for the event store']]);
    expect(await years()).toEqual([['ID', 2027, '2027-01-01']]);
  });

  it('stops waiting when the start is stopped', async () => {
    await written('{"ID":["2027-01-01"]}');
    const stopping = new AbortController();
    store.hooks = {
      beforeRead: () => {
        stopping.abort();
        throw new StoreUnavailable('away');
      },
    };
    await begin(stopping.signal);
    store.hooks = {};
    expect(await store.read(CALENDAR_STREAM)).toEqual([]);
  });
});
