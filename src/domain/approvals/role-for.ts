import type { ProposalMade, ProposalRole } from '../../ledger/events/proposal.events.js';

/**
 * As which a person would count: as a controller where one is missing and the person is one, else as an approver where that leaves room
 * for the controllers that are missing. A controller who is no approver counts only where the kind takes controllers.
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
