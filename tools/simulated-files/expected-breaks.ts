import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { batchSubject, breakId } from '../../projections/reconciliation/break-id.js';
import type { ReconSourceSet } from '../../src/ledger/events/reconciliation.events.js';
import type { Clock } from '../../src/ledger/time.js';
import { isMissingTable } from '../../src/platform/postgres/missing-table.js';
import type { ExpectedBreak, ExpectedRefusal, SimulatedFile, SimulatedFiles, SourceName } from './files.js';
import { settingsOf, type GivenSettings } from '../../src/domain/reconciliation/sources.js';
import { checkedLines } from '../../src/domain/reconciliation/statements/statement-file.js';

/** An expected break with its future id; null when the ledger does not know the missing item. */
export type NamedBreak = ExpectedBreak & { readonly id: string | null };

/** @param sources names of the sources that the files are imported for */
export async function namedBreaks(
  db: Pick<Pool, 'query'>,
  { files, settings, expected }: SimulatedFiles,
  sources: Readonly<Record<SourceName, string>>,
  clock: Clock,
): Promise<NamedBreak[]> {
  const keys = new Map<string, string>();
  for (const file of files) {
    if (isRefused(file, expected.refusals)) continue;
    for (const { at, line_key } of await linesOf(file, settings[file.source], sources[file.source], clock)) keys.set(`${file.name}:${at}`, line_key);
  }
  return Promise.all(
    expected.breaks.map(async (each) => {
      const { line, batch, day, kind, source } = each;
      const subject = line
        ? keys.get(`${line.file}:${line.line}`)
        : batch !== null
          ? batchSubject(sources.processor, batch)
          : (day ?? (await eventOf(db, each).catch(unlessMissing)));
      return { ...each, id: subject === undefined ? null : breakId(sources[source], kind, subject) };
    }),
  );
}

const isRefused = ({ name }: SimulatedFile, refusals: readonly ExpectedRefusal[]): boolean => refusals.some(({ file }) => file === name);

/** @throws StatementRefused when the file contradicts its settings */
async function linesOf(
  { text }: SimulatedFile,
  settings: object,
  source: string,
  clock: Clock,
): Promise<{ readonly at: number; readonly line_key: string }[]> {
  const bytes = Buffer.from(text);
  const accountHmac = (account: string): string => createHash('sha256').update(account).digest('hex');
  const given = { costs: {}, by_amount: false, ...settings } as unknown as GivenSettings;
  const set = { ...settingsOf(given, accountHmac), source } as unknown as ReconSourceSet;
  const spool = {
    async *read() {
      yield bytes;
    },
  };
  const lines: { at: number; line_key: string }[] = [];
  for await (const some of checkedLines(spool, { settings: set, accountHmac, clock }))
    for (const { stored } of some) lines.push({ at: stored.at, line_key: stored.line_key });
  return lines;
}

/** Returns the id of the item that the files lack, from the read model. */
async function eventOf(db: Pick<Pool, 'query'>, { charge_id, payout_id, item, reference }: ExpectedBreak): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `select id from recon.items where kind = $1 and (charge_id = $2 and payment_reference = $3 or payout_id = $4) order by ordinal limit 1`,
    [item, charge_id, reference, payout_id],
  );
  return rows[0]?.id;
}

function unlessMissing(error: unknown): undefined {
  if (!isMissingTable(error)) throw error;
}
