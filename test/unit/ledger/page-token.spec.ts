import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chargeOfToken, pageToken, pageUrls } from '../../../src/ledger/ids/page-token.js';

const SECRET = Buffer.alloc(32, 7);
const CHARGE = '3f0c1d5e-6a7b-5c8d-9e0f-112233445566';

describe('page tokens', () => {
  it('opens the page that it was made for, for every charge', () => {
    fc.assert(
      fc.property(fc.uuid(), (chargeId) => {
        expect(chargeOfToken('pay', SECRET, pageToken('pay', SECRET, chargeId))).toBe(chargeId);
        expect(chargeOfToken('simulate', SECRET, pageToken('simulate', SECRET, chargeId))).toBe(chargeId);
      }),
      { seed: 1 },
    );
  });

  it('opens no other page, and none under another key', () => {
    const token = pageToken('pay', SECRET, CHARGE);
    expect(chargeOfToken('simulate', SECRET, token)).toBeNull();
    expect(chargeOfToken('pay', Buffer.alloc(32, 8), token)).toBeNull();
  });

  it('rejects any change of any character, the spare bits of the last one included', () => {
    const token = pageToken('pay', SECRET, CHARGE);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let at = 0; at < token.length; at += 1) {
      for (const other of alphabet) {
        if (other === token[at]) continue;
        expect(chargeOfToken('pay', SECRET, token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
      }
    }
  });

  it.each(['', 'x', CHARGE, `${pageToken('pay', SECRET, CHARGE)}=`, `${pageToken('pay', SECRET, CHARGE)}A`, '../../etc/passwd', '\0'.repeat(43)])(
    'rejects a malformed token: %j',
    (token) => expect(chargeOfToken('pay', SECRET, token)).toBeNull(),
  );

  it('the addresses of the pages contain the tokens', () => {
    expect(pageUrls('https://pay.example', SECRET, CHARGE)).toEqual({
      embedded_url: `https://pay.example/pay/${pageToken('pay', SECRET, CHARGE)}`,
      simulation_url: `https://pay.example/simulate/${pageToken('simulate', SECRET, CHARGE)}`,
    });
    expect(pageToken('simulate', SECRET, CHARGE)).toMatch(/^[\w-]{43}$/);
  });
});
