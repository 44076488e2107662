import type { LineWithDispute } from '../../../../projections/settlements/dispute-lines.js';
import type { Settlement } from '../../../../projections/settlements/settlements.js';
import { effectOnAvailable } from '../../../ledger/events/account.events.js';
import { html, type Html } from '../../../platform/html/html.js';
import { streamOfLine } from '../../../domain/settlements/refuse-line.js';
import { settlementStream } from '../../../ledger/events/settlement.events.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { code, details, idLink, money, status, table } from '../shared/components.js';
import { stateOf } from './record-tables.js';

/** A settlement has at most 1,000 lines. */
export function settlementPage(pages: ConsolePages, settlement: Settlement & { readonly lines: readonly LineWithDispute[] }): Html {
  const { links } = pages;
  const { merchant_id, currency, number, totals, lines } = settlement;
  return html`${details([
    ['Merchant', pages.merchant(merchant_id)],
    ['State', status(stateOf(settlement))],
    ['Net amount', html`${money(BigInt(totals.net_amount), currency)} <span class="minor">${totals.net_amount.toString()}</span>`],
    ['Charges', totals.charges],
    ['Reversals', totals.reversals],
    ['Returns', totals.returns],
    ['Refunds that failed', totals.refunds],
    ['Lines of disputes', totals.disputes],
    ['Opened (UTC)', pages.time(settlement.opened_on, merchant_id)],
    ['Closed (UTC)', pages.time(settlement.closed_on, merchant_id)],
    ['Settled (UTC)', pages.time(settlement.settled_on, merchant_id)],
    ['Id', code(settlement.id)],
    ['History', html`<a href="${links.history(settlementStream(merchant_id, currency, number))}">History</a>`],
  ])}
  ${table(
    `Lines of settlement ${number} in ${currency}`,
    [
      { title: 'Line', isFigure: true },
      { title: 'Kind' },
      { title: 'Record' },
      { title: 'Dispute' },
      { title: 'Fee', isFigure: true },
      { title: 'Adds to available', isFigure: true },
    ],
    lines.map((line, index) => [
      index + 1,
      line.kind,
      idLink(line.record_id, line.kind === 'refund-return' ? links.refund(line.record_id) : links.history(streamOfLine(line))),
      line.dispute_id === undefined ? '' : idLink(line.dispute_id, links.dispute(line.dispute_id)),
      money(line.fee_amount, currency),
      money(effectOnAvailable(line), currency),
    ]),
    'No line was left when it was closed.',
  )}`;
}
