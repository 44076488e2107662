import { Command } from 'commander';
import { registerMerchant } from '../../domain/merchants/merchant.commands.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';

interface Options {
  readonly name: string;
  readonly email?: string | null;
  readonly country: string;
  readonly mode: 'test' | 'live';
}

export const merchantCreate = (cli: Cli): Command =>
  new Command('create')
    .description('register a merchant and issue its first key, which has all scopes')
    .requiredOption('--name <name>', 'name for customers and finance; must contain Latin letters', argument.merchantName)
    .option('--email <address>', 'e-mail address of the merchant', argument.email)
    .option('--country <code>', 'ISO 3166-1 country code of two letters', argument.country, 'ID')
    .option('--mode <mode>', 'test (simulated payments) or live', argument.mode, 'test')
    .action(async ({ name, email = null, country, mode }: Options) => {
      const { merchant_id, key_id, key } = await cli.withStores(({ deps }) => registerMerchant(deps, { name, email, country, mode }));
      await cli.answer({ merchant_id, key_id, api_key: key }, () =>
        [`Merchant  ${merchant_id}`, `Key id    ${key_id}`, `API key   ${key}`, '', 'The key is shown only once: only its hash is stored.'].join(
          '\n',
        ),
      );
    });
