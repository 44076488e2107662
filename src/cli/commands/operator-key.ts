import { Command } from 'commander';
import type { Timestamp } from '../../ledger/time.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { keyWords } from '../key-words.js';
import { commandLineUser } from '../with-operators.js';

export const operatorKey = (cli: Cli): Command =>
  new Command('key')
    .description('issue a key to an operator, which can read under /audit and sign in to the console')
    .argument('<operator>', 'as "operator list" shows it', argument.operatorId)
    .option('--expires <time>', 'RFC 3339, within 90 days; the key is refused from this moment on (default: in 90 days)', argument.moment)
    .action(async (person_id: string, { expires }: { readonly expires?: Timestamp }) => {
      const { issueOperatorKey } = await import('../../domain/operators/operator.commands.js');
      const issued = await cli.withStores(({ deps }) => issueOperatorKey({ ...deps, by: commandLineUser() }, person_id, expires));
      const { key_id, key, expires_on } = issued;
      await cli.answer({ person_id, key_id, operator_key: key, expires_on }, () => keyWords('Operator key', issued));
    });
