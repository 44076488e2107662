import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore } from '../../src/platform/event-store/event-store.js';
import { createHash } from 'node:crypto';
import { eventually } from '../support/eventually.js';
import { MemoryProvider, MemoryRoutes } from '../support/memory-provider.js';
import { call, CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

let service: TestService;
let merchant: TestMerchant;

beforeAll(async () => {
  service = await startTestService({}, new MemoryRoutes(new MemoryProvider()));
  merchant = await service.newMerchant();
});
afterAll(() => service.stop());

const create = (overrides: object = {}, key = merchant.key): Promise<Answer> =>
  service.call('POST', '/v1/charges', { key, body: { ...CHARGE_ORDER, ...overrides }, headers: newIdempotencyKey() });
const play = (charge: Answer, body: unknown, headers = {}): Promise<Answer> =>
  service.call('POST', charge.body.action.simulation_url, { body, headers });
const press = (charge: Answer, form: Record<string, string>): Promise<Answer> =>
  service.call('POST', charge.body.action.simulation_url, {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const page = (charge: Answer): Promise<Answer> => service.call('GET', charge.body.action.embedded_url);
const simulator = (charge: Answer): Promise<Answer> => service.call('GET', charge.body.action.simulation_url);
const detail = (charge: Answer): Promise<Answer> => service.call('GET', `/v1/charges/${charge.body.id}`, { key: merchant.key });
const status = (charge: Answer): Promise<Answer> => service.call('GET', `${charge.body.action.embedded_url}/status`);
const history = async (charge: Answer): Promise<string[]> =>
  (await service.call('GET', `/v1/charges/${charge.body.id}/events`, { key: merchant.key })).body.map(({ type }: { type: string }) => type);

/** Returns the text that a person reads, without markup and with entities resolved. */
function textOf(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`' };
  return html
    .replace(/<(style|svg|title)[\s>].*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#?\w+);/g, (_, name: string) => entities[name] ?? '?')
    .replace(/\s+/g, ' ');
}

describe('the payment page', () => {
  it('shows payee, amount, purpose, time limit and code', async () => {
    const charge = await create({ amount: 12_345_678, reference_id: 'INV-1', description: 'Two coffees' });
    const { status, headers, text } = await page(charge);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const words = textOf(text);
    for (const said of [
      'Kopi Kita',
      'Rp 123.456,78',
      'Two coffees',
      'INV-1',
      charge.body.code,
      'Scan to pay with QRIS',
      'Pay before',
      'WIB',
      'Test mode',
    ])
      expect(words).toContain(said);
    expect(text).toContain('<svg class="qr"');
    expect(words).toContain('NMID: ID99');
    expect(words).not.toContain('IDR');
  });

  it.each([
    ['bank_redirect_fpx', 'MYR', 'RM 100.00', 'MYT', 'FPX'],
    ['qr_paynow', 'SGD', 'S$100.00', 'SGT', 'PayNow'],
    ['wallet_ovo', 'IDR', 'Rp 100', 'WIB', 'OVO'],
    ['wallet_tng', 'MYR', 'RM 100.00', 'MYT', "Touch 'n Go eWallet"],
    ['wallet_grabpay_sg', 'SGD', 'S$100.00', 'SGT', 'GrabPay Singapore'],
  ])('writes amount and time of %s in the format of its country', async (channel_code, currency, amount, zone, name) => {
    const charge = await create({ channel_code, currency, amount: 10_000, action_flow: 'embedded' });
    const words = textOf((await page(charge)).text);
    for (const said of [amount, zone, name]) expect(words).toContain(said);
  });

  it('response headers permit any frame, and only the page’s own style and script', async () => {
    const { headers, text } = await page(await create());
    const policy = headers.get('content-security-policy')!;
    const style = /<style>(.*?)<\/style>/s.exec(text)![1]!;
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain('frame-ancestors *');
    expect(policy).not.toMatch(/unsafe|data:|https?:/);
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|\sstyle=/);
  });

  it('loads a separate script, which caches may keep for ever', async () => {
    const charge = await create();
    const src = /<script type="module" src="([^"]+)">/.exec((await page(charge)).text)![1]!;
    const script = await service.call('GET', new URL(src, charge.body.action.embedded_url).href);
    expect(script.status).toBe(200);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect((await service.call('GET', '/pages/payment-page.0000.js')).status).toBe(404);
  });

  it('offers the code as a picture to save while the charge can be paid', async () => {
    const charge = await create();
    const picture = await fetch(`${charge.body.action.embedded_url}/qr.png`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(picture.headers.get('content-disposition')).toBe(`attachment; filename="${charge.body.code}.png"`);
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    await play(charge, { outcome: 'succeed' });
    expect((await service.call('GET', `${charge.body.action.embedded_url}/qr.png`)).status).toBe(404);
  });

  it('shows every state of the charge', async () => {
    const paid = await create();
    expect((await status(paid)).body).toEqual({ state: 'PENDING' });
    await play(paid, { outcome: 'succeed' });
    expect((await status(paid)).body).toEqual({ state: 'SUCCEEDED' });
    const thanks = await page(paid);
    expect(textOf(thanks.text)).toContain('Payment received');
    expect(thanks.text).not.toContain('class="qr"');
    await play(paid, { outcome: 'reverse' });
    expect((await status(paid)).body).toEqual({ state: 'REVERSED' });
    expect(textOf((await page(paid)).text)).toContain('This payment was returned');

    const failed = await create();
    await play(failed, { outcome: 'fail', reason: 'Saldo tidak cukup' });
    expect(textOf((await page(failed)).text)).toMatch(/Payment failed Saldo tidak cukup\. You have not been charged/);

    const expired = await create();
    await play(expired, { outcome: 'expire' });
    expect(textOf((await page(expired)).text)).toContain('This payment has expired');

    const cancelled = await create();
    await service.call('POST', `/v1/charges/${cancelled.body.id}/cancel`, { key: merchant.key });
    expect(textOf((await page(cancelled)).text)).toContain('This payment was cancelled');
  });

  it.each([
    ['id-ID,id;q=0.9', '', 'id', 'Pindai untuk membayar dengan QRIS', 'Bayar sebelum'],
    ['ms', '', 'ms', 'Imbas untuk membayar dengan QRIS', 'Bayar sebelum'],
    ['fr', '', 'en', 'Scan to pay with QRIS', 'Pay before'],
    ['id', '?lang=ms', 'ms', 'Imbas untuk membayar dengan QRIS', 'Baki masa'],
    ['id', '?Lang=xx', 'id', 'Pindai untuk membayar dengan QRIS', 'Sisa waktu'],
  ])('for Accept-Language %s and the query %j, the page is in the language %s', async (accepted, query, language, ...said) => {
    const charge = await create();
    const address = `${charge.body.action.embedded_url}${query}`;
    const { headers, text } = await service.call('GET', address, { headers: { 'accept-language': accepted } });
    expect([headers.get('content-language'), headers.get('vary')]).toEqual([language, 'accept-language']);
    expect(text).toContain(`<html lang="${language}">`);
    for (const words of said) expect(text).toContain(words);
    for (const [code, name] of [
      ['id', 'Bahasa Indonesia'],
      ['ms', 'Bahasa Melayu'],
      ['en', 'English'],
    ]) {
      expect(text).toMatch(new RegExp(`href="\\?Lang=${code}" lang="${code}"[^>]*>${name}<`));
    }
    await play(charge, { outcome: 'fail', reason: 'Saldo tidak cukup' });
    const ended = textOf((await service.call('GET', address, { headers: { 'accept-language': accepted } })).text);
    expect(ended).toContain({ id: 'Pembayaran gagal', ms: 'Bayaran gagal', en: 'Payment failed' }[language]);
    const missing = await service.call('GET', `/pay/${'x'.repeat(43)}${query}`, { headers: { 'accept-language': accepted } });
    expect([missing.status, missing.headers.get('content-language')]).toEqual([404, language]);
  });

  it('links back to the merchant only when the payment has ended', async () => {
    for (const return_url of [
      `https://shop.example.com/orders/1001?a=1&b='2'&c=%C3%A4#top`,
      'https://shop.example.com:8443',
      'https://xn--80ak6aa92e.com/',
      'com.example.shop://orders/1001',
      'com.example.shop:/orders',
    ]) {
      const charge = await create({ return_url });
      expect([charge.status, charge.body.return_url]).toEqual([200, return_url]);
      const read = (path: string): Promise<Answer> => service.call('GET', path, { key: merchant.key });
      expect((await read(`/v1/charges/${charge.body.id}`)).body.return_url).toBe(return_url);
      expect((await read(`/v1/charges?Id=${charge.body.id}`)).body.items[0].return_url).toBe(return_url);
      expect((await page(charge)).text).not.toContain('target="_top"');
      await play(charge, { outcome: 'succeed' });
      const href = /<a class="button primary" href="([^"]*)" target="_top" rel="noopener noreferrer"/.exec((await page(charge)).text)?.[1];
      expect(textOf(`${href} `).trim()).toBe(return_url);
    }
    const charge = await create();
    expect(charge.body).not.toHaveProperty('return_url');
    expect((await service.call('GET', `/v1/charges/${charge.body.id}`, { key: merchant.key })).body).not.toHaveProperty('return_url');
    await play(charge, { outcome: 'expire' });
    expect((await page(charge)).text).not.toContain('target="_top"');
    const key = newIdempotencyKey();
    const send = (body: object): Promise<Answer> =>
      service.call('POST', '/v1/charges', { key: merchant.key, body: { ...CHARGE_ORDER, ...body }, headers: key });
    const first = await send({});
    expect((await send({ return_url: null })).text).toBe(first.text);
    expect((await send({ return_url: 'https://shop.example.com/' })).body).toMatchObject({ status: 422, code: 'idempotency-key-reused' });
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript://shop.example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'blob:https://shop.example.com/1',
    'http://shop.example.com/',
    'ftp://shop.example.com/',
    'file:///etc/passwd',
    'intent://shop#Intent;scheme=https;end',
    'myshop://paid',
    '//shop.example.com/',
    '/orders/1001',
    'https://',
    'https:/shop.example.com',
    'https:shop.example.com',
    'https://user:secret@shop.example.com/',
    'https://user@shop.example.com/',
    'https://shop.example.com\\@evil.example/',
    'https://shop.example.com:port/',
    'https://shop.example.com:65536/',
    'https://a..b/',
    'https://.../',
    'https://127.1/',
    `https://${'a'.repeat(64)}.example.com/`,
    `https://${'a.'.repeat(127)}com/`,
    'com.example.shop://user:secret@orders/',
    'com.example.shop:alert(1)',
    ' https://shop.example.com/',
    'https://shop.example.com/a b',
    'https://shop.example.com/"onclick=alert(1)',
    'https://shop.example.com/%zz',
    'https://shop.example.com/\u202Egnp.exe',
    'https://shop.exämple.com/',
    `https://shop.example.com/${'x'.repeat(2_048)}`,
    '',
    12,
    ['https://shop.example.com/'],
  ])('never links to %j', async (return_url) => {
    const { status, body } = await create({ return_url });
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/return_url']);
  });

  it('shows texts of the merchant unchanged, and runs none of them', async () => {
    const reference_id = `<script>alert(1)</script>"'\`&amp;\u202Egnp.exe 🎉`;
    const description = `</style><img src=x onerror=alert(1)>\n\u2066مرحبا\u2069`;
    const charge = await create({ reference_id, description });
    for (const { text } of [await page(charge), await simulator(charge)]) {
      expect(text).not.toMatch(/<script>|<img|alert\(1\)<\//);
      expect(text).not.toContain('\u202E');
      expect(text).toContain('<bdi>&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&#96;&amp;amp;gnp.exe 🎉</bdi>');
      expect(text).toContain('&lt;/style&gt;&lt;img src=x onerror=alert(1)&gt;');
    }
  });

  it('a page beyond its time limit shows no code, before and after the expiry', async () => {
    const brief = await startTestService({ CHARGE_TTL_SECONDS: '1', ROLES: 'api,projector' });
    try {
      const { key } = await brief.newMerchant();
      const { body } = await brief.call('POST', '/v1/charges', { key, body: CHARGE_ORDER, headers: newIdempotencyKey() });
      await eventually(async () => textOf((await brief.call('GET', body.action.embedded_url)).text).includes('Time is up'));
      expect((await brief.call('GET', `${body.action.embedded_url}/status`)).body).toEqual({ state: 'PENDING' });
      expect((await brief.call('GET', body.action.embedded_url)).text).not.toContain('class="qr"');
      expect((await brief.call('POST', body.action.simulation_url, { body: { outcome: 'succeed' } })).body.status).toBe('SUCCEEDED');
    } finally {
      await brief.stop();
    }
  });

  it('an expiry has System as its author', async () => {
    const brief = await startTestService({ CHARGE_TTL_SECONDS: '1' });
    try {
      const { key } = await brief.newMerchant();
      const { body } = await brief.call('POST', '/v1/charges', { key, body: CHARGE_ORDER, headers: newIdempotencyKey() });
      await eventually(async () => (await brief.call('GET', `${body.action.embedded_url}/status`)).body.state === 'EXPIRED');
      await eventually(async () => (await brief.call('GET', `/v1/charges/${body.id}`, { key })).body.status === 'EXPIRED');
      expect((await brief.call('GET', `/v1/charges/${body.id}`, { key })).body.updated_by).toBe('System');
    } finally {
      await brief.stop();
    }
  });

  it('the page of a live merchant does not mention the simulator', async () => {
    const live = await service.newMerchant({ mode: 'live' });
    const charge = await create({}, live.key);
    const { text } = await page(charge);
    expect(textOf(text)).not.toMatch(/test mode|simulat/i);
    expect(text).not.toContain('/simulate/');
  });
});

describe('pages while the store is away', () => {
  it('show a page to people, and return a problem to programs', async () => {
    const away = await startTestService();
    try {
      const { key } = await away.newMerchant();
      const { body } = await away.call('POST', '/v1/charges', { key, body: CHARGE_ORDER, headers: newIdempotencyKey() });
      const urls = [body.action.embedded_url, body.action.simulation_url];
      const inPages = async (): Promise<void> => {
        const answers = await Promise.all(urls.map((url) => away.call('GET', url)));
        for (const { status, headers, text } of answers) {
          expect([status, headers.get('content-type'), headers.get('retry-after')]).toEqual([503, 'text/html; charset=utf-8', '5']);
          expect(textOf(text)).toContain('One moment, please');
        }
      };
      // The store does not respond, for longer than any handler may take.
      const { eventStore }: { eventStore: Partial<EventStore> } = away.stores;
      eventStore.read = () => new Promise(() => undefined);
      await inPages();
      delete eventStore.read;
      await away.stores.eventStore.close();
      await inPages();
      for (const answer of [
        await away.call('GET', `${body.action.embedded_url}/status`),
        await away.call('POST', body.action.simulation_url, { body: { outcome: 'succeed' } }),
      ]) {
        expect(answer.body).toMatchObject({ status: 503, code: 'unavailable' });
      }
    } finally {
      await away.stop();
    }
  });
});

describe('an unknown address', () => {
  it('returns the same 404 page for every kind of fault', async () => {
    const charge = await create();
    const token = charge.body.action.embedded_url.split('/').at(-1) as string;
    const other = charge.body.action.simulation_url.split('/').at(-1) as string;
    const forged = (token[0] === 'A' ? 'B' : 'A') + token.slice(1);
    const bodies = new Set<string>();
    for (const path of [`/pay/${forged}`, '/pay/x', `/pay/${token}A`, `/pay/${other}`, `/pay/${charge.body.id}`, '/pay/%00', '/pay/%F0%9F%8E%89']) {
      const answer = await service.call('GET', path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      bodies.add(answer.text);
    }
    expect(bodies.size).toBe(1);
    for (const path of [`/simulate/${token}`, '/simulate/x']) expect((await service.call('GET', path)).status).toBe(404);
    expect((await service.call('GET', `/pay/${forged}/status`)).body).toMatchObject({ status: 404, code: 'not-found' });
    expect((await service.call('POST', `/simulate/${token}`, { body: { outcome: 'succeed' } })).body).toMatchObject({
      status: 404,
      code: 'not-found',
    });
    expect((await detail(charge)).body.status).toBe('PENDING');
  });

  it('each charge has a separate address', async () => {
    const [one, two] = [await create(), await create()];
    expect(one.body.action.embedded_url).not.toBe(two.body.action.embedded_url);
    expect(textOf((await page(one)).text)).not.toContain(two.body.code);
  });
});

describe('the simulator, by JSON', () => {
  it.each([
    ['succeed', 'SUCCEEDED', 'PENDING'],
    ['fail', 'FAILED', 'UNKNOWN'],
    ['expire', 'EXPIRED', 'UNKNOWN'],
  ])('plays the outcome %s', async (outcome, charged, settled) => {
    const charge = await create();
    const answer = await play(charge, { outcome });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ledger-lag')).toBeNull();
    expect(answer.body).toEqual({ status: charged, settlement_status: settled });
    const record = await detail(charge);
    expect(record.body).toMatchObject({ status: charged, settlement_status: settled, updated_by: 'System' });
  });

  it('accepts the outcome in any case', async () => {
    expect((await play(await create(), { outcome: 'SucceeD' })).body.status).toBe('SUCCEEDED');
  });

  it('keeps the reason of a failure', async () => {
    const charge = await create();
    await play(charge, { outcome: 'fail', reason: 'Kartu ditolak 🙈' });
    const { body } = await service.call('GET', `/v1/charges/${charge.body.id}/events`, { key: merchant.key });
    expect(body[1]).toMatchObject({ type: 'ChargeFailed', actor: 'System', data: { reason: 'Kartu ditolak 🙈' } });
  });

  it.each(['fail', 'expire'])('accepts a payment after %s: late money is never lost', async (outcome) => {
    const charge = await create();
    await play(charge, { outcome });
    expect((await play(charge, { outcome: 'succeed' })).body).toEqual({ status: 'SUCCEEDED', settlement_status: 'PENDING' });
    const { body } = await service.call('GET', `/v1/charges/${charge.body.id}/events`, { key: merchant.key });
    expect(body.at(-1)).toMatchObject({ type: 'ChargePaid', data: { late_after: outcome === 'fail' ? 'FAILED' : 'EXPIRED' } });
  });

  it('accepts a payment after the merchant’s cancellation', async () => {
    const charge = await create();
    await service.call('POST', `/v1/charges/${charge.body.id}/cancel`, { key: merchant.key });
    expect((await play(charge, { outcome: 'succeed' })).body.status).toBe('SUCCEEDED');
  });

  it('returns pending money at once when a payment is reversed before any settlement', async () => {
    const payer = await service.newMerchant();
    const charge = await create({}, payer.key);
    await play(charge, { outcome: 'succeed' });
    const balance = async (): Promise<unknown> => {
      const { body } = await service.call('GET', '/v1/balances/IDR', { key: payer.key });
      return [body.pending_amount, body.pending_count, body.fee_amount];
    };
    expect(await balance()).toEqual([9_930, 1, 70]);
    expect((await play(charge, { outcome: 'reverse' })).body).toEqual({ status: 'SUCCEEDED', settlement_status: 'REVERSED' });
    expect(await balance()).toEqual([0, 0, 0]);
  });

  it('settles a charge at once, and takes the money back after a later reversal', async () => {
    const payee = await service.newMerchant();
    const charge = await create({}, payee.key);
    const balance = async (): Promise<unknown> => {
      const { body } = await service.call('GET', '/v1/balances/IDR', { key: payee.key });
      return [body.pending_amount, body.available_amount, body.pending_count, body.available_count, body.fee_amount];
    };
    const record = async (): Promise<unknown> => (await service.call('GET', `/v1/charges/${charge.body.id}`, { key: payee.key })).body;
    await play(charge, { outcome: 'succeed' });
    expect((await play(charge, { outcome: 'settle' })).body).toEqual({ status: 'SUCCEEDED', settlement_status: 'SETTLED' });
    expect(await record()).toMatchObject({ settlement_status: 'SETTLED', settlement_on: expect.any(String) });
    expect(await balance()).toEqual([0, 9_930, 0, 1, 70]);
    expect((await play(charge, { outcome: 'settle' })).status).toBe(409);
    expect((await play(charge, { outcome: 'reverse' })).body).toEqual({ status: 'SUCCEEDED', settlement_status: 'REVERSED' });
    expect(await record()).toMatchObject({ settlement_status: 'REVERSED' });
    expect(await balance()).toEqual([0, 0, 0, 0, 0]);
    expect((await play(charge, { outcome: 'reverse' })).status).toBe(409);
    expect(textOf((await page(charge)).text)).toContain('This payment was returned');
  });

  it('concurrent settle and reverse always end as reversed', async () => {
    const payee = await service.newMerchant();
    for (let round = 0; round < 4; round += 1) {
      const charge = await create({}, payee.key);
      await play(charge, { outcome: 'succeed' });
      const answers = await Promise.all(['settle', 'reverse', 'settle', 'reverse'].map((outcome) => play(charge, { outcome })));
      for (const { status } of answers) expect([200, 409]).toContain(status);
      const { body } = await service.call('GET', `/v1/charges/${charge.body.id}`, { key: payee.key });
      expect(body.settlement_status).toBe('REVERSED');
    }
    const { body } = await service.call('GET', '/v1/balances/IDR', { key: payee.key });
    expect([body.total_amount, body.fee_amount, body.pending_count, body.available_count]).toEqual([0, 0, 0, 0]);
  });

  it('rejects outcomes that the state forbids with 409, and records nothing', async () => {
    const before: Record<string, string[]> = {
      PENDING: ['settle', 'reverse'],
      SUCCEEDED: ['succeed', 'fail', 'expire'],
      FAILED: ['fail', 'expire', 'settle', 'reverse'],
      EXPIRED: ['fail', 'expire', 'settle', 'reverse'],
    };
    const way: Record<string, string> = { SUCCEEDED: 'succeed', FAILED: 'fail', EXPIRED: 'expire' };
    for (const [state, forbidden] of Object.entries(before)) {
      const charge = await create();
      if (way[state] !== undefined) await play(charge, { outcome: way[state] });
      const events = await history(charge);
      for (const outcome of forbidden) {
        const answer = await play(charge, { outcome });
        expect([state, outcome, answer.status, answer.body.code]).toEqual([state, outcome, 409, 'state-conflict']);
        expect(answer.headers.get('content-type')).toMatch('application/problem+json');
      }
      expect(await history(charge)).toEqual(events);
    }
    const reversed = await create();
    for (const outcome of ['succeed', 'reverse']) await play(reversed, { outcome });
    expect((await play(reversed, { outcome: 'reverse' })).status).toBe(409);
  });

  it('many equal requests at once make one payment', async () => {
    const charge = await create();
    const answers = await Promise.all(Array.from({ length: 20 }, () => play(charge, { outcome: 'succeed' })));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await history(charge)).toEqual(['ChargeCreated', 'ChargePaid']);
  });

  it('one of two concurrent outcomes wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const charge = await create();
      await Promise.all(['fail', 'expire', 'fail', 'expire'].map((outcome) => play(charge, { outcome })));
      expect(await history(charge)).toHaveLength(2);
    }
  });

  it.each([
    ['no body', '', 400],
    ['no JSON', '{', 400],
    ['an array', '[]', 400],
    ['no outcome', '{}', 400],
    ['an unknown outcome', '{"outcome":"explode"}', 400],
    ['an outcome that is no text', '{"outcome":1}', 400],
    ['an unknown field', '{"outcome":"succeed","amount":1}', 400],
    ['a reason without a failure', '{"outcome":"succeed","reason":"x"}', 400],
    ['a reason of 256 characters', JSON.stringify({ outcome: 'fail', reason: 'x'.repeat(256) }), 400],
    ['a control character', '{"outcome":"fail","reason":"\\u0000"}', 400],
    ['outcome twice', '{"outcome":"fail","outcome":"succeed"}', 400],
  ])('rejects %s', async (_, body, expected) => {
    const charge = await create();
    const answer = await play(charge, body);
    expect(answer.status).toBe(expected);
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    expect((await detail(charge)).body.status).toBe('PENDING');
  });

  it('accepts JSON and forms only', async () => {
    const charge = await create();
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/xml']) {
      expect((await play(charge, '{"outcome":"succeed"}', { 'content-type': type })).body).toMatchObject({
        status: 415,
        code: 'unsupported-media-type',
      });
    }
    expect((await service.call('DELETE', charge.body.action.simulation_url)).status).toBe(405);
    expect((await detail(charge)).body.status).toBe('PENDING');
  });

  it('a live merchant has no simulator', async () => {
    const live = await service.newMerchant({ mode: 'live' });
    expect((await create({}, live.key)).body.action.simulation_url).toBeNull();
  });
});

describe('the simulator, with its buttons', () => {
  const buttons = async (charge: Answer): Promise<string[]> =>
    [...(await simulator(charge)).text.matchAll(/name="outcome" value="(\w+)"/g)].map((match) => match[1]!);

  it('shows a button for each permitted outcome', async () => {
    const charge = await create();
    expect(await buttons(charge)).toEqual(['succeed', 'fail', 'expire']);
    await play(charge, { outcome: 'expire' });
    expect(await buttons(charge)).toEqual(['succeed']);
    await play(charge, { outcome: 'succeed' });
    expect(await buttons(charge)).toEqual(['settle', 'reverse']);
    await play(charge, { outcome: 'reverse' });
    expect(await buttons(charge)).toEqual([]);
  });

  it('a pressed button redirects to the page, which shows the outcome', async () => {
    const charge = await create();
    const { status, headers } = await press(charge, { outcome: 'fail', reason: '' });
    expect(status).toBe(303);
    const back = new URL(headers.get('location')!, charge.body.action.simulation_url).href;
    expect(back).toBe(charge.body.action.simulation_url);
    const words = textOf((await service.call('GET', back)).text);
    expect(words).toContain('Failed: Declined by the simulator');
  });

  it('a forbidden outcome of an old page shows the reason', async () => {
    const charge = await create();
    await press(charge, { outcome: 'succeed' });
    const answer = await press(charge, { outcome: 'expire' });
    expect(answer.status).toBe(409);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(textOf(answer.text)).toContain('The charge is SUCCEEDED');
    expect(answer.text).toContain('role="alert"');
  });

  it('opens and ends disputes', async () => {
    const charge = await create();
    expect((await simulator(charge)).text).not.toContain('dispute-open');
    await play(charge, { outcome: 'succeed' });
    const of = (text: string): string[] => [...text.matchAll(/name="outcome" value="(dispute-[a-z]+)"/g)].map((match) => match[1]!);
    expect(of((await simulator(charge)).text)).toEqual(['dispute-open']);
    const form = { outcome: 'dispute-open', stage: 'CHARGEBACK', reason: '', due_in_seconds: '3600' };
    expect((await press(charge, form)).status).toBe(303);
    const { text } = await simulator(charge);
    expect(of(text)).toEqual(['dispute-win', 'dispute-lose', 'dispute-reopen', 'dispute-open']);
    expect(textOf(text)).toMatch(/chargeback, SIM-\w+ ACTION_REQUIRED/);
    expect(textOf(text)).toContain('Disputed in the simulator');
    const dispute_id = /name="dispute_id" value="([^"]+)"/.exec(text)![1]!;
    expect((await press(charge, { outcome: 'dispute-win', dispute_id, final: 'true' })).status).toBe(303);
    expect(of((await simulator(charge)).text)).toEqual(['dispute-open']);
    const late = await press(charge, { outcome: 'dispute-lose', dispute_id });
    expect([late.status, textOf(late.text)]).toEqual([409, expect.stringContaining('The dispute is WON for good')]);
  });

  it('the simulator’s page cannot be framed, and runs no script', async () => {
    const { headers, text } = await simulator(await create());
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).toContain("script-src 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).not.toContain('<script');
  });

  it('other routes reject forms with 415', async () => {
    const answer = await call('POST', `${service.url}/v1/charges`, {
      key: merchant.key,
      body: 'amount=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...newIdempotencyKey() },
    });
    expect(answer.status).toBe(415);
  });
});
