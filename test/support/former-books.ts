import type { Pool } from 'pg';
import { ledger } from '../../src/app/ledger.projection.js';
import { inTransaction } from '../../src/platform/postgres/pool.js';
import { bridgeFrom } from '../../src/platform/projector/bridge.js';
import { compareBuilds } from '../../src/platform/projector/comparison.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { project } from './projected.js';

const FORMER = 'former';

/** The log with every merchant a live one. */
const allLive = (events: readonly OrdinalEvent[]): OrdinalEvent[] =>
  events.map((event) => (event.type === 'MerchantRegistered' ? { ...event, data: { ...event.data, mode: 'live' } } : event));

/**
 * What the version before made of these events, beside the ledger: it had one platform, whose rows are those of the live one where
 * everybody is live.
 */
export async function projectFormerBooks(pool: Pool, events: readonly OrdinalEvent[]): Promise<void> {
  await project(pool, ledger, allLive(events), 64);
  await pool.query(`drop schema if exists ${FORMER} cascade; alter schema ledger rename to ${FORMER}`);
  await pool.query(`drop table ${FORMER}.owners; alter table ${FORMER}.journal drop column mode cascade`);
}

/** Tables of the ledger whose rows are not those of the version before, beyond what is meant, and how many rows. */
export async function differencesFromFormer(pool: Pool): Promise<(readonly [table: string, rows: number])[]> {
  const versions = ledger.readModels.map(({ name, version, bridge }) => `${name}=${[bridge?.from ?? version].flat().at(-1)}`).join(' ');
  const bridging = bridgeFrom(ledger, versions, 'ledger')!;
  const compared = await inTransaction(pool, (tx) => compareBuilds([tx], FORMER, 'ledger', bridging));
  return compared.filter(({ differences }) => differences > 0).map(({ name, differences }) => [name, differences] as const);
}
