import type { Pool } from 'pg';
import { findCloseOfDay, findDayPart } from '../../../projections/reconciliation/days/day-close-reads.js';
import type { SealedLog } from '../approvals/sealed-log.js';
import type { DayReads } from './day-closer.js';
import { reachedResultOf } from './day-figures.js';

/** @param pool where the read models are */
export const dayReads = (pool: Pool, sealed: SealedLog): DayReads => ({
  find: (source, day) => findCloseOfDay(pool, source, day),
  part: (source, n, part) => findDayPart(pool, source, n, part),
  result: (close) => reachedResultOf(pool, close),
  headOver: async (eventId) => ((await sealed.isSealed(eventId)) ? sealed.head() : undefined),
});
