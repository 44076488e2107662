import { Command } from 'commander';
import type { ProposalDto } from '../../web/finance-api/approvals/proposals.dto.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { answerProposal } from '../approval-words.js';
import { ServiceClient, withOperatorOptions, type ServiceOptions } from '../service-client.js';

interface Options extends ServiceOptions {
  readonly reason: string;
  readonly digest?: string;
}

const command = (cli: Cli, name: 'approve' | 'reject' | 'withdraw', description: string): Command =>
  withOperatorOptions(
    new Command(name)
      .description(description)
      .argument('<proposal>', 'its id', argument.recordId)
      .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.reason),
  ).action(async (id: string, { url, apiKey, ...body }: Options) => {
    const service = await ServiceClient.ofOperator(cli, { ...(url && { url }), ...(apiKey !== undefined && { apiKey }) });
    await answerProposal(cli, await service.send<ProposalDto>('POST', `/audit/proposals/${id}/${name}`, body));
  });

export const proposalApprove = (cli: Cli): Command =>
  command(cli, 'approve', 'approve a proposal of another operator; the last approval puts it into effect').requiredOption(
    '--digest <digest>',
    'digest that "proposal show" has shown',
    argument.digest,
  );

export const proposalReject = (cli: Cli): Command => command(cli, 'reject', 'reject a proposal of another operator that has not taken effect');

export const proposalWithdraw = (cli: Cli): Command => command(cli, 'withdraw', 'withdraw your own proposal, if it has not taken effect');
