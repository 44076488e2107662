import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { keyState } from '../../domain/operators/known-keys.js';
import { table } from '../output.js';
import { withOperatorKeys } from '../with-operators.js';

export const operatorList = (cli: Cli): Command =>
  new Command('list')
    .description('list the operators, oldest first, with their roles and valid keys; does not show the keys themselves')
    .action(async () => {
      const { loadOperators } = await import('../../domain/operators/operator.commands.js');
      const { openEmails } = await import('../../domain/operators/operator-keys.js');
      const now = Date.now();
      const operators = await withOperatorKeys(cli, async ({ store }, keys) => {
        const known = (await loadOperators(store)).all();
        const emails = await openEmails(keys, known);
        return known.map(({ id, name, roles, is_suspended, added_on, keys: issued }) => ({
          ...{ person_id: id, name, email: emails.get(id) ?? null, roles, state: is_suspended ? 'suspended' : 'active', added_on },
          keys: issued.map((key) => {
            const { key_id, issued_on, expires_on, revoked_on } = key;
            return { key_id, state: keyState(key, now), issued_on, expires_on, revoked_on };
          }),
        }));
      });
      await cli.answer(operators, () =>
        table(
          ['operator', 'name', 'e-mail', 'roles', 'state', 'working keys', 'added on'],
          operators.map(({ person_id, name, email, roles, state, keys, added_on }) => {
            const working = state === 'active' ? keys.filter((key) => key.state === 'active') : [];
            return [person_id, name, email, roles.join(',') || null, state, working.map(({ key_id }) => key_id).join(',') || null, added_on];
          }),
        ),
      );
    });
