import type { EventPage } from '../audit/find-events.js';
import type { LedgerEventType } from '../ledger/catalogue.js';
import type { Payout } from '../../projections/payouts/payouts.js';
import { accountStream } from '../ledger/events/account.events.js';
import { movesMoney } from '../ledger/postings.js';
import { settlementStream } from '../ledger/events/settlement.events.js';
import type { ShownEvent } from '../ledger/shown-event.js';
import { html, type Html } from '../html/html.js';
import type { ConsolePages } from './console-pages.js';
import { shownData, inWords } from './event-page.js';
import { code, facts, money, pager, status, time } from './components.js';

export interface HistoryQuery {
  readonly After: number;
  readonly Type?: LedgerEventType | undefined;
  /** When the stream is a payout's: most of what happens to it is recorded with its account, whose money it moves. */
  readonly payout?: Payout | undefined;
}

/** What happened to a record, the first event first; each leads to its cause and to what else came about. */
export function historyPage(pages: ConsolePages, stream: string, { items, next_after }: EventPage, { After, Type, payout }: HistoryQuery): Html {
  const { links } = pages;
  const merchantId = items[0]?.merchant_id;
  const again = links.history(stream);
  return html`<p class="lead">
      ${merchantId !== undefined && merchantId !== null && html`Of ${pages.merchant(merchantId)}. `}Stream ${code(stream)}.
    </p>
    ${
      payout &&
      html`${facts([
          ['Status', status(payout.payout_status)],
          ['Amount', money(payout.amount, payout.currency)],
          ['Fee', money(payout.fee_amount, payout.currency)],
          ['Created (UTC)', time(payout.created_on)],
          ['Changed (UTC)', time(payout.updated_on)],
        ])}
        <p>
          Its money is reserved and paid in
          <a href="${links.history(accountStream(payout.merchant_id, payout.currency))}">the history of its account</a>; here is what is recorded with
          the payout itself.
        </p>`
    }
    ${items.length === 0 && html`<p class="empty">Nothing else has happened.</p>`}
    <ol class="timeline">
      ${items.map(
        (event) =>
          html`<li class="${movesMoney(event) && 'moves'}">
            <article aria-labelledby="event-${event.position}">
              <h2 id="event-${event.position}">${inWords(event.type)}</h2>
              <p class="when">${time(event.occurred_on)} UTC <span>by</span> ${code(event.actor)}</p>
              <p class="trail">
                ${summary(pages, event)}
                <a href="${links.event(event.position!)}">Event ${event.position}</a>
                ${movesMoney(event) && html`<a href="${links.to('journal', { EventId: event.id })}">Its lines in the journal</a>`}
                <span>caused by ${code(event.causation_id)}</span>
                ${event.correlation_id !== event.causation_id && html`<span>in ${code(event.correlation_id)}</span>`}
              </p>
              <details>
                <summary>What it says</summary>
                ${shownData(pages, event)}
              </details>
            </article>
          </li> `,
      )}
    </ol>
    ${pager(
      {
        first: After > 0 ? again : undefined,
        next: next_after === null ? undefined : `${again}?After=${next_after}${Type === undefined ? '' : `&Type=${Type}`}`,
      },
      { first: 'From the start', next: 'Later events' },
    )}`;
}

/** What matters most of what an event says: how much, and which settlement. */
function summary(pages: ConsolePages, { type, data }: ShownEvent): Html {
  const { amount, merchant_id, currency, settlement_number } = data as Readonly<Record<string, unknown>>;
  if (typeof currency !== 'string') return html``;
  const settlement = typeof settlement_number === 'number' && typeof merchant_id === 'string' ? settlement_number : undefined;
  const { said, recorded } = data as Readonly<Record<string, unknown>>;
  return html`${typeof amount === 'number' && html`<strong>${money(amount, currency)}</strong>`}
  ${type === 'PayoutOutcomeContradicted' && html`<strong role="alert">The bank says “${String(said)}”, the books say ${status(String(recorded))}.</strong>`}
  ${
    settlement !== undefined &&
    html`<a href="${pages.links.history(settlementStream(String(merchant_id), currency, settlement))}">Settlement ${settlement}</a>`
  }`;
}
