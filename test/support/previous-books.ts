import type { Pool } from 'pg';
import { ledger } from '../../src/app/ledger.projection.js';
import { HOUSE_OWNERS } from '../../src/ledger/events/adjustment.events.js';
import { inTransaction } from '../../src/platform/postgres/pool.js';
import { bridgeFrom } from '../../src/platform/projector/bridge.js';
import { compareBuilds, type TableComparison } from '../../src/platform/projector/comparison.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { project } from './projected.js';

const PREVIOUS = 'previous';
/** Versions of the books: the platform was one owner before it had one in each mode; before 7 none booked a payment that no charge could take. */
export type PreviousVersion = 5 | 6 | 7;
const NEW_ACCOUNTS = ['suspense', 'costs', 'tax', 'losses', 'equity'];

/** The ledger whose books pass over payments that no charge could take. */
const previousLedger: typeof ledger = {
  ...ledger,
  readModels: ledger.readModels.map((model) => ({
    ...model,
    apply: (tx, schema, batch) =>
      model.apply(tx, schema, model.name === 'balances' ? batch.filter(({ type }) => type !== 'ChargePaymentUnmatched') : batch),
  })),
};

/** The log with every merchant a live one. */
const allLive = (events: readonly OrdinalEvent[]): OrdinalEvent[] =>
  events.map((event) => (event.type === 'MerchantRegistered' ? { ...event, data: { ...event.data, mode: 'live' } } : event));

/**
 * Projects these events as a previous version did, beside the ledger. Version 5 had one platform: its rows are those of the live
 * platform when every merchant is live.
 */
export async function projectPreviousBooks(pool: Pool, events: readonly OrdinalEvent[], version: PreviousVersion): Promise<void> {
  await project(pool, version === 7 ? ledger : previousLedger, version === 5 ? allLive(events) : events, 64);
  await pool.query(`drop schema if exists ${PREVIOUS} cascade; alter schema ledger rename to ${PREVIOUS}`);
  await pool.query(`alter table ${PREVIOUS}.journal drop column proposal_id cascade, drop column relates_to`);
  await pool.query(`delete from ${PREVIOUS}.owners where merchant_id = any ($1)`, [Object.values(HOUSE_OWNERS)]);
  if (version === 7) return;
  const gone = NEW_ACCOUNTS.flatMap((account) => [`drop column ${account}_debit cascade`, `drop column ${account}_credit cascade`]).join(', ');
  await pool.query(`alter table ${PREVIOUS}.journal ${gone}; alter table ${PREVIOUS}.balances ${gone}`);
  if (version === 5) await pool.query(`drop table ${PREVIOUS}.owners; alter table ${PREVIOUS}.journal drop column mode cascade`);
}

/** The tables of the ledger as they are compared with those of the version before. */
async function compareWithPrevious(pool: Pool, version: PreviousVersion): Promise<TableComparison[]> {
  const versions = ledger.readModels.map(
    (model) => `${model.name}=${model.name === 'balances' ? version : [model.bridge?.from ?? model.version].flat().at(-1)}`,
  );
  const bridging = bridgeFrom(ledger, versions.join(' '), 'ledger')!;
  return inTransaction(pool, (tx) => compareBuilds([tx], PREVIOUS, 'ledger', bridging));
}

/** Tables of the ledger whose rows differ from those of the previous version by more than intended, with the number of rows. */
export async function differencesFromPrevious(pool: Pool, version: PreviousVersion): Promise<(readonly [table: string, rows: number])[]> {
  const compared = await compareWithPrevious(pool, version);
  return compared.filter(({ differences }) => differences > 0).map(({ name, differences }) => [name, differences] as const);
}

/** Returns the intended difference of the balances, in minor units. */
export async function meantSincePrevious(pool: Pool, version: PreviousVersion): Promise<string> {
  return (await compareWithPrevious(pool, version)).find(({ name }) => name === 'balances')!.meant!.sum;
}
