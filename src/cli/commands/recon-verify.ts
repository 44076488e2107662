import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { withSecret } from '../with-secret.js';

export const reconVerify = (cli: Cli): Command =>
  new Command('verify')
    .description('compute every closed day again: its lines, figures and breaks, and the head over it; exit 1 naming the first that differs')
    .action(async () => {
      const { verifyDays } = await import('../../transparency-log/verify-days.js');
      const { ChainKeys } = await import('../../transparency-log/chain-keys.js');
      const verified = await withSecret(cli, ({ deps: { store }, pool, secret }) =>
        verifyDays({ store, pool, keys: new ChainKeys(secret), signal: cli.signal }),
      );
      const { days, wrong } = verified;
      await cli.answer(verified, () => (wrong ? `${days} days were looked at.` : `${days} closed days are as they were closed.`));
      if (wrong) throw new CommandFailed(`${wrong.day} of ${wrong.source}: ${wrong.fault}`);
    });
