import { CALENDAR_STREAM, type HolidaysSet } from '../../../ledger/events/calendar.events.js';
import { CHANNEL_COUNTRIES } from '../../../ledger/channels.js';
import { isBankingDay } from '../../../ledger/days.js';
import { ofYear } from '../../../domain/calendar/holidays.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { table, tag, time, weekday } from '../shared/components.js';

interface CalendarSources {
  /** In force: by country, then by year. */
  readonly years: readonly HolidaysSet[];
  /** The year whose days are shown. */
  readonly year: number;
  /** A link to the form of a proposal; false for a visitor who may not propose. */
  readonly proposal: Html | false;
}

/** The holidays in force: their makers, and the days of one year. */
export function calendarPage(pages: ConsolePages, { years, year, proposal }: CalendarSources): Html {
  const { links } = pages;
  return html`<p>
      A payment becomes due after the banking days of its channel’s country: Monday to Friday without the holidays below. Due dates that were decided
      before a change stay.
    </p>
    ${proposal}
    ${table(
      'Holidays in force',
      [{ title: 'Country' }, { title: 'Year' }, { title: 'Holidays', isFigure: true }, { title: 'Set by' }, { title: 'Set on (UTC)', isSpare: true }],
      years.map(({ country, year: each, days, set_by, set_on }) => [
        country,
        html`<a href="${links.to('calendar', { Year: `${each}` })}">${each}</a>`,
        days.length,
        pages.actor(set_by),
        time(set_on),
      ]),
      'No holidays are set: every day from Monday to Friday is a banking day. “calendar set” on the command line sets them.',
    )}
    ${daysOf(years, year)} ${years.length > 0 && html`<p><a href="${links.history(CALENDAR_STREAM)}">History of the calendar</a></p>`}`;
}

function daysOf(years: readonly HolidaysSet[], year: number): Html | false {
  const shown = ofYear(years, { year });
  if (shown.length === 0) return false;
  const countries = CHANNEL_COUNTRIES.filter((country) => shown.some((each) => each.country === country));
  const days = [...new Set(shown.flatMap((each) => each.days))].toSorted();
  const isSet = (day: string, country: string): boolean => shown.some((each) => each.country === country && each.days.includes(day));
  return html`<section aria-labelledby="days">
    <h2 id="days">Holidays of ${year}</h2>
    ${table(
      `Days of ${year} without banking, by country`,
      [{ title: 'Day' }, { title: 'Weekday', isSpare: true }, ...countries.map((title) => ({ title }))],
      days.map((day) => [
        day,
        `${weekday(day)}${isBankingDay(day) ? '' : ', weekend'}`,
        ...countries.map((country) => (isSet(day, country) ? tag('Holiday') : '–')),
      ]),
      `No day of ${year} is a holiday.`,
    )}
  </section>`;
}
