import { formatAmount, formatRounded } from '../../../platform/text/format.js';
import { html, trusted, type Html } from '../../../platform/html/html.js';

export interface ChartSeries {
  /** Name of the colour, in the legend and below the pointer. */
  readonly name: string;
  /** A value per moment; null: there is none. Amounts are minor units, drawn with the precision of a double. */
  readonly values: readonly (number | null)[];
  /** The figure of the legend. */
  readonly figure?: Html | string;
}

export interface ChartOptions {
  /** Id of the chart on its page. */
  readonly id: string;
  readonly title: string;
  /** The last figures in words, for people who do not see the drawing. */
  readonly summary: string;
  /** `bars`: values of a moment are stacked. `steps`: a value holds until the next moment. */
  readonly kind: 'bars' | 'lines' | 'steps';
  /** In their order, evenly spaced. */
  readonly moments: readonly string[];
  readonly series: readonly ChartSeries[];
  /** Writes a value below the pointer. */
  readonly written: (value: number) => string;
  /** Writes a value of the axis; by default as below the pointer. */
  readonly onAxis?: (value: number) => string;
  /** Highest value of the axis, which then begins with 0; by default a round number that no value exceeds. */
  readonly highest?: number;
  /** The table of all figures. */
  readonly figures: Html;
  /** The table is short enough to be shown without a click. */
  readonly isOpen?: boolean;
}

/** Values that are amounts of a currency in minor units. */
export const amountsIn = (currency: string): Pick<ChartOptions, 'written' | 'onAxis'> => ({
  written: (value) => formatAmount(BigInt(Math.round(value)), currency),
  onAxis: (value) => formatRounded(value, currency),
});

/** Size in units of the drawing, which stretches to the space it has. Texts are outside of it, so that they do not stretch. */
const WIDTH = 960;
const HEIGHT = 220;
/** So many moments have a label each; of more, the first, the middle and the last one. */
const LABELS_MAX = 6;
/** Part of the space of a moment that its bar fills. */
const BAR = 0.72;

/** A chart with a few round ticks, a legend, and a table of the figures. */
export function chart(options: ChartOptions): Html {
  const { id, title, summary, kind, moments, series, written, onAxis = written, figures, isOpen = false } = options;
  const scale = scaleOf(options);
  const isShort = moments.length <= LABELS_MAX;
  const labels = isShort ? moments : [0, (moments.length - 1) >> 1, moments.length - 1].map((at) => moments[at]);
  return html`<figure class="chart">
    <div class="plot">
      <div class="ticks" aria-hidden="true">${scale.ticks.map((tick) => html`<span>${onAxis(tick)}</span>`)}</div>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-text">
        <title id="${id}-title">${title}, ${moments[0]} to ${moments.at(-1)}</title>
        <desc id="${id}-text">${summary} The figures are in the table below.</desc>
        ${scale.ticks.map((tick) => html`<line class="grid" x1="0" x2="${WIDTH}" y1="${fixed(scale.y(tick))}" y2="${fixed(scale.y(tick))}" /> `)}
        ${trusted(kind === 'bars' ? bars(options, scale) : paths(options, scale))} ${moments.map((moment, index) => hit(options, moment, index))}
      </svg>
      <div class="moments ${isShort && 'each'}" aria-hidden="true">${labels.map((label) => html`<span>${label}</span>`)}</div>
    </div>
    <figcaption>
      <ul class="legend ${kind === 'bars' && 'filled'}">
        ${series.map(({ name, figure }, at) => html`<li class="${colour(at)}">${name} ${figure}</li> `)}
      </ul>
    </figcaption>
    ${
      isOpen
        ? figures
        : html`<details>
            <summary>The figures of the chart</summary>
            ${figures}
          </details>`
    }
  </figure>`;
}

/** The course of a figure, without axes. Assistive technology skips it: the figure is beside it. */
export function sparkline(values: readonly number[]): Html {
  const scale = scaleOf({ kind: 'lines', series: [{ name: '', values }], moments: values.map(String) });
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    ${trusted(`<path class="series c0" d="${line(values, scale, false)}"/>`)}
  </svg>`;
}

interface Scale {
  /** Evenly spaced values of the axis, the highest first; 0 is one of them. */
  readonly ticks: readonly number[];
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

/** A sheet has colours for so many series. */
const COLOURS = 5;
const colour = (at: number): string => `c${at % COLOURS}`;

function scaleOf({ kind, series, moments, highest: given }: Pick<ChartOptions, 'kind' | 'series' | 'moments' | 'highest'>): Scale {
  const columns = moments.map((_, index) => series.map(({ values }) => values[index] ?? 0));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const [tops, bottoms] =
    kind === 'bars'
      ? [columns.map((column) => sum(column.filter((value) => value > 0))), columns.map((column) => sum(column.filter((value) => value < 0)))]
      : [columns.flat(), columns.flat()];
  const [most, least] = [Math.max(...tops, 0), Math.min(...bottoms, 0)];
  const step = given === undefined ? niceStep(Math.max(most, -least) / 2) : given / 2;
  const [above, below] = [given === undefined ? Math.ceil(most / step) : 2, Math.ceil(-least / step)];
  const [highest, lowest] = [above * step, -below * step];
  return {
    ticks: Array.from({ length: above + below + 1 }, (_, at) => (above - at) * step),
    x: (index) => (moments.length < 2 ? WIDTH / 2 : (WIDTH * index) / (moments.length - 1)),
    y: (value) => (HEIGHT * (highest - value)) / (highest - lowest || 1),
  };
}

function paths({ series, kind }: ChartOptions, scale: Scale): string {
  const isSteps = kind === 'steps';
  const [first] = series;
  const base = fixed(scale.y(0));
  const area = first && isSteps ? `<path class="area" d="${line(first.values, scale, true)}V${base}H0Z"/>` : '';
  // The first series is the most important one, and is drawn above the others.
  return (
    area +
    series
      .map(({ values }, at) => `<path class="series ${colour(at)}" d="${line(values, scale, isSteps)}"/>`)
      .reverse()
      .join('')
  );
}

/** The path of a series. It is interrupted where there is no value. */
function line(values: readonly (number | null)[], { x, y }: Scale, isSteps: boolean): string {
  let isOpen = false;
  return values
    .map((value, index) => {
      if (value === null) return ((isOpen = false), '');
      const [at, height] = [fixed(x(index)), fixed(y(value))];
      const joined = isSteps ? `H${at}V${height}` : `L${at} ${height}`;
      // A line without length is drawn as a dot.
      const part = isOpen ? joined : `M${at} ${height}h0`;
      isOpen = true;
      return part;
    })
    .join('');
}

function bars({ series, moments }: ChartOptions, { y }: Scale): string {
  const slot = WIDTH / moments.length;
  return moments
    .map((_, index) => {
      const left = fixed(slot * (index + (1 - BAR) / 2));
      let [top, bottom] = [0, 0];
      return series
        .map(({ values }, at) => {
          const value = values[index] ?? 0;
          if (value === 0) return '';
          const from = value > 0 ? top : bottom;
          const to = from + value;
          if (value > 0) top = to;
          else bottom = to;
          const height = fixed(Math.abs(y(from) - y(to)));
          return `<rect class="stack ${colour(at)}" x="${left}" y="${fixed(Math.min(y(from), y(to)))}" width="${fixed(slot * BAR)}" height="${height}"/>`;
        })
        .join('');
    })
    .join('');
}

/** The space in which the pointer shows the values of a moment. */
function hit({ series, moments, written }: ChartOptions, moment: string, index: number): Html {
  const slot = WIDTH / moments.length;
  const values = series.map(({ name, values: all }) => `${name} ${all[index] === null || all[index] === undefined ? '–' : written(all[index])}`);
  return html`<rect class="hit" x="${fixed(slot * index)}" y="0" width="${fixed(slot)}" height="${HEIGHT}">
    <title>${moment}: ${values.join(', ')}</title>
  </rect>`;
}

const fixed = (value: number): string => String(Math.round(value * 10) / 10);

/** Rounds up to 1, 2, 4, 6 or 8 times a power of ten. Values are whole numbers, so a step is 1 at least. */
function niceStep(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}
