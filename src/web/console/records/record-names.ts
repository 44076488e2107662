import { isSuspenseKind, type AdjustmentKind } from '../../../ledger/events/adjustment.events.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { customerStream } from '../../../ledger/events/customer.events.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { code, idLink } from '../components.js';
import type { ConsolePages } from '../console-pages.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import { breakPage, filePage, proposalPage, sourcePage, suspensePage } from '../links.js';

type Pages = Pick<ConsolePages, 'links' | 'merchant' | 'person' | 'actor'>;
/** Those that stand beside a member: some tell what its id is of. */
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
const person: Shown = (pages, id) => pages.person(id);
const actor: Shown = (pages, id) => pages.actor(id);
/** Has no page of its own: the record that it stands with has. */
const bare: Shown = (_, id) => code(id);

/** How what a member names is shown. A golden event with a name that is not here fails a test. */
const NAMES: ReadonlyMap<string, Shown> = new Map<string, Shown>(
  Object.entries({
    merchant_id: (pages, id) => pages.merchant(id),
    person_id: person,
    owner: person,
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

/** An item in suspense; one at a processor is the event that brought it. */
function itemOf(pages: Pages, id: string, members: Members): Html {
  const { kind } = members;
  const isAtProcessor = typeof kind === 'string' && !isSuspenseKind(kind as AdjustmentKind);
  return isAtProcessor ? event(pages, id, members) : onPage(suspensePage)(pages, id, members);
}

/** What a line of a settlement is of. */
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

/** A source of statements; of a refund it is a word. */
const SOURCE = /^(?:live|test)-[a-z0-9-]+$/;
function sourceOf(pages: Pages, name: string, members: Members): Html {
  return SOURCE.test(name) ? onPage(sourcePage)(pages, name, members) : foreign(name);
}

/** Members that end so say when, not who. */
const MOMENTS: readonly string[] = ['due_by', 'approve_by'];

/** What the member `name` names, by its name and on the way to its page; undefined where it names nothing. */
export function shownName(pages: Pages, name: string, value: string, members: Members): Html | undefined {
  const shown = NAMES.get(name) ?? (name.endsWith('_by') && !MOMENTS.includes(name) ? actor : undefined);
  return shown?.(pages, value, members);
}

/** The way to a member, with merchants that are on it by name: a policy has some of its own for each. */
export function shownWay(pages: Pages, way: string): Html {
  const [, before, merchant, behind = ''] = /^(.*?\bmerchants)\.([0-9a-f-]{36})(.*)$/.exec(way) ?? [];
  if (merchant === undefined) return code(way);
  return html`${code(`${before}.`)}${pages.merchant(merchant)}${behind !== '' && code(behind)}`;
}

/** Members of contents that say what a proposal is about, the first that is there. */
const SUBJECTS = ['merchant_id', 'person_id', 'payout_id', 'break_id', 'statement_id', 'event_id', 'item_id'] as const;

/** Whom or what a proposal is about; undefined where that is the house or a mode. */
export function shownSubject(pages: Pages, { content }: { readonly content: Members }): Html | undefined {
  for (const name of SUBJECTS) {
    const value = content[name];
    if (typeof value === 'string') return shownName(pages, name, value, content);
  }
  return undefined;
}
