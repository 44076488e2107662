import { Command } from 'commander';
import type { ProposalDto } from '../../web/finance-api/approvals/proposals.dto.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { answerProposal } from '../desk-words.js';
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
      .requiredOption('--reason <text>', 'why, for whoever reads the audit log', argument.reason),
  ).action(async (id: string, { url, apiKey, ...body }: Options) => {
    const service = await ServiceClient.ofOperator(cli, { ...(url && { url }), ...(apiKey !== undefined && { apiKey }) });
    await answerProposal(cli, await service.send<ProposalDto>('POST', `/audit/proposals/${id}/${name}`, body));
  });

export const proposalApprove = (cli: Cli): Command =>
  command(cli, 'approve', 'approve a proposal of another person; with its last approval it takes effect').requiredOption(
    '--digest <digest>',
    'of what "proposal show" has shown',
    argument.digest,
  );

export const proposalReject = (cli: Cli): Command => command(cli, 'reject', 'end a proposal of another person that has not taken effect');

export const proposalWithdraw = (cli: Cli): Command => command(cli, 'withdraw', 'take back a proposal of your own that has not taken effect');
