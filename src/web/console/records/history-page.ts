import type { EventPage } from '../../finance-api/find-events.js';
import type { LedgerEventType } from '../../../ledger/catalogue.js';
import { isOpen, type Dispute } from '../../../../projections/disputes/dispute-reads.js';
import type { Refund } from '../../../../projections/refunds/refund-reads.js';
import type { PayoutOutcomeContradicted } from '../../../ledger/events/payout.events.js';
import { movesMoney } from '../../../ledger/postings.js';
import { settlementStream } from '../../../ledger/events/settlement.events.js';
import type { ShownEvent } from '../../../ledger/published/shown-event.js';
import type { ChargeRow } from '../../../../projections/charges/charges-table.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import type { RecordHistory } from './charge-records.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { shownData } from './event-page.js';
import { code, details, inWords, money, pager, status, time, userText } from '../shared/components.js';
import { SECTIONS } from '../shared/layout.js';
import { chargeStatus, disputeTable, refundTable } from './record-tables.js';

export interface ChargeSources {
  readonly row: ChargeRow;
  /** The first refunds and disputes, with their total numbers. */
  readonly refunds: { readonly total: number; readonly items: readonly Refund[] };
  readonly disputes: { readonly total: number; readonly items: readonly Dispute[] };
}

export interface HistoryQuery {
  readonly After: number;
  readonly Type?: LedgerEventType | undefined;
  /** Present for the stream of a charge. */
  readonly charge?: ChargeSources | undefined;
}

/** The events of a record, oldest first, each with links to its cause and to related events. */
export function historyPage(pages: ConsolePages, stream: string, { items, next_after }: EventPage, { After, Type, charge }: HistoryQuery): Html {
  const { links } = pages;
  const merchantId = items[0]?.merchant_id ?? charge?.row.merchant_id;
  const again = links.history(stream);
  return html`<p class="lead">
      ${merchantId !== undefined && merchantId !== null && html`Merchant: ${pages.merchant(merchantId)}. `}Stream ${code(stream)}.
    </p>
    ${charge && chargeDetails(pages, charge)} ${charge && html`<h2>History</h2>`}
    ${items.length === 0 && html`<p class="empty">${After === 0 && Type === undefined ? 'Nothing has happened to it yet.' : 'Nothing else has happened.'}</p>`}
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
    ${isCut && html`<p class="alert warn">The charge has more events than were looked at: the newest are not here, nor in the sums.</p>`}
    ${timeline(pages, items)}
    <p><a href="${pages.links.history(stream)}">All that has happened to the charge</a></p>
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
              <summary>What it says</summary>
              ${shownData(pages, event)}
            </details>
          </article>
        </li> `,
    )}
  </ol>`;
}

function chargeDetails(pages: ConsolePages, { row: charge, refunds, disputes }: ChargeSources): Html {
  const { merchant_id, currency, fee } = charge;
  const at = (moment: string | null): Html | string => pages.time(moment, merchant_id);
  return html`${details([
    ['Status', chargeStatus(pages, charge, openOf(disputes.items))],
    ['Settlement', charge.settlement_status === 'UNKNOWN' ? 'not paid' : status(charge.settlement_status)],
    ['Amount', money(charge.amount, currency)],
    [fee.type === 'PERCENTAGE' ? `Fee (${fee.value} %)` : 'Fee', money(charge.fee_amount, currency)],
    ['Net amount', money(charge.net_amount, currency)],
    ['Reference', userText(charge.reference_id)],
    ['Description', userText(charge.description)],
    ['Channel', `${charge.channel_code}, ${charge.action_flow}`],
    ...providerDetails(pages, charge),
    ['Created (UTC)', at(charge.created_on)],
    ['Pay before (UTC)', at(charge.expires_on)],
    ['Paid (UTC)', at(charge.paid_on)],
    ['Settlement due (UTC)', at(charge.settlement_date)],
    ['Settled (UTC)', at(charge.settlement_on)],
    ...(charge.failed_on === null ? [] : [['Failed (UTC)', html`${at(charge.failed_on)}: ${userText(charge.failure_reason)}`] as const]),
    ...(charge.paid_on === null
      ? []
      : ([
          ['Refunded', money(charge.refunded_amount, currency)],
          ['Held or lost in disputes', money(charge.disputed_amount, currency)],
        ] as const)),
    ...Object.entries(charge.meta_data).map(([name, value]) => [foreign(name), userText(value)] as const),
    ['Id', code(charge.id)],
  ])}
  ${part(pages, charge, 'refunds', refunds.total, refundTable(pages, refunds.items, { caption: 'Its refunds', empty: '', isOfCharge: true }))}
  ${part(pages, charge, 'disputes', disputes.total, disputeTable(pages, disputes.items, { caption: 'Its disputes', empty: '', isOfCharge: true }))}`;
}

/** Returns the open dispute that is due first. */
const openOf = (disputes: readonly Dispute[]): Dispute | undefined =>
  disputes.filter(isOpen).reduce<Dispute | undefined>((first, each) => (first && first.due_by <= each.due_by ? first : each), undefined);

/** Maximum number of refunds, and of disputes, on the page of a charge. */
export const PARTS_SHOWN = 50;

function part({ links }: ConsolePages, { id, merchant_id }: ChargeRow, section: 'refunds' | 'disputes', total: number, content: Html): Html | false {
  if (total === 0) return false;
  return html`<section aria-labelledby="${section}">
    <h2 id="${section}">${SECTIONS[section]} <small>${total}</small></h2>
    ${content}
    ${total > PARTS_SHOWN && html`<p><a href="${links.to(section, { MerchantId: merchant_id, ChargeId: id })}">All ${section} of this charge</a></p>`}
  </section>`;
}

export const railLink = ({ links }: ConsolePages, rail: string): Html => html`<a href="${links.to('rails')}">${code(rail)}</a>`;

/** Terms and values of a charge at a payment provider. */
function providerDetails(pages: ConsolePages, { is_remote, processor, processor_reference, failure_code }: ChargeRow) {
  const rows: [string, Html | string][] = [];
  if (is_remote !== true) return rows;
  rows.push(
    ['Rail', railLink(pages, processor)],
    ['Reference at the provider', processor_reference === null ? 'none yet' : code(processor_reference)],
  );
  if (failure_code !== null) rows.push(['Code of the provider', code(failure_code)]);
  return rows;
}

/** The most important data of an event: its amount and its settlement. */
function summary(pages: ConsolePages, { type, data }: ShownEvent): Html {
  const { amount, merchant_id, currency, settlement_number } = data as Readonly<Record<string, unknown>>;
  if (typeof currency !== 'string') return html``;
  const settlement = typeof settlement_number === 'number' && typeof merchant_id === 'string' ? settlement_number : undefined;
  const { said, recorded } = data as Readonly<Record<string, unknown>>;
  return html`${typeof amount === 'number' && html`<strong>${money(amount, currency)}</strong>`}
  ${type === 'PayoutOutcomeContradicted' && html`<strong role="alert">The bank says “${String(said)}”, the books say ${status(recorded as PayoutOutcomeContradicted['recorded'])}.</strong>`}
  ${
    settlement !== undefined &&
    html`<a href="${pages.links.history(settlementStream(String(merchant_id), currency, settlement))}">Settlement ${settlement}</a>`
  }`;
}
