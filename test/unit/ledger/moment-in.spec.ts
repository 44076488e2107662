import { describe, expect, it } from '@jest/globals';
import { momentIn } from '../../../src/ledger/days.js';

describe('momentIn', () => {
  it.each([
    ['UTC', '2026-10-31', '17:00', '2026-10-31T17:00:00.000Z'],
    ['Asia/Jakarta', '2026-10-31', '17:00', '2026-10-31T10:00:00.000Z'],
    ['Asia/Jakarta', '2026-10-31', '03:15:09', '2026-10-30T20:15:09.000Z'],
    ['Asia/Kathmandu', '2026-10-31', '00:00', '2026-10-30T18:15:00.000Z'],
    ['America/New_York', '2026-07-01', '23:59:59', '2026-07-02T03:59:59.000Z'],
    // The clocks change at two o'clock: an hour before and after it.
    ['America/New_York', '2026-03-08', '01:00', '2026-03-08T06:00:00.000Z'],
    ['America/New_York', '2026-03-08', '03:00', '2026-03-08T07:00:00.000Z'],
    ['America/New_York', '2026-11-01', '00:30', '2026-11-01T04:30:00.000Z'],
    ['America/New_York', '2026-11-01', '02:30', '2026-11-01T07:30:00.000Z'],
    ['Pacific/Auckland', '2026-04-05', '04:00', '2026-04-04T16:00:00.000Z'],
  ])('in %s, %s %s is %s', (zone, day, time, moment) => {
    expect(new Date(momentIn(zone, day, time)).toISOString()).toBe(moment);
  });

  it('of two moments, and of a time that is skipped, returns one that is right to the hour', () => {
    for (const [day, time] of [
      ['2026-11-01', '01:30'],
      ['2026-03-08', '02:30'],
    ] as const) {
      const shown = momentIn('America/New_York', day, time) - 4 * 3_600_000;
      expect(Math.abs(shown - Date.parse(`${day}T${time}Z`))).toBeLessThanOrEqual(3_600_000);
    }
  });
});
