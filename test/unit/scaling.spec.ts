import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { MEASURED } from '../../bench/scaling-costs.js';
import {
  capacity,
  catchUpSeconds,
  cellsFor,
  coresFor,
  eventsOfDay,
  growth,
  meanOfClosed,
  meanOfOpen,
  p99Of,
  perSecondOf,
  restoreSeconds,
  sharedOut,
  slowestOf,
} from '../../bench/scaling-model.js';
import { scalingTables } from '../../bench/scaling-tables.js';
import { makeKey, hashKey } from '../../src/platform/auth/api-key.js';
import { createHash } from 'node:crypto';

const page = readFileSync('docs/scaling.md', 'utf8');
const tables = scalingTables(MEASURED);

describe('docs/scaling.md', () => {
  it.each(Object.entries(tables))('page has the table "%s" as the script prints it', (_, table) => {
    expect(page).toContain(`\n\n${table}\n\n`);
  });

  it('page has no other table of figures', () => {
    const withoutPrinted = Object.values(tables).reduce((text, table) => text.replaceAll(table, ''), page);
    const rows = withoutPrinted.split('\n').filter((line) => line.startsWith('|'));
    // A cell that is a number, with or without a unit.
    expect(rows.filter((row) => /\| *[\d.,]+(?: [\w%]+)? *\|/.test(row))).toEqual([]);
  });

  it('routes a key by the hash that the service looks it up by', () => {
    const key = makeKey('sk_test_');
    expect(page).toContain('sha2(256),hex,lower');
    expect(hashKey(key)).toBe(createHash('sha256').update(key).digest('hex'));
  });
});

describe('the costs', () => {
  it('measured work fits the cores of the machine', () => {
    for (const { per_second, cpu_us } of MEASURED.creates) {
      const { api, background, postgres, load } = cpu_us;
      expect(((api + background + postgres + load) * per_second) / 1e6).toBeLessThan(MEASURED.cores);
    }
    for (const { cores } of MEASURED.paced) expect(cores).toBeLessThan(MEASURED.cores);
  });

  it('listed tables are more than 98 % of the measured bytes, and no more than all', () => {
    const listed = MEASURED.tables.reduce((sum, { bytes, index_bytes }) => sum + bytes + index_bytes, 0);
    const { log_bytes, read_model_bytes, sealed_bytes } = MEASURED.dense;
    const share = listed / (log_bytes + read_model_bytes + sealed_bytes);
    expect(share).toBeLessThanOrEqual(1);
    expect(share).toBeGreaterThan(0.98);
  });
});

describe('the model', () => {
  const cpu = { api: 100, background: 50, postgres: 50 };
  const log = { charges: 10, events: 30, log_bytes: 1_000, read_model_bytes: 2_000, sealed_bytes: 500 };

  it.each([
    [1, 1, { per_second: 2_500, limit: 'cores' }],
    [4, 1, { per_second: 10_000, limit: 'cores' }],
    [5, 1, { per_second: 10_000, limit: 'projector' }],
    // 100 for the API, 300 for the work that follows from three events.
    [1, 3, { per_second: 1_250, limit: 'cores' }],
  ])('carries on %d cores, with %d events a request, %j', (cores, events, expected) => {
    expect(capacity(cores, cpu, 0.5, events)).toEqual(expected);
  });

  it('adds up the bytes that charges leave on the disk', () => {
    expect(growth(100, 12, log)).toEqual({
      ...{ charges: 1_200, events: 3_600 },
      ...{ log_bytes: 120_000, read_model_bytes: 240_000, sealed_bytes: 60_000, bytes: 420_000 },
    });
  });

  it('spreads a month over its seconds', () => {
    expect(perSecondOf(2_629_800)).toBe(1);
    expect(eventsOfDay(2_629_800, log)).toBe(259_200);
  });

  it('requests in flight are their rate times their duration', () => {
    expect(meanOfClosed({ in_flight: 16, per_second: 4_000 })).toBe(4);
  });

  it('requests wait longer the less capacity is left', () => {
    expect([0, 0.5, 0.75].map((utilisation) => meanOfOpen(2, utilisation))).toEqual([2, 4, 8]);
    expect(p99Of(1)).toBeCloseTo(4.605, 3);
  });

  it('shares out all work but the reading', () => {
    expect(sharedOut(1, 10, 40)).toBeCloseTo(10);
    // 0.1 s of which 0.025 are reading: the other 0.075 in three parts.
    expect(sharedOut(3, 10, 40)).toBeCloseTo(20);
    expect(sharedOut(1e9, 10, 40)).toBeCloseTo(40);
    expect(slowestOf([30, 20, 50])).toBe(20);
  });

  it('counts the cores of processes and of their Postgres', () => {
    expect(coresFor(2, 10_000, 50)).toBe(3);
    expect(coresFor(2, 20_000, 50)).toBe(3);
    expect(coresFor(2, 20_001, 50)).toBe(4);
  });

  it('uses as many cells as the time requires', () => {
    expect([100, 101, 200].map((events) => cellsFor(events, 10, 10))).toEqual([1, 2, 2]);
  });

  it('catches up with the rest of its speed', () => {
    expect(catchUpSeconds(100, 10, 200)).toBe(10);
    expect(catchUpSeconds(200, 10, 200)).toBe(Infinity);
    expect(restoreSeconds(1_000, 100, 50, 10)).toBe(15);
  });
});
