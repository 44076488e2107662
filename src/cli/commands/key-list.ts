import { Command } from 'commander';
import { loadMerchants } from '../../domain/merchants/load-merchants.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { listedKeys } from '../listed-keys.js';
import { table } from '../output.js';

export const keyList = (cli: Cli): Command =>
  new Command('list')
    .description("list the merchants' keys, oldest first, with their scopes and whether they are valid; does not show the keys themselves")
    .option('--merchant <id>', 'list keys of this merchant only (default: all)', argument.merchantId)
    .action(async ({ merchant }: { readonly merchant?: string }) => {
      const keys = await cli.withStores(async ({ eventStore }) =>
        listedKeys(
          await loadMerchants(eventStore),
          Date.now(),
          (key) => key.kind === 'merchant' && (merchant ?? key.merchant_id) === key.merchant_id,
        ),
      );
      await cli.answer(keys, () =>
        table(
          ['key', 'merchant', 'name', 'state', 'scopes', 'issued on', 'expires on', 'revoked on'],
          keys.map(({ key_id, merchant_id, name, state, scopes, issued_on, expires_on, revoked_on }) => [
            ...[key_id, merchant_id, name, state, scopes.join(',')],
            ...[issued_on, expires_on, revoked_on],
          ]),
        ),
      );
    });
