import { Command } from 'commander';
import type { OperatorRole } from '../../ledger/events/operator.events.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { commandLineUser } from '../with-operators.js';

export const operatorRoles = (cli: Cli): Command =>
  new Command('roles')
    .description('set all roles of an operator; refused once there are two controllers, because roles then need an approved proposal')
    .argument('<operator>', 'as "operator list" shows it', argument.operatorId)
    .requiredOption('--roles <roles>', 'preparer, approver, controller, separated by commas; "none" removes all', argument.rolesOrNone)
    .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.reason)
    .action(async (person_id: string, { roles, reason }: { readonly roles: readonly OperatorRole[]; readonly reason: string }) => {
      const { setRoles } = await import('../../domain/operators/operator.commands.js');
      const set = await cli.withStores(({ deps }) => setRoles({ ...deps, by: commandLineUser() }, person_id, roles, reason));
      await cli.answer(
        { person_id, roles: set },
        () => `Operator ${person_id} has ${set.length === 0 ? 'no roles, only read access' : set.join(', ')}.`,
      );
    });
