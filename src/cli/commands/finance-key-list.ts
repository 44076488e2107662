import { Command } from 'commander';
import { loadMerchants } from '../../domain/merchants/load-merchants.js';
import type { Cli } from '../cli.js';
import { listedKeys } from '../listed-keys.js';
import { table } from '../output.js';

export const financeKeyList = (cli: Cli): Command =>
  new Command('list')
    .description('list the finance keys, oldest first, and whether they are valid; does not show the keys themselves')
    .action(async () => {
      const known = await cli.withStores(({ eventStore }) => loadMerchants(eventStore));
      const keys = listedKeys(known, Date.now(), ({ kind }) => kind === 'finance').map(({ merchant_id: _, scopes: __, ...key }) => key);
      await cli.answer(keys, () =>
        table(
          ['key', 'name', 'state', 'issued on', 'expires on', 'revoked on'],
          keys.map(({ key_id, name, state, issued_on, expires_on, revoked_on }) => [key_id, name, state, issued_on, expires_on, revoked_on]),
        ),
      );
    });
