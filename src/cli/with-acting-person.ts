import { Option, type Command } from 'commander';
import type { OperatorRole } from '../ledger/events/operator.events.js';
import type { ActingPerson } from '../domain/operators/acting-person.js';
import type { ReconciliationAct } from '../domain/reconciliation/sources.js';
import type { Cli } from './cli.js';
import { CommandFailed } from './failures.js';
import { withSecret, type SecretContext } from './with-secret.js';

export interface ActingOptions {
  readonly apiKey?: string;
}

/** For commands that a person gives with a key of the person's own: the log says who it was. */
export function withActingOptions(command: Command): Command {
  return command.addOption(new Option('--api-key <key>', 'an operator’s key').env('CHARGEBOOK_OPERATOR_KEY'));
}

/** Runs `work` for the person whose key it is, who must have the role. @throws CommandFailed */
export async function withActingPerson<T>(
  cli: Cli,
  { apiKey }: ActingOptions,
  role: OperatorRole,
  work: (context: SecretContext, act: ReconciliationAct) => Promise<T>,
): Promise<T> {
  if (apiKey === undefined) throw new CommandFailed("an operator's key is missing: use --api-key, or CHARGEBOOK_OPERATOR_KEY in the environment");
  const [{ personOf, requireRole }, { loadOperators }, { hashKey }, { systemContext }] = await Promise.all([
    import('../domain/operators/acting-person.js'),
    import('../domain/operators/operator.commands.js'),
    import('../platform/auth/api-key.js'),
    import('../ledger/streams/new-event.js'),
  ]);
  return withSecret(cli, async (context) => {
    const operators = await loadOperators(context.shell.store);
    const keyId = operators.keyByHash(hashKey(apiKey))?.key_id ?? null;
    const person: ActingPerson = personOf(operators, keyId, context.clockGuard.common());
    requireRole(person, role);
    return work(context, { person, context: { ...systemContext(), actor: person.key_id } });
  });
}
