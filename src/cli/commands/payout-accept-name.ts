import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';

export const payoutAcceptName = (cli: Cli): Command =>
  new Command('accept-name')
    .description('have a payout paid although the bank knows its account under another name')
    .argument('<payout>', 'its id', argument.recordId)
    .requiredOption('--by <name>', 'who has made sure of it', argument.name)
    .action(async (payoutId: string, { by }: { readonly by: string }) => {
      const { isNew } = await cli.withStores(async ({ shell }) => {
        const { acceptName } = await import('../../domain/payouts/transfer/resolve-payout.js');
        const outcome = await acceptName(shell, payoutId, by);
        if ('refusal' in outcome) throw new CommandFailed(`payout ${payoutId}: ${outcome.detail}`);
        return outcome;
      });
      await cli.answer({ payout_id: payoutId, recorded: isNew }, () =>
        isNew
          ? `Payout ${payoutId} is paid to this account; a worker goes on with it within a quarter of an hour.`
          : `Payout ${payoutId} does not wait for that.`,
      );
    });
