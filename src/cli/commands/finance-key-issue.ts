import { Command } from 'commander';
import { issueKey } from '../../domain/merchants/merchant.commands.js';
import type { Timestamp } from '../../ledger/time.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { keyWords } from '../key-words.js';

export const financeKeyIssue = (cli: Cli): Command =>
  new Command('issue')
    .description('issue a key that reads across merchants under /audit and can change nothing')
    .requiredOption('--name <name>', 'owner of the key', argument.name)
    .option('--expires <time>', 'RFC 3339; the key is refused from this moment on (default: never)', argument.moment)
    .action(async ({ name, expires = null }: { readonly name: string; readonly expires?: Timestamp | null }) => {
      const issued = await cli.withStores(({ deps }) => issueKey(deps, { kind: 'finance' }, { name, expires_on: expires }));
      await cli.answer({ key_id: issued.key_id, finance_key: issued.key }, () => keyWords('Finance key', issued));
    });
