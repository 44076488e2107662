import type { FastifyReply } from 'fastify';
import type { Pool } from 'pg';
import { findTick } from '../../../projections/reconciliation/as-of.js';
import { milliseconds, type Clock } from '../../ledger/time.js';
import { parseTimestamp } from '../../platform/http/validation/timestamp.js';
import { invalid } from '../../platform/http/validation/validation.js';

/** The time of a list: its last tick, at which lines were matched with the books. The response names that tick. */
export interface AsOf {
  /** undefined: now. */
  readonly as_of: number | undefined;
  /** Milliseconds since the epoch; ages are computed for this moment. */
  readonly now: number;
}

/** @param asOf a position of the log, or a moment @throws Problem validation-failed */
export async function readAsOf(pool: Pool, clock: Clock, reply: FastifyReply, asOf: string | undefined): Promise<AsOf> {
  const now = clock();
  if (asOf === undefined) return { as_of: undefined, now };
  const isPosition = /^\d{1,15}$/.test(asOf);
  // In a query, `+` may have arrived as a space.
  const at = isPosition ? undefined : parseTimestamp(asOf.replace(/ (?=\d\d:\d\d$)/, '+'), 'down');
  if (!isPosition && at === undefined)
    throw invalid('query', [{ at: 'AsOf', code: 'wrong-format', detail: 'Must be a position, or an RFC 3339 date-time with an offset.' }]);
  if (at !== undefined && milliseconds(at) > now)
    throw invalid('query', [{ at: 'AsOf', code: 'in-the-future', detail: 'Must not be in the future.' }]);
  const tick = await findTick(pool, at === undefined ? { ordinal: Number(asOf) } : { at });
  reply.header('As-Of-Position', `${tick?.ordinal ?? 0}`);
  return { as_of: tick?.ordinal ?? 0, now: tick ? milliseconds(tick.at) : now };
}
