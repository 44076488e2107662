import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';

/** Restricts a query to sources, and to a past tick. */
export interface ReconciliationQuery {
  readonly source?: string | undefined;
  readonly mode?: Mode | undefined;
  /** Ordinal of a tick; the query returns the state at this tick. */
  readonly as_of?: number | undefined;
}

/** Returns a condition for rows that hold from one event until another, as of the tick in the parameter `until`; without it, as of now. */
export const heldAt = (from: string, to: string, until: string | undefined): string =>
  until === undefined ? `${to} is null` : `${from} <= ${until} and (${to} is null or ${to} > ${until})`;

/**
 * Returns a condition for sources of the mode at `parameter`. It compares the prefix, for which Postgres has statistics; it has none for the result
 * of a function.
 */
export const ofMode = (source: string, parameter: string): string => `${source} like ${parameter} || '-%'`;

/** A run that compared lines with the books. */
export interface TickPlace {
  /** Its position in the log. */
  readonly ordinal: number;
  /** Not before the previous tick. */
  readonly at: string;
}

/** Returns the last tick up to a moment or a position of the log; undefined before the first one. */
export async function findTick(
  db: Pick<ClientBase, 'query'>,
  until: { readonly at: string } | { readonly ordinal: number },
): Promise<TickPlace | undefined> {
  const [column, value] = 'at' in until ? ['at', until.at] : ['ordinal', until.ordinal];
  const { rows } = await db.query<{ readonly ordinal: bigint; readonly at: string }>(
    `select ordinal, at from recon.ticks where ${column} <= $1 order by ordinal desc limit 1`,
    [value],
  );
  return rows.map(({ ordinal, at }) => ({ ordinal: Number(ordinal), at }))[0];
}

/** Maximum new breaks of one tick that are separate differences; more are probably one fault, and one alarm. */
export const MANY_BREAKS = 200;

/** Counts ticks of the last day that each had more new breaks than operators can check one by one. */
export async function countSurges(db: Pick<ClientBase, 'query'>): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    name: 'recon: surges',
    text: `select count(*) as count from recon.ticks where new_breaks > ${MANY_BREAKS} and at > now() - interval '1 day'`,
  });
  return Number(rows[0]!.count);
}
