import { sourceStream, type ReconSourceSet } from '../../../ledger/events/reconciliation.events.js';
import type { Clock } from '../../../ledger/time.js';
import type { Spool } from '../../../platform/spool/spool.js';
import { StatementCheck, type CheckedLine, type FileSummary } from './checked-statement.js';
import { BatchNames } from '../formats/batch-names.js';
import { parseCamt053 } from '../formats/camt053.js';
import { parseCsv } from '../formats/csv.js';
import { parseMt940 } from '../formats/mt940.js';
import type { StatementItem } from '../formats/statement-item.js';
import { daysIn } from '../../../ledger/days.js';

/** Settings and context for reading a file. */
export interface StatementReading {
  readonly settings: ReconSourceSet;
  /** Returns the HMAC of an account as it is written in a file. */
  readonly accountHmac: (account: string) => string;
  readonly clock: Clock;
  /** Batch that was given with the file; absent: none. */
  readonly batch?: string | undefined;
  /** The earliest day of lines and balances; absent: any. */
  readonly from?: string;
  /** `numbersOf` statements that counted when the file was received; absent: none. */
  readonly taken?: ReadonlySet<string>;
}

/**
 * Reads a file from its beginning, any number of times: the same bytes and settings give the same lines. Some hundred lines are in memory, regardless
 * of the file's size.
 * @returns the summary of the file
 * @throws StatementRefused
 */
export async function* checkedLines(spool: Pick<Spool, 'read'>, reading: StatementReading): AsyncGenerator<CheckedLine[], FileSummary> {
  const { settings, accountHmac, clock, from = '', taken = new Set() } = reading;
  const { source, currencies, account_hmac, time_zone } = settings;
  const isAccount = (account: string): boolean => accountHmac(account) === account_hmac;
  const today = daysIn(time_zone)(clock());
  const check = new StatementCheck({ source: sourceStream(source), currencies, isAccount, today, from, taken });
  for await (const items of itemsOf(spool.read(), reading)) {
    const lines = items.flatMap((item) => check.add(item) ?? []);
    if (lines.length > 0) yield lines;
  }
  return check.end();
}

function itemsOf(chunks: AsyncIterable<Buffer>, { settings, batch }: StatementReading): AsyncGenerator<StatementItem[]> {
  const { format, profile, time_zone, batch_names = [] } = settings;
  switch (format) {
    case 'camt053':
      return parseCamt053(chunks, time_zone, new BatchNames(batch_names));
    case 'mt940':
      return parseMt940(chunks, new BatchNames(batch_names));
    case 'csv':
      return parseCsv(chunks, profile!, time_zone, batch);
  }
}
