import { Option, type Command } from 'commander';
import type { OperatorRole } from '../ledger/events/operator.events.js';
import type { ActingOperator } from '../domain/operators/acting-operator.js';
import type { ReconciliationAct } from '../domain/reconciliation/sources.js';
import type { Cli } from './cli.js';
import { CommandFailed } from './failures.js';
import { withSecret, type SecretContext } from './with-secret.js';

export interface ActingOptions {
  readonly apiKey?: string;
}

/** Adds the options of commands that an operator runs with a personal key: the log records the operator. */
export function withActingOptions(command: Command): Command {
  return command.addOption(new Option('--api-key <key>', 'an operator’s key').env('CHARGEBOOK_OPERATOR_KEY'));
}

/** Runs `work` for the owner of the key, who must have the role. @throws CommandFailed */
export async function withActingOperator<T>(
  cli: Cli,
  { apiKey }: ActingOptions,
  role: OperatorRole,
  work: (context: SecretContext, act: ReconciliationAct) => Promise<T>,
): Promise<T> {
  if (apiKey === undefined) throw new CommandFailed("an operator's key is missing: use --api-key, or CHARGEBOOK_OPERATOR_KEY in the environment");
  const [{ requireOperator, requireRole }, { loadOperators }, { hashKey }, { systemContext }] = await Promise.all([
    import('../domain/operators/acting-operator.js'),
    import('../domain/operators/operator.commands.js'),
    import('../platform/auth/api-key.js'),
    import('../ledger/streams/new-event.js'),
  ]);
  return withSecret(cli, async (context) => {
    const operators = await loadOperators(context.deps.store);
    const keyId = operators.keyByHash(hashKey(apiKey))?.key_id ?? null;
    const operator: ActingOperator = requireOperator(operators, keyId, context.clockGuard.common());
    requireRole(operator, role);
    return work(context, { operator, context: { ...systemContext(), actor: operator.key_id } });
  });
}
