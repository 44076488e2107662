import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { withShown } from '../projection-tables.js';
import { systemUser } from '../system-user.js';

export const disputeEraseEvidence = (cli: Cli): Command =>
  new Command('erase-evidence')
    .description("destroy the key of a dispute's evidence: the files and their names can no longer be read, and no file can be added")
    .argument('<dispute>', 'its id', argument.recordId)
    .action(async (disputeId: string) => {
      const erased = await withShown(cli, 'ledger', async ({ pool, store }) => {
        const [{ findChargeOfDispute }, { eraseEvidence }] = await Promise.all([
          import('../../../projections/disputes/evidence-reads.js'),
          import('../../domain/charges/disputes/erase-evidence.js'),
        ]);
        // The read model only locates the dispute; the charge's own stream decides.
        const charge_id = await findChargeOfDispute(pool, disputeId);
        if (charge_id === undefined) throw new CommandFailed(`there is no dispute ${disputeId}`);
        const place = { charge_id, dispute_id: disputeId };
        const outcome = await eraseEvidence({ store, pool, clock: Date.now }, place, systemUser());
        if ('refusal' in outcome) throw new CommandFailed(`dispute ${disputeId}: ${outcome.detail}`);
        return { dispute_id: disputeId, charge_id, recorded: outcome.isNew };
      });
      await cli.answer(erased, () =>
        [
          `The evidence of dispute ${disputeId} is erased${erased.recorded ? '' : ': it was erased before'}.`,
          'A worker removes the last bytes of its key within an hour; backups of dispute_keys contain it for as long as you keep them.',
        ].join('\n'),
      );
    });
