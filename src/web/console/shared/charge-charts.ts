import { successRate, type ChargeDay } from '../../../../projections/charges/charge-days.js';
import { channelName } from '../../../ledger/channels.js';
import { formatAmount } from '../../../platform/text/format.js';
import { html, type Html } from '../../../platform/html/html.js';
import { amountsIn, chart } from './chart.js';
import { money, table } from './components.js';
import type { Links } from './links.js';

export interface ChargeChartsOptions {
  readonly currency: string;
  /** undefined: all merchants of the mode. */
  readonly merchantId: string | undefined;
  /** In their order, UTC. */
  readonly days: readonly string[];
  /** Charges of the currency on these days. */
  readonly charges: readonly ChargeDay[];
}

/** Sum of the paid amounts, minor units. */
export const volumeOf = (charges: readonly ChargeDay[]): bigint => charges.reduce((sum, { succeeded_amount }) => sum + succeeded_amount, 0n);

/** The list of paid charges whose amounts add up to a figure. */
export function paidCharges(
  links: Links,
  { currency, merchantId }: Pick<ChargeChartsOptions, 'currency' | 'merchantId'>,
  { from, to, channel }: { readonly from: string | undefined; readonly to: string | undefined; readonly channel?: string },
  content: Html | string,
): Html {
  const period = { Currency: currency, DateFrom: from, DateTo: to };
  return html`<a href="${links.to('charges', { MerchantId: merchantId, Status: 'SUCCEEDED', ChannelCode: channel, ...period })}">${content}</a>`;
}

/** Paid volume and success rate by day and channel, each with the table of its figures. */
export function chargeCharts(links: Links, options: ChargeChartsOptions): Html {
  const { currency, merchantId, days, charges } = options;
  if (charges.length === 0) return html`<p class="empty">No charge in ${currency} was created in these ${days.length} days.</p>`;
  const file = { MerchantId: merchantId, Currency: currency, From: days[0], To: days.at(-1) };
  return html`<div class="charts">
    <section aria-labelledby="volume">
      <h2 id="volume">Paid volume by channel <small>by the day on which the charge was created, UTC</small></h2>
      ${volumeChart(links, options)}
    </section>
    <section aria-labelledby="success">
      <h2 id="success">Success rate by channel <small>paid, of those that were paid, failed or expired</small></h2>
      ${successChart(options)}
      <p><a href="${links.to('charge-days.csv', file)}" download>The figures of both charts as CSV</a></p>
    </section>
  </div>`;
}

const channelsOf = (charges: readonly ChargeDay[]): string[] => [...new Set(charges.map(({ channel_code }) => channel_code))].sort();

function volumeChart(links: Links, options: ChargeChartsOptions): Html {
  const { currency, days, charges } = options;
  const channels = channelsOf(charges);
  const of = (channel: string, day?: string): ChargeDay[] =>
    charges.filter((each) => each.channel_code === channel && each.day === (day ?? each.day));
  const written = (amount: bigint): string => formatAmount(amount, currency);
  const [from, to] = [days[0], days.at(-1)];
  return chart({
    id: 'volume-chart',
    title: `Paid volume in ${currency} by channel`,
    summary: `${channels.map((channel) => `${channelName(channel)} ${written(volumeOf(of(channel)))}`).join(', ')}.`,
    kind: 'bars',
    moments: days,
    series: channels.map((channel) => ({
      name: channelName(channel),
      values: days.map((day) => Number(volumeOf(of(channel, day)))),
      figure: paidCharges(links, options, { from, to, channel }, money(volumeOf(of(channel)), currency)),
    })),
    ...amountsIn(currency),
    figures: table(
      `Paid volume in ${currency} by day and channel`,
      [{ title: 'Day (UTC)' }, ...[...channels.map(channelName), 'All'].map((title) => ({ title, isFigure: true }))],
      days.map((day) => [
        day,
        ...channels.map((channel) => paidCharges(links, options, { from: day, to: day, channel }, money(volumeOf(of(channel, day)), currency))),
        paidCharges(
          links,
          options,
          { from: day, to: day },
          money(
            channels.reduce((sum, channel) => sum + volumeOf(of(channel, day)), 0n),
            currency,
          ),
        ),
      ]),
      '',
    ),
  });
}

/** `93.3 %`; a dash when nothing has ended. */
export const percent = (rate: number | null): string => (rate === null ? '–' : `${(rate * 100).toFixed(1)} %`);

function successChart({ currency, days, charges }: ChargeChartsOptions): Html {
  const channels = channelsOf(charges);
  const at = (channel: string, day: string): ChargeDay | undefined => charges.find((each) => each.channel_code === channel && each.day === day);
  const whole = (channel: string): number | null => {
    const theirs = charges.filter(({ channel_code }) => channel_code === channel);
    const count = (name: 'succeeded_count' | 'failed_count' | 'expired_count'): number => theirs.reduce((sum, each) => sum + each[name], 0);
    return successRate({
      succeeded_count: count('succeeded_count'),
      failed_count: count('failed_count'),
      expired_count: count('expired_count'),
    });
  };
  return chart({
    id: 'success-chart',
    title: `Success rate in ${currency} by channel`,
    summary: `${channels.map((channel) => `${channelName(channel)} ${percent(whole(channel))}`).join(', ')}.`,
    kind: 'lines',
    moments: days,
    series: channels.map((channel) => ({
      name: channelName(channel),
      values: days.map((day) => at(channel, day)?.success_rate ?? null),
      figure: percent(whole(channel)),
    })),
    written: percent,
    highest: 1,
    figures: table(
      `Success rate in ${currency} by day and channel`,
      [{ title: 'Day (UTC)' }, ...channels.map((channel) => ({ title: channelName(channel), isFigure: true }))],
      days.map((day) => [day, ...channels.map((channel) => rateIn(at(channel, day)))]),
      '',
    ),
  });
}

function rateIn(day: ChargeDay | undefined): Html | string {
  if (day === undefined || day.success_rate === null) return '–';
  const { succeeded_count, failed_count, expired_count } = day;
  return html`${percent(day.success_rate)} <small>${succeeded_count} of ${succeeded_count + failed_count + expired_count}</small>`;
}
