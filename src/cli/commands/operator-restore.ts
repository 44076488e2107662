import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { commandLineUser } from '../with-operators.js';

export const operatorRestore = (cli: Cli): Command =>
  new Command('restore')
    .description('end a suspension: keys that are neither revoked nor expired become valid again')
    .argument('<operator>', 'as "operator list" shows it', argument.operatorId)
    .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.reason)
    .action(async (person_id: string, { reason }: { readonly reason: string }) => {
      const { switchOperator } = await import('../../domain/operators/operator.commands.js');
      await cli.withStores(({ deps }) => switchOperator({ ...deps, by: commandLineUser() }, person_id, 'restore', reason));
      await cli.answer({ person_id, state: 'active' }, () => `Operator ${person_id} is restored.`);
    });
