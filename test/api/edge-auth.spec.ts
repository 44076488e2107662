import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashKey, makeKey, parseKey } from '../../src/platform/auth/api-key.js';
import { TokenBuckets } from '../../src/platform/auth/token-bucket.js';
import { type EdgeApp, startEdge } from '../support/edge-app.js';

let edge: EdgeApp;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.app.close());

async function answer(path: string, authorization?: string, init: RequestInit = {}) {
  const response = await fetch(edge.url + path, { ...init, headers: { ...(authorization === undefined ? {} : { authorization }), ...init.headers } });
  const body = response.status === 204 ? {} : ((await response.json()) as { code?: string });
  return [response.status, body.code, response.headers.get('www-authenticate')];
}

const REALM = 'Bearer realm="chargebook"';
const MALFORMED = [401, 'unauthenticated', REALM];
const INVALID = [401, 'unauthenticated', `${REALM}, error="invalid_token"`];

describe('a credential', () => {
  it('a request without a key returns 401', async () => {
    expect(await answer('/v1/orders')).toEqual(MALFORMED);
  });

  it('a malformed key returns 401, any case of the scheme is accepted', async () => {
    const key = edge.keys.issue();
    const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    for (const text of [
      '',
      'Bearer',
      'Bearer ',
      key,
      `Basic ${key}`,
      `Bearer ${mistyped}`,
      `Bearer ${key}x`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer "${key}"`,
      `Bearer ${key} ${key}`,
      'Bearer sk_test_',
      'Bearer é',
    ]) {
      expect(await answer('/v1/orders', text)).toEqual(MALFORMED);
    }
    expect((await answer('/v1/orders', `Bearer ${key}`))[0]).toBe(200);
    expect((await answer('/v1/orders', `bearer   ${key}`))[0]).toBe(200);
  });

  it('an unknown, expired or revoked key returns 401', async () => {
    const past = new Date(Date.now() - 1).toISOString().replace('Z', '+00:00');
    const future = new Date(Date.now() + 60_000).toISOString().replace('Z', '+00:00');
    expect(await answer('/v1/orders', `Bearer ${makeKey('sk_test_')}`)).toEqual(INVALID);
    expect(await answer('/v1/orders', `Bearer ${edge.keys.issue({ expires_on: past })}`)).toEqual(INVALID);
    expect(await answer('/v1/orders', `Bearer ${edge.keys.issue({ revoked_on: past })}`)).toEqual(INVALID);
    expect((await answer('/v1/orders', `Bearer ${edge.keys.issue({ expires_on: future, revoked_on: future })}`))[0]).toBe(200);
  });

  it('a key without the scope returns 403', async () => {
    const reader = `Bearer ${edge.keys.issue({ scopes: ['orders:read'] })}`;
    expect((await answer('/v1/orders', reader))[0]).toBe(200);
    expect(await answer('/v1/orders/42', reader, { method: 'DELETE' })).toEqual([
      403,
      'insufficient-scope',
      `${REALM}, error="insufficient_scope", scope="orders:write"`,
    ]);
    expect((await answer('/v1/orders', `Bearer ${edge.keys.issue({ scopes: [] })}`))[0]).toBe(403);
  });

  it('a key of another kind returns 403', async () => {
    const finance = `Bearer ${edge.keys.issue({ kind: 'finance', scopes: [] })}`;
    const merchant = `Bearer ${edge.keys.issue()}`;
    expect(await answer('/v1/orders', finance)).toEqual([403, 'insufficient-scope', `${REALM}, error="insufficient_scope", scope="orders:read"`]);
    expect(await answer('/audit/events', merchant)).toEqual([403, 'insufficient-scope', `${REALM}, error="insufficient_scope", scope="finance"`]);
    expect((await answer('/audit/events', finance))[0]).toBe(200);
  });

  it('key and scope are checked before the body', async () => {
    const broken = { method: 'POST', body: '{', headers: { 'content-type': 'text/plain' } };
    expect(await answer('/v1/orders', undefined, broken)).toEqual(MALFORMED);
    expect((await answer('/v1/orders', `Bearer ${edge.keys.issue({ scopes: ['orders:read'] })}`, broken))[1]).toBe('insufficient-scope');
    expect((await answer('/v1/orders', `Bearer ${edge.keys.issue()}`, broken))[1]).toBe('unsupported-media-type');
  });

  it('a well-formed key returns 503 while revocations may be missed', async () => {
    const key = `Bearer ${edge.keys.issue()}`;
    edge.keys.fresh = false;
    expect((await answer('/v1/orders', key)).slice(0, 2)).toEqual([503, 'unavailable']);
    expect((await answer('/v1/orders')).slice(0, 2)).toEqual([401, 'unauthenticated']);
    edge.keys.fresh = true;
    expect((await answer('/v1/orders', key))[0]).toBe(200);
  });
});

describe('a key', () => {
  it('ends with the CRC-32 of its 30 random characters', () => {
    const key = makeKey('sk_live_', (size) => new Uint8Array(size));
    expect(key).toBe(`sk_live_${'0'.repeat(30)}${base62(crc32(Buffer.from('0'.repeat(30))))}`);
    expect(parseKey(key)).toEqual({ prefix: 'sk_live_' });
  });

  it('keys are random over the whole alphabet', () => {
    const keys = Array.from({ length: 500 }, () => makeKey('fk_'));
    expect(new Set(keys).size).toBe(500);
    expect(new Set(keys.flatMap((key) => [...key.slice(3, 33)])).size).toBe(62);
    for (const key of keys) expect(parseKey(key)).toEqual({ prefix: 'fk_' });
  });

  it('rejects random bytes that would make some characters more likely', () => {
    let next = 0;
    const key = makeKey('fk_', (size) => Uint8Array.from({ length: size }, () => (next++ % 2 === 0 ? 255 : 61)));
    expect(key.slice(3, 33)).toBe('z'.repeat(30));
  });

  it('any single changed character makes the key invalid', () => {
    const key = makeKey('sk_test_');
    for (let at = 8; at < key.length; at += 1) {
      expect(parseKey(key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1))).toBeUndefined();
    }
    for (const text of ['', 'sk_test_', key.toLowerCase(), key.slice(1), ` ${key}`, `${key}\n`, key.replace('sk_test', 'sk_prod')])
      expect(parseKey(text)).toBeUndefined();
  });

  it('the stored hash of a key is its SHA-256', () => {
    expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

/** CRC-32 bit by bit, as in its specification. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function base62(value: number): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let text = '';
  for (let i = 0; i < 6; i += 1) {
    text = alphabet.charAt(value % 62) + text;
    value = Math.floor(value / 62);
  }
  return text;
}

describe('the rate limit', () => {
  let now: number;
  beforeEach(() => {
    now = 1000;
  });
  const buckets = (rate: number) => new TokenBuckets(rate, () => now);

  it('a bucket permits a burst of twice the rate, and refills at the rate', () => {
    const limit = buckets(100);
    for (let n = 1; n <= 200; n += 1) expect(limit.take('m')).toMatchObject({ allowed: true, remaining: 200 - n });
    expect(limit.take('m')).toEqual({ allowed: false, remaining: 0, resetSeconds: 2, retryAfterSeconds: 1 });
    now += 10;
    expect(limit.take('m').allowed).toBe(true);
    expect(limit.take('m').allowed).toBe(false);
    now += 60_000;
    expect(limit.take('m')).toMatchObject({ allowed: true, remaining: 199, resetSeconds: 1 });
  });

  it('each merchant has a separate bucket', () => {
    const limit = buckets(1);
    limit.take('a');
    limit.take('a');
    expect([limit.take('a').allowed, limit.take('b').allowed]).toEqual([false, true]);
  });

  it('keeps a bounded number of merchants', () => {
    const limit = buckets(1);
    for (let n = 0; n < 30_000; n += 1) limit.take(`m${n}`);
    expect((limit as unknown as { buckets: Map<string, unknown> }).buckets.size).toBeLessThanOrEqual(10_000);
  });

  it('every authenticated response reports the rate limit, and requests beyond it return 429', async () => {
    const limited = await startEdge({ rateLimitPerSecond: 2 });
    try {
      const headers = { authorization: `Bearer ${limited.keys.issue({ scopes: ['orders:read'] })}` };
      const get = (path: string, init: RequestInit = {}) => fetch(limited.url + path, { ...init, headers });
      const rate = (response: Response) => [response.status, response.headers.get('ratelimit-policy'), response.headers.get('ratelimit')];
      expect(rate(await get('/v1/orders'))).toEqual([200, '"default";q=4;w=2', '"default";r=3;t=1']);
      expect(rate(await get('/v1/orders/42'))).toEqual([404, '"default";q=4;w=2', '"default";r=2;t=1']);
      expect(rate(await get('/v1/orders/42', { method: 'DELETE' }))).toEqual([403, '"default";q=4;w=2', '"default";r=1;t=2']);
      let response = await get('/v1/orders');
      while (response.status === 200) response = await get('/v1/orders');
      expect(rate(response)).toEqual([429, '"default";q=4;w=2', '"default";r=0;t=1']);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await response.json()).toMatchObject({ code: 'rate-limited', status: 429 });
      expect(rate(await fetch(`${limited.url}/v1/orders`))).toEqual([401, null, null]);
      const other = { authorization: `Bearer ${limited.keys.issue({ merchant_id: '0198c0de-0000-4000-8000-000000000002' })}` };
      expect((await fetch(`${limited.url}/v1/orders`, { headers: other })).status).toBe(200);
    } finally {
      await limited.app.close();
    }
  });

  it('requests without a key share a bucket per address behind trusted proxies, and a browser receives a page', async () => {
    const limited = await startEdge({ rateLimitPerSecond: 2, trustedProxies: ['127.0.0.1', '10.0.0.0/8'] });
    try {
      const get = (from: string | undefined, path = '/pay/x', headers: Record<string, string> = {}) =>
        fetch(limited.url + path, { headers: { ...headers, ...(from !== undefined && { 'x-forwarded-for': from }) } });
      const exhaust = async (...addresses: (string | undefined)[]): Promise<number[]> => {
        const answers: number[] = [];
        for (let n = 0; n < 8; n += 1) answers.push((await get(addresses[n % addresses.length])).status);
        return answers;
      };
      expect(await exhaust('198.51.100.1')).toContain(429);
      // Addresses that a client adds itself are left of the address that the proxy saw.
      expect(await exhaust('203.0.113.1, 198.51.100.1', '203.0.113.2, 198.51.100.1, 10.0.0.3')).toContain(429);
      expect(await exhaust('198.51.100.2, 198.51.100.3', '198.51.100.4')).not.toContain(429);
      expect(await exhaust('2001:db8:1:1::1', '2001:db8:1:1:ffff::2')).toContain(429);
      expect((await get('2001:db8:1:2::1')).status).toBe(200);
      // Gateways such as Azure's add the port of each connection, and brackets.
      expect(await exhaust('203.0.113.7:51234', '203.0.113.7:51235', '203.0.113.7')).toContain(429);
      expect((await get('203.0.113.8:51234')).status).toBe(200);
      expect(await exhaust('[2001:db8:7::1]:443', '[2001:db8:7::2]', '[2001:db8:7::3]:1')).toContain(429);
      expect((await get('[2001:db8:8::1]:443')).status).toBe(200);
      expect(await exhaust('203.0.113.9:1, 203.0.113.10:2, 10.0.0.3:443', '203.0.113.11, 203.0.113.10:3,10.0.0.4')).toContain(429);
      expect((await get('203.0.113.9:1')).status).toBe(200);
      expect(await exhaust('nonsense')).toContain(429);
      expect(await exhaust(undefined)).not.toContain(429);
      expect(await exhaust('192.168.1.7')).not.toContain(429);

      let answer = await get('198.51.100.9');
      while (answer.status === 200) answer = await get('198.51.100.9');
      expect([answer.headers.get('retry-after'), ((await answer.json()) as { code: string }).code]).toEqual(['1', 'rate-limited']);
      for (let n = 0; n < 6; n += 1) answer = await get('198.51.100.9', '/pay/x', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('retry-after')]).toEqual([429, 'text/html; charset=utf-8', '1']);
      expect(await answer.text()).toContain('<h1>Too many requests</h1>');
      for (const path of ['/health/ready', '/metrics']) expect((await get('198.51.100.9', path)).status).toBe(200);
      expect((await get('198.51.100.9', '/problems/rate-limited')).status).toBe(429);
    } finally {
      await limited.app.close();
    }
  });

  it('ignores X-Forwarded-For from proxies that are not trusted', async () => {
    const limited = await startEdge({ rateLimitPerSecond: 2 });
    try {
      for (let n = 0; n < 8; n += 1) {
        expect((await fetch(`${limited.url}/pay/x`, { headers: { 'x-forwarded-for': '198.51.100.1' } })).status).toBe(200);
      }
    } finally {
      await limited.app.close();
    }
  });

  it('a rate limit that is off adds no headers', async () => {
    const response = await fetch(`${edge.url}/v1/orders`, { headers: { authorization: `Bearer ${edge.keys.issue()}` } });
    expect([response.status, response.headers.get('ratelimit')]).toEqual([200, null]);
  });
});
