import type { Pool } from 'pg';
import { findCloseOfDay } from '../../projections/reconciliation/days/day-close-reads.js';
import { findSources } from '../../projections/reconciliation/sources.js';
import type { ChainKeys } from './chain-keys.js';
import { daysOfDifferences, type ClosedDay, type DayFault } from './days-of-differences.js';
import { findRoot } from './chain.js';
import { canonicalJson } from '../ledger/ids/canonical-json.js';
import { readEvent } from '../ledger/catalogue.js';
import type { DayClosed } from '../ledger/events/day-close.events.js';
import { sourceStream, type SourceEvent } from '../ledger/events/reconciliation.events.js';
import type { EventStore, RecordedEvent } from '../platform/event-store/event-store.js';
import type { TableComparison } from '../platform/projector/comparison.js';
import { pagesOf } from '../platform/event-store/pages-of.js';
import { reachedResultOf, RowsDigest, type DayResult } from '../domain/reconciliation/days/day-figures.js';

export interface DaysVerification {
  /** Number of closed days that were verified. */
  readonly days: number;
  /** The first wrong day and its fault; null: none is wrong. */
  readonly wrong: DayFault | null;
}

interface VerifyDeps {
  readonly store: Pick<EventStore, 'read'>;
  /** Pool of the database with the read models and the chain. */
  readonly pool: Pool;
  readonly keys: ChainKeys;
  /** The tables of `recon`, compared with a replay of the events. */
  readonly tables: readonly TableComparison[];
  readonly signal: AbortSignal;
}

/**
 * Verifies every closed day of every bank: no row that its tick has read or written may differ from the replay, and the log must have the booked
 * lines, the recorded figures and the signed head.
 */
export async function verifyDays(deps: VerifyDeps): Promise<DaysVerification> {
  const closed: ClosedDay[] = [];
  let wrong: DayFault | undefined;
  for (const id of await banks(deps)) {
    const streams = new Map<number, string>();
    for await (const { type, data } of eventsOf(deps, sourceStream(id))) {
      if (type === 'DayCloseOpened') streams.set(data.n, data.lines_stream);
      if (type !== 'DayClosed') continue;
      closed.push(data);
      const fault = wrong ? undefined : await faultOf(deps, data, await digestOf(deps, streams.get(data.n)!, data.n));
      if (fault !== undefined) wrong = { source: id, day: data.day, fault };
    }
  }
  // A differing row is more precise than the figure that follows from it.
  return { days: closed.length, wrong: daysOfDifferences(deps.tables, closed)[0] ?? wrong ?? null };
}

async function* eventsOf({ store, signal }: VerifyDeps, stream: string): AsyncGenerator<RecordedEvent & SourceEvent, void, undefined> {
  for await (const page of pagesOf(store, stream)) {
    signal.throwIfAborted();
    for (const recorded of page) yield readEvent(recorded) as RecordedEvent & SourceEvent;
  }
}

/** Returns the digest of the lines that a close has booked. */
async function digestOf(deps: VerifyDeps, stream: string, n: number): Promise<string> {
  const digest = new RowsDigest();
  for await (const { type, data } of eventsOf(deps, stream)) if (type === 'BankLinesBooked' && data.n === n) digest.add(data.rows);
  return digest.hex();
}

/** Returns the ids of banks, including those of which the row is missing. */
async function banks({ pool, tables }: VerifyDeps): Promise<string[]> {
  const all = await findSources(pool, { limit: 10_000 });
  const present = all.filter(({ settings }) => settings.kind === 'BANK').map(({ id }) => id);
  const missing = tables.flatMap(({ name, found }) => (name === 'sources' ? found.map(({ key }) => key['id']!) : []));
  return [...new Set([...present, ...missing])].sort();
}

async function faultOf({ pool, keys }: VerifyDeps, closed: DayClosed, booked: string): Promise<string | undefined> {
  if (booked !== closed.digest) return `the lines that were booked have the digest ${booked}, not ${closed.digest}`;
  const close = await findCloseOfDay(pool, closed.source, closed.day);
  const now = close && (await reachedResultOf(pool, close));
  if (!close || !now) return 'the read models have not reached it';
  if (close.ordinal !== closed.position) return `it was opened by event ${close.ordinal}, not ${closed.position}`;
  for (const what of ['digest', 'parts', 'rows', 'figures', 'breaks'] as const) {
    const [then, found] = [canonicalJson(closed[what]), canonicalJson((now satisfies DayResult)[what])];
    if (then !== found) return `its ${what} were ${then}, and are ${found} now`;
  }
  const { head } = closed;
  if (head.events < closed.position || !keys.hasSigned(head)) return 'its head is not signed by this service';
  const root = (await findRoot(pool, head.events)).toString('hex');
  return root === head.hash ? undefined : `the first ${head.events} events have the root ${root}, not ${head.hash}`;
}
