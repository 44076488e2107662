import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import type { Fixture, RecordOptions, Recording } from '../../../tools/provider-recording/record-rail.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { readText } from '../../platform/text-file.js';
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
      'play the scenarios with a sandbox rail, keep what was said without keys, names and numbers, and tell how it differs from what is printed',
    )
    .argument('<name>', 'of a sandbox rail, as "rail list" shows it', argument.railName)
    .requiredOption('--sandbox', 'charges are made and taken back, and Rp 10,000 are paid to --account: nothing live is recorded')
    .option('--fixtures <folder>', 'where the printed exchanges are, and the recorded ones come to stand', 'test/golden/rails/fixtures')
    .option('--account <number>', 'of a bank account that the sandbox pays to; without it no transfer is recorded')
    .option('--bank <code>', 'where that account is', '014')
    .option('--holder <name>', 'who holds that account')
    .option('--phone <number>', 'of a wallet of OVO in the sandbox; without it OVO is not recorded')
    .action(async (name: string, { fixtures: folder, account, bank, holder, phone }: Options) => {
      const given = account === undefined ? undefined : { bank_code: bank, bank_account_number: account, bank_account_name: holder ?? 'Recording' };
      const recording = await record(cli, name, { account: given, phone }, await printedIn(folder));
      const files = await written(folder, name, recording.fixtures);
      const { drift, unprinted } = recording;
      await cli.answer({ rail: name, files, drift, unprinted }, () =>
        [
          ...files.map((file) => `recorded  ${file}`),
          ...drift.map((each) => `differs   ${each.name}: ${each.what} ${each.detail}`),
          drift.length === 0 ? 'Nothing differs from what is printed.' : `${drift.length} differences: look at each before you use the rail.`,
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

/** @throws CommandFailed when there are no printed exchanges in the folder */
async function printedIn(folder: string): Promise<(id: string) => Printed | undefined> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const printed = names.filter((file) => /^(xendit|snap)-.+\.json$/.test(file));
  if (printed.length === 0) throw new CommandFailed(`there are no printed exchanges in ${folder}: name the folder with --fixtures`);
  const read = await Promise.all(printed.map(async (file) => JSON.parse(await readText(join(folder, file))) as Partial<Fixture>));
  const byId = new Map(read.flatMap(({ id, response }) => (id !== undefined && response ? [[id, response] as const] : [])));
  return (id) => byId.get(id);
}

/** Beside the printed ones: `recorded-<rail>-<id>.json`. */
async function written(folder: string, rail: string, fixtures: readonly Fixture[]): Promise<string[]> {
  const files = fixtures.map((fixture) => ({ path: join(folder, `recorded-${rail}-${fixture.id}.json`), fixture }));
  await Promise.all(files.map(({ path, fixture }) => writeFile(path, `${JSON.stringify(fixture, null, 1)}\n`)));
  return files.map(({ path }) => path);
}
