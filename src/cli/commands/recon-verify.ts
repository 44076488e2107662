import { Command } from 'commander';
import { timestamp } from '../../ledger/time.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { replaying } from '../replaying.js';
import { withSecret } from '../with-secret.js';

export const reconVerify = (cli: Cli): Command =>
  new Command('verify')
    .description(
      'compute every closed day again from the events: its lines, matches, breaks and figures, and the head over it; compare the debt of processors with the books; exit 1 naming the first difference',
    )
    .action(async () => {
      const { verifyDays } = await import('../../transparency-log/verify-days.js');
      const { ChainKeys } = await import('../../transparency-log/chain-keys.js');
      const { verifyDebts } = await import('../../transparency-log/verify-debts.js');
      const [compared] = await replaying(cli, ['recon'], 'background', (session, projections) => session.verify(projections));
      const { tables } = compared!;
      const verified = await withSecret(cli, async ({ deps: { store }, pool, secret }) => ({
        ...(await verifyDays({ store, pool, keys: new ChainKeys(secret), tables, signal: cli.signal })),
        wrong_debt: await verifyDebts(pool, timestamp(Date.now())),
      }));
      const { days, wrong, wrong_debt } = verified;
      await cli.answer(verified, () => (wrong ? `${days} closed days were verified.` : `${days} closed days are as they were closed.`));
      if (wrong) throw new CommandFailed(`${wrong.day} of ${wrong.source}: ${wrong.fault}`);
      if (wrong_debt) throw new CommandFailed(`${wrong_debt.mode} ${wrong_debt.currency}: ${wrong_debt.fault}`);
    });
