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
      .description('rebuild read models from the events while the service runs, compare them with the live ones, and switch to them')
      .argument('[names...]', 'projections (default: all; the outbox is then only verified, because its numbers have been delivered)')
      .option('--keep-old', 'keep the replaced tables; "projections rollback" restores them')
      .option(
        '--accept-differences',
        'switch even if tables differ from the live ones; for a raised version, even if they differ in more than the intended changes',
      )
      .option('--proposal <id>', 'switch even if tables differ, provided that the differences are those of this approved proposal', argument.recordId)
      .option('--urgent', 'use an equal share of the processors instead of only the capacity that the service leaves idle'),
  ).action(async (names: string[], { keepOld = false, acceptDifferences = false, urgent = false, proposal, ...proposing }: Options) => {
    const startedAt = performance.now();
    const { rebuilt, waits } = await replaying(cli, names, urgent ? 'urgent' : 'background', async (session, projections, _, store) => {
      const waits = await houseSettingsWait(store);
      if (acceptDifferences && waits && proposing.reason === undefined)
        throw new CommandFailed('differences need an approval: give the reason of the proposal with --reason');
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
            `${name}: ${each.switched ? 'switched to the new tables' : 'the live tables remain'}${each.tables === null ? ' (nothing to compare with: no tables before, or those of another version)' : ''}`,
        ),
        ...meantWords(projections.flatMap(({ tables }) => tables ?? [])),
        ...differing.map(({ name, differences_digest }) => `Digest of the differences of ${name}: ${differences_digest}`),
        ...differenceWords(projections.flatMap(({ tables }) => tables ?? [])),
      ].join('\n'),
    );
    if (refused.length > 0) {
      throw new CommandFailed(
        `not switched: the live tables of ${refused.join(', ')} differ from the rebuilt ones; --accept-differences switches nevertheless`,
      );
    }
  });

/** Proposes to accept the differences. If settings need an approval, replacing the live read models needs one as well. */
async function proposeDifferences(cli: Cli, differing: readonly Rebuilt[], { reason = '', url, apiKey }: MayPropose): Promise<void> {
  for (const { name: projection, differences_digest: digest } of differing)
    await propose(cli, 'ACCEPT_DIFFERENCES', { projection, digest }, { reason, ...(url && { url }), ...(apiKey !== undefined && { apiKey }) });
}
