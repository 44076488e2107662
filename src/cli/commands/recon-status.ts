import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { table } from '../output.js';
import { withShown } from '../projection-tables.js';

/** Maximum listed files whose import was interrupted. */
const UNFINISHED_MAX = 100;

export const reconStatus = (cli: Cli): Command =>
  new Command('status').description('list the sources of statements, their progress, and interrupted imports').action(async () => {
    const { sources, unfinished } = await withShown(cli, 'recon', async ({ pool }) => {
      const [{ findSources }, { findUnfinished }] = await Promise.all([
        import('../../../projections/reconciliation/sources.js'),
        import('../../../projections/reconciliation/statement-reads.js'),
      ]);
      return { sources: await findSources(pool, { limit: 1_000 }), unfinished: await findUnfinished(pool, UNFINISHED_MAX) };
    });
    const listed = sources.map(({ id, settings: { kind, currencies, format }, newest_day }) => ({ id, kind, currencies, format, newest_day }));
    await cli.answer({ sources: listed, unfinished }, () =>
      [
        table(
          ['source', 'kind', 'currencies', 'format', 'newest day'],
          listed.map(({ id, kind, currencies, format, newest_day }) => [id, kind, currencies.join(' '), format, newest_day]),
        ),
        ...unfinished.map(
          ({ id, source, lines, lines_read }) => `${source}: the import of ${id} ended after ${lines_read} of ${lines} lines; import the file again.`,
        ),
      ].join('\n'),
    );
  });
