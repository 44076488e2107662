import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { withProjections } from '../projection-tables.js';

interface Options {
  readonly paid?: true;
  readonly notPaid?: true;
  readonly finalStatement?: true;
  readonly evidence: string;
  readonly by: string;
}

export const payoutResolve = (cli: Cli): Command =>
  new Command('resolve')
    .description('record the result of a payout that is held, or that the bank no longer answers inquiries about; ask the bank first')
    .argument('<payout>', 'its id', argument.recordId)
    .option('--paid', 'the money has left the account')
    .option('--not-paid', 'the money has not left and never will; while the bank answers inquiries, only with --final-statement')
    .option('--final-statement', "the evidence is the bank's final statement of every day on which it may have been paid")
    .requiredOption('--evidence <text>', 'evidence, stored in the audit log', argument.name)
    .requiredOption('--by <name>', 'name of the person who found it out', argument.name)
    .action(async (payoutId: string, { paid, notPaid, finalStatement, evidence, by }: Options, command: Command) => {
      if (paid === notPaid) command.error('error: set either --paid or --not-paid', { exitCode: 2 });
      const verdict = paid ? 'paid' : 'failed';
      const { isNew } = await withProjections(cli, ['ledger'], async ({ pool, store }) => {
        const [{ openAccounts }, { payoutReader, payoutServices }, { resolvePayout }, rails] = await Promise.all([
          import('../../domain/accounts/open-accounts.js'),
          import('../../domain/payouts/payout-services.js'),
          import('../../domain/payouts/transfer/resolve-payout.js'),
          import('../../rails/settings/inquiry-window.js'),
        ]);
        const clock = Date.now;
        const accounts = openAccounts(pool, store, clock);
        const onError = (): never => {
          throw new CommandFailed(`payout ${payoutId} has ended with another result: ask the bank`);
        };
        const { payouts } = payoutServices({ store, accounts, clock, reader: payoutReader(pool), operators: null, onError });
        const resolution = { verdict, decided_by: by, evidence, is_final: finalStatement ?? false } as const;
        const inquiryWindowDays = (rail: string): Promise<number | undefined> => rails.inquiryWindowDays(store, rail);
        const outcome = await resolvePayout({ store, payouts, clock, inquiryWindowDays }, payoutId, resolution);
        if ('refusal' in outcome) throw new CommandFailed(`payout ${payoutId}: ${outcome.detail}`);
        return outcome;
      });
      await cli.answer(
        { payout_id: payoutId, verdict, recorded: isNew },
        () => `Payout ${payoutId} is ${paid ? 'SUCCEEDED' : 'FAILED, and its amount available again'}${isNew ? '' : ': it was recorded before'}.`,
      );
    });
