import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { table } from '../output.js';

const BESIDE_A_SERVICE =
  'A service runs on this ledger and settles new charges immediately: balances over time will show a step instead of a month. "npm run demo" creates a month without this.';

export const seed = (cli: Cli): Command =>
  new Command('seed')
    .description('create test merchants with a month of charges in every state, settled day by day, by the rules of the service')
    .requiredOption('--charges <count>', 'number of charges', argument.countUpTo(50_000_000))
    .option('--merchants <count>', 'number of merchants', argument.countUpTo(10_000), 1)
    .action(async ({ charges, merchants: count }: { readonly charges: number; readonly merchants: number }) => {
      const startedAt = performance.now();
      const merchants = await cli.withStores(async ({ config, ...stores }) => {
        const [{ plantMerchants }, { planCharges }, { Random }, { holdMoneyWorkers }, { createPool }] = await Promise.all([
          import('../../../tools/seed/plant.js'),
          import('../../../tools/seed/plan.js'),
          import('../../../tools/seed/random.js'),
          import('../../../tools/seed/money-workers-held.js'),
          import('../../platform/postgres/pool.js'),
        ]);
        const held = await holdMoneyWorkers(stores.databaseUrl);
        if (!held.isHeld) await cli.note(BESIDE_A_SERVICE);
        const now = Date.now();
        const progress = cli.progress('charges', charges);
        const pool = createPool({ url: stores.databaseUrl, applicationName: 'chargebook-seed', maxConnections: 1 });
        try {
          const { planted, seeder } = await plantMerchants(config, stores, count, now, cli.signal, { pool });
          await seeder.play(planCharges(charges, count, now, new Random(randomInt(2 ** 32))), now, (written) => progress.advance(written));
          return planted;
        } finally {
          progress.end();
          await pool.end();
          await held.release();
        }
      });
      const seconds = Math.round(performance.now() - startedAt) / 1000;
      const answer = merchants.map(({ merchant_id, key }) => ({ merchant_id, api_key: key }));
      await cli.answer({ charges, seconds, merchants: answer }, () =>
        [
          `${charges.toLocaleString('en')} charges in ${seconds.toFixed(1)} s`,
          '',
          table(
            ['merchant', 'name', 'api key'],
            merchants.map(({ merchant_id, name, key }) => [merchant_id, name, key]),
          ),
        ].join('\n'),
      );
    });
