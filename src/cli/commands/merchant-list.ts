import { Command } from 'commander';
import { loadMerchants } from '../../domain/merchants/load-merchants.js';
import type { Cli } from '../cli.js';
import { table } from '../output.js';

export const merchantList = (cli: Cli): Command =>
  new Command('list').description('list all merchants, oldest first').action(async () => {
    const known = await cli.withStores(({ eventStore }) => loadMerchants(eventStore));
    const merchants = [...known.merchants()];
    await cli.answer(
      merchants.map(({ id, ...rest }) => ({ merchant_id: id, ...rest, rails: known.ownRails([id]).map(({ merchant_id: _, ...own }) => own) })),
      () =>
        table(
          ['merchant', 'name', 'country', 'mode', 'created on'],
          merchants.map(({ id, name, country, mode, created_on }) => [id, name, country, mode, created_on]),
        ),
    );
  });
