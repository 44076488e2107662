import { describe, expect, it } from '@jest/globals';
import { serviceAlarms } from '../../../src/web/console/operations/service-alarms.js';
import type { HealthReport } from '../../../src/platform/http/health.js';

const report = (checks: HealthReport['checks']): HealthReport => ({ status: 'ready', checks });

describe('alarms of the service on the console', () => {
  it('reports no alarm while every check is well', () => {
    const checks = {
      postgres: { status: 'ok' },
      event_store: { status: 'ok' },
      clock: { status: 'ok', skew_seconds: -0.4 },
      projection_ledger: { status: 'ok', position: 12, lag_seconds: 0 },
      disk: { status: 'ok', free_bytes: 1_000_000_000_000 },
    } as const;
    expect(serviceAlarms(report(checks))).toEqual([]);
  });

  it.each([
    ['event_store', { went_back_on: '2026-01-31T08:15:30.123+00:00' }, /restored to an older state \(found 2026-01-31T08:15:30\.123\+00:00\)/],
    ['clock', { skew_seconds: -61, alarm: 'behind' }, /behind the database’s by 61 seconds/],
    ['disk', { low: true }, /almost full/],
    ['projection_recon', { standstill_seconds: 42 }, /not moved for 42 seconds/],
  ] as const)('reports %s when it warns while the process serves', (check, found, detail) => {
    expect(serviceAlarms(report({ [check]: { status: 'ok', ...found } }))).toEqual([{ check, detail: expect.stringMatching(detail) }]);
  });

  it('reports a check that fails, and its other alarms', () => {
    const alarms = serviceAlarms(report({ postgres: { status: 'failing' }, clock: { status: 'failing', skew_seconds: -9, alarm: 'behind' } }));
    expect(alarms.map(({ check }) => check)).toEqual(['postgres', 'clock', 'clock']);
    expect(alarms[0]!.detail).toMatch(/check fails/);
  });
});
