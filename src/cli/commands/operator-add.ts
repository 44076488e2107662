import { Command } from 'commander';
import type { OperatorRole } from '../../ledger/events/operator.events.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { withOperatorKeys } from '../with-operators.js';

interface Options {
  readonly name: string;
  readonly email: string;
  readonly roles?: readonly OperatorRole[];
  readonly reason: string;
}

export const operatorAdd = (cli: Cli): Command =>
  new Command('add')
    .description('add an operator, who can read the same data as finance; roles can be given here until there are two controllers')
    .requiredOption('--name <name>', 'name of the operator', argument.name)
    .requiredOption('--email <address>', "must differ from every other operator's, case-insensitive; stored encrypted", argument.email)
    .option('--roles <roles>', 'preparer, approver, controller, separated by commas (default: none)', argument.roles)
    .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.reason)
    .action(async ({ name, email, roles = [], reason }: Options) => {
      const { addOperator } = await import('../../domain/operators/operator.commands.js');
      const person_id = await withOperatorKeys(cli, (deps, keys) => addOperator(deps, keys, { name, email, roles, reason }));
      await cli.answer({ person_id }, () =>
        [`Operator  ${person_id}`, '', `The operator has no key yet: "operator key ${person_id}" issues one.`].join('\n'),
      );
    });
