import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issueKey, revokeKey, rotateKey, setChannel, setFee } from '../../src/domain/merchants/merchant.commands.js';
import { eventually, within } from '../support/eventually.js';
import { call, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

let service: TestService;
let merchant: TestMerchant;

beforeAll(async () => {
  service = await startTestService();
  merchant = await service.newMerchant({ country: 'SG' });
});
afterAll(() => service.stop());

const WHEN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
const get = (path: string, key = merchant.key): Promise<Answer> => service.call('GET', path, { key });
const ownerOf = ({ merchant_id }: TestMerchant) => ({ kind: 'merchant', merchant_id }) as const;

describe('the calling merchant', () => {
  it('reads its own record, with its fees', async () => {
    const answer = await get('/v1/merchants/me');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: merchant.merchant_id,
      name: 'Kopi Kita',
      email: null,
      country: 'SG',
      mode: 'TEST',
      status: 'ACTIVE',
      default_currency: 'SGD',
      timezone: 'Asia/Singapore',
      fees: {
        charges: expect.arrayContaining([
          { channel_code: 'QR_QRIS', fee: { type: 'PERCENTAGE', value: 0.7 } },
          { channel_code: 'BANK_REDIRECT_FPX', fee: { type: 'FIXED', value: 100 } },
        ]),
        payouts: [
          { currency: 'IDR', fee: { type: 'FIXED', value: 250_000 } },
          { currency: 'MYR', fee: { type: 'FIXED', value: 100 } },
          { currency: 'SGD', fee: { type: 'FIXED', value: 50 } },
        ],
        disputes: ['IDR', 'MYR', 'SGD'].map((currency) => ({ currency, fee: { type: 'FIXED', value: 0 } })),
      },
      web_hook: null,
      created_on: expect.stringMatching(WHEN),
      updated_on: expect.stringMatching(WHEN),
    });
  });

  it('a new merchant has all shipped channels, whatever its country', async () => {
    const answer = await get('/v1/merchants/me/channels');
    expect(answer.status).toBe(200);
    expect(answer.body).toHaveLength(9);
    expect(answer.body).toContainEqual({
      code: 'qr_qris',
      name: 'QRIS',
      country: 'ID',
      currency: 'IDR',
      settlement: 'T+2',
      min_amount: 100,
      max_amount: 1_000_000_000,
      refund: { days: 30, partial: true },
      last_modified_by: 'System',
      last_modified_on: expect.stringMatching(WHEN),
    });
  });

  it('reads its own channels and fees after a change, and other merchants do not', async () => {
    const other = await service.newMerchant();
    await setChannel(service.deps, other.merchant_id, 'QR_QRIS', { max_amount: 5_000, settlement_cycle: 'T+0' });
    await setChannel(service.deps, other.merchant_id, 'WALLET_TNG', { enabled: false });
    await setFee(service.deps, other.merchant_id, { kind: 'charge', channel_code: 'QR_QRIS' }, { type: 'FIXED', value: 7 });
    await setFee(service.deps, other.merchant_id, { kind: 'dispute', currency: 'IDR' }, { type: 'FIXED', value: 5_000 });
    const { key } = await issueKey(service.deps, ownerOf(other), { name: 'After the changes', expires_on: null });

    const channels = (await get('/v1/merchants/me/channels', key)).body as { code: string }[];
    expect(channels).toHaveLength(8);
    expect(channels.find(({ code }) => code === 'qr_qris')).toMatchObject({ max_amount: 5_000, min_amount: 100, settlement: 'T+0' });
    const { fees } = (await get('/v1/merchants/me', key)).body as { fees: { charges: object[]; disputes: object[] } };
    expect(fees.charges).toContainEqual({ channel_code: 'QR_QRIS', fee: { type: 'FIXED', value: 7 } });
    expect(fees.disputes).toContainEqual({ currency: 'IDR', fee: { type: 'FIXED', value: 5_000 } });
    expect((await get('/v1/merchants/me/channels')).body).toHaveLength(9);
  });

  it('requires the scope merchant:read', async () => {
    const key = await service.newKey(merchant.merchant_id, ['charges:read']);
    for (const path of ['/v1/merchants/me', '/v1/merchants/me/channels']) {
      const answer = await get(path, key);
      expect(answer.status).toBe(403);
      expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="merchant:read"');
    }
  });
});

describe('a key', () => {
  it('a key works in every process as soon as it is issued', async () => {
    const other = await service.another();
    for (let n = 0; n < 20; n += 1) {
      const { key } = await issueKey(service.deps, ownerOf(merchant), { name: `Key ${n}`, expires_on: null });
      const answers = await Promise.all([service.url, other.url].map((url) => call('GET', `${url}/v1/merchants/me`, { key })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
  });

  it('a revoked key returns 401 in every process within a second', async () => {
    const other = await service.another();
    const { key, key_id } = await issueKey(service.deps, ownerOf(merchant), { name: 'Doomed', expires_on: null });
    expect((await get('/v1/merchants/me', key)).status).toBe(200);
    await revokeKey(service.deps, ownerOf(merchant), key_id);
    const urls = [service.url, other.url];
    const ask = (url: string): Promise<Answer> => call('GET', `${url}/v1/merchants/me`, { key });
    await within(1_000, () => Promise.all(urls.map((url) => eventually(async () => (await ask(url)).status !== 200))));
    for (const url of urls) {
      const answer = await ask(url);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  it('an expiring key is rejected from that moment on', async () => {
    const expires = Date.now() + 1_500;
    const { key } = await issueKey(service.deps, ownerOf(merchant), {
      name: 'Brief',
      expires_on: new Date(expires).toISOString().replace('Z', '+00:00'),
    });
    const { status } = await get('/v1/merchants/me', key);
    if (Date.now() < expires - 500) expect(status).toBe(200);
    // The key expires by the database's clock as the process estimates it, which differs from this clock by some milliseconds.
    await eventually(async () => (await get('/v1/merchants/me', key)).status === 401);
    expect(Date.now()).toBeGreaterThan(expires - 500);
  });

  it('a rotated key works through the overlap, and not beyond', async () => {
    const first = await issueKey(service.deps, ownerOf(merchant), { name: 'Rotated', expires_on: null });
    const second = await rotateKey(service.deps, ownerOf(merchant), first.key_id, 60_000);
    for (const { key } of [second, first]) expect((await get('/v1/merchants/me', key)).status).toBe(200);
    const third = await rotateKey(service.deps, ownerOf(merchant), second.key_id, 0);
    expect((await get('/v1/merchants/me', third.key)).status).toBe(200);
    expect((await get('/v1/merchants/me', second.key)).status).toBe(401);
  });

  it('a finance key returns 403 on merchants’ routes', async () => {
    const { key } = await issueKey(service.deps, { kind: 'finance' }, { name: 'Auditor', expires_on: null });
    expect((await get('/v1/merchants/me', key)).status).toBe(403);
  });
});

describe('the address of a web-hook', () => {
  const setTo = (web_hook_uri: string): Promise<Answer> =>
    service.call('POST', '/v1/merchants/me/web-hook', {
      key: merchant.key,
      body: { web_hook_uri, signature_key: 'a plain key of some length', events: [] },
    });

  it.each([
    'https://2130706433/',
    'https://[::ffff:10.0.0.1]/',
    'https://localhost./',
    'http://shop.example.com/',
    'https://user:secret@shop.example.com/',
  ])('rejects the forbidden address %s', async (web_hook_uri) => {
    const answer = await setTo(web_hook_uri);
    expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer: '/web_hook_uri', code: 'forbidden-address' }]]);
    expect((await get('/v1/merchants/me/web-hook')).status).toBe(404);
  });

  it.each([
    'https:shop.example.com/hooks',
    'https:/shop.example.com/hooks',
    'https://shop.example.com\\hooks',
    'https://shop.example.com/a b',
    ' https://shop.example.com/hooks',
    'https://shop.example.com/"hooks"',
    'https://shop.exämple.com/hooks',
    'https://a..b/hooks',
    `https://${'a'.repeat(64)}.example.com/hooks`,
    `https://${'a.'.repeat(127)}com/hooks`,
  ])('rejects a malformed URI: %s', async (web_hook_uri) => {
    const answer = await setTo(web_hook_uri);
    expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer: '/web_hook_uri', code: 'wrong-format' }]]);
    expect((await get('/v1/merchants/me/web-hook')).status).toBe(404);
  });

  it('returns the normalised address that deliveries use', async () => {
    const answer = await setTo('https://Not-Yet.INVALID:443/a/../hooks?b=%C3%A4#top');
    expect([answer.status, answer.body.web_hook_uri]).toEqual([200, 'https://not-yet.invalid/hooks?b=%C3%A4']);
    expect((await get('/v1/merchants/me/web-hook')).body.web_hook_uri).toBe(answer.body.web_hook_uri);
    expect((await service.call('DELETE', '/v1/merchants/me/web-hook', { key: merchant.key })).status).toBe(204);
  });

  it('accepts a name that does not resolve yet', async () => {
    expect((await setTo('https://not-yet.invalid/hooks')).status).toBe(200);
    expect((await service.call('DELETE', '/v1/merchants/me/web-hook', { key: merchant.key })).status).toBe(204);
  });
});
