import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { commandLineUser } from '../with-operators.js';

export const operatorSuspend = (cli: Cli): Command =>
  new Command('suspend')
    .description('refuse all keys of an operator, within a second in every process, until "operator restore"')
    .argument('<operator>', 'as "operator list" shows it', argument.operatorId)
    .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.reason)
    .action(async (person_id: string, { reason }: { readonly reason: string }) => {
      const { switchOperator } = await import('../../domain/operators/operator.commands.js');
      // Works on every machine: no rule depends on the time of a suspension.
      await cli.withStores(({ deps, unguarded }) =>
        switchOperator({ ...deps, store: unguarded, by: commandLineUser() }, person_id, 'suspend', reason),
      );
      await cli.answer({ person_id, state: 'suspended' }, () => `Operator ${person_id} is suspended: all keys of this operator are refused.`);
    });
