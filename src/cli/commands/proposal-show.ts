import { Command } from 'commander';
import type { ProposalDto } from '../../web/finance-api/approvals/proposals.dto.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { proposalWords } from '../approval-words.js';
import { ServiceClient, withOperatorOptions, type ServiceOptions } from '../service-client.js';

export const proposalShow = (cli: Cli): Command =>
  withOperatorOptions(
    new Command('show')
      .description('show a proposal: its content, its approvals, and the digest that an approval names')
      .argument('<proposal>', 'its id', argument.recordId),
  ).action(async (id: string, options: ServiceOptions) => {
    const service = await ServiceClient.ofOperator(cli, options);
    const proposal = await service.get<ProposalDto>(`/audit/proposals/${id}`);
    await cli.answer(proposal, () => proposalWords(proposal));
  });
