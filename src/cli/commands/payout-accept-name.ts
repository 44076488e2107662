import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';

export const payoutAcceptName = (cli: Cli): Command =>
  new Command('accept-name')
    .description('pay a payout although the bank has another name for its account')
    .argument('<payout>', 'its id', argument.recordId)
    .requiredOption('--by <name>', 'name of the person who verified it', argument.name)
    .action(async (payoutId: string, { by }: { readonly by: string }) => {
      const { isNew } = await cli.withStores(async ({ deps }) => {
        const { acceptName } = await import('../../domain/payouts/transfer/resolve-payout.js');
        const outcome = await acceptName(deps, payoutId, by);
        if ('refusal' in outcome) throw new CommandFailed(`payout ${payoutId}: ${outcome.detail}`);
        return outcome;
      });
      await cli.answer({ payout_id: payoutId, recorded: isNew }, () =>
        isNew
          ? `Payout ${payoutId} will be paid to this account; a worker continues it within 15 minutes.`
          : `Payout ${payoutId} does not wait for this.`,
      );
    });
