import { defect, type Mutant } from './mutant.js';

const RULES = 'src/domain/accounts/payout-approvals.ts';
const OUTCOMES = 'src/domain/payouts/payout-outcomes.ts';
const ACTS = 'src/domain/payouts/payout-approvals.handlers.ts';

/** The rules of approvals of payouts, each taken away in the code: the simulation with approvals finds them. */
export const APPROVAL_MUTANTS: readonly Mutant[] = [
  defect('approval: one fewer is enough', RULES, 'given.length >= required', 'given.length + 1 >= required'),
  defect('approval: one person counts twice', RULES, 'if (approval?.given.includes(person_id)) return NOTHING_TO_DO;', ''),
  defect(
    'approval: it is never too late',
    RULES,
    'if (isOver(approval, now)) return refuse',
    'if (isOver(approval, now) && !approval) return refuse',
  ),
  defect(
    'approval: more are taken than it needs',
    RULES,
    'if (isComplete(approval)) return refuse',
    'if (isComplete(approval) && !approval) return refuse',
  ),
  defect(
    'approval: what is approved expires',
    RULES,
    'if (!approval || isComplete(approval) || !isOver(approval, now))',
    'if (!approval || !isOver(approval, now))',
  ),
  defect('approval: it expires at once', RULES, '|| isComplete(approval) || !isOver(approval, now))', '|| isComplete(approval))'),
  defect(
    'approval: nothing expires',
    RULES,
    '|| isComplete(approval) || !isOver(approval, now))',
    '|| isComplete(approval) || isOver(approval, now) || true)',
  ),
  defect(
    'approval: who was suspended counts',
    RULES,
    'approval.given.filter((operator) => !approvers.has(operator))',
    'approval.given.filter((operator) => !approvers.has(operator) && false)',
  ),
  defect(
    'approval: whoever may approve is not looked up again',
    OUTCOMES,
    'const approvers = found.registered.approvals_required === 0 ? undefined : await this.approvers();',
    `const before = (this as unknown as { known?: ReadonlySet<string> }).known;
    const approvers = found.registered.approvals_required === 0 ? undefined : (before ?? (await this.approvers()));
    (this as unknown as { known?: ReadonlySet<string> | undefined }).known = approvers;`,
  ),
  defect(
    'approval: it is of whatever was shown',
    ACTS,
    'if (payoutDigest(secret, request) !== digest) {',
    "if (payoutDigest(secret, request) === '') {",
  ),
];
