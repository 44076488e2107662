import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { count, differenceWords, meantWords, replaying, shownTables } from '../replaying.js';

interface Options {
  readonly keepOld?: boolean;
  readonly acceptDifferences?: boolean;
  readonly urgent?: boolean;
}

export const projectionsRebuild = (cli: Cli): Command =>
  new Command('rebuild')
    .description('build read models anew from the facts while the service runs, compare them with the live ones, and switch to them')
    .argument('[names...]', 'projections (default: all; the outbox, whose numbers were told to others, is then verified only)')
    .option('--keep-old', 'keep the tables that are replaced; "projections rollback" puts them back')
    .option('--accept-differences', 'switch also when tables differ from the live ones: of a raised version, in more than what is meant')
    .option('--urgent', 'take an equal share of the processors, instead of what the service leaves of them')
    .action(async (names: string[], { keepOld = false, acceptDifferences = false, urgent = false }: Options) => {
      const startedAt = performance.now();
      const rebuilt = await replaying(cli, names, urgent ? 'urgent' : 'background', (session, projections) =>
        session.rebuild(projections, {
          keepsOld: keepOld,
          acceptsDifferences: acceptDifferences,
          verifiedOnly: new Set(names.length === 0 ? projections.filter(({ isFrozen }) => isFrozen).map(({ name }) => name) : []),
        }),
      );
      const seconds = Math.round(performance.now() - startedAt) / 1_000;
      const projections = rebuilt.map(({ tables, ...rest }) => ({ ...rest, tables: tables && shownTables(rest.name, tables) }));
      const events = Math.max(...rebuilt.map((each) => each.events));
      const differences = rebuilt.reduce((sum, each) => sum + each.differences, 0);
      const refused = rebuilt.filter((each) => each.differences > 0 && !each.switched).map(({ name }) => name);
      const switched = refused.length === 0 && rebuilt.some((each) => each.switched);
      await cli.answer({ events, seconds, events_per_second: Math.round(events / seconds), differences, switched, projections }, () =>
        [
          `${count(events)} events in ${seconds.toFixed(1)} s (${count(Math.round(events / seconds))}/s), ${count(differences)} differences`,
          ...projections.map(
            ({ name, ...each }) =>
              `${name}: ${each.switched ? 'switched to the new tables' : 'the live tables stay'}${each.tables === null ? ' (another version: nothing to compare with)' : ''}`,
          ),
          ...meantWords(projections.flatMap(({ tables }) => tables ?? [])),
          ...differenceWords(projections.flatMap(({ tables }) => tables ?? [])),
        ].join('\n'),
      );
      if (refused.length > 0) {
        throw new CommandFailed(
          `not switched: the live tables of ${refused.join(', ')} differ from what the facts give; --accept-differences switches all the same`,
        );
      }
    });
