import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { SnapCredentials } from '../../../src/rails/snap/credentials.js';
import { NOTIFICATION_REPLIES, SnapInbound } from '../../../src/rails/snap/inbound.js';
import { jakartaTime } from '../../../src/rails/snap/jakarta.js';
import { snapProfile } from '../../../src/rails/snap/profiles.js';
import { asymmetricSignature, readPrivateKey, stringToSign, symmetricSignature, tokenStringToSign } from '../../../src/rails/snap/signature.js';
import { railFixture } from '../../support/rail-facts.js';
import { NOON, SNAP_CREDENTIALS } from '../../support/snap.js';

const BANK = readPrivateKey(SNAP_CREDENTIALS.private_key);
const REFERENCE = '0194fdc200007000800000000000000a01';
const CHARGE = '0194fdc2-0000-7000-8000-00000000000a';
const BODY = Buffer.from(JSON.stringify({ ...railFixture('snap-bca-qr-mpm-notify').request.body, originalPartnerReferenceNo: REFERENCE }, null, 2));
const PATH = { standard: '/v1.0/qr/qr-mpm-notify', bca: '/openapi/v1.0/qr/qr-mpm-notify' };

const inbound = (profile: string, credentials = SNAP_CREDENTIALS, previous?: SnapCredentials): SnapInbound =>
  new SnapInbound(snapProfile(profile)!, { name: 'bank-a', credentials, previous });

const tokenRequest = Buffer.from('{"grantType":"client_credentials","additionalInfo":{}}');
function tokenHeaders(profile: string, { key = BANK, at = NOON, clientKey = SNAP_CREDENTIALS.client_key } = {}) {
  const timestamp = jakartaTime(at);
  const signature = asymmetricSignature(key, tokenStringToSign(clientKey, timestamp), snapProfile(profile)!.encoding);
  return { 'x-client-key': clientKey, 'x-timestamp': timestamp, 'x-signature': signature };
}
const tokenOf = (from: SnapInbound, at = NOON): string => from.grant(tokenRequest, tokenHeaders('bca', { at }), at).body['accessToken']!;

function signed(
  profile: 'standard' | 'bca',
  { body = BODY, path = PATH[profile], at = NOON, token = '', secret = SNAP_CREDENTIALS.client_secret, key = BANK } = {},
) {
  const timestamp = jakartaTime(at);
  const common = { method: 'POST', path, body, timestamp };
  const { notify, encoding } = snapProfile(profile)!;
  if (notify === 'asymmetric') return { 'x-timestamp': timestamp, 'x-signature': asymmetricSignature(key, stringToSign(common), encoding) };
  const signature = symmetricSignature(secret, stringToSign({ ...common, token }), encoding);
  return { authorization: `Bearer ${token}`, 'x-timestamp': timestamp, 'x-signature': signature };
}
const about = { about: 'charge', charge_id: CHARGE, processor_reference: REFERENCE };

describe('notifications signed with the bank’s private key', () => {
  const door = inbound('standard');

  it('reads an authentic notification by the service’s own path', () => {
    expect(door.parse(BODY, signed('standard'), PATH.standard, NOON)).toEqual(about);
    expect(door.parse(BODY, signed('standard'), '', NOON)).toEqual(about);
  });

  it('ignores changes of white space', () => {
    const minified = Buffer.from(JSON.stringify(JSON.parse(BODY.toString())));
    expect(door.parse(minified, signed('standard'), '', NOON)).toEqual(about);
  });

  it.each([
    ['five minutes old', NOON - 300_000, true],
    ['older', NOON - 301_000, false],
    ['five minutes ahead', NOON + 300_000, true],
    ['further ahead', NOON + 301_000, false],
  ])('%s', (_, at, isTaken) => expect(door.parse(BODY, signed('standard', { at }), '', NOON) !== undefined).toBe(isTaken));

  it('rejects a notification with anything changed', () => {
    const headers = signed('standard');
    const another = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const refused: [Buffer, Record<string, string>, string][] = [
      [Buffer.from(BODY.toString().replace('50000.00', '50000.01')), headers, ''],
      [BODY, headers, '/v1.0/qr/qr-mpm-notify/'],
      [BODY, signed('standard', { path: '/v1.0/transfer/notify' }), ''],
      [BODY, { ...headers, 'x-timestamp': jakartaTime(NOON + 1_000) }, ''],
      [BODY, { ...headers, 'x-signature': headers['x-signature'].toUpperCase() + '00' }, ''],
      [BODY, signed('standard', { key: another }), ''],
      [BODY, { 'x-timestamp': headers['x-timestamp'] }, ''],
      [BODY, { 'x-signature': headers['x-signature'] }, ''],
      [BODY, { ...headers, 'x-timestamp': '2026-11-22' }, ''],
      [BODY, {}, ''],
    ];
    for (const [body, given, path] of refused) expect(door.parse(body, given, path, NOON)).toBeUndefined();
  });

  it('returns the subject of a notification, and no more', () => {
    const parse = (body: unknown, path: string = PATH.standard) => {
      const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      return door.parse(raw, signed('standard', { body: raw, path }), path, NOON);
    };
    expect(parse({ originalPartnerReferenceNo: '2020102900000000000001' })).toEqual({
      about: 'charge',
      charge_id: null,
      processor_reference: '2020102900000000000001',
    });
    expect(parse({ OriginalPartnerReferenceNo: '1763780000123456789' }, '/v1.0/transfer/notify')).toEqual({
      about: 'payout',
      partner_reference: '1763780000123456789',
    });
    const unsearchable = ['9\0', '9'.repeat(8_000)].map((originalPartnerReferenceNo) => ({ originalPartnerReferenceNo }));
    for (const body of [{}, [], 'no JSON', { originalPartnerReferenceNo: { a: 1 } }, '', ...unsearchable])
      expect(parse(body)).toEqual({ about: 'nothing' });
  });
});

describe('notifications signed with the secret and a token of ours', () => {
  const door = inbound('bca');

  it('reads a notification while the token lasts', () => {
    const token = tokenOf(door);
    expect(door.parse(BODY, signed('bca', { token }), PATH.bca, NOON)).toEqual(about);
    const late = NOON + 899_000;
    expect(door.parse(BODY, signed('bca', { token, at: late }), '', late)).toEqual(about);
    const over = NOON + 900_000;
    expect(door.parse(BODY, signed('bca', { token, at: over }), '', over)).toBeUndefined();
  });

  it('rejects a token or a secret that is not ours', () => {
    const token = tokenOf(door);
    const [seconds, mac] = token.split('.') as [string, string];
    const others = inbound('bca', {
      ...SNAP_CREDENTIALS,
      private_key: generateKeyPairSync('rsa', {
        modulusLength: 2048,
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
        publicKeyEncoding: { type: 'spki', format: 'pem' },
      }).privateKey,
    });
    for (const wrong of ['', 'x', tokenOf(others), `${Number(seconds) + 900}.${mac}`, `${seconds}.${mac.slice(1)}`, `${token}x`]) {
      expect(door.parse(BODY, signed('bca', { token: wrong }), '', NOON)).toBeUndefined();
    }
    expect(door.parse(BODY, signed('bca', { token, secret: 'another' }), '', NOON)).toBeUndefined();
    const { authorization: _, ...without } = signed('bca', { token });
    expect(door.parse(BODY, without, '', NOON)).toBeUndefined();
  });

  it('accepts notifications under the previous credentials until those are retired', () => {
    const newer = { ...SNAP_CREDENTIALS, client_secret: 'rotated-secret-of-the-specs', client_key: 'rotated' };
    const both = inbound('bca', newer, SNAP_CREDENTIALS);
    const token = tokenOf(door);
    expect(both.parse(BODY, signed('bca', { token }), '', NOON)).toEqual(about);
    const granted = both.grant(tokenRequest, tokenHeaders('bca', { clientKey: 'rotated' }), NOON).body['accessToken']!;
    expect(both.parse(BODY, signed('bca', { token: granted, secret: newer.client_secret }), '', NOON)).toEqual(about);
    expect(both.parse(BODY, signed('bca', { token: granted }), '', NOON)).toBeUndefined();
    expect(inbound('bca', newer).parse(BODY, signed('bca', { token }), '', NOON)).toBeUndefined();
  });
});

describe('our access tokens', () => {
  const door = inbound('bca');

  it('grants a token as the standard answers', () => {
    const { status, body } = door.grant(tokenRequest, tokenHeaders('bca'), NOON);
    const { accessToken: _, additionalInfo: __, responseMessage: ___, ...wanted } = railFixture('snap-token-b2b').response.body;
    expect([status, body]).toEqual([200, { ...wanted, responseMessage: 'Successful', accessToken: expect.stringMatching(/^\d{10}\.[\w-]{43}$/) }]);
  });

  it('rejects strangers, late requests and malformed requests', () => {
    const another = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const headers = tokenHeaders('bca');
    const grant = (given: Record<string, string>, body = tokenRequest) => door.grant(body, given, NOON).body['responseCode'];
    expect(grant(tokenHeaders('bca', { key: another }))).toBe('4017300');
    expect(grant(tokenHeaders('bca', { clientKey: 'somebody' }))).toBe('4017300');
    expect(grant(tokenHeaders('bca', { at: NOON - 301_000 }))).toBe('4017300');
    expect(grant({ ...headers, 'x-signature': '' })).toBe('4017300');
    expect(grant({})).toBe('4007302');
    expect(grant({ 'x-client-key': SNAP_CREDENTIALS.client_key })).toBe('4007302');
    expect(grant(headers, Buffer.from('{}'))).toBe('4007302');
    expect(grant(headers, Buffer.from('garbage'))).toBe('4007302');
  });
});

describe('replies to notifications', () => {
  it('replies match the fixtures', () => {
    const { taken, 'not-found': notFound, unauthorised, unavailable } = NOTIFICATION_REPLIES;
    expect(taken).toEqual({ status: 200, body: railFixture('snap-bca-qr-mpm-notify').response.body });
    expect({ http: notFound.status, body: notFound.body }).toEqual(railFixture('snap-error-4045201').response);
    expect([unauthorised.status, unavailable.status]).toEqual([401, 500]);
  });
});
