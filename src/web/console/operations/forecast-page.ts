import { FORECAST_PERIODS, type ForecastDto } from '../../../domain/balances/forecast.dto.js';
import { html, type Html } from '../../../platform/html/html.js';
import { choice, details, money, pager, table, tag, userText } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { forecastDays } from '../shared/forecast-parts.js';
import { LINE_WORDS, lineRecord } from '../shared/settlement-line.js';

/** A merchant's forecast in one currency, and the lines of one of its days. @param after cursor of the page of lines */
export function forecastPage(pages: ConsolePages, forecast: ForecastDto, after: string | undefined): Html {
  const { links } = pages;
  const { merchant_id, currency, days, not_scheduled, later, made_on, detail } = forecast;
  const pageAt = (query: { readonly Days?: number; readonly Detail?: string; readonly After?: string }): string =>
    links.forecast(merchant_id, currency, { Days: days.length, ...query });
  const { disputes, refunds, payouts } = not_scheduled;
  const records = (count: number, amount: bigint): Html => html`${count}, ${money(amount, currency)}`;
  return html`<nav class="choices" aria-label="Days of the forecast">
      ${FORECAST_PERIODS.map((each) => choice(`${each} days`, pageAt({ Days: each }), each === days.length))}
    </nav>
    ${forecastDays(links, forecast)}
    ${
      detail &&
      html`<section aria-labelledby="lines">
        <h2 id="lines">Lines that are due on ${detail.date}</h2>
        ${linesTable(pages, forecast, detail)}
        ${pager(
          {
            first: after === undefined ? undefined : pageAt({ Detail: detail.date }),
            next: detail.next_after === null ? undefined : pageAt({ Detail: detail.date, After: detail.next_after }),
          },
          { first: 'From the start', next: 'Further' },
        )}
      </section>`
    }
    <section aria-labelledby="open">
      <h2 id="open">Not in the forecast <small>their outcome is open</small></h2>
      ${details([
        ['Open payouts', records(payouts.count, payouts.amount)],
        ['Open refunds', records(refunds.count, refunds.net_amount)],
        ['Open disputes', records(disputes.count, disputes.held_amount)],
        ['Next dispute to be answered', pages.time(disputes.next_due_by, merchant_id)],
        ['Due after these days', records(later.count, later.net_amount)],
        ['Made on (UTC)', pages.time(made_on, merchant_id)],
      ])}
    </section>`;
}

function linesTable(pages: ConsolePages, { merchant_id, currency }: ForecastDto, { items }: NonNullable<ForecastDto['detail']>): Html {
  return table(
    'Lines of the day, by due time',
    [{ title: 'Record' }, { title: 'Amount', isFigure: true }, { title: 'Kind' }, { title: 'Due (UTC)' }, { title: 'Reference', isSpare: true }],
    items.map((line) => [
      lineRecord(pages, line),
      money(line.net_amount, currency),
      html`${LINE_WORDS[line.kind]} ${line.claimed && tag('in a settlement')}`,
      pages.time(line.due_on, merchant_id),
      userText(line.reference_id),
    ]),
    'No line is due on this day.',
  );
}
