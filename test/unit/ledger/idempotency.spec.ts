import { describe, expect, it } from '@jest/globals';
import { v5 } from 'uuid';
import { fingerprint, recordId } from '../../../src/ledger/ids/idempotency.js';

describe('a record’s id', () => {
  it('a record’s id is the UUIDv5 of merchant, route and key, joined with NUL', () => {
    for (const [merchant, route, key] of [
      ['m', 'POST /v1/charges', 'k'],
      ['0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', 'POST /v1/payouts', 'ключ'],
    ] as const) {
      expect(recordId(merchant, route, key)).toBe(v5([merchant, route, key].join('\0'), '6f2a1c5e-0d3b-4b7e-9c1f-8a42d7e65b90'));
    }
  });
});

describe('a fingerprint', () => {
  const secret = Buffer.alloc(32, 1);
  const request = { amount: 1, metadata: { a: 'x', b: 'y' }, description: null };

  it('fingerprint ignores the order of fields, and undefined fields', () => {
    expect(fingerprint(secret, { description: null, metadata: { b: 'y', a: 'x' }, amount: 1, more: undefined })).toBe(fingerprint(secret, request));
  });

  it('fingerprint differs for another request or secret', () => {
    const others = [
      { ...request, amount: 2 },
      { ...request, description: '' },
      { ...request, metadata: { a: 'x' } },
    ];
    for (const other of others) expect(fingerprint(secret, other)).not.toBe(fingerprint(secret, request));
    expect(fingerprint(Buffer.alloc(32, 2), request)).not.toBe(fingerprint(secret, request));
  });
});
