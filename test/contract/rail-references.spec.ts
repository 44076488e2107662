import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { railReferencesMigrations } from '../../src/domain/payouts/transfer/rail-references.migrations.js';
import { partnerReferenceOf, PostgresRailReferences } from '../../src/domain/payouts/transfer/rail-references.js';
import { suiteDatabase } from '../support/suite-database.js';

const NOW = Date.parse('2026-03-02T08:00:00.123Z');
const PAYOUT = { payout_id: '11111111-2222-5333-8444-555555555555', created_on: '2026-03-02T08:00:00.000+00:00' };
const OTHER = { ...PAYOUT, payout_id: '21111111-2222-5333-8444-555555555555' };

describe('references that identify calls to a rail', () => {
  let pool: Pool;
  let references: PostgresRailReferences;
  suiteDatabase((opened) => (pool = opened), { migrations: railReferencesMigrations, maxConnections: 8 });
  beforeAll(async () => {
    references = new PostgresRailReferences(pool, () => NOW);
  });

  it('a reference has 19 digits, and that of a payout is always the same', async () => {
    const reference = await references.partnerReference('bca', PAYOUT);
    expect(reference).toMatch(/^1772438400000\d{6}$/);
    expect(await references.partnerReference('bca', PAYOUT)).toBe(reference);
    expect(await references.partnerReference('bri', PAYOUT)).toBe(reference);
    expect(await references.payoutOf('bca', reference)).toBe(PAYOUT.payout_id);
    expect(await references.payoutOf('mandiri', reference)).toBeUndefined();
    expect(await references.externalId('bca', '2026-03-02', PAYOUT.payout_id)).toMatch(/^1772438400123\d{6}$/);
  });

  it('references are unique: a payout whose reference is taken gets its next one and keeps it', async () => {
    await pool.query(`insert into rail_references values ('taken', 'payout', $1, $2, now())`, [partnerReferenceOf(OTHER, 0), PAYOUT.payout_id]);
    expect(await references.partnerReference('taken', OTHER)).toBe(partnerReferenceOf(OTHER, 1));
    expect(await references.partnerReference('taken', OTHER)).toBe(partnerReferenceOf(OTHER, 1));
  });

  it('each call of a day has another external id, also calls at the same moment', async () => {
    const made = await Promise.all(Array.from({ length: 500 }, () => references.externalId('bri', '2026-03-02', null)));
    expect(new Set(made).size).toBe(500);
  });
});
