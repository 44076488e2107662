import { describe, expect, it } from '@jest/globals';
import { statementOfToken, statementToken } from '../../../src/domain/balances/statement-link.js';
import { monthIn, monthOf } from '../../../src/domain/balances/statement-period.js';

const SECRET = Buffer.alloc(32, 7);
const LINK = { merchant_id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', currency: 'IDR', month: '2026-01', expires: 1_800_000_000 };

describe('the token of a statement', () => {
  it('returns the statement and its expiry', () => {
    const token = statementToken(SECRET, LINK);
    expect(token).toMatch(/^[\w-]{58}$/);
    expect(statementOfToken(SECRET, token)).toEqual(LINK);
  });

  it('rejects a token with any bit changed, cut off or padded, and one under another secret', () => {
    const token = statementToken(SECRET, LINK);
    const bytes = Buffer.from(token, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(statementOfToken(SECRET, changed.toString('base64url'))).toBeNull();
    }
    for (const other of ['', token.slice(1), token.slice(0, -1), `${token}A`, `${token}=`, `${token}\n`, '%', 'é'.repeat(58)]) {
      expect(statementOfToken(SECRET, other)).toBeNull();
    }
    expect(statementOfToken(Buffer.alloc(32, 8), token)).toBeNull();
  });

  it('accepts only a merchant, a currency and a month', () => {
    for (const wrong of [{ merchant_id: 'me' }, { currency: 'idr' }, { month: '2026-13' }]) {
      expect(() => statementToken(SECRET, { ...LINK, ...wrong })).toThrow(RangeError);
    }
  });
});

describe('a month on the clocks of a zone', () => {
  it.each([
    ['2026-01', 'Asia/Jakarta', '2025-12-31T17:00:00.000+00:00', '2026-01-31T16:59:59.999+00:00'],
    ['2026-12', 'Asia/Singapore', '2026-11-30T16:00:00.000+00:00', '2026-12-31T15:59:59.999+00:00'],
    ['2028-02', 'UTC', '2028-02-01T00:00:00.000+00:00', '2028-02-29T23:59:59.999+00:00'],
    // The clocks change within it.
    ['2026-03', 'Europe/Berlin', '2026-02-28T23:00:00.000+00:00', '2026-03-31T21:59:59.999+00:00'],
  ])('%s in %s', (month, zone, from, to) => {
    expect(monthIn(month, zone)).toEqual({ from, to });
    expect([monthOf(Date.parse(from), zone), monthOf(Date.parse(to), zone)]).toEqual([month, month]);
    expect(monthOf(Date.parse(from) - 1, zone)).not.toBe(month);
  });

  it('rejects a text that is no month', () => {
    for (const month of ['2026-00', '2026-13', '26-01', '', '2026-1']) expect(() => monthIn(month, 'UTC')).toThrow(RangeError);
  });
});
