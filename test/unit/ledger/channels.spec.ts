import { describe, expect, it } from '@jest/globals';
import { channelNumber } from '../../../projections/charges/charge-blocks.js';
import { formatAmount, formatTime } from '../../../src/platform/text/format.js';
import { CHANNELS } from '../../../src/ledger/channels.js';

describe('every shipped channel', () => {
  it('no two channels share a number in the lists of charges', () => {
    const numbers = CHANNELS.map(({ code, currency }) => channelNumber(code, currency));
    expect(new Set(numbers).size).toBe(CHANNELS.length);
    expect(CHANNELS.length).toBeGreaterThanOrEqual(9);
  });

  it.each(CHANNELS)('$code has a form for its amounts and a clock for its times', ({ currency, country, min_amount }) => {
    expect(formatAmount(min_amount, currency)).toMatch(/\d/);
    expect(formatTime('2026-01-31T08:15:30.123+00:00', country, 'en')).toMatch(/^31 Jan 2026, \d\d:\d\d:30 \w+$/);
  });
});
