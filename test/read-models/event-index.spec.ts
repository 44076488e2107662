import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findEventRefs } from '../../projections/audit/event-index.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { explainStatements, onPlans, workOf } from '../support/explained.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const EVENTS = 60_000;
const LIMIT = 500;

let database: TestDatabase;
let pool: Pool;
const work: number[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await explainStatements(database.url);
  pool = createPool({ url: database.url, applicationName: 'test', maxConnections: 1 });
  onPlans(pool, (text, plan) => {
    if (text.includes('from event_index.events')) work.push(workOf(plan));
  });
  const merchant = (n: string): string => `('00000000-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;
  await pool.query(`
    create schema event_index; create schema ledger;
    create table event_index.events (ordinal bigint primary key, position bigint not null, merchant_id uuid, revision integer not null,
      type text collate "C" not null, stream text collate "C" not null);
    create table ledger.owners (merchant_id uuid primary key, mode text not null);
    create table ledger.checkpoint (ordinal bigint not null);
    insert into ledger.owners select ${merchant('n')}, case n % 2 when 0 then 'live' else 'test' end from generate_series(0, 99) n;
    insert into ledger.checkpoint values (${EVENTS});
    insert into event_index.events select n, n, ${merchant('n % 100')}, 0, case n % 5 when 3 then 'SettlementOpened' else 'ChargePaid' end, 's' || n
      from generate_series(1, ${EVENTS}) n;
    create index events_by_type on event_index.events (type, ordinal);
    create index events_of_merchant on event_index.events (merchant_id, type, ordinal);
    analyze event_index.events; analyze ledger.owners`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('the index of events', () => {
  it('a page of a type and a mode reads its own part of the events of the type, not all of them', async () => {
    const found = await findEventRefs(pool, { mode: 'test', type: 'SettlementOpened', after: 0, limit: LIMIT, is_descending: true });
    expect(found).toHaveLength(LIMIT);
    expect(found[0]!.ordinal).toBeGreaterThan(EVENTS - 100);
    expect(work).toHaveLength(1);
    // All events of the type would be more.
    expect(work[0]).toBeLessThan(EVENTS / 5);
  });
});
