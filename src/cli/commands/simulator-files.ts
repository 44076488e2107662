import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { table } from '../output.js';

interface Options {
  readonly day: string;
  readonly out: string;
  readonly mode: 'live' | 'test';
  readonly format: 'camt053' | 'mt940';
  readonly defects: readonly number[];
  readonly seed: number;
}

/** Names of the sources that the files are for, without their mode. */
const SOURCES = { processor: 'simulator', bank: 'simulator-bank' } as const;

export const simulatorFiles = (cli: Cli): Command =>
  new Command('files')
    .description('write the files of the simulated processor and bank for a day: remittances, a statement, and the list of planted breaks')
    .requiredOption('--day <date>', 'a day that has ended in Jakarta, YYYY-MM-DD', argument.day)
    .requiredOption('--out <directory>', 'folder for the files')
    .option('--defects <numbers>', 'breaks to plant, such as 1,7 (docs/reconciliation.md); default: none', argument.defects, [])
    .option('--seed <number>', 'seed of the breaks; the same seed plants the same ones', argument.countUpTo(4_294_967_295), 1)
    .option('--mode <mode>', 'live or test; the simulator processes no live money', argument.mode, 'test')
    .addOption(argument.oneOf(new Option('--format <name>', 'format of the statement'), ['camt053', 'mt940']).default('camt053'))
    .action(async (options: Options) => {
      const { day, out, mode, defects, seed } = options;
      const { files, settings, expected } = await written(cli, options);
      await mkdir(out, { recursive: true });
      const write = (name: string, content: string): Promise<void> => writeFile(join(out, name), content);
      for (const { name, text } of files) await write(name, text);
      for (const [source, of] of Object.entries(settings)) await write(`${source}.json`, `${JSON.stringify(of, null, 2)}\n`);
      const document = { mode, day, seed, defects, sources: sourcesOf(mode), ...expected };
      await write('expected.json', `${JSON.stringify(document, null, 2)}\n`);
      await cli.answer({ out, files: files.map(({ name }) => name), ...document }, () => words(out, files, expected));
    });

type Files = Awaited<ReturnType<typeof written>>;

const sourcesOf = (mode: string): Record<keyof typeof SOURCES, string> => ({
  processor: `${mode}-${SOURCES.processor}`,
  bank: `${mode}-${SOURCES.bank}`,
});

async function written(cli: Cli, { day, mode, format, defects, seed }: Options) {
  const [
    { simulatedFiles },
    { NothingToPlantIn },
    { keepPlan, readPlans },
    { readDeeds },
    { createPool },
    { TIME_ZONE },
    { daysIn },
    { namedBreaks },
  ] = await Promise.all([
    import('../../../tools/simulated-files/files.js'),
    import('../../../tools/simulated-files/books.js'),
    import('../../../tools/simulated-files/plans.js'),
    import('../../rails/simulator/simulator-journal.js'),
    import('../../platform/postgres/pool.js'),
    import('../../../tools/simulated-files/terms.js'),
    import('../../ledger/days.js'),
    import('../../../tools/simulated-files/expected-breaks.js'),
  ]);
  return cli.withStores(async ({ databaseUrl, clockGuard }) => {
    if (day >= daysIn(TIME_ZONE)(clockGuard.clock())) throw new CommandFailed(`${day} is not over yet in Jakarta`);
    const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-simulator', maxConnections: 1, statementTimeoutMs: 0 });
    try {
      const done = await readDeeds(pool);
      const payments = done.filter(({ kind }) => kind === 'PAYMENT');
      // The simulator works for test merchants only.
      const [deeds, foreign] = mode === 'test' ? [done, []] : [[], payments];
      const plans = (await readPlans(pool, mode)).set(day, { defects, seed });
      const files = simulatedFiles({ day, mode, format, deeds, foreign, plans });
      const breaks = await namedBreaks(pool, files, sourcesOf(mode), clockGuard.clock);
      await keepPlan(pool, mode, day, { defects, seed });
      return { ...files, expected: { ...files.expected, breaks } };
    } catch (error) {
      throw error instanceof NothingToPlantIn ? new CommandFailed(error.message) : error;
    } finally {
      await pool.end();
    }
  });
}

function words(out: string, files: Files['files'], { breaks, refusals, hidden }: Files['expected']): string {
  const rows = [
    ...refusals.map(({ defect, file, line, reason }) => [defect, `refused: ${reason}`, line === null ? file : `${file}, line ${line}`]),
    ...breaks.map(({ defect, kind, line, charge_id, payout_id, batch, day }) => [
      defect,
      kind,
      line ? `${line.file}, line ${line.line}` : (charge_id ?? payout_id ?? batch ?? day ?? ''),
    ]),
    ...hidden.map(({ defect, text }) => [defect, 'not in the log', text]),
  ];
  const names = files.map(({ name }) => name).join(', ');
  return [
    names === '' ? `Nothing was sent; the settings are in ${out}.` : `${out}: ${names}`,
    ...(rows.length > 0 ? ['', table(['defect', 'expected', 'where'], rows)] : []),
  ].join('\n');
}
