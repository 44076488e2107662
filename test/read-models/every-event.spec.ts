import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { PROJECTIONS } from '../../src/app/projections.js';
import { SCHEMA_VERSIONS, type LedgerEventType } from '../../src/ledger/catalogue.js';
import { createPipeliningPool } from '../../src/platform/projector/projector.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { project } from '../support/projected.js';

const GOLDEN = new URL('../golden/', import.meta.url);
const files = readdirSync(GOLDEN).sort();

function example(type: string, version: number, at: number): OrdinalEvent {
  const newest = files.filter((file) => file.startsWith(`${type}.${version}.`)).at(-1)!;
  const { event } = JSON.parse(readFileSync(new URL(newest, GOLDEN), 'utf8')) as { event: Omit<OrdinalEvent, 'position' | 'ordinal'> };
  return { ...event, position: BigInt(at), ordinal: at };
}

/** The events that create the records of the others. */
const BEFORE: readonly LedgerEventType[] = [
  ...(['MerchantRegistered', 'CustomerCreated', 'ChargeCreated', 'ChargePaid', 'PayoutRegistered', 'PayoutRequested'] as const),
  ...(['ChargeRefundClaimed', 'ChargeDisputeOpened', 'SettlementOpened', 'ProposalMade', 'ReconSourceSet', 'StatementReceived'] as const),
];
/** Each example follows those events only, so some refer to missing records, and a read model reports that. It may report no other error. */
const IS_OF_ANOTHER_LOG = /\bnever\b|do not exist|without being opened/;

describe('an event of every type', () => {
  let database: TestDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createPipeliningPool({ url: database.url, applicationName: 'test', statementTimeoutMs: 0 }, 2);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it.each(PROJECTIONS.map((projection) => [projection.name, projection] as const))(
    'every event type is handled or ignored by each read model of %s',
    async (schema, projection) => {
      const before = BEFORE.map((type, n) => example(type, SCHEMA_VERSIONS[type], n + 1));
      await project(pool, projection, before, 1);
      const others = Object.entries(SCHEMA_VERSIONS).filter(([type]) => !BEFORE.some((each) => each === type));
      const errors: string[] = [];
      const tx = await pool.connect();
      try {
        for (const [type, version] of others) {
          const event = projection.decode(example(type, version, BEFORE.length + 1));
          for (const readModel of projection.readModels) {
            await tx.query('begin');
            await readModel.apply(tx, schema, [event]).catch((error: unknown) => {
              if (!IS_OF_ANOTHER_LOG.test(String(error))) errors.push(`${readModel.name}, ${type}: ${String(error)}`);
            });
            await tx.query('rollback');
          }
        }
      } finally {
        tx.release();
      }
      expect(errors).toEqual([]);
    },
  );
});
