import { Command } from 'commander';
import type { ApprovalTier, DeskPolicySet } from '../../ledger/events/approval-policy.events.js';
import type { Cli } from '../cli.js';
import { table } from '../output.js';

export const policyShow = (cli: Cli): Command =>
  new Command('show').description('show the approval policies of live and test; by default nothing needs approval').action(async () => {
    const { loadApprovalPolicies } = await import('../../domain/operators/approval-policy.commands.js');
    const { live, test } = await cli.withStores(({ deps }) => loadApprovalPolicies(deps.store));
    await cli.answer({ live, test }, () => [inWords('live', live), inWords('test', test)].join('\n\n'));
  });

function inWords(mode: string, policy: DeskPolicySet | null): string {
  if (policy === null) return `${mode}: no policy, nothing needs approval.`;
  const { payouts, payouts_day, merchants, adjustments, settings, expires_hours, proposal_id, set_on } = policy;
  const of = (what: string, merchant: string | null, tiers: readonly ApprovalTier[] | undefined) =>
    tiers?.length === 0
      ? [[what, merchant, null, null, 0]]
      : (tiers ?? []).map(({ currency, above, approvals }) => [what, merchant, currency, above, approvals]);
  const rows = [
    ...[...of('payout', null, payouts), ...of('payouts of a day', null, payouts_day), ...of('adjustment', null, adjustments)],
    ...Object.entries(merchants).flatMap(([id, own]) => [...of('payout', id, own.payouts), ...of('payouts of a day', id, own.payouts_day)]),
  ];
  return [
    `${mode}: since ${set_on}, by proposal ${proposal_id}`,
    table(['what', 'merchant', 'currency', 'above', 'approvals'], rows),
    `Settings need ${settings === 0 ? 'no approval' : 'one approval'}; requests can be approved for ${expires_hours} hours.`,
  ].join('\n');
}
