import type { Mode } from '../../../ledger/mode.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { channelName } from '../../../ledger/channels.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { AnswerRow, AnswerTotal, RecordKind } from '../../../point-in-time/what-if/answer.js';
import type { StoredAnswer } from '../../../point-in-time/what-if/priced-log.js';
import { cards, idLink, money, table, time } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';

const FIGURES = ['Number', 'Gross', 'Fees were', 'Would be', 'Difference', 'Net would be'].map((title) => ({ title, isFigure: true }));
const WORDS: Readonly<Record<RecordKind, string>> = { CHARGE: 'Charges', PAYOUT: 'Payouts', DISPUTE: 'Lost disputes' };

/** Fees as they were and would be, in one mode: in all, by merchant, channel, currency and month, and the requests that would not have been covered. */
export function whatIfPage(pages: ConsolePages, mode: Mode, { totals, rows, uncovered, uncovered_count }: StoredAnswer): Html {
  const ofMode = <Row extends { readonly mode: Mode }>(all: readonly Row[]): Row[] => all.filter((row) => row.mode === mode);
  return html`<p class="lead">
      Past charges, payouts and disputes at other fees. Everything else is as recorded: customers and merchants did the same at the same times. All
      pages of this moment show it.
    </p>
    ${cards(
      'In all',
      [{ title: 'Fees of' }, { title: 'Currency' }, ...FIGURES],
      ofMode(totals).map((total) => [WORDS[total.kind], total.currency, ...figures(total)]),
      'No record of the period has moved money.',
    )}
    <section aria-labelledby="uncovered">
      <h2 id="uncovered">Payouts and refunds that would not have been covered</h2>
      ${uncovered_count > uncovered.length && html`<p class="alert warn">Only the first ${uncovered.length} of ${uncovered_count} are listed.</p>`}
      ${cards(
        'They count as paid',
        [
          { title: 'Record' },
          { title: 'Merchant' },
          { title: 'Requested (UTC)' },
          { title: 'Amount', isFigure: true },
          { title: 'Missing', isFigure: true },
        ],
        ofMode(uncovered).map(({ kind, id, merchant_id, currency, amount, missing_amount, requested_on }) => [
          kind === 'REFUND' ? idLink(id, pages.links.refund(id)) : idLink(id, pages.links.history(payoutStream(id))),
          pages.merchant(merchant_id),
          time(requested_on),
          money(amount, currency),
          money(missing_amount, currency),
        ]),
        'Every payout and refund would have been covered.',
      )}
    </section>
    <section aria-labelledby="by-merchant">
      <h2 id="by-merchant">By merchant, channel and month</h2>
      ${table(
        'Fees by merchant, channel and month',
        [{ title: 'Merchant' }, { title: 'Fees of' }, { title: 'Month' }, ...FIGURES],
        ofMode(rows).map((row) => [pages.merchant(row.merchant_id), subject(row), row.month, ...figures(row)]),
        'No record of the period has moved money.',
      )}
    </section>`;
}

const subject = ({ kind, channel_code, currency }: AnswerRow): string =>
  channel_code === null ? `${WORDS[kind]} in ${currency}` : channelName(channel_code);

function figures({ count, gross, fees_was, fees_would_be, fees_difference, net_would_be, currency }: Omit<AnswerTotal, 'kind' | 'mode'>) {
  return [count, ...[gross, fees_was, fees_would_be, fees_difference, net_would_be].map((amount) => money(amount, currency))];
}
