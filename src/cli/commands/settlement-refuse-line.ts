import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { withShown } from '../projection-tables.js';
import { systemUser } from '../system-user.js';

interface Options {
  readonly record?: string;
  readonly reason: string;
}

const LINES_MAX = 1_000;

export const settlementRefuseLine = (cli: Cli): Command =>
  new Command('refuse-line')
    .description("let a settlement continue without a line that it waits for; an event in the line's own stream records this for every process")
    .argument('<settlement>', 'id of the settlement, as the log and the console show it', argument.recordId)
    .argument('<line>', 'position of the line in the settlement when it was opened, from 1', argument.countUpTo(LINES_MAX))
    .option('--record <id>', "the line's record; without it the line is shown and nothing is recorded", argument.recordId)
    .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.name)
    .action(async (settlementId: string, place: number, { record, reason }: Options) => {
      const { listed, isNew } = await withShown(cli, 'ledger', async ({ pool, store }) => {
        const [{ findSettlement }, { listedIn, readSettlement }, { refuseLine }] = await Promise.all([
          import('../../../projections/settlements/settlements.js'),
          import('../../domain/settlements/settlement-run.js'),
          import('../../domain/settlements/refuse-line.js'),
        ]);
        const found = await findSettlement(pool, settlementId);
        // The read model only locates the settlement; the stored list decides.
        const stored = found && (await readSettlement(store, found, found.number));
        if (!stored) throw new CommandFailed(`there is no settlement ${settlementId}`);
        const { opened } = stored;
        const line = opened.lines[place - 1];
        if (!line) throw new CommandFailed(`settlement ${settlementId} has ${opened.lines.length} lines`);
        const words =
          `line ${place} of settlement ${opened.settlement_number} in ${opened.currency} of merchant ${opened.merchant_id} is the ${line.kind} of ` +
          `${line.record_id}, net ${line.net_amount}, fee ${line.fee_amount} minor units`;
        if (stored.status === 'CLOSED') throw new CommandFailed(`${words}; the settlement is closed and waits for no line`);
        if (record !== line.record_id)
          throw new CommandFailed(`${words}; nothing was recorded: to refuse it, repeat with --record ${line.record_id}`);
        const outcome = await refuseLine(store, Date.now, listedIn(opened, line), { reason, refused_by: systemUser() });
        if ('refusal' in outcome) throw new CommandFailed(`${words}. ${outcome.detail}`);
        return { listed: listedIn(opened, line), isNew: outcome.events.length > 0 };
      });
      const { line, ...settlement } = listed;
      await cli.answer({ ...settlement, ...line, recorded: isNew }, () =>
        [
          `The ${line.kind} of ${line.record_id} is not in settlement ${listed.settlement_number}${isNew ? '' : ': it was recorded before'}.`,
          'The settlement continues without it; the amount to settle moves to a later settlement.',
        ].join('\n'),
      );
    });
