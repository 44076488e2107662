import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';

/** Of which sources, and as of when. */
export interface ReconciliationQuery {
  readonly source?: string | undefined;
  readonly mode?: Mode | undefined;
  /** Ordinal of a tick: as they were then. */
  readonly as_of?: number | undefined;
}

/** What holds from an event on and until another one, as of the tick at the parameter `until`; now, where there is none. */
export const heldAt = (from: string, to: string, until: string | undefined): string =>
  until === undefined ? `${to} is null` : `${from} <= ${until} and (${to} is null or ${to} > ${until})`;

/** Of sources of the mode at `parameter`. By its beginning, of which Postgres knows how many there are; of what a function answers it knows nothing. */
export const ofMode = (source: string, parameter: string): string => `${source} like ${parameter} || '-%'`;

/** When lines were held against the books. */
export interface TickPlace {
  /** Its position in the log. */
  readonly ordinal: number;
  /** Never before that of the tick before. */
  readonly at: string;
}

/** The last tick up to a moment, or up to a position of the log; undefined: there was none yet. */
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

/** New breaks at one tick that are no differences any more, but one fault. */
const SURGE_BREAKS = 200;

/** Ticks of the last day at each of which more breaks came up than people can look at one by one. */
export async function countSurges(db: Pick<ClientBase, 'query'>): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    name: 'recon: surges',
    text: `select count(*) as count from recon.ticks where new_breaks > ${SURGE_BREAKS} and at > now() - interval '1 day'`,
  });
  return Number(rows[0]!.count);
}
