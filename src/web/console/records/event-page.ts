import type { JournalLineDto } from '../../finance-api/journal.dto.js';
import type { ShownEvent } from '../../../ledger/published/shown-event.js';
import { movesMoney } from '../../../ledger/postings.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import { APPROVAL_POLICY_STREAM } from '../../../ledger/events/approval-policy.events.js';
import { FINANCE_KEYS_STREAM } from '../../../ledger/events/finance-key.events.js';
import { OPERATORS_STREAM } from '../../../ledger/events/operator.events.js';
import { settlementStream } from '../../../ledger/events/settlement.events.js';
import type { ConsolePages } from '../shared/console-pages.js';
import type { Section } from '../shared/layout.js';
import { code, details, inWords, money, SHORT_ID, table, time } from '../shared/components.js';
import { eventProof, type EventProof } from './event-proof.js';
import { journalTable } from './journal-page.js';
import { shownName, shownWay } from './record-names.js';

export interface EventPageOptions {
  readonly event: ShownEvent;
  /** Other events of the same request or run, in the order of the log. */
  readonly related: readonly ShownEvent[];
  readonly lines: readonly JournalLineDto[];
  /** True when the log has no later event. */
  readonly isLast: boolean;
  /** null in the past: its head is signed today. */
  readonly proof: EventProof | null;
}

/** An event: its data, its journal lines, its proof, and the other events of the same request or run. */
export function eventPage(pages: ConsolePages, { event, related, lines, isLast, proof }: EventPageOptions): Html {
  const { links } = pages;
  return html`<p class="lead">
      <strong>${inWords(event.type)}</strong> in <a href="${links.history(event.stream)}">${titleIn(pages, event.stream)}</a>, revision
      ${event.revision}
    </p>
    ${details([
      ['Happened (UTC)', time(event.occurred_on)],
      ['Merchant', event.merchant_id === null ? null : pages.merchant(event.merchant_id)],
      ['By', pages.actor(event.actor)],
      ['Type', code(event.type)],
      ['Event id', code(event.id)],
      ['Caused by', code(event.causation_id)],
      ['Request or run', code(event.correlation_id)],
    ])}
    <section aria-labelledby="data">
      <h2 id="data">Data</h2>
      ${shownData(pages, event)}
    </section>
    ${
      movesMoney(event) &&
      html`<section aria-labelledby="moved">
        <h2 id="moved">Movements</h2>
        ${journalTable(pages, `Lines of the journal of event ${event.position ?? ''}`, lines)}
        <p><a href="${links.to('journal', { EventId: event.id })}">These lines in the journal</a></p>
      </section>`
    }
    ${
      proof === null
        ? html`<p><a href="${links.now(`events/${event.position!}`)}#proof">Its proof</a>, under the head of now</p>`
        : eventProof(links, event.position!, proof)
    }
    <section aria-labelledby="with">
      <h2 id="with">Events of the same request</h2>
      ${table(
        'Events of the same request or run',
        [{ title: 'Event' }, { title: 'Happened (UTC)' }, { title: 'What' }, { title: 'Record' }, { title: 'Cause and effect' }],
        related.map((other) => [
          html`<a href="${links.event(other.position!)}">${other.position}</a>`,
          time(other.occurred_on),
          inWords(other.type),
          streamLink(pages, other.stream),
          relation(event, other),
        ]),
        'The log near this event has no other events of the same request or run.',
      )}
      <p class="hint">Searched the 200 events before it and the 200 after it.</p>
    </section>
    <p class="beside">
      ${event.position! > 1 && html`<a rel="prev" href="${links.event(event.position! - 1)}">Event ${event.position! - 1}</a>`}
      ${!isLast && html`<a rel="next" href="${links.event(event.position! + 1)}">Event ${event.position! + 1}</a>`}
    </p>`;
}

function relation(event: ShownEvent, other: ShownEvent): string {
  if (event.causation_id === other.id) return 'its cause';
  if (other.causation_id === event.id) return 'its effect';
  return other.causation_id === event.causation_id ? 'the same cause' : 'the same request or run';
}

/** Members of an event's data, in their order. Ids of records are links; amounts are in the currency's format beside the minor units. */
export function shownData(pages: ConsolePages, { data }: ShownEvent): Html {
  return details(memberRows(pages, data as Members, ''));
}

type Members = Readonly<Record<string, unknown>>;

/** Returns a row for each member. Members of nested objects have the path in their names. */
function memberRows(pages: ConsolePages, members: Members, way: string): (readonly [Html | string, Html | string | null])[] {
  return Object.entries(members).flatMap(([name, value]) => {
    if (isMembers(value) && name !== CLIENTS_OWN) return memberRows(pages, value, `${way}${name}.`);
    return [[way === '' ? name : shownWay(pages, `${way}${name}`), memberValue(pages, members, name, value)] as const];
  });
}

/** A client chooses the names of these members, so they never refer to records of the service. */
const CLIENTS_OWN = 'meta_data';
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

function memberValue(pages: ConsolePages, members: Members, name: string, value: unknown): Html | string | null {
  const { links } = pages;
  const { merchant_id, currency } = members;
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') {
    return shownName(pages, name, value, members) ?? foreign(value);
  }
  if (typeof value === 'number' && typeof currency === 'string' && (name === 'amount' || name.endsWith('_amount'))) {
    return money(value, currency);
  }
  if (name === 'settlement_number' && typeof value === 'number' && typeof merchant_id === 'string' && typeof currency === 'string') {
    return html`<a href="${links.history(settlementStream(merchant_id, currency, value))}">${value}</a>`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (name === 'lines' && Array.isArray(value)) return `${value.length} ${value.length === 1 ? 'line' : 'lines'}`;
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')) return listOf(pages, members, name, value);
  return html`<code>${JSON.stringify(value)}</code>`;
}

/** `items` of a match are ids of events. */
function listOf(pages: ConsolePages, members: Members, name: string, values: readonly string[]): Html {
  const of = name === 'items' ? 'event_id' : name;
  return html`${values.map((value, at) => html`${at > 0 && ', '}${shownName(pages, of, value, members) ?? foreign(value)}`)}`;
}

const OF_MERCHANT = /^(merchant|account|settlement)-([0-9a-f-]{36})(?:-([A-Z]{3})(?:-(\d+))?)?$/;

/** The company's streams that have the prefix of merchants' streams, so that every process follows them. */
const OF_HOUSE: ReadonlyMap<string, string> = new Map([
  [OPERATORS_STREAM, 'People'],
  [APPROVAL_POLICY_STREAM, 'Policies of approval'],
  [FINANCE_KEYS_STREAM, 'Keys of finance'],
]);

/** Returns the title of a stream, with the merchant's name for a merchant's stream. */
export function titleIn(pages: Pick<ConsolePages, 'plainMerchantName'>, stream: string): string {
  const ofHouse = OF_HOUSE.get(stream);
  if (ofHouse !== undefined) return ofHouse;
  const [, kind, id = '', currency, number] = OF_MERCHANT.exec(stream) ?? [];
  const name = pages.plainMerchantName(id);
  if (kind === 'merchant') return `Merchant ${name}`;
  if (kind === 'account') return `Account of ${name} in ${currency}`;
  if (kind === 'settlement') return `Settlement ${number} of ${name} in ${currency}`;
  return titleOf(stream);
}

const SECTION_OF_KIND: ReadonlyMap<string | undefined, Section> = new Map([
  ['charge', 'charges'],
  ['payout', 'payouts'],
  ['settlement', 'settlements'],
  ['customer', 'customers'],
  ['merchant', 'merchants'],
  ['account', 'merchants'],
]);

/** Returns the section with the records of the stream's kind; for a stream of the company, that of events. */
export const sectionOf = (stream: string): Section => (!OF_HOUSE.has(stream) && SECTION_OF_KIND.get(/^[a-z]+(?=-)/.exec(stream)?.[0])) || 'events';

/** A link to the history of a record: its title with the beginning of its id. */
export function streamLink(pages: Pick<ConsolePages, 'plainMerchantName' | 'links'>, stream: string): Html {
  const shown = titleIn(pages, stream).replace(UUID, (id) => id.slice(0, SHORT_ID));
  return html`<a class="name" href="${pages.links.history(stream)}" title="${titleOf(stream)}">${shown}</a>`;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Returns the title of a stream: `Charge <id>` for `charge-<id>`. */
export function titleOf(stream: string): string {
  const [, kind = stream, rest = ''] = /^([a-z]+)-(.+)$/s.exec(stream) ?? [];
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${rest}`.trim();
}
