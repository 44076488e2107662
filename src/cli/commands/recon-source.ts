import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { jsonOf } from '../json-file.js';
import { withActingOptions, withActingOperator, type ActingOptions } from '../with-acting-operator.js';

interface Options extends ActingOptions {
  readonly mode: 'live' | 'test';
  readonly settings: string;
  readonly reason: string;
}

export const reconSource = (cli: Cli): Command =>
  withActingOptions(
    new Command('source')
      .description('create or change a source of statements; each time with all settings; needs the role controller')
      .argument('<name>', '1 to 40 characters of a-z, 0-9 and -')
      .requiredOption('--mode <mode>', 'live or test', argument.mode)
      .requiredOption(
        '--settings <file>',
        'JSON: kind, currencies, account, format, profile (or the name of one in "recon profiles"), time_zone, processor, due_days, costs, tax, by_amount, batch_names',
      )
      .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.reason),
  ).action(async (name: string, { mode, settings: file, reason, ...options }: Options) => {
    const { SetSourceBody } = await import('../../domain/reconciliation/sources.dto.js');
    const { faultsOfObject, readObject } = await import('../../platform/http/validation/validation.js');
    const { accountHmac, identityOf, requireTimeZone, setSource, settingsOf } = await import('../../domain/reconciliation/sources.js');
    const given = readObject({ ...(await settingsIn(file)), mode, name, reason }, SetSourceBody);
    const [fault] = faultsOfObject(given);
    if (fault) throw new CommandFailed(`${file}: ${fault.at}: ${fault.detail}`);
    const identity = identityOf(mode, name);
    const state = await withActingOperator(cli, options, 'controller', async ({ deps, pool, secret }, act) => {
      const settings = settingsOf(given as InstanceType<typeof SetSourceBody>, accountHmac(secret));
      await requireTimeZone(pool, settings);
      return (await setSource(deps, identity, settings, reason, act)).state;
    });
    const { account_hmac: _, ...shown } = state.settings.at(-1)!;
    await cli.answer({ ...shown, version: state.settings.length }, () =>
      [
        `Source ${identity.source}: a ${shown.kind} in ${shown.currencies.join(', ')}, as ${shown.format}.`,
        `Import its files with "recon import FILE --source ${identity.source}".`,
      ].join('\n'),
    );
  });

async function settingsIn(file: string): Promise<object> {
  const value = await jsonOf(file);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new CommandFailed(`${file} contains no JSON object`);
}
