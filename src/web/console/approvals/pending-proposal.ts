import type { StoredProposal } from '../../../../projections/approvals/proposals.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import { time, type Field } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { proposalPage } from '../shared/links.js';
import { proposalName } from './proposal-form-list.js';

/** The open proposal about the shown record. While there is one, the page offers no other. */
export function pendingNote(pages: ConsolePages, pending: StoredProposal | undefined): Html | false {
  if (!pending) return false;
  const { id, kind, content, reason, proposed_by, made_on, approve_by, approvals, approvals_required, proposal_status } = pending;
  const missing = approvals_required - approvals.length;
  const state =
    proposal_status === 'APPROVED'
      ? 'It is approved and takes effect.'
      : html`It waits for ${missing} approval${missing !== 1 && 's'} until ${time(approve_by)} UTC.`;
  return html`<p class="alert warn" role="status">
    Proposed by ${pages.operator(proposed_by)} on ${time(made_on)} UTC:
    <a href="${pages.links.to(proposalPage(id))}">${proposalName(kind, content)}</a>, “${foreign(reason)}”. ${state}
  </p>`;
}

export const pendingField = (value: string | undefined): Field => ({
  name: 'Proposal',
  label: 'Proposal',
  value,
  options: [
    ['', 'With and without'],
    ['pending', 'Proposed'],
    ['none', 'Nothing proposed'],
  ],
});
