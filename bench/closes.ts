import { setTimeout as delay } from 'node:timers/promises';
import { findCloseOfDay } from '../projections/reconciliation/days/day-close-reads.js';
import { addDays } from '../src/ledger/days.js';
import { usageOf, type Usage } from './command.js';
import { BANK_SOURCE, bankStatement, importFile, payouts, preparer, sumOfPayouts, untilProjected, type ReconBench } from './recon.js';

/** Promised: each day closes in the time of the first, within this part of it. */
const WITHIN = 0.2;
const LOOK_EVERY_MS = 20;

export interface CloseFigures {
  readonly day: string;
  /** Time from the command's start until the file is imported and its lines are matched. */
  readonly import_seconds: number;
  /** Time from the request until the day is closed. */
  readonly close_seconds: number;
  /** Peak memory of the processes that serve, seal and project, since their start, MiB; null without /proc. */
  readonly service: Usage | null;
}

/** Imports and closes a bank's days, each with as many lines, nearly all of them payouts that the bank has paid. */
export async function measureCloses(bench: ReconBench, days: number, lines: number): Promise<readonly CloseFigures[]> {
  const { pool, print, start } = bench;
  const service = await start();
  const results: CloseFigures[] = [];
  try {
    await untilProjected(bench);
    const { key, env } = await preparer(bench);
    await untilProjected(bench);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const statements = Array.from({ length: days }, (_, at) => ({
      number: at + 1,
      day: addDays(new Date().toISOString().slice(0, 10), at - days),
      from: at * lines + 1,
      count: lines,
    }));
    let closing = statements.reduce((sum, statement) => sum + sumOfPayouts(statement), 0);
    for (const statement of statements) {
      closing -= sumOfPayouts(statement);
      await payouts(pool, lines, statement.from);
      const path = await bankStatement(bench, { ...statement, closing });
      const begun = performance.now();
      await importFile(env, path, BANK_SOURCE);
      await untilProjected(bench);
      const import_seconds = (performance.now() - begun) / 1_000;
      const asked = performance.now();
      const body = JSON.stringify({ day: statement.day, reason: 'bench' });
      const answer = await fetch(`${service.url}/audit/recon/sources/${BANK_SOURCE}/close`, { method: 'POST', headers, body });
      // 503: the read models have not reached the tick in the time of a request.
      if (!answer.ok && answer.status !== 503) throw new Error(`the close of ${statement.day} was answered with ${answer.status}`);
      await answer.arrayBuffer();
      while (!(await findCloseOfDay(pool, BANK_SOURCE, statement.day))?.closed) await delay(LOOK_EVERY_MS);
      const figures = { day: statement.day, import_seconds, close_seconds: (performance.now() - asked) / 1_000, service: await usageOf(service.pid) };
      results.push(figures);
      print(
        `${figures.day}: ${lines} lines imported and matched in ${import_seconds.toFixed(1)} s, closed in ${figures.close_seconds.toFixed(1)} s; ` +
          `service ${figures.service?.peak_mib ?? '?'} MiB`,
      );
    }
    const [first, ...later] = results.map(({ close_seconds }) => close_seconds);
    print(`later days took ${Math.min(...later) / first!} to ${Math.max(...later) / first!} of the first, promised ${1 - WITHIN} to ${1 + WITHIN}`);
    return results;
  } finally {
    await service.stop();
  }
}
