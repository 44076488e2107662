import { Command } from 'commander';
import { wordsOf } from '../../rails/settings/rail-kinds.js';
import type { Cli } from '../cli.js';
import { table } from '../output.js';
import { listedRails, withRails } from '../with-rails.js';

export const railList = (cli: Cli): Command =>
  new Command('list')
    .description('list all rails, oldest first, with their settings and permissions; of secrets, only the beginning of their SHA-256')
    .action(async () => {
      const rails = await withRails(cli, listedRails);
      await cli.answer(rails, () =>
        table(
          ['rail', 'is', 'state', 'why', 'credentials', 'default for'],
          rails.map((rail) => [
            ...[rail.rail, wordsOf(rail), rail.state, rail.reasons.join('; ') || null],
            `${rail.credentials.version}${rail.previous_credentials ? ` and ${rail.previous_credentials.version}` : ''}`,
            rail.default_for.join(', ') || null,
          ]),
        ),
      );
    });
