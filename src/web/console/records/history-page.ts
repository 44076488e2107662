import type { EventPage } from '../../finance-api/find-events.js';
import type { LedgerEventType } from '../../../ledger/catalogue.js';
import type { PayoutOutcomeContradicted } from '../../../ledger/events/payout.events.js';
import { movesMoney } from '../../../ledger/postings.js';
import { settlementStream } from '../../../ledger/events/settlement.events.js';
import type { ShownEvent } from '../../../ledger/published/shown-event.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { RecordHistory } from './charge-records.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { shownData } from './event-page.js';
import { code, inWords, money, pager, status, time } from '../shared/components.js';

export interface HistoryQuery {
  readonly After: number;
  readonly Type?: LedgerEventType | undefined;
  /** Present for the stream of a charge: its page above the history. */
  readonly charge?: Html | undefined;
}

/** The events of a record, oldest first, each with links to its cause and to related events. */
export function historyPage(pages: ConsolePages, stream: string, { items, next_after }: EventPage, { After, Type, charge }: HistoryQuery): Html {
  const { links } = pages;
  const merchantId = items[0]?.merchant_id;
  const again = links.history(stream);
  return html`${
    charge
      ? html`${charge}
          <h2>History</h2>`
      : html`<p class="lead">
          ${merchantId !== undefined && merchantId !== null && html`Merchant: ${pages.merchant(merchantId)}. `}Stream ${code(stream)}.
        </p>`
  }
  ${items.length === 0 && html`<p class="empty">${After === 0 && Type === undefined ? 'There is no event yet.' : 'There is no other event.'}</p>`}
  ${timeline(pages, items)}
  ${pager(
    {
      first: After > 0 ? again : undefined,
      next: next_after === null ? undefined : `${again}?After=${next_after}${Type === undefined ? '' : `&Type=${Type}`}`,
    },
    { first: 'From the start', next: 'Later events' },
  )}`;
}

/** The events of a record that shares a stream, with a link to the whole stream. */
export function partHistory(pages: ConsolePages, stream: string, { items, isCut }: RecordHistory): Html {
  return html`<section aria-labelledby="history">
    <h2 id="history">History</h2>
    ${isCut && html`<p class="alert warn">The charge has more events than are shown: the newest are missing, also in the sums.</p>`}
    ${timeline(pages, items)}
    <p><a href="${pages.links.history(stream)}">Full history of the charge</a></p>
  </section>`;
}

/** A list of events in their order. */
export function timeline(pages: ConsolePages, events: readonly ShownEvent[]): Html {
  const { links } = pages;
  return html`<ol class="timeline">
    ${events.map(
      (event) =>
        html`<li class="${movesMoney(event) && 'moves'}">
          <article aria-labelledby="event-${event.position}">
            <h2 id="event-${event.position}">${inWords(event.type)}</h2>
            <p class="when">
              ${event.merchant_id === null ? time(event.occurred_on) : pages.time(event.occurred_on, event.merchant_id)}
              <span>by</span> ${pages.actor(event.actor)}
            </p>
            <p class="trail">
              ${summary(pages, event)}
              <a href="${links.event(event.position!)}">Event ${event.position}</a>
              ${movesMoney(event) && html`<a href="${links.to('journal', { EventId: event.id })}">Its lines in the journal</a>`}
              <span>caused by ${code(event.causation_id)}</span>
              ${event.correlation_id !== event.causation_id && html`<span>in ${code(event.correlation_id)}</span>`}
            </p>
            <details>
              <summary>Data</summary>
              ${shownData(pages, event)}
            </details>
          </article>
        </li> `,
    )}
  </ol>`;
}

/** The most important data of an event: its amount and its settlement. */
function summary(pages: ConsolePages, { type, data }: ShownEvent): Html {
  const { amount, merchant_id, currency, settlement_number } = data as Readonly<Record<string, unknown>>;
  if (typeof currency !== 'string') return html``;
  const settlement = typeof settlement_number === 'number' && typeof merchant_id === 'string' ? settlement_number : undefined;
  const { said, recorded } = data as Readonly<Record<string, unknown>>;
  return html`${typeof amount === 'number' && html`<strong>${money(amount, currency)}</strong>`}
  ${type === 'PayoutOutcomeContradicted' && html`<strong role="alert">The bank reported “${String(said)}”, the books have ${status(recorded as PayoutOutcomeContradicted['recorded'])}.</strong>`}
  ${
    settlement !== undefined &&
    html`<a href="${pages.links.history(settlementStream(String(merchant_id), currency, settlement))}">Settlement ${settlement}</a>`
  }`;
}
