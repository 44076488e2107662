import { Command } from 'commander';
import { storesInWords } from '../../app/stores-in-words.js';
import type { Cli } from '../cli.js';
import { CommandFailed, emptyOption, requireEvents } from '../failures.js';
import { table } from '../output.js';
import { count, differenceWords, replaying, setAsideWords, shownTables } from '../replaying.js';

export const projectionsVerify = (cli: Cli): Command =>
  new Command('verify')
    .description('compare the live read models with a replay of the events, row by row, while the service runs')
    .argument('[names...]', 'projections (default: all)')
    .addOption(emptyOption())
    .action(async (names: string[], { empty }: { readonly empty?: true }) => {
      const startedAt = performance.now();
      const { verified, set_aside } = await replaying(cli, names, 'background', async (session, projections, asides) => ({
        verified: await session.verify(projections),
        set_aside: asides,
      }));
      const seconds = Math.round(performance.now() - startedAt) / 1_000;
      const tables = verified.flatMap((each) => shownTables(each.name, each.tables));
      const events = Math.max(...verified.map((each) => each.events));
      const differences = tables.reduce((sum, each) => sum + each.differences, 0);
      const ledger = storesInWords(await cli.config());
      await cli.answer({ events, seconds, tables, set_aside }, () =>
        [
          `Ledger ${ledger}`,
          `${count(events)} events in ${seconds.toFixed(1)} s, ${count(differences)} differences`,
          '',
          table(
            ['table', 'rows', 'digest', 'rebuilt digest', 'differences'],
            tables.map(({ name, rows, digest, rebuilt_digest, differences: found }) => [name, rows, digest, rebuilt_digest, found]),
          ),
          ...differenceWords(tables),
          ...setAsideWords(set_aside),
        ].join('\n'),
      );
      if (differences > 0) {
        const wrong = tables.filter((each) => each.differences > 0).map(({ name }) => name);
        throw new CommandFailed(
          `${count(differences)} rows of ${wrong.join(', ')} differ from the replay of the events; "projections rebuild" replaces them`,
        );
      }
      requireEvents(events, empty);
    });
