import type { Pool } from 'pg';
import { findCloseOfDay, findDayPart, type StoredDayClose } from '../../projections/reconciliation/days/day-close-reads.js';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { ledger } from '../../src/app/ledger.projection.js';
import { dayStream, type DayClosed } from '../../src/ledger/events/day-close.events.js';
import { resultOf } from '../../src/domain/reconciliation/days/day-figures.js';
import { project, projectOn } from './projected.js';
import type { Remittances } from './remittances.js';

const HEAD = { position: 1, events: 1, hash: '0'.repeat(64), signature: 'AA==', sealed_on: '2026-01-31T08:15:30.123+00:00' };

/** For each pool, the log in its tables, and how many of its events they contain. */
const standing = new WeakMap<Pool, { readonly log: Remittances['log']; readonly events: number }>();

/** Projects the events added to the log since the last call. With `size`: projects all of them anew, in batches of that many. */
export async function projectBoth(pool: Pool, { log }: Remittances, size?: number): Promise<void> {
  const known = standing.get(pool);
  for (const projection of [recon, ledger]) {
    if (size !== undefined || known?.log !== log) await project(pool, projection, log.events, size ?? 1_000);
    else await projectOn(pool, projection, log.events.slice(known.events), 1_000);
  }
  standing.set(pool, { log, events: log.events.length });
}

/** Closes a bank's day as the closer does: books the results of the tick part by part, and then closes the day. */
export async function closeDay(pool: Pool, world: Remittances, n: number, day: string, source = 'live-bca'): Promise<DayClosed> {
  world.openDay(n, day, source);
  await projectBoth(pool, world);
  const close = (await findCloseOfDay(pool, source, day))!;
  await bookParts(pool, world, close);
  const { mode, matcher, ordinal: position } = close;
  const result = await resultOf(pool, close);
  const data = { merchant_id: null, source, mode, n, day, matcher, position, head: HEAD, ...result, closed_on: world.log.now };
  world.log.add({ type: 'DayClosed', data }, `recon-${source}`);
  await projectBoth(pool, world);
  return data;
}

async function bookParts(pool: Pool, world: Remittances, { source, mode, n, day, parts }: StoredDayClose): Promise<void> {
  for (let part = 1; part <= parts; part += 1) {
    const { currency, rows } = (await findDayPart(pool, source, n, part))!;
    const data = { merchant_id: null, source, mode, n, day, part, parts, currency, rows, booked_on: world.log.now };
    world.log.add({ type: 'BankLinesBooked', data }, dayStream(source, day));
  }
}
