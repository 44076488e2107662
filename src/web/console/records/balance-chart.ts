import type { BalancePoint } from '../../../../projections/balances/balance-reads.js';
import { formatAmount } from '../../../platform/text/format.js';
import { html, type Html } from '../../../platform/html/html.js';
import { amountsIn, chart } from '../shared/chart.js';
import { money, table, time } from '../shared/components.js';

const SERIES = ['available', 'pending', 'reserved'] as const;
const TWO_DAYS_MS = 172_800_000;

/** A chart of a merchant's balances at evenly spaced moments, followed by a table of the figures. */
export function balanceChart(points: readonly BalancePoint[], currency: string): Html {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.every((point) => SERIES.every((series) => point[series] === 0n))) {
    return html`<p class="empty">Nothing moved in ${currency} up to now: every balance is ${formatAmount(0, currency)}.</p>`;
  }
  const isLong = Date.parse(last.at) - Date.parse(first.at) > TWO_DAYS_MS;
  return chart({
    id: 'balances-chart',
    title: `Balances in ${currency}`,
    summary: `At the end: ${SERIES.map((series) => `${series} ${formatAmount(last[series], currency)}`).join(', ')}.`,
    kind: 'steps',
    moments: points.map(({ at }) => (isLong ? at.slice(0, 10) : at.slice(5, 16).replace('T', ' '))),
    series: SERIES.map((name) => ({ name, values: points.map((point) => Number(point[name])), figure: money(last[name], currency) })),
    ...amountsIn(currency),
    figures: table(
      `Balances in ${currency} over time`,
      [{ title: 'Moment (UTC)' }, ...SERIES.map((series) => ({ title: series, isFigure: true }))],
      points.map((point) => [time(point.at), ...SERIES.map((series) => money(point[series], currency))]),
      '',
    ),
  });
}
