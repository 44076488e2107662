import { Command } from 'commander';
import type { ProposalPageDto } from '../../web/finance-api/approvals/proposals.dto.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { table } from '../output.js';
import { ServiceClient, withOperatorOptions, type ServiceOptions } from '../service-client.js';

interface Options extends ServiceOptions {
  readonly status?: string;
  readonly kind?: string;
}

export const proposalList = (cli: Cli): Command =>
  withOperatorOptions(
    new Command('list')
      .description('list the proposals, oldest first')
      .option('--status <status>', 'such as pending', argument.upperCase)
      .option('--kind <kind>', 'such as roles', argument.upperCase),
  ).action(async ({ status, kind, ...options }: Options) => {
    const service = await ServiceClient.ofOperator(cli, options);
    const query = new URLSearchParams({ ...(status !== undefined && { Status: status }), ...(kind !== undefined && { Kind: kind }) });
    const items: ProposalPageDto['items'][number][] = [];
    for (let after: string | null = ''; after !== null;) {
      if (after !== '') query.set('After', after);
      const page: ProposalPageDto = await service.get<ProposalPageDto>(`/audit/proposals?${query.toString()}`);
      items.push(...page.items);
      after = page.next_after;
    }
    await cli.answer(items, () =>
      table(
        ['proposal', 'kind', 'status', 'proposed by', 'approvals', 'of', 'approve by', 'reason'],
        items.map(({ id, kind: of, status: now, proposed_by_name, approvals, approvals_required, approve_by, reason }) => {
          return [id, of, now, proposed_by_name, approvals.length, approvals_required, approve_by, reason];
        }),
      ),
    );
  });
