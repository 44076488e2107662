import { FORECAST_PERIODS } from '../../../domain/balances/forecast.dto.js';
import type { CashForecastDto, CashKind } from '../../../domain/reconciliation/cash/cash-forecast.dto.js';
import { formatPrice } from '../../../platform/text/format.js';
import { html, type Html } from '../../../platform/html/html.js';
import { amountsIn, chart } from '../shared/chart.js';
import { choice, dayInWords, money, status, table, tag } from '../shared/components.js';
import type { Links } from '../shared/links.js';

/** The forecast of a mode's cash, by currency. @param rows of one mode @param days number of its days */
export function cashForecastPage(links: Links, rows: readonly CashForecastDto[], days: number): Html {
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  return html`<p class="lead">
      Money that processors remit by the terms of their sources, against money that merchants may take out. Nothing else is assumed: no new charge,
      and no payout beyond the open ones.
    </p>
    <nav class="choices" aria-label="Days of the forecast">
      ${FORECAST_PERIODS.map((each) => choice(`${each} days`, links.to('cash-forecast', { Days: each }), each === days))}
    </nav>
    ${currencies.length === 0 && html`<p class="empty">Nothing is booked yet.</p>`}
    ${currencies.map((currency) => {
      const theirs = rows.filter((row) => row.currency === currency);
      return html`<section aria-labelledby="cash-${currency}">
        <h2 id="cash-${currency}">${currency}</h2>
        ${cashForecastChart(links, theirs)} ${apartTable(links, theirs)}
      </section>`;
    })}`;
}

/** A day of the forecast: it has all figures. */
type Day = CashForecastDto & Record<'may_leave' | 'ordered' | 'cash' | 'short_by', bigint> & { readonly date: string };
const isDay = (row: CashForecastDto): row is Day => row.kind === 'DAY';

/** The first shortfall in one sentence, the cash of each day against the money that may leave, and the table of the days. @param rows of one mode and currency */
export function cashForecastChart(links: Links, rows: readonly CashForecastDto[]): Html {
  const days = rows.filter(isDay);
  const { currency, mode } = days[0]!;
  const leaving = ({ may_leave, ordered }: Day): bigint => may_leave + ordered;
  const [short, last] = [days.find(({ short_by }) => short_by > 0n), days.at(-1)!];
  const sentence =
    short === undefined
      ? `The cash covers all that merchants may take out in these ${days.length} days.`
      : `${formatPrice(short.short_by, currency)} are missing ${short === days[0] ? 'today' : `on ${dayInWords(short.date)}`} if merchants take out all that they may.`;
  const series = [
    { name: 'cash', of: ({ cash }: Day) => cash },
    { name: 'may leave', of: leaving },
  ];
  return html`<p class="${short !== undefined && 'alert warn'}">${sentence}</p>
    ${chart({
      id: `cash-forecast-${mode}-${currency}`,
      title: `Cash in ${currency} against money that may leave`,
      summary: sentence,
      kind: 'steps',
      moments: days.map(({ date }) => date),
      series: series.map(({ name, of }) => ({ name, values: days.map((day) => Number(of(day))), figure: money(of(last), currency, true) })),
      ...amountsIn(currency),
      figures: table(
        `Cash in ${currency} at the end of each day`,
        [{ title: 'Day' }, ...['From processors', 'May leave', 'Ordered payouts', 'Cash', 'Short by'].map((title) => ({ title, isFigure: true }))],
        days.map((day) => [
          day.date,
          html`${money(day.from_processors, currency)} ${!day.cost_known && tag('cost unknown')}`,
          money(day.may_leave, currency),
          money(day.ordered, currency),
          money(day.cash, currency, true),
          day.short_by > 0n ? html`<strong>${money(day.short_by, currency)}</strong>` : '–',
        ]),
        '',
      ),
    })}`;
}

const APART: Readonly<Record<Exclude<CashKind, 'DAY'>, string>> = {
  OVERDUE: 'should have been remitted before today',
  UNDATED: 'of processors without a source',
  LATER: 'due after these days',
};

/** Items that are not part of the cash of any day, and the sum of all. */
function apartTable(links: Links, rows: readonly CashForecastDto[]): Html {
  const { currency } = rows[0]!;
  const sum = rows.reduce((total, { owed_amount }) => total + owed_amount, 0n);
  const apart = rows.flatMap((row) => (row.kind === 'DAY' ? [] : [{ ...row, words: APART[row.kind] }]));
  return html`${table(
      `Items in ${currency} that are in the cash of no day`,
      [{ title: 'Items' }, ...['Number', 'Owed', 'Costs'].map((title) => ({ title, isFigure: true }))],
      apart.map(({ kind, words, items, owed_amount, cost_amount }) => [
        html`${kind === 'OVERDUE' ? status('OVERDUE') : tag(kind)} ${words}`,
        items,
        money(owed_amount, currency, true),
        money(cost_amount, currency),
      ]),
      `Every item in ${currency} has a day.`,
    )}
    <p class="hint">
      All items add up to ${money(sum, currency, true)}, which <a href="${links.to('recon/receivable')}">processors owe</a> by the books.
    </p>`;
}
