import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { momentWords, withMoments } from '../with-moments.js';

export const atList = (cli: Cli): Command =>
  new Command('list').description('list open moments, and those that could not be built').action(async () => {
    const moments = await withMoments(cli, ({ moments: all }) => all.list());
    await cli.answer({ items: moments }, () => (moments.length === 0 ? 'No moment is open.' : momentWords(moments)));
  });
