import { Command } from 'commander';
import type { OperatorRole } from '../../ledger/events/operator.events.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { withPersonKeys } from '../with-operators.js';

interface Options {
  readonly name: string;
  readonly email: string;
  readonly roles?: readonly OperatorRole[];
  readonly reason: string;
}

export const operatorAdd = (cli: Cli): Command =>
  new Command('add')
    .description('add a person of the house, who reads what finance reads; its roles can be given here until two persons are controllers')
    .requiredOption('--name <name>', 'who it is', argument.name)
    .requiredOption('--email <address>', 'of no other operator, in any case; stored encrypted', argument.email)
    .option('--roles <roles>', 'preparer, approver, controller, with commas between (default: none)', argument.roles)
    .requiredOption('--reason <text>', 'why, for whoever reads the audit log', argument.reason)
    .action(async ({ name, email, roles = [], reason }: Options) => {
      const { addOperator } = await import('../../domain/operators/operator.commands.js');
      const person_id = await withPersonKeys(cli, (shell, keys) => addOperator(shell, keys, { name, email, roles, reason }));
      await cli.answer({ person_id }, () => [`Operator  ${person_id}`, '', `It has no key yet: "operator key ${person_id}" issues one.`].join('\n'));
    });
