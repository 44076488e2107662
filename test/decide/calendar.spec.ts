import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { calendar, isRecorded, type CalendarCommand } from '../../src/domain/calendar/calendar.decider.js';
import { isBankingDayIn } from '../../src/domain/calendar/holidays.js';
import { settlementDate } from '../../src/domain/calendar/due-dates.js';
import { addDays, daysFromTo, daysIn } from '../../src/ledger/days.js';
import type { CalendarEvent } from '../../src/ledger/events/calendar.events.js';
import { timestamp } from '../../src/ledger/time.js';
import { given } from '../support/given.js';

const SET_ON = '2026-12-01T02:15:30.000+00:00';
const set = (country: string, year: number, days: readonly string[], more: { readonly set_by?: string; readonly proposal_id?: string } = {}) => {
  const { set_by = 'ops', ...cause } = more;
  return { type: 'HolidaysSet', data: { merchant_id: null, country, year, days, set_by, set_on: SET_ON, ...cause } } as const satisfies CalendarEvent;
};
const toSet = (country: string, year: number, days: readonly string[], proposal_id?: string): CalendarCommand => ({
  ...{ kind: 'set', country, year, days, set_by: 'ops', now: SET_ON },
  ...(proposal_id !== undefined && { proposal_id }),
});
const givenCalendar = given(calendar);
const [NEW_YEAR, CHRISTMAS] = ['2027-01-01', '2027-12-25'];

describe('the calendar', () => {
  it('sets the holidays of a country and year, in ascending order', () => {
    givenCalendar()
      .when(toSet('ID', 2027, [CHRISTMAS, NEW_YEAR]))
      .then(set('ID', 2027, [NEW_YEAR, CHRISTMAS]));
    givenCalendar()
      .when(toSet('SG', 2027, []))
      .then(set('SG', 2027, []));
  });

  it('records nothing for the holidays in force, unless a proposal sets them', () => {
    const inForce = set('ID', 2027, [NEW_YEAR, CHRISTMAS]);
    givenCalendar(inForce)
      .when(toSet('ID', 2027, [CHRISTMAS, NEW_YEAR]))
      .doesNothing();
    givenCalendar(inForce)
      .when(toSet('ID', 2027, [NEW_YEAR, CHRISTMAS], 'p1'))
      .then(set('ID', 2027, [NEW_YEAR, CHRISTMAS], { proposal_id: 'p1' }));
    givenCalendar(inForce)
      .when(toSet('MY', 2027, [NEW_YEAR]))
      .then(set('MY', 2027, [NEW_YEAR]));
  });

  it.each<[string, Parameters<typeof toSet>, string]>([
    ['a country without channels', ['TH', 2027, []], 'country-without-channels'],
    ['a country in lower case', ['id', 2027, []], 'country-without-channels'],
    ['the year 1999', ['ID', 1999, []], 'year-out-of-range'],
    ['the year 2101', ['ID', 2101, []], 'year-out-of-range'],
    ['a part of a year', ['ID', 2027.5, []], 'year-out-of-range'],
    ['61 days', ['ID', 2027, daysFromTo(NEW_YEAR, addDays(NEW_YEAR, 60))], 'too-many-holidays'],
    ['31 February', ['ID', 2027, ['2027-02-31']], 'holiday-invalid'],
    ['29 February of a common year', ['ID', 2027, ['2027-02-29']], 'holiday-invalid'],
    ['a day of another year', ['ID', 2027, ['2028-01-01']], 'holiday-invalid'],
    ['a day in another form', ['ID', 2027, ['1 January']], 'holiday-invalid'],
    ['a day that occurs twice', ['ID', 2027, [NEW_YEAR, CHRISTMAS, NEW_YEAR]], 'holiday-invalid'],
  ])('refuses %s', (_, [country, year, days], refusal) => {
    givenCalendar()
      .when(toSet(country, year, days))
      .isRefused(refusal as 'holiday-invalid');
  });

  it('accepts 60 days, and the first and last year', () => {
    const days = daysFromTo(NEW_YEAR, addDays(NEW_YEAR, 59));
    givenCalendar()
      .when(toSet('ID', 2027, days))
      .then(set('ID', 2027, days));
    for (const year of [2000, 2100])
      givenCalendar()
        .when(toSet('MY', year, []))
        .then(set('MY', year, []));
  });

  it('begins with the years of a file, once', () => {
    const years = [
      { country: 'ID', year: 2026, days: ['2026-12-25'] },
      { country: 'ID', year: 2027, days: [CHRISTMAS, NEW_YEAR] },
    ];
    const begin: CalendarCommand = { kind: 'begin', years, set_by: 'holidays.json', now: SET_ON };
    const events = [
      set('ID', 2026, ['2026-12-25'], { set_by: 'holidays.json' }),
      set('ID', 2027, [NEW_YEAR, CHRISTMAS], { set_by: 'holidays.json' }),
    ];
    givenCalendar()
      .when(begin)
      .then(...events);
    givenCalendar(set('SG', 2027, []))
      .when(begin)
      .doesNothing();
    const wrong = { ...begin, years: [...years, { country: 'TH', year: 2027, days: [] }] };
    givenCalendar().when(wrong).isRefused('country-without-channels');
  });

  it('a refused proposal changes nothing', () => {
    const refused = {
      type: 'ProposalRefused',
      data: { merchant_id: null, proposal_id: 'p1', refusal: 'holiday-invalid', detail: 'x', refused_on: SET_ON },
    } as const;
    expect(calendar.evolve(calendar.initial, refused)).toEqual(calendar.initial);
  });
});

const COUNTRIES = ['ID', 'MY', 'SG'] as const;
const ofYear = (country: (typeof COUNTRIES)[number], year: number) =>
  fc
    .uniqueArray(fc.integer({ min: 0, max: 364 }), { maxLength: 60 })
    .map((offsets) => set(country, year, offsets.map((offset) => addDays(`${year}-01-01`, offset)).toSorted()));
const SETS = fc.array(
  fc.record({ country: fc.constantFrom(...COUNTRIES), year: fc.constantFrom(2026, 2027, 2028) }).chain(({ country, year }) => ofYear(country, year)),
  { minLength: 1, maxLength: 12 },
);

describe('laws of the calendar', () => {
  it('the holidays in force are those of the last event of each country and year', () => {
    fc.assert(
      fc.property(SETS, (events) => {
        const state = events.reduce(calendar.evolve, calendar.initial);
        const last = new Map(events.map(({ data }) => [`${data.country} ${data.year}`, data]));
        expect(new Map([...state.years])).toEqual(last);
        for (const country of COUNTRIES) {
          const days = [...last.values()].filter((each) => each.country === country).flatMap((each) => each.days);
          expect([...(state.holidays.get(country) ?? [])].toSorted()).toEqual(days.toSorted());
        }
        for (const each of last.values()) expect(isRecorded(state, each)).toBe(true);
      }),
      { numRuns: 200, seed: 45 },
    );
  });

  it('a due date T+n is the start of the n-th banking day after the day of payment, in the country of the channel', () => {
    const zones = { ID: 'Asia/Jakarta', MY: 'Asia/Kuala_Lumpur', SG: 'Asia/Singapore' } as const;
    const payment = fc.record({
      country: fc.constantFrom(...COUNTRIES),
      count: fc.integer({ min: 1, max: 30 }),
      paidOn: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) }),
    });
    fc.assert(
      fc.property(SETS, payment, (events, { country, count, paidOn }) => {
        const { holidays } = events.reduce(calendar.evolve, calendar.initial);
        const dayOf = daysIn(zones[country]);
        const due = Date.parse(settlementDate(timestamp(paidOn), `T+${count}`, country, holidays));
        const [paidDay, dueDay] = [dayOf(paidOn), dayOf(due)];
        expect(dayOf(due - 1)).toBe(addDays(dueDay, -1));
        const banking = daysFromTo(addDays(paidDay, 1), dueDay).filter((day) => isBankingDayIn(holidays, country, day));
        expect([banking.length, banking.at(-1)]).toEqual([count, dueDay]);
      }),
      { numRuns: 500, seed: 45 },
    );
  });
});
