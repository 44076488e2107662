import type { ClientBase } from 'pg';
import type { Mode } from '../../../src/ledger/mode.js';
import { addDays } from '../../../src/ledger/days.js';
import type { BreakLine, MatchedBatch } from './match-reads.js';

type Db = Pick<ClientBase, 'query'>;

/** A credit of a bank that is not matched. */
export interface OpenCredit {
  readonly line: BreakLine;
  readonly line_key: string;
}

/** A batch is credited between its day and a month later. The dates in files may be a week off. */
const DAYS_LATE = 30;
const DAYS_EARLY = 7;
/** Of very many, only the nearest by amount and day are returned. */
export const OPEN_BATCHES_MAX = 200;
const OPEN_CREDITS_MAX = 200;

interface Near {
  /** Id of the bank's source. */
  readonly source: string;
  readonly currency: string;
  readonly amount: number;
  readonly day: string;
}

/** A batch `g` that counts and is not matched with a credit. */
const IS_OPEN = `g.number is null and g.counted_until is null
        and not exists (select from recon.matches m where m.batch_source = g.source and m.batch = g.name and m.matched_until is null)`;

/** Returns batches of the bank's mode that are not matched with a credit: candidates for a credit of that day and amount. */
export async function findOpenBatches(db: Db, { source, currency, amount, day }: Near): Promise<MatchedBatch[]> {
  const { rows } = await db.query<Omit<MatchedBatch, 'amount'> & { readonly amount: bigint }>(
    `select g.source, g.name as batch, g.currency, g.amount, g.day
       from recon.sources mine
       join recon.sources s on s.settings->>'kind' = 'PROCESSOR' and s.settings->>'mode' = mine.settings->>'mode'
       join recon.groups g on g.source = s.id and g.currency = $2 and g.day between $5 and $6
      where mine.id = $1 and ${IS_OPEN}
      order by g.amount <> $3, abs(g.day::date - $4::date), g.source, g.name limit ${OPEN_BATCHES_MAX}`,
    [source, currency, amount, day, addDays(day, -DAYS_LATE), addDays(day, DAYS_EARLY)],
  );
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }));
}

/** A batch that counts and is not matched with a credit. */
export interface OpenBatch {
  readonly source: string;
  readonly batch: string;
  readonly mode: Mode;
  readonly currency: string;
  /** Net, minor units. */
  readonly amount: number;
}

export async function findOpenBatch(db: Db, { source, batch }: Pick<MatchedBatch, 'source' | 'batch'>): Promise<OpenBatch | undefined> {
  const { rows } = await db.query<Omit<OpenBatch, 'amount'> & { readonly amount: bigint }>(
    `select g.source, g.name as batch, split_part(g.source, '-', 1) as mode, g.currency, g.amount from recon.groups g
      where g.source = $1 and g.name = $2 and ${IS_OPEN}`,
    [source, batch],
  );
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }))[0];
}

/** Returns candidates for a batch of that day and amount among the credits. */
export async function findOpenCredits(db: Db, { source, currency, amount, day }: Near): Promise<OpenCredit[]> {
  const nearest = 'o.amount <> $3, abs(o.booked_on::date - $4::date), o.line_id';
  const { rows } = await db.query<Omit<BreakLine, 'amount'> & { readonly amount: bigint; readonly line_key: string }>(
    `select l.id::text as line_id, l.statement_id, l.batch, o.kind, o.currency, o.amount, l.booking_date, o.line_references as "references", o.line_key
       from (select o.* from recon.open_lines o
              where o.source = $1 and o.currency = $2 and o.amount > 0 and o.booked_on between $5 and $6
              order by ${nearest} limit ${OPEN_CREDITS_MAX}) o
       join recon.lines l on l.id = o.line_id
      order by ${nearest}`,
    [source, currency, amount, day, addDays(day, -DAYS_EARLY), addDays(day, DAYS_LATE)],
  );
  return rows.map(({ line_key, ...line }) => ({ line: { ...line, amount: Number(line.amount) }, line_key }));
}

/** Returns those of the words that name a batch of a mode's processors. */
export async function findBatchNames(db: Db, mode: Mode, words: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ name: string }>({
    name: 'batches: names',
    text: `select distinct name from recon.groups where number is null and name = any($1) and split_part(source, '-', 1) = $2`,
    values: [words, mode],
  });
  return new Set(rows.map(({ name }) => name));
}
