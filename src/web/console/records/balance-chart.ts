import type { BalancePoint } from '../../../../projections/balances/balance-reads.js';
import { formatAmount } from '../../../platform/html/format.js';
import { html, trusted, type Html } from '../../../platform/html/html.js';
import { money, table, time } from '../shared/components.js';

const SERIES = ['available', 'pending', 'reserved'] as const;
type Series = (typeof SERIES)[number];

/** Size in units of the drawing, which scales to the available width. */
const WIDTH = 960;
const HEIGHT = 260;
const [LEFT, RIGHT, TOP, BOTTOM] = [4, 4, 16, 24];
const TICKS = 4;

/** A chart of a merchant's balances at evenly spaced moments, followed by a table of the figures. */
export function balanceChart(points: readonly BalancePoint[], currency: string): Html {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.every((point) => SERIES.every((series) => point[series] === 0n))) {
    return html`<p class="empty">Nothing moved in ${currency} up to now: every balance is ${formatAmount(0, currency)}.</p>`;
  }
  const figures = points.map((point) => SERIES.map((series) => Number(point[series])));
  const highest = niceCeiling(Math.max(...figures.flat(), 0));
  const lowest = -niceCeiling(-Math.min(...figures.flat(), 0));
  const x = (index: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * index) / (points.length - 1);
  const y = (amount: number): number => TOP + ((HEIGHT - TOP - BOTTOM) * (highest - amount)) / (highest - lowest || 1);
  /** Draws steps, because a balance stays the same until the next entry. */
  const steps = (of: Series): string => {
    const at = SERIES.indexOf(of);
    return figures.map((figure, index) => `${index === 0 ? 'M' : 'H'}${fixed(x(index))}${index === 0 ? ' ' : 'V'}${fixed(y(figure[at]!))}`).join('');
  };
  const amounts = Array.from({ length: TICKS + 1 }, (_, tick) => lowest + ((highest - lowest) * tick) / TICKS);
  const moments = [0, 1, 2, 3, 4].map((part) => Math.round(((points.length - 1) * part) / 4));
  const shown = (moment: string): string =>
    Date.parse(last.at) - Date.parse(first.at) > 172_800_000 ? moment.slice(0, 10) : moment.slice(5, 16).replace('T', ' ');
  const summary = SERIES.map((series) => `${series} ${formatAmount(last[series], currency)}`).join(', ');
  return html`<figure class="chart">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="chart-title chart-text">
      <title id="chart-title">Balances in ${currency}, ${first.at.slice(0, 10)} to ${last.at.slice(0, 10)}</title>
      <desc id="chart-text">At the end: ${summary}. The figures are in the table below.</desc>
      ${amounts.map((amount) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${fixed(y(amount))}" y2="${fixed(y(amount))}" /> `)}
      ${trusted(`<path class="area" d="${steps('available')}V${fixed(y(0))}H${fixed(x(0))}Z"/>`)}
      ${trusted(
        SERIES.toReversed()
          .map((series) => `<path class="series ${series}" d="${steps(series)}"/>`)
          .join(''),
      )}
      ${moments.map(
        (index, part) =>
          html`<text class="moment" x="${fixed(x(index))}" y="${HEIGHT - 6}" text-anchor="${part === 0 ? 'start' : part === 4 ? 'end' : 'middle'}"
            >${shown(points[index]!.at)}</text
          > `,
      )}
      ${amounts.map((amount) => html`<text class="amount" x="${LEFT}" y="${fixed(y(amount) - 4)}">${formatAmount(BigInt(Math.round(amount)), currency)}</text> `)}
    </svg>
    <figcaption>
      <ul class="legend">
        ${SERIES.map((series) => html`<li class="${series}">${series} ${money(last[series], currency)}</li>`)}
      </ul>
    </figcaption>
    <details>
      <summary>The figures of the chart</summary>
      ${table(
        `Balances in ${currency} over time`,
        [{ title: 'Moment (UTC)' }, ...SERIES.map((series) => ({ title: series, isFigure: true }))],
        points.map((point) => [time(point.at), ...SERIES.map((series) => money(point[series], currency))]),
        '',
      )}
    </details>
  </figure>`;
}

const fixed = (value: number): string => String(Math.round(value * 10) / 10);

/** Rounds up to 1, 2, 4, 6 or 8 times a power of ten, so that a quarter of it is easy to read. */
function niceCeiling(value: number): number {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}
