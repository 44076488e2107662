import { isSuspenseKind, type AdjustmentKind } from '../../../ledger/events/adjustment.events.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { customerStream } from '../../../ledger/events/customer.events.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { code, idLink } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import { breakPage, filePage, proposalPage, sourcePage, suspensePage } from '../shared/links.js';

type Pages = Pick<ConsolePages, 'links' | 'merchant' | 'operator' | 'actor'>;
/** The siblings of a member, some of which determine the kind of its id. */
type Members = Readonly<Record<string, unknown>>;
type Shown = (pages: Pages, value: string, members: Members) => Html;

const inHistory =
  (streamOf: (id: string) => string): Shown =>
  ({ links }, id) =>
    idLink(id, links.history(streamOf(id)));
const onPage =
  (pathOf: (id: string) => string): Shown =>
  ({ links }, id) =>
    idLink(id, links.to(pathOf(id)));
const event: Shown = ({ links }, id) => idLink(id, links.event(id));
const operator: Shown = (pages, id) => pages.operator(id);
const actor: Shown = (pages, id) => pages.actor(id);
/** An id without a separate page; the record that contains it has one. */
const bare: Shown = (_, id) => code(id);

/** Renderers of ids by the member's name. A golden event with a missing name fails a test. */
const NAMES: ReadonlyMap<string, Shown> = new Map<string, Shown>(
  Object.entries({
    merchant_id: (pages, id) => pages.merchant(id),
    person_id: operator,
    owner: operator,
    key_id: actor,
    charge_id: inHistory(chargeStream),
    payout_id: inHistory(payoutStream),
    customer_id: inHistory(customerStream),
    settlement_id: ({ links }, id) => idLink(id, links.settlement(id)),
    refund_id: ({ links }, id) => idLink(id, links.refund(id)),
    dispute_id: ({ links }, id) => idLink(id, links.dispute(id)),
    proposal_id: onPage(proposalPage),
    break_id: onPage(breakPage),
    statement_id: onPage(filePage),
    replaces: onPage(filePage),
    replaced_id: onPage(filePage),
    event_id: event,
    item_id: itemOf,
    record_id: recordOfLine,
    source: sourceOf,
    batch_source: sourceOf,
    hold_id: bare,
    release_id: bare,
    reservation_id: bare,
    evidence_id: bare,
    charge_statement_id: bare,
  }),
);

/** An item in suspense; an item at a processor is the event that created it. */
function itemOf(pages: Pages, id: string, members: Members): Html {
  const { kind } = members;
  const isAtProcessor = typeof kind === 'string' && !isSuspenseKind(kind as AdjustmentKind);
  return isAtProcessor ? event(pages, id, members) : onPage(suspensePage)(pages, id, members);
}

/** The record of a settlement's line. */
function recordOfLine(pages: Pages, id: string, members: Members): Html {
  switch (members['kind']) {
    case 'charge':
    case 'reversal':
      return inHistory(chargeStream)(pages, id, members);
    case 'return':
      return inHistory(payoutStream)(pages, id, members);
    case 'refund-return':
      return idLink(id, pages.links.refund(id));
    case 'dispute-fee':
      return idLink(id, pages.links.dispute(id));
    default:
      return code(id);
  }
}

/** The name of a source of statements. The member `source` of a refund is a plain word. */
const SOURCE = /^(?:live|test)-[a-z0-9-]+$/;
function sourceOf(pages: Pages, name: string, members: Members): Html {
  return SOURCE.test(name) ? onPage(sourcePage)(pages, name, members) : foreign(name);
}

/** Members that end with `_by` and are moments, not actors. */
const MOMENTS: readonly string[] = ['due_by', 'approve_by'];

/** The record that the member `name` refers to, by its name with a link to its page; undefined when it refers to none. */
export function shownName(pages: Pages, name: string, value: string, members: Members): Html | undefined {
  const shown = NAMES.get(name) ?? (name.endsWith('_by') && !MOMENTS.includes(name) ? actor : undefined);
  return shown?.(pages, value, members);
}

/** The path of a member, with the names of merchants in it: a policy has members for single merchants. */
export function shownWay(pages: Pages, way: string): Html {
  const [, before, merchant, behind = ''] = /^(.*?\bmerchants)\.([0-9a-f-]{36})(.*)$/.exec(way) ?? [];
  if (merchant === undefined) return code(way);
  return html`${code(`${before}.`)}${pages.merchant(merchant)}${behind !== '' && code(behind)}`;
}

/** Members of contents that have the subject of a proposal; the first present one counts. */
const SUBJECTS = ['merchant_id', 'person_id', 'payout_id', 'break_id', 'statement_id', 'event_id', 'item_id'] as const;

/** The subject of a proposal; undefined for the company or a mode. */
export function shownSubject(pages: Pages, { content }: { readonly content: Members }): Html | undefined {
  for (const name of SUBJECTS) {
    const value = content[name];
    if (typeof value === 'string') return shownName(pages, name, value, content);
  }
  return undefined;
}
