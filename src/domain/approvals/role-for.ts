import type { ProposalMade, ProposalRole } from '../../ledger/events/proposal.events.js';

/**
 * Returns the role in which an operator's approval counts: controller if the kind requires controllers and the operator is one; else approver if that
 * leaves room for the missing controllers. A controller who is not an approver counts only if the kind requires controllers.
 */
export function roleFor(
  { approvals_required, controllers_required }: Pick<ProposalMade, 'approvals_required' | 'controllers_required'>,
  given: readonly { readonly role: ProposalRole }[],
  roles: readonly string[],
): ProposalRole | undefined {
  const controllersMissing = controllers_required - given.filter(({ role }) => role === 'controller').length;
  if (controllers_required > 0 && roles.includes('controller')) return 'controller';
  return roles.includes('approver') && approvals_required - given.length > controllersMissing ? 'approver' : undefined;
}
