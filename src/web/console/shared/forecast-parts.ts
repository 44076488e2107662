import type { ForecastDto } from '../../../domain/balances/forecast.dto.js';
import { formatPrice } from '../../../platform/text/format.js';
import { html, type Html } from '../../../platform/html/html.js';
import { amountsIn, chart } from './chart.js';
import { dayInWords, money, table, tag } from './components.js';
import type { Links } from './links.js';

type Day = ForecastDto['days'][number];

const taken = ({ takes }: Day): bigint => takes.reduce((sum, { amount }) => sum + amount, 0n);
const linesOf = ({ brings, takes }: Day): number => takes.reduce((sum, { count }) => sum + count, brings.count);

/** The next money in one sentence, the bars and the table of the days. */
export function forecastDays(links: Links, forecast: ForecastDto): Html {
  const { days, currency } = forecast;
  const series = [
    { name: 'brings', of: ({ brings }: Day) => brings.net_amount },
    { name: 'takes', of: (day: Day) => -taken(day) },
  ].filter(({ name, of }) => name === 'brings' || days.some((day) => of(day) !== 0n));
  const sentence = nextMoney(forecast);
  return html`<p>${sentence}</p>
    ${
      days.some((day) => linesOf(day) > 0) &&
      chart({
        id: 'forecast-chart',
        title: `Money that becomes available in ${currency}`,
        summary: sentence,
        kind: 'bars',
        moments: days.map(({ date }) => date),
        series: series.map(({ name, of }) => ({
          name,
          values: days.map((day) => Number(of(day))),
          figure: money(
            days.reduce((sum, day) => sum + of(day), 0n),
            currency,
          ),
        })),
        ...amountsIn(currency),
        figures: daysTable(links, forecast),
        isOpen: true,
      })
    }`;
}

/** The first day whose lines bring more than they take. */
function nextMoney({ days, later, currency }: ForecastDto): string {
  const next = days.find((day) => day.brings.net_amount > taken(day));
  const after = later.net_amount === 0n ? '' : ` ${formatPrice(later.net_amount, currency)} are due later.`;
  if (!next) return `No money becomes available in these ${days.length} days.${after}`;
  const when = next === days[0] ? 'today' : `on ${dayInWords(next.date)}`;
  return `${formatPrice(next.brings.net_amount - taken(next), currency)} become available ${when}.${after}`;
}

/** Days without lines are left out, but for the first and the last one. */
function daysTable(links: Links, { merchant_id, currency, days, time_zone }: ForecastDto): Html {
  const takesAny = days.some(({ takes }) => takes.length > 0);
  const shown = days.filter((day, at) => linesOf(day) > 0 || at === 0 || at === days.length - 1);
  return table(
    `Available in ${currency} by day, if nothing else happens`,
    [
      { title: `Day (${time_zone})` },
      { title: 'Lines', isFigure: true, isSpare: true },
      { title: 'Brings', isFigure: true },
      ...(takesAny ? [{ title: 'Takes', isFigure: true }] : []),
      { title: 'Available at its end', isFigure: true },
    ],
    shown.map((day) => [
      html`${linesOf(day) > 0 ? html`<a href="${links.forecast(merchant_id, currency, { Days: days.length, Detail: day.date })}">${day.date}</a>` : day.date}
      ${!day.banking_day && tag('No banking day')}`,
      linesOf(day),
      money(day.brings.net_amount, currency),
      ...(takesAny ? [money(-taken(day), currency)] : []),
      money(day.closing_available, currency, true),
    ]),
    '',
  );
}
