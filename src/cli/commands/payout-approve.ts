import { Command } from 'commander';
import type { AuditPayoutDetailDto } from '../../web/finance-api/audit-payouts.dto.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { ServiceClient, withOperatorOptions, type ServiceOptions } from '../service-client.js';

interface Options extends ServiceOptions {
  readonly reason: string;
  readonly digest: string;
}

const command = (cli: Cli, name: 'approve' | 'decline', description: string): Command =>
  withOperatorOptions(
    new Command(name)
      .description(description)
      .argument('<payout>', 'its id', argument.recordId)
      .requiredOption('--digest <digest>', 'digest that the console or GET /audit/payouts/{id} has shown', argument.digest)
      .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.reason),
  ).action(async (id: string, { url, apiKey, digest, reason }: Options) => {
    const service = await ServiceClient.ofOperator(cli, { ...(url && { url }), ...(apiKey !== undefined && { apiKey }) });
    const payout = await service.send<AuditPayoutDetailDto>('POST', `/audit/payouts/${id}/${name}`, { digest, reason });
    const { payout_status, approval } = payout;
    const missing = payout_status === 'PENDING' && approval ? approval.required - approval.given : 0;
    if (missing > 0) cli.exitCode = 3;
    await cli.answer(payout, () => `Payout ${id} is ${payout_status}${missing > 0 ? `, and waits for ${missing} more approval` : ''}.`);
  });

export const payoutApprove = (cli: Cli): Command =>
  command(cli, 'approve', 'approve a payout that waits for approval; exit 3 while it needs another approval');

export const payoutDecline = (cli: Cli): Command =>
  command(cli, 'decline', 'decline a payout that is not handed to its bank yet: its amount becomes available again');
