import { Command } from 'commander';
import { issueKey } from '../../domain/merchants/merchant.commands.js';
import type { Timestamp } from '../../ledger/time.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { keyWords } from '../key-words.js';

interface Options {
  readonly merchant: string;
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly expires?: Timestamp | null;
}

export const keyIssue = (cli: Cli): Command =>
  new Command('issue')
    .description('issue a key to a merchant')
    .requiredOption('--merchant <id>', 'as "merchant list" shows it', argument.merchantId)
    .option('--name <name>', 'purpose of the key', argument.name, 'Key')
    .option('--scopes <list>', 'scopes of the key, such as charges:read,charges:write (default: all)', argument.scopes)
    .option('--expires <time>', 'RFC 3339; the key is refused from this moment on (default: never)', argument.moment)
    .action(async ({ merchant, name, scopes, expires = null }: Options) => {
      const details = { name, expires_on: expires, ...(scopes && { scopes }) };
      const issued = await cli.withStores(({ deps }) => issueKey(deps, { kind: 'merchant', merchant_id: merchant }, details));
      await cli.answer({ key_id: issued.key_id, api_key: issued.key }, () => keyWords('API key', issued));
    });
