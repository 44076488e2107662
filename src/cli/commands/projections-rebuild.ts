import { Command } from 'commander';
import { acceptedDifferences } from '../../ledger/streams/quarantine.js';
import type { Rebuilt } from '../../platform/projector/replay-session.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { houseSettingsWait, propose, withProposing, type MayPropose } from '../propose.js';
import { CommandFailed } from '../failures.js';
import { count, differenceWords, meantWords, replaying, shownTables } from '../replaying.js';

interface Options extends MayPropose {
  readonly proposal?: string;
  readonly keepOld?: boolean;
  readonly acceptDifferences?: boolean;
  readonly urgent?: boolean;
}

export const projectionsRebuild = (cli: Cli): Command =>
  withProposing(
    new Command('rebuild')
      .description('build read models anew from the facts while the service runs, compare them with the live ones, and switch to them')
      .argument('[names...]', 'projections (default: all; the outbox, whose numbers were told to others, is then verified only)')
      .option('--keep-old', 'keep the tables that are replaced; "projections rollback" puts them back')
      .option('--accept-differences', 'switch also when tables differ from the live ones: of a raised version, in more than what is meant')
      .option('--proposal <id>', 'switch also when tables differ in just what this approved proposal says', argument.recordId)
      .option('--urgent', 'take an equal share of the processors, instead of what the service leaves of them'),
  ).action(async (names: string[], { keepOld = false, acceptDifferences = false, urgent = false, proposal, ...proposing }: Options) => {
    const startedAt = performance.now();
    const { rebuilt, waits } = await replaying(cli, names, urgent ? 'urgent' : 'background', async (session, projections, _, store) => {
      const waits = await houseSettingsWait(store);
      if (acceptDifferences && waits && proposing.reason === undefined)
        throw new CommandFailed('differences take an approval: --reason says why you propose them');
      const agreed = await Promise.all(
        projections.map(async ({ name }) => [name, proposal && (await acceptedDifferences(store, name, proposal))] as const),
      );
      const rebuilt = await session.rebuild(projections, {
        keepsOld: keepOld,
        accepts: (projection, digest) => (acceptDifferences && !waits) || new Map(agreed).get(projection) === digest,
        verifiedOnly: new Set(names.length === 0 ? projections.filter(({ isFrozen }) => isFrozen).map(({ name }) => name) : []),
      });
      return { rebuilt, waits };
    });
    const differing = rebuilt.filter((each) => each.differences > 0 && !each.switched);
    if (acceptDifferences && waits && differing.length > 0) return proposeDifferences(cli, differing, proposing);
    const seconds = Math.round(performance.now() - startedAt) / 1_000;
    const projections = rebuilt.map(({ tables, ...rest }) => ({ ...rest, tables: tables && shownTables(rest.name, tables) }));
    const events = Math.max(...rebuilt.map((each) => each.events));
    const differences = rebuilt.reduce((sum, each) => sum + each.differences, 0);
    const refused = differing.map(({ name }) => name);
    const switched = refused.length === 0 && rebuilt.some((each) => each.switched);
    await cli.answer({ events, seconds, events_per_second: Math.round(events / seconds), differences, switched, projections }, () =>
      [
        `${count(events)} events in ${seconds.toFixed(1)} s (${count(Math.round(events / seconds))}/s), ${count(differences)} differences`,
        ...projections.map(
          ({ name, ...each }) =>
            `${name}: ${each.switched ? 'switched to the new tables' : 'the live tables stay'}${each.tables === null ? ' (nothing to compare with: no tables before, or those of another version)' : ''}`,
        ),
        ...meantWords(projections.flatMap(({ tables }) => tables ?? [])),
        ...differing.map(({ name, differences_digest }) => `Digest of the differences of ${name}: ${differences_digest}`),
        ...differenceWords(projections.flatMap(({ tables }) => tables ?? [])),
      ].join('\n'),
    );
    if (refused.length > 0) {
      throw new CommandFailed(
        `not switched: the live tables of ${refused.join(', ')} differ from what the facts give; --accept-differences switches all the same`,
      );
    }
  });

/** Where settings take an approval, so does what is put in the place of what the service answers from. */
async function proposeDifferences(cli: Cli, differing: readonly Rebuilt[], { reason = '', url, apiKey }: MayPropose): Promise<void> {
  for (const { name: projection, differences_digest: digest } of differing)
    await propose(cli, 'ACCEPT_DIFFERENCES', { projection, digest }, { reason, ...(url && { url }), ...(apiKey !== undefined && { apiKey }) });
}
