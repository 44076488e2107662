import type { AuditPayoutDetailDto, PayoutFundingPageDto } from '../../finance-api/audit-payouts.dto.js';
import type { ShownEvent } from '../../../ledger/published/shown-event.js';
import { milliseconds } from '../../../ledger/time.js';
import { formatAmount } from '../../../platform/text/format.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { code, details, durationUp, lifeLine, money, status, table, userText, type LifeStep } from '../shared/components.js';
import { payoutPage as approvalPath, proposalPage } from '../shared/links.js';
import { timeline } from './history-page.js';
import { waitingWords } from './payout-waiting.js';
import { recordLines, type RecordLines } from './record-lines.js';
import { railLink } from './record-tables.js';

export interface PayoutSources {
  readonly payout: AuditPayoutDetailDto;
  /** The settlements and adjustments that paid for it: the first page. */
  readonly funding: PayoutFundingPageDto;
  /** All events about it, in the order of the log. */
  readonly events: readonly ShownEvent[];
  readonly lines: RecordLines;
  /** Links to the forms that resolve it when it is held; false otherwise. */
  readonly proposals: Html | false;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export const payoutTitle = ({ net_amount, currency }: AuditPayoutDetailDto): string => `Payout of ${formatAmount(net_amount, currency)}`;

/** A payout: the steps of its life, its amounts, the settlements that paid for it, and its history. */
export function payoutPage(pages: ConsolePages, { payout, funding, events, lines, proposals, now }: PayoutSources): Html {
  const { merchant_id, currency } = payout;
  return html`<p class="lead">Of ${pages.merchant(merchant_id)} to ${userText(payout.bank_name)}.</p>
    ${payoutLife(pages, payout, now, endingOf(events))} ${proposals}
    ${details([
      ['Status', status(payout.payout_status)],
      ...waiting(pages, payout),
      ['Amount', money(payout.amount, currency)],
      ['Fee', money(payout.fee_amount, currency)],
      ['Net amount, which is paid', money(payout.net_amount, currency)],
      ['Description', userText(payout.description)],
      ...railDetails(pages, payout),
      ['Id', code(payout.id)],
    ])}
    ${paidFrom(pages, payout, funding)} ${recordLines(pages, lines)}
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      ${timeline(pages, events)}
    </section>`;
}

interface Ending {
  readonly isReturn: boolean;
  readonly on: string;
  readonly reason: Html | string;
}

/** The steps of a payout's life. `ending`: the bank's refusal or return, where known. `now`: milliseconds since the epoch. */
export function payoutLife(pages: ConsolePages, payout: AuditPayoutDetailDto, now: number, ending?: Ending): Html {
  const { merchant_id, payout_status, approval, approvals, submitted_on, paid_on, updated_on } = payout;
  const at = (moment: string | null): Html | string | undefined => (moment === null ? undefined : pages.time(moment, merchant_id));
  const steps: LifeStep[] = [{ name: 'Requested', on: at(payout.created_on) }];
  const isOpen = payout_status === 'PENDING' || payout_status === 'PROCESSING';
  if (approval !== null) {
    const isGiven = approval.given >= approval.required;
    const note = html`${approval.given} of ${approval.required}${isOpen && !isGiven && html`, before ${pages.time(approval.approve_by, merchant_id)}`}`;
    if (isGiven || isOpen) steps.push({ name: 'Approved', on: at(isGiven ? (approvals.at(-1)?.approved_on ?? submitted_on) : null), note });
  }
  if (isOpen || submitted_on !== null) steps.push({ name: 'Sent to the bank', on: at(submitted_on) });
  if (isOpen || paid_on !== null) steps.push({ name: 'Paid', on: at(paid_on), note: isOpen && arrival(pages, payout, now) });
  if (payout_status === 'CANCELLED') steps.push({ name: 'Cancelled', on: at(updated_on), note: payout.cancel_cause ?? undefined });
  if (payout_status === 'FAILED') steps.push({ name: 'Failed', on: at(updated_on), note: ending?.reason, tone: 'bad' });
  if (ending?.isReturn) steps.push({ name: 'Returned by the bank', on: at(ending.on), note: ending.reason, tone: 'bad' });
  if (ending?.isReturn || payout_status === 'REVERSED')
    steps.push({ name: 'Available again', on: at(payout_status === 'REVERSED' ? updated_on : null) });
  return lifeLine(steps);
}

/** When an open payout arrives. @param now milliseconds since the epoch */
function arrival(pages: ConsolePages, { merchant_id, submitted_on, usual_seconds, arrives_by }: AuditPayoutDetailDto, now: number): Html | string {
  if (usual_seconds === null) return 'Its time of arrival is not known: its rail has paid too few payouts.';
  const usually = `usually within ${durationUp(usual_seconds)} of being sent`;
  if (arrives_by === null) return submitted_on === null ? `Arrives ${usually}.` : 'Its time of arrival is open.';
  // The time is last: the style sheet puts its local time on the next line.
  return html`${milliseconds(arrives_by) < now ? 'Late: arrives' : 'Arrives'} ${usually}: by ${pages.time(arrives_by, merchant_id)}`;
}

/** The bank's refusal or return of the payout; undefined when there was none. */
function endingOf(events: readonly ShownEvent[]): Ending | undefined {
  const ending = events.findLast(({ type }) => type === 'PayoutFailed' || type === 'PayoutReturned');
  if (!ending) return undefined;
  const { type, occurred_on, data } = ending;
  const { reason } = data as Readonly<Record<string, unknown>>;
  return { isReturn: type === 'PayoutReturned', on: occurred_on, reason: userText(String(reason)) };
}

/** The reason for which a payout is pending; and its approvals, if it needs any. */
function waiting(pages: ConsolePages, { id, pending_reason, approval }: AuditPayoutDetailDto): (readonly [string, Html])[] {
  const rows: (readonly [string, Html])[] = pending_reason === null ? [] : [['Waits for', waitingWords(pages, { id }, pending_reason)]];
  if (approval === null) return rows;
  return [...rows, ['Approvals', html`<a href="${pages.links.to(approvalPath(id))}">${approval.given} of ${approval.required}</a>`]];
}

/** Terms and values of a payout on a rail to a bank. */
function railDetails(pages: ConsolePages, { merchant_id, rail, partner_reference, beneficiary, held_reason, held_on }: AuditPayoutDetailDto) {
  const rows: [string, Html | string][] = [];
  if (rail !== null) rows.push(['Rail', railLink(pages, rail)]);
  if (partner_reference !== null) rows.push(['Reference at the bank', code(partner_reference)]);
  if (beneficiary !== null)
    rows.push(['Account holder', `${beneficiary.match}${beneficiary.name_masked === null ? '' : `: ${beneficiary.name_masked}`}`]);
  if (held_reason !== null) rows.push(['Held (UTC)', html`<strong role="alert">${pages.time(held_on, merchant_id)}: ${held_reason}</strong>`]);
  return rows;
}

/** The settlements and adjustments whose money the payout paid out. */
function paidFrom(
  pages: ConsolePages,
  { id, merchant_id, currency, paid_on }: AuditPayoutDetailDto,
  { items, next_after }: PayoutFundingPageDto,
): Html | false {
  if (paid_on === null) return false;
  return html`<section aria-labelledby="from">
    <h2 id="from">Paid from</h2>
    ${table(
      'Sources of its money',
      [{ title: 'Settlement' }, { title: 'Available since (UTC)' }, { title: 'Its amount', isFigure: true }, { title: 'Used here', isFigure: true }],
      items.map(({ settlement_id, settlement_number, adjustment_id, settled_on, net_amount, used_amount }) => [
        settlement_id === null
          ? html`<a href="${pages.links.to(proposalPage(adjustment_id!))}">an adjustment</a>`
          : html`<a href="${pages.links.settlement(settlement_id)}">${currency} ${settlement_number}</a>`,
        pages.time(settled_on, merchant_id),
        money(net_amount, currency),
        money(used_amount, currency),
      ]),
      'No settlement had covered it when it was paid.',
    )}
    <p>
      <a href="${pages.links.now(`payouts/${id}/remittance-advice`)}">Remittance advice</a>, with all lines of these
      settlements${next_after !== null && ` and of the others: these are the first ${items.length}`}.
    </p>
  </section>`;
}
