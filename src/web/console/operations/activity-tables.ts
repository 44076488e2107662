import type { ShownEvent } from '../../../ledger/published/shown-event.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import type { Delivery, EndpointState } from '../../../domain/webhooks/delivery-log.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { inWords, oneLine, shortId, status, table, time } from '../shared/components.js';
import { streamLink } from '../records/event-page.js';

export function eventTable(pages: ConsolePages, events: readonly ShownEvent[]): Html {
  const { links } = pages;
  return table(
    'Events in the order of the log, the newest first',
    [{ title: 'Event' }, { title: 'Happened (UTC)' }, { title: 'What' }, { title: 'Record' }, { title: 'Merchant' }, { title: 'By' }],
    events.map(({ position, occurred_on, type, stream, merchant_id, actor }) => [
      html`<a href="${links.event(position!)}">${position}</a>`,
      merchant_id === null ? time(occurred_on) : pages.time(occurred_on, merchant_id),
      inWords(type),
      streamLink(pages, stream),
      merchant_id === null ? '–' : pages.merchant(merchant_id),
      pages.actor(actor),
    ]),
    'No matching events.',
  );
}

export function endpointTable(pages: ConsolePages, endpoints: readonly EndpointState[], isFailing: boolean): Html {
  return table(
    `Webhook endpoints, ${isFailing ? 'the longest failing first' : 'in the order of the merchants’ ids'}`,
    [
      { title: 'Merchant' },
      { title: 'Address' },
      { title: 'State' },
      { title: 'Last success (UTC)' },
      { title: 'Next attempt (UTC)' },
      { title: 'Deliveries' },
    ],
    endpoints.map(({ merchant_id, web_hook_uri, is_enabled, failing_since, succeeded_on, next_due_on }) => [
      pages.merchant(merchant_id),
      html`<span class="address-line">${oneLine(web_hook_uri)}</span>`,
      is_enabled ? (failing_since === null ? status('OK') : html`${status('FAILING')} since ${time(failing_since)}`) : disabled(pages, merchant_id),
      pages.time(succeeded_on, merchant_id),
      pages.time(next_due_on, merchant_id),
      html`<a href="${pages.links.to('deliveries', { MerchantId: merchant_id })}">Deliveries</a>`,
    ]),
    'No matching endpoints.',
  );
}

function disabled(pages: ConsolePages, merchantId: string): Html {
  const found = pages.disabled(merchantId);
  return html`${status('DISABLED')} ${found && html`since ${time(found.disabled_on)}: ${found.reason}`}`;
}

/** `merchantId`: the merchant of all deliveries. */
export function deliveryTable(pages: ConsolePages, merchantId: string, deliveries: readonly Delivery[], empty: string): Html {
  return table(
    'Deliveries, the newest first',
    [
      { title: 'Id' },
      { title: 'Created (UTC)' },
      { title: 'Kind' },
      { title: 'Sequence', isFigure: true },
      { title: 'Status' },
      { title: 'Attempts', isFigure: true },
      { title: 'Last answer' },
      { title: 'Next attempt (UTC)' },
    ],
    deliveries.map((delivery) => [
      shortId(delivery.id),
      pages.time(delivery.created_on, merchantId),
      delivery.type,
      delivery.sequence ?? '–',
      status(delivery.status),
      delivery.total_attempts,
      lastAnswer(delivery),
      pages.time(delivery.status === 'PENDING' ? delivery.next_attempt_on : null, merchantId),
    ]),
    empty,
  );
}

function lastAnswer({ attempts }: Delivery): Html | string {
  const last = attempts.at(-1);
  if (!last) return '–';
  return html`${last.response_code ?? foreign(last.error ?? '')} <span class="minor">${last.latency_ms} ms</span>`;
}
