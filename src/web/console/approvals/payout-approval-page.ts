import type { AuditPayoutDetailDto } from '../../finance-api/audit-payouts.dto.js';
import { html, type Html } from '../../../platform/html/html.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';
import { actForm } from '../shared/act-form.js';
import { code, details, money, status, table, time, userText } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { payoutPage } from '../shared/links.js';
import { payoutLife } from '../records/payout-page.js';
import { waitingWords } from '../records/payout-waiting.js';

export interface PayoutApprovalSources {
  readonly payout: AuditPayoutDetailDto;
  /** Operator of the session; undefined for a session of a finance key. */
  readonly operator: KnownOperator | undefined;
  /** Token for the form; null: the operator must sign in again first. */
  readonly token: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A payout for its approvers: amount, beneficiary, earlier decisions, and the form for the decision. */
export function payoutApprovalPage(pages: ConsolePages, sources: PayoutApprovalSources): Html {
  const { links } = pages;
  const { payout } = sources;
  return html`<p class="lead">Of ${pages.merchant(payout.merchant_id)}, ${money(payout.amount, payout.currency)}. ${standing(payout)}</p>
    ${payoutLife(pages, payout, sources.now)} ${payoutDetails(pages, payout)} ${beneficiary(payout)} ${decision(pages, sources)}
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      ${table(
        'Approvals that count',
        [{ title: 'Person' }, { title: 'On (UTC)' }, { title: 'Reason' }, { title: 'Key', isSpare: true }],
        payout.approvals.map(({ person_id, approved_on, reason, key_id }) => [
          pages.operator(person_id),
          time(approved_on),
          userText(reason),
          code(key_id),
        ]),
        'No approval yet.',
      )}
      <p><a href="${links.history(payoutStream(payout.id))}">Full history of the payout</a></p>
    </section>`;
}

/** The payout's approvals, or its cancellation. */
function standing({ approval, payout_status, cancel_cause }: AuditPayoutDetailDto): Html | string {
  if (payout_status === 'CANCELLED') return `It is cancelled${cancel_cause === null ? '' : ` (${cancel_cause})`}.`;
  if (approval === null) return 'It needs no approval.';
  return `${approval.given} of ${approval.required} approvals are given.`;
}

function payoutDetails(pages: ConsolePages, payout: AuditPayoutDetailDto): Html {
  const { merchant_id, currency, approval, digest } = payout;
  const hidden = html`<span class="minor">shown to approvers</span>`;
  return details([
    ['Account holder', payout.bank_account_name === null ? hidden : userText(payout.bank_account_name)],
    ['Account number', payout.bank_account_number === null ? hidden : code(payout.bank_account_number)],
    ['Bank', userText(payout.bank_name)],
    ['Bank code', payout.bank_code === null ? null : code(payout.bank_code)],
    ['Amount', money(payout.amount, currency)],
    ['Fee', money(payout.fee_amount, currency)],
    ['Net amount, which is paid', money(payout.net_amount, currency)],
    ['Status', status(payout.payout_status)],
    ...(payout.pending_reason === null
      ? []
      : [['Waits for', waitingWords(pages, payout, payout.pending_reason, payout.pending_reason === 'approval')] as const]),
    ['Requested (UTC)', pages.time(payout.created_on, merchant_id)],
    ...(approval === null
      ? []
      : [
          ['Approvals', `${approval.given} of ${approval.required}`] as const,
          ['To be approved before (UTC)', pages.time(approval.approve_by, merchant_id)] as const,
        ]),
    ['Id', code(payout.id)],
    ...(digest === null ? [] : [['Digest of this page', code(digest)] as const]),
  ]);
}

function beneficiary({ beneficiary: found }: AuditPayoutDetailDto): Html | false {
  if (found === null) return false;
  const { match, name_masked } = found;
  const isSame = match === 'EXACT';
  return html`<p class="alert ${isSame ? 'good' : 'warn'}">
    The bank’s answer about the account holder: ${match}${name_masked !== null && html`, ${userText(name_masked)}`}.
  </p>`;
}

function decision({ links, moment }: ConsolePages, { payout, operator, token }: PayoutApprovalSources): Html {
  const { id, payout_status, approval, approvals, digest } = payout;
  if (moment || payout_status !== 'PENDING' || approval === null) return html``;
  if (!operator) return html`<p class="alert">Operators decide, with their own key (<code>ok_</code>): this session was opened with another one.</p>`;
  if (digest === null) return html`<p class="alert">Deciding needs the role approver.</p>`;
  const hasApproved = approvals.some(({ person_id }) => person_id === operator.id);
  const isOpen = approval.given < approval.required && !hasApproved;
  const acts = [...(isOpen ? [['approve', 'Approve'] as const] : []), ['decline', 'Decline'] as const];
  return html`<section aria-labelledby="decide">
    <h2 id="decide">Decide</h2>
    ${hasApproved && html`<p class="alert good">You have approved it.</p>`} ${actForm({ links, path: payoutPage(id), digest, token, acts })}
  </section>`;
}
