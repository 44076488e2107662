import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import type { Fixture, RecordOptions, Recording } from '../../../tools/provider-recording/record-rail.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { readText } from '../../platform/text/text-file.js';
import { withProvider } from '../with-provider.js';

interface Options {
  readonly fixtures: string;
  readonly account?: string;
  readonly bank: string;
  readonly holder?: string;
  readonly phone?: string;
}

export const processorRecord = (cli: Cli): Command =>
  new Command('record')
    .description(
      'run the scenarios with a sandbox rail, store the exchanges without keys, names and numbers, and report differences from the published examples',
    )
    .argument('<name>', 'a sandbox rail, as "rail list" shows it', argument.railName)
    .requiredOption('--sandbox', 'confirm that charges are created and refunded, and Rp 10,000 are paid to --account; live rails are refused')
    .option('--fixtures <folder>', 'folder of the published exchanges; the recorded ones are written there too', 'test/golden/rails/fixtures')
    .option('--account <number>', 'bank account that the sandbox pays to; without it no transfer is recorded')
    .option('--bank <code>', 'bank of that account', '014')
    .option('--holder <name>', 'holder of that account')
    .option('--phone <number>', 'an OVO wallet in the sandbox; without it OVO is not recorded')
    .action(async (name: string, { fixtures: folder, account, bank, holder, phone }: Options) => {
      const given = account === undefined ? undefined : { bank_code: bank, bank_account_number: account, bank_account_name: holder ?? 'Recording' };
      const recording = await record(cli, name, { account: given, phone }, await printedIn(folder));
      const files = await written(folder, name, recording.fixtures);
      const { drift, unprinted } = recording;
      await cli.answer({ rail: name, files, drift, unprinted }, () =>
        [
          ...files.map((file) => `recorded  ${file}`),
          ...drift.map((each) => `differs   ${each.name}: ${each.what} ${each.detail}`),
          drift.length === 0
            ? 'No difference from the published examples.'
            : `${drift.length} differences: check each of them before you use the rail.`,
        ].join('\n'),
      );
    });

async function record(
  cli: Cli,
  name: string,
  given: Pick<RecordOptions, 'account' | 'phone'>,
  printed: (id: string) => Printed | undefined,
): Promise<Recording> {
  const { recordRail } = await import('../../../tools/provider-recording/record-rail.js');
  const refuse = ({ mode }: { readonly mode: string }): void => {
    if (mode !== 'sandbox') throw new CommandFailed(`rail ${name} is live: only sandboxes are recorded`);
  };
  return withProvider(cli, name, refuse, (provider) => recordRail({ ...provider, printed, pause: (ms) => delay(ms), ...given }));
}

type Printed = Fixture['response'];

/** @throws CommandFailed when the folder contains no printed exchanges */
async function printedIn(folder: string): Promise<(id: string) => Printed | undefined> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const printed = names.filter((file) => /^(xendit|snap)-.+\.json$/.test(file));
  if (printed.length === 0) throw new CommandFailed(`there are no published exchanges in ${folder}: set the folder with --fixtures`);
  const read = await Promise.all(printed.map(async (file) => JSON.parse(await readText(join(folder, file))) as Partial<Fixture>));
  const byId = new Map(read.flatMap(({ id, response }) => (id !== undefined && response ? [[id, response] as const] : [])));
  return (id) => byId.get(id);
}

/** Writes `recorded-<rail>-<id>.json` into the folder of the printed exchanges. */
async function written(folder: string, rail: string, fixtures: readonly Fixture[]): Promise<string[]> {
  const files = fixtures.map((fixture) => ({ path: join(folder, `recorded-${rail}-${fixture.id}.json`), fixture }));
  await Promise.all(files.map(({ path, fixture }) => writeFile(path, `${JSON.stringify(fixture, null, 1)}\n`)));
  return files.map(({ path }) => path);
}
