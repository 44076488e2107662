import type { Pool } from 'pg';
import { findCloseOfDay } from '../../projections/reconciliation/days/day-close-reads.js';
import { findSources } from '../../projections/reconciliation/sources.js';
import type { ChainKeys } from './chain-keys.js';
import { findRoot } from './chain.js';
import { canonicalJson } from '../ledger/canonical-json.js';
import { readEvent } from '../ledger/catalogue.js';
import type { DayClosed } from '../ledger/events/day-close.events.js';
import { sourceStream, type SourceEvent } from '../ledger/events/reconciliation.events.js';
import type { EventStore, RecordedEvent } from '../platform/event-store/event-store.js';
import { pagesOf } from '../platform/event-store/pages-of.js';
import { reachedResultOf, RowsDigest, type DayResult } from '../domain/reconciliation/day-figures.js';

export interface DaysVerification {
  /** Number of closed days that were verified. */
  readonly days: number;
  /** The first wrong day and its fault; null: none is wrong. */
  readonly wrong: { readonly source: string; readonly day: string; readonly fault: string } | null;
}

interface VerifyDeps {
  readonly store: Pick<EventStore, 'read'>;
  /** Pool of the database with the read models and the chain. */
  readonly pool: Pool;
  readonly keys: ChainKeys;
  readonly signal: AbortSignal;
}

/** Recomputes every closed day of every bank: the fold of the log must show the booked lines, the recorded figures and the signed head. */
export async function verifyDays(deps: VerifyDeps): Promise<DaysVerification> {
  let days = 0;
  for (const { id } of await banks(deps.pool)) {
    let booked = new RowsDigest();
    for await (const page of pagesOf(deps.store, sourceStream(id))) {
      deps.signal.throwIfAborted();
      for (const recorded of page) {
        const { type, data } = readEvent(recorded) as RecordedEvent & SourceEvent;
        if (type === 'BankLinesBooked') booked.add(data.rows);
        if (type !== 'DayClosed') continue;
        days += 1;
        const fault = await faultOf(deps, data, booked.hex());
        if (fault !== undefined) return { days, wrong: { source: id, day: data.day, fault } };
        booked = new RowsDigest();
      }
    }
  }
  return { days, wrong: null };
}

async function banks(pool: Pool) {
  const all = await findSources(pool, { limit: 10_000 });
  return all.filter(({ settings }) => settings.kind === 'BANK');
}

async function faultOf({ pool, keys }: VerifyDeps, closed: DayClosed, booked: string): Promise<string | undefined> {
  if (booked !== closed.digest) return `the lines that were booked have the digest ${booked}, not ${closed.digest}`;
  const close = await findCloseOfDay(pool, closed.source, closed.day);
  const now = close && (await reachedResultOf(pool, close));
  if (!close || !now) return 'the read models have not come so far';
  if (close.ordinal !== closed.position) return `it was opened by event ${close.ordinal}, not ${closed.position}`;
  for (const what of ['digest', 'parts', 'rows', 'figures', 'breaks'] as const) {
    const [then, found] = [canonicalJson(closed[what]), canonicalJson((now satisfies DayResult)[what])];
    if (then !== found) return `its ${what} came to ${then}, and come to ${found} now`;
  }
  const { head } = closed;
  if (head.events < closed.position || !keys.hasSigned(head)) return 'its head is not one that this service has signed over it';
  const root = (await findRoot(pool, head.events)).toString('hex');
  return root === head.hash ? undefined : `the first ${head.events} events have the root ${root}, not ${head.hash}`;
}
