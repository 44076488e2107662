import { describe, expect, it } from '@jest/globals';
import { dueOfStep, nextStep } from '../../../src/domain/charges/remote/rail-poller.js';
import { timestamp } from '../../../src/ledger/time.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.parse('2026-01-30T10:00:00.000Z');
const lasting = (ms: number) => ({ created_on: timestamp(START), expires_on: timestamp(START + ms) });

describe('the schedule of looks at a charge', () => {
  it('looks a minute and ten minutes after creation, at expiry, a day after that, and then daily for three days', () => {
    const created = lasting(30 * MINUTE);
    const expired = 30 * MINUTE + 2_000;
    const dues = Array.from({ length: 7 }, (_, step) => dueOfStep(created, step) - START);
    expect(dues).toEqual([MINUTE, 10 * MINUTE, expired, expired + DAY, expired + 2 * DAY, expired + 3 * DAY, expired + 4 * DAY]);
  });

  it('skips past looks, but none from the expiry on', () => {
    const created = lasting(30 * MINUTE);
    expect(nextStep(created, 0, START + MINUTE)).toBe(1);
    expect(nextStep(created, 0, START + 15 * MINUTE)).toBe(2);
    expect(nextStep(created, 2, START + 9 * DAY)).toBe(3);
    expect(nextStep(created, 6, START + 9 * DAY)).toBe(7);
  });

  it('skips the look at ten minutes for a charge that has ended before', () => {
    expect(nextStep(lasting(5 * MINUTE), 0, START + MINUTE)).toBe(2);
  });
});
