import type { FundingLine, SettledBy } from '../../../../projections/balances/funding.js';
import type { LineKind } from '../../../ledger/events/account.events.js';
import type { LineWithDispute } from '../../../../projections/settlements/dispute-lines.js';
import type { Settlement } from '../../../../projections/settlements/settlements.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { settlementStream } from '../../../ledger/events/settlement.events.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { code, details, idLink, lifeLine, money, status, table, tiles, userText, type LifeStep } from '../shared/components.js';
import { LINE_WORDS, lineRecord } from '../shared/settlement-line.js';
import { stateOf } from './record-tables.js';

export interface SettlementSources {
  readonly settlement: Settlement & { readonly lines: readonly LineWithDispute[] };
  /** The same lines with their codes and amounts, in the same order. */
  readonly lines: readonly FundingLine<LineKind>[];
  /** The payouts of its money; undefined until it has brought some. */
  readonly settled: SettledBy | undefined;
}

/** A settlement: the steps of its life, its sums by kind, and its lines, at most 1,000. */
export function settlementPage(pages: ConsolePages, sources: SettlementSources): Html {
  const { links } = pages;
  const { merchant_id, currency, number, id } = sources.settlement;
  return html`<p class="lead">Of ${pages.merchant(merchant_id)}.</p>
    ${settlementLife(pages, sources)} ${sums(sources)} ${linesOf(pages, sources)}
    ${details([
      ['State', status(stateOf(sources.settlement))],
      ['Id', code(id)],
      ['History', html`<a href="${links.history(settlementStream(merchant_id, currency, number))}">History</a>`],
    ])}`;
}

/** The steps of a settlement's life: opened, closed, settled, paid out. */
function settlementLife(pages: ConsolePages, { settlement, settled }: SettlementSources): Html {
  const { merchant_id, opened_on, closed_on, settled_on } = settlement;
  const at = (moment: string | null): Html | string | undefined => (moment === null ? undefined : pages.time(moment, merchant_id));
  const steps: LifeStep[] = [
    { name: 'Opened', on: at(opened_on) },
    { name: 'Closed', on: at(closed_on) },
    { name: 'Settled', on: at(settled_on) },
  ];
  return lifeLine(settled_on !== null && !bringsPayout(settled) ? steps : [...steps, paidOut(pages, merchant_id, settled, '')]);
}

/** False for a settled settlement whose money left otherwise: it was refunded, or it brought none. */
export const bringsPayout = (settled: SettledBy | undefined): boolean => settled !== undefined && (settled.is_left || settled.payouts.length > 0);

/** The step of a record whose money a settlement brought. A payout takes the oldest money, so a settlement may be paid out in parts. */
export function paidOut(pages: ConsolePages, merchantId: string, settled: SettledBy | undefined, what: '' | 'the settlement '): LifeStep {
  const payouts = settled?.payouts ?? [];
  const last = payouts.at(-1);
  const names = payouts.map(({ payout_id }, at) => html`${at > 0 && ','} ${idLink(payout_id, pages.links.history(payoutStream(payout_id)))}`);
  return {
    name: 'Paid out',
    on: last && !settled!.is_left ? pages.time(last.succeeded_on, merchantId) : undefined,
    note: last && html`${settled!.is_left && `${what}in part, `}by payout${names}`,
  };
}

const AMOUNTS = ['Gross', 'Fee', 'Net'].map((title) => ({ title, isFigure: true }));

function amountsOf(lines: readonly FundingLine<LineKind>[]): [gross: bigint, fee: bigint, net: bigint] {
  const sum = (name: 'gross_amount' | 'fee_amount' | 'net_amount') => lines.reduce((total, line) => total + line[name], 0n);
  return [sum('gross_amount'), sum('fee_amount'), sum('net_amount')];
}

function sums({ settlement: { currency }, lines }: SettlementSources): Html {
  const [gross, fee, net] = amountsOf(lines);
  return html`${tiles([
    { title: 'Gross', figure: money(gross, currency) },
    { title: 'Fees', figure: money(fee, currency) },
    { title: 'Net, which adds to available', figure: money(net, currency) },
  ])}
  ${table(
    'Sums by kind',
    [{ title: 'Kind' }, { title: 'Lines', isFigure: true }, ...AMOUNTS],
    Object.entries(LINE_WORDS).flatMap(([kind, words]) => {
      const own = lines.filter((line) => line.kind === kind);
      return own.length === 0 ? [] : [[words, own.length, ...amountsOf(own).map((amount) => money(amount, currency))]];
    }),
    'No line was left when it was closed.',
  )}`;
}

function linesOf(pages: ConsolePages, { settlement, lines }: SettlementSources): Html {
  const { links } = pages;
  const { currency, number } = settlement;
  return table(
    `Lines of settlement ${number} in ${currency}`,
    [
      { title: 'Line', isFigure: true },
      { title: 'Kind' },
      { title: 'Record' },
      { title: 'Reference' },
      { title: 'Dispute', isSpare: true },
      ...AMOUNTS,
    ],
    lines.map((each, at) => {
      const { line, kind, reference_id, gross_amount, fee_amount, net_amount } = each;
      const { dispute_id } = settlement.lines[at]!;
      return [
        line,
        LINE_WORDS[kind],
        lineRecord(pages, each),
        userText(reference_id),
        dispute_id === undefined ? '' : idLink(dispute_id, links.dispute(dispute_id)),
        ...[gross_amount, fee_amount, net_amount].map((amount) => money(amount, currency)),
      ];
    }),
    'No line was left when it was closed.',
  );
}
