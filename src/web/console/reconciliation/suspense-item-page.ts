import type { ItemLine } from '../../../../projections/reconciliation/days/day-row-reads.js';
import type { StoredProposal } from '../../../../projections/approvals/proposals.js';
import type { SuspenseItemDto } from '../../finance-api/approvals/suspense.dto.js';
import type { AdjustmentContent } from '../../../domain/approvals/adjustment-kind.js';
import { html, type Html } from '../../../platform/html/html.js';
import { digestOf } from '../../../ledger/ids/canonical-json.js';
import { isAccountKind, type SuspenseAdjustmentKind } from '../../../ledger/events/adjustment.events.js';
import type { Mode } from '../../../ledger/mode.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';
import { code, details, idLink, money, status, userText } from '../shared/components.js';
import type { AdjustItemForm } from '../approvals/forms.dto.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { breakPage, suspensePage } from '../shared/links.js';
import type { ActSubject } from '../shared/operator-actions.js';
import { pendingNote } from '../approvals/pending-proposal.js';
import { proposeForm } from '../approvals/propose-form.js';
import { lineLink } from '../shared/reconciliation-parts.js';
import { ownerOf, reasonOf, resolution, sinceOf } from './suspense-page.js';
import { NOBODYS_AFTER_DAYS } from '../../../domain/accounts/suspense-item.js';

export interface SuspenseItemSources {
  readonly item: SuspenseItemDto;
  readonly chargeCode: string | undefined;
  /** Line of the item; undefined for a payment. */
  readonly line: ItemLine | undefined;
  readonly pending: StoredProposal | undefined;
  readonly operator: KnownOperator | undefined;
  /** Token for the form; null: the operator must sign in again first. */
  readonly token: string | null;
}

/** Subject of a form about an item: its content and status, so that the form is void after its resolution. */
export const itemSubject = ({ id, status: is, currency, amount, proposal_id }: SuspenseItemDto): ActSubject => ({
  path: suspensePage(id),
  record: id,
  digest: digestOf({ id, status: is, currency, amount, proposal_id }),
});

/** An item in suspense, money without a known owner, and the form for a proposal about it. */
export function suspenseItemPage(pages: ConsolePages, { item, chargeCode, line, pending, operator, token }: SuspenseItemSources): Html {
  const { links } = pages;
  const { id, charge_id, position, line_key, processor, payment_reference, amount, currency, age_days, status: is } = item;
  return html`<p class="lead">Money without a known owner: ${reasonOf(item)}.</p>
    ${pendingNote(pages, pending)}
    ${details([
      ['Status', status(item.status)],
      ['Amount', money(amount, currency)],
      ['Of', ownerOf(pages, item)],
      ['Charge', charge_id === null ? '–' : pages.charge(charge_id, chargeCode)],
      ['At', processor ?? 'the bank'],
      ...(line_key === null ? [] : [['Key of the line', code(line_key)] as const]),
      ...(line === undefined ? [['Reference of the payment', userText(payment_reference ?? '')] as const] : lineDetails(pages, line)),
      ['Since (UTC)', sinceOf(pages, item)],
      ['Age', `${age_days} days`],
      ['Resolved', is === 'OPEN' ? '–' : resolution(pages, item)],
      ['Brought by', html`<a href="${links.event(position)}">event ${position}</a>`],
      ['Id', code(id)],
    ])}
    ${item.status === 'OPEN' && !pending && proposal(pages, { item, operator, token })}`;
}

/** The line and the break of an item, from which an operator can find its owner. */
const lineDetails = (pages: ConsolePages, line: ItemLine) =>
  [
    ['Line', html`${lineLink(pages, line)} booked on ${line.booking_date}`],
    ['References', userText([...(line.batch === null ? [] : [line.batch]), ...line.references].join(' '))],
    ['Break', line.break_id === null ? '–' : idLink(line.break_id, pages.links.to(breakPage(line.break_id)))],
  ] as const;

/** Returns the kinds of adjustments that fit an item. The merchant of a payment is known. */
function kindsOf({ amount, age_days, charge_id }: SuspenseItemDto): (readonly [SuspenseAdjustmentKind, string])[] {
  if (amount < 0)
    return [
      ['COST', 'COST: a processor or a bank has charged it to the platform'],
      ['LOSS', 'LOSS: the platform has lost it'],
    ];
  return [
    ...(charge_id === null
      ? []
      : ([
          ['UNMATCHED_TO_MERCHANT', 'UNMATCHED_TO_MERCHANT: the merchant’s, less the charge’s fee'],
          ['UNMATCHED_SENT_BACK', 'UNMATCHED_SENT_BACK: the processor gives it back to the customer'],
        ] as const)),
    ['TOP_UP', 'TOP_UP: the merchant’s own money'],
    ...(age_days >= NOBODYS_AFTER_DAYS ? ([['GAIN', 'GAIN: nobody’s']] as const) : []),
  ];
}

function proposal(pages: ConsolePages, { item, operator, token }: Pick<SuspenseItemSources, 'item' | 'operator' | 'token'>): Html | false {
  if (pages.moment) return false;
  if (!operator?.roles.includes('preparer')) return html`<p class="alert">Proposing needs an operator’s own key with the role preparer.</p>`;
  const subject = itemSubject(item);
  return html`<section aria-labelledby="whose">
    <h2 id="whose">Propose an owner</h2>
    ${proposeForm({
      ...{ links: pages.links, operator, token, subject, action: subject.path, label: 'Propose an owner', name: 'item' },
      before: html`<label for="kind">It is</label>
        <select id="kind" name="kind">
          ${kindsOf(item).map(([kind, label]) => html`<option value="${kind}">${label}</option>`)}
        </select>
        ${item.amount > 0 && (item.charge_id === null ? whose(pages, item.mode) : waiver())}
        <label for="relates-to">Month that it belongs to; empty: this one</label>
        <input id="relates-to" name="relates_to" type="month" />`,
      hint: 'An approver approves it. The whole amount is then moved, once.',
    })}
  </section>`;
}

/** The field for the merchant of a line, which the line does not name. */
function whose(pages: ConsolePages, mode: Mode): Html {
  const options = pages.merchantOptions(mode)?.filter(([id]) => id !== '');
  return html`<label for="merchant">Merchant, for TOP_UP</label> ${
      options
        ? html`<select id="merchant" name="merchant_id">
            ${options.map(([id, name]) => html`<option value="${id}">${name}</option>`)}
          </select>`
        : html`<input id="merchant" name="merchant_id" maxlength="36" placeholder="Id of a merchant" autocomplete="off" spellcheck="false" />`
    }`;
}
const waiver = (): Html =>
  html`<label class="check"><input name="waive_fee" type="checkbox" value="yes" /> To the merchant without the charge’s fee</label>`;

/** Returns the form's adjustment as the content of a proposal, with only the fields of its kind. */
export function adjustmentOf(item: SuspenseItemDto, { kind, waive_fee, relates_to, merchant_id: said }: AdjustItemForm): AdjustmentContent {
  const { id: item_id, currency, mode, merchant_id } = item;
  const of = { currency, amount: Math.abs(item.amount), item_id, ...(relates_to ? { relates_to } : {}) };
  if (isAccountKind(kind)) {
    const waives = kind === 'UNMATCHED_TO_MERCHANT' && waive_fee === 'yes';
    return { kind, merchant_id: merchant_id ?? said ?? '', ...of, ...(waives && { waive_fee: true as const }) };
  }
  return { kind, mode, ...of };
}
