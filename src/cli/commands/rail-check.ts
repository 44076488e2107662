import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { table } from '../output.js';
import { withRails } from '../with-rails.js';

export const railCheck = (cli: Cli): Command =>
  new Command('check')
    .description('check whether a rail works, without moving money; if not, exit 1 with the next steps')
    .argument('<name>', 'as "rail list" shows it', argument.railName)
    .action(async (name: string) => {
      const [{ openRails }, { createLogger }, { checkRail }, { resolveName }, { findRail }] = await Promise.all([
        import('../../app/rails.js'),
        import('../../platform/process/logging.js'),
        import('../../rails/settings/check-rail.js'),
        import('../../platform/http/edge/address-guard.js'),
        import('../../rails/settings/rail.commands.js'),
      ]);
      const findings = await withRails(cli, async ({ deps, pool, secret, config }) => {
        const rail = await findRail(deps, name);
        const { registry } = openRails({
          ...{ store: deps.store, pool, secret, clock: deps.clock, logger: createLogger('silent') },
          merchants: { rail: () => undefined },
          publicAddress: { url: config.publicUrl ?? '' },
        });
        await registry.start();
        try {
          return await checkRail({ rail, registry, resolve: resolveName, publicUrl: config.publicUrl });
        } finally {
          await registry.stop();
        }
      });
      await cli.answer({ rail: name, findings }, () =>
        table(
          ['check', 'level', 'what', 'what to do'],
          findings.map(({ check, level, detail, todo }) => [check, level, detail, todo ?? null]),
        ),
      );
      const errors = findings.filter(({ level }) => level === 'error');
      if (errors.length > 0)
        throw new CommandFailed(`rail ${name} does not work: ${errors.map(({ check, todo }) => `${check}: ${todo ?? '?'}`).join('; ')}`);
    });
