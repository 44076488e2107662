import { timestamp } from '../../../ledger/time.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { code, idLink, oneLine, status, time } from '../shared/components.js';
import { AGE, ageSince, shown, type ExceptionKind } from './exception-kind.js';
import type { Exceptions, MachineExceptions } from './exceptions.js';
import { filePage, proposalPage, sourcePage, type Links } from '../shared/links.js';

/** Other alarms of health, metrics and the desk. */
export function alarmKinds({ links }: ConsolePages, { now, stuck, machines }: Exceptions): ExceptionKind[] {
  const open = shown(stuck);
  return [
    ...(machines ? serviceKinds(links, machines) : []),
    {
      ...open,
      id: 'stuck',
      title: 'Stopped reconciliation and proposals',
      hint: 'Live and test money. Each alarm ends once its cause is resolved.',
      order: 'the longest first',
      columns: [{ title: 'About' }, { title: 'What' }, { title: 'Since (UTC)' }, AGE],
      rows: open.items.map(({ kind, subject, detail, since }) => [
        alarmLink(links, kind, subject),
        foreign(detail),
        time(timestamp(Date.parse(since))),
        ageSince(since, now),
      ]),
    },
  ];
}

function serviceKinds(links: Links, { service, rails }: MachineExceptions): ExceptionKind[] {
  return [
    {
      id: 'service',
      title: 'Alarms of the service',
      count: service.length,
      isMore: false,
      hint: 'Health and metrics of this process report them too; the operators of the service find the cause.',
      order: 'in the order of the checks',
      columns: [{ title: 'Check' }, { title: 'Message' }],
      rows: service.map(({ check, detail }) => [code(check), foreign(detail)]),
    },
    {
      id: 'rails',
      title: 'Rails with problems',
      count: rails.length,
      isMore: false,
      hint: 'Payments on them wait or are refused until the problem is solved.',
      order: 'the oldest rail first',
      columns: [{ title: 'Rail' }, { title: 'State' }, { title: 'Why' }],
      rows: rails.map(({ rail, state, reasons }) => [
        html`<a href="${links.section('rails')}">${code(rail)}</a>`,
        status(state.toUpperCase() as Uppercase<typeof state>),
        foreign(reasons.join('; ')),
      ]),
    },
  ];
}

function alarmLink(links: Links, kind: Exceptions['stuck'][number]['kind'], subject: string): Html | string {
  switch (kind) {
    case 'PROPOSAL_STUCK':
      return idLink(subject, links.to(proposalPage(subject)));
    case 'FILE_UNFINISHED':
      return idLink(subject, links.to(filePage(subject)));
    case 'MANY_BREAKS':
    case 'OPENING_DIFFERS':
      return html`<a href="${links.to(sourcePage(subject))}">${subject}</a>`;
    case 'PROJECTION_STOPPED':
      return subject;
    default:
      return kind satisfies never;
  }
}

/** Stopped projections and failing endpoints. */
export function machineKinds(pages: ConsolePages, { now, machines }: Exceptions): ExceptionKind[] {
  if (!machines) return [];
  const { projections, endpoints } = machines;
  const failing = shown(endpoints);
  return [
    {
      id: 'projections',
      order: 'the longest first',
      title: 'Stopped projections',
      count: projections.length,
      isMore: false,
      hint: 'Pages that use them show old data. The command “projections status” shows the cause and the next steps.',
      columns: [{ title: 'Projection' }, { title: 'At the event' }, { title: 'Why' }, { title: 'Since (UTC)' }, AGE],
      rows: projections.map(({ projection, event, error, since }) => [
        projection,
        event === null ? '–' : html`<a href="${pages.links.event(event.ordinal)}">${event.ordinal}</a>`,
        foreign(error),
        html`<time datetime="${since}">${since.slice(0, 19).replace('T', ' ')}</time>`,
        ageSince(since, now),
      ]),
    },
    {
      ...failing,
      id: 'endpoints',
      order: 'the longest failing first',
      title: 'Failing webhook endpoints',
      hint: 'The merchant receives no events: after the last retry it finds them only in its list of events.',
      columns: [{ title: 'Merchant' }, { title: 'Address' }, { title: 'State' }, { title: 'Since (UTC)' }, AGE],
      rows: failing.items.map((endpoint) => endpointCells(pages, endpoint, now)),
      ...(failing.isMore ? { all: pages.links.to('webhooks', { State: 'FAILING' }) } : {}),
    },
  ];
}

function endpointCells(pages: ConsolePages, endpoint: MachineExceptions['endpoints'][number], now: number): (Html | string)[] {
  const { merchant_id, web_hook_uri, is_enabled, failing_since } = endpoint;
  const disabled = is_enabled ? null : pages.disabled(merchant_id);
  const since = disabled?.disabled_on ?? failing_since;
  return [
    html`<a class="name" href="${pages.links.to('deliveries', { MerchantId: merchant_id })}">${pages.merchantName(merchant_id)}</a>`,
    html`<span class="address-line">${oneLine(web_hook_uri)}</span>`,
    disabled ? html`disabled: ${foreign(disabled.reason)}` : 'failing',
    since === null ? '–' : pages.time(since, merchant_id),
    since === null ? '–' : ageSince(since, now),
  ];
}
