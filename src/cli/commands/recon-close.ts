import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import type { ReconDayDto } from '../../domain/reconciliation/days/days.dto.js';
import { withActingOptions, withActingOperator, type ActingOptions } from '../with-acting-operator.js';

interface Options extends ActingOptions {
  readonly source: string;
  readonly reason: string;
}

/** Maximum wait for the service's read models and seals, ms. */
const WAITS_MS = 30_000;

export const reconClose = (cli: Cli): Command =>
  withActingOptions(
    new Command('close')
      .description('close the next day of a bank and book its lines; exit 1 if a difference is not explained; needs the role preparer')
      .argument('<day>', 'such as 2026-01-31, in the source’s time zone', argument.day)
      .requiredOption('--source <source>', 'a bank\'s source, as "recon status" shows it, such as live-bca')
      .requiredOption('--reason <text>', 'reason, stored in the audit log', argument.reason),
  ).action(async (day: string, { source, reason, ...options }: Options) => {
    const { openDay } = await import('../../domain/reconciliation/days/day-closer.js');
    const { dayCloser } = await import('../../domain/reconciliation/reconciliation-services.js');
    const { toDay } = await import('../../domain/reconciliation/days/day-lists.js');
    const { sealedLog } = await import('../../transparency-log/sealed-log.js');
    const { findCloseOfDay } = await import('../../../projections/reconciliation/days/day-close-reads.js');
    const closed = await withActingOperator(cli, options, 'preparer', async ({ deps, pool }, act) => {
      await openDay(deps, source, day, reason, act);
      await dayCloser({ ...deps, pool, sealed: sealedLog(pool) }).runWithin(WAITS_MS, source, act.context, cli.signal);
      // The read model may not contain the last appended event yet.
      for (const until = performance.now() + WAITS_MS; ;) {
        const found = await findCloseOfDay(pool, source, day);
        if (found?.closed || performance.now() >= until) return found && toDay(found);
        await delay(100);
      }
    });
    if (!closed || closed.status === 'OPEN')
      throw new CommandFailed(`INCOMPLETE: the close of ${day} is open, and continues once the service has read and sealed all events`);
    await cli.answer(closed, () => statementInWords(closed));
    if (closed.status === 'INCOMPLETE') throw new CommandFailed(`INCOMPLETE: the books of ${day} differ from the balance of ${source}`);
  });

/** Describes the figures and breaks of a day. */
function statementInWords({ source, day, status, rows, figures, breaks }: ReconDayDto): string {
  const lines = figures.map(({ currency, closing, book_cash, payouts, returns, under_way, differences, residual }) =>
    [
      `${currency}: closing balance ${closing ?? 'none'}; books ${book_cash}, payouts not presented ${payouts}, returns not presented ${returns},`,
      `payouts under way ${under_way}, differences ${differences}; residual ${residual ?? 'unknown'}`,
    ].join(' '),
  );
  const open = breaks.map(({ kind, currency, count, amount }) => `Break ${kind}: ${count}${currency === null ? '' : `, ${currency} ${amount}`}`);
  return [`${source} ${day} is closed, ${status}: ${rows} lines.`, ...lines, ...open].join('\n');
}
