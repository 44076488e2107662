import type { ProposalDto } from '../web/finance-api/approvals/proposals.dto.js';
import type { Cli } from './cli.js';

/** Prints a proposal. One that needs an approval is no success yet. */
export async function answerProposal(cli: Cli, proposal: ProposalDto): Promise<void> {
  if (proposal.status === 'PENDING' || proposal.status === 'APPROVED') cli.exitCode = 3;
  await cli.answer(proposal, () => proposalWords(proposal));
}

/** Prints all content that an approval applies to. */
export function proposalWords(proposal: ProposalDto): string {
  const { id, kind, content, digest, status, reason, evidence, proposed_by_name, created_on } = proposal;
  const { approvals, approvals_required, controllers_required, approve_by, refusal, detail, end_reason } = proposal;
  const takes = `${approvals.length} of ${approvals_required}${controllers_required > 0 ? ', a controller among them' : ''}, until ${approve_by}`;
  const lines = [
    ['Proposal', id],
    ['Kind', kind],
    ['Status', status],
    ['Proposed', `${created_on} by ${proposed_by_name}: ${reason}`],
    ['Approvals', takes],
    ...approvals.map(({ name, role, reason: why, approved_on }) => ['', `${approved_on} by ${name} (${role.toLowerCase()}): ${why}`]),
    ...evidence.map(({ name, sha256 }) => ['Evidence', `${sha256}  ${name}`]),
    ...(refusal === null ? [] : [['Refused', `${refusal}: ${detail}`]]),
    ...(end_reason === null ? [] : [['Ended', end_reason]]),
    ['Digest', digest],
    ['Content', JSON.stringify(content, null, 2)],
  ];
  return lines.map(([title, text]) => `${title!.padEnd(9)}  ${printable(text!)}`).join('\n');
}

/** Removes control characters, so that text written by people cannot move the cursor. */
const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\n]/gu, ' ');
