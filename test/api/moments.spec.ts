import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { issueKey, revokeKey } from '../../src/domain/merchants/merchant.commands.js';
import { collect } from '../support/events.js';
import { eventually } from '../support/eventually.js';
import { everyRead } from '../support/every-read.js';
import { newFinanceKey } from '../support/finance.js';
import { documentsOf, type Document } from '../support/openapi.js';
import { putBack } from '../support/put-back.js';
import { call, CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

describe('/audit/moments and /at', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let finance: string;
  let documents: ReadonlyMap<string, Document>;

  beforeAll(async () => {
    service = await startTestService({ POINT_IN_TIME_MAX: '3' });
    merchant = await service.newMerchant();
    finance = (await newFinanceKey(service)).key;
    documents = await documentsOf(service.url);
    await post('/v1/charges', CHARGE_ORDER);
    await eventually(async () => (await get('/audit/moments')).status === 200);
  });
  afterAll(() => service.stop());

  const get = (path: string, key = finance): Promise<Answer> => service.call('GET', path, { key });
  const post = (path: string, body: object, key = merchant.key): Promise<Answer> =>
    service.call('POST', path, { key, body, headers: newIdempotencyKey() });
  const openAt = (body: unknown, key = finance): Promise<Answer> => service.call('POST', '/audit/moments', { key, body });
  const log = () => collect(service.stores.eventStore, null, (_, caughtUp) => caughtUp);
  const close = (position: number): Promise<Answer> => service.call('DELETE', `/audit/moments/${position}`, { key: finance });

  /** Opens the moment after the newest event, or after this one, and waits until it can be read. */
  async function opened(position?: number): Promise<number> {
    const at = position ?? (await log()).length;
    expect((await openAt({ position: at })).status).toBeLessThan(300);
    await eventually(async () => (await get(`/audit/moments/${at}`)).body.state === 'READY');
    return at;
  }

  afterEach(closeAll);

  async function closeAll(): Promise<void> {
    for (const { position } of (await get('/audit/moments')).body.items) expect((await close(position)).status).toBe(204);
  }

  it('opens a moment by position, time and month, once, and lists it until it is closed', async () => {
    const events = await log();
    const last = events.at(-1)!;
    const made = await openAt({ position: events.length });
    expect(made).toMatchObject({ status: 202, body: { position: events.length, state: 'BUILDING', events_total: events.length, reason: null } });
    expect(new URL(made.headers.get('location')!, service.url).pathname).toBe(`/audit/moments/${events.length}`);
    await opened(events.length);
    const again = await openAt({ time: last.metadata.occurred_on });
    expect(again).toMatchObject({ status: 200, body: { position: events.length, time: last.metadata.occurred_on, events_done: events.length } });
    expect(again.body.size_bytes).toBeGreaterThan(1_000_000);
    expect(Date.parse(again.body.closes_on) - Date.parse(again.body.used_on)).toBe(7 * 86_400_000);
    expect((await get('/audit/moments')).body.items.map(({ position }: { position: number }) => position)).toEqual([events.length]);
    const csv = await service.call('GET', '/audit/moments', { key: finance, headers: { accept: 'text/csv' } });
    expect(csv.text.split('\r\n')[1]).toMatch(new RegExp(`^${events.length},${last.metadata.occurred_on.replaceAll('+', '\\+')},READY,`));
    expect((await close(events.length)).status).toBe(204);
    expect((await close(events.length)).status).toBe(404);
    expect((await get('/audit/moments')).body).toEqual({ items: [], next_after: null });
  });

  it('a time selects the event before the first one that occurred later', async () => {
    const events = await log();
    const times = events.map(({ metadata }) => Date.parse(metadata.occurred_on));
    for (const [index, time] of times.entries()) {
      const expected = times.findIndex((each) => each > time);
      const { body } = await openAt({ time: new Date(time).toISOString() });
      expect(body).toMatchObject({ position: expected === -1 ? events.length : expected });
      if (index % 2 === 0) await closeAll();
    }
  });

  it.each<[string, unknown, string, string]>([
    ['no name', {}, '', 'required'],
    ['two names', { position: 1, time: '2026-01-01T00:00:00Z' }, '/time', 'conflicting'],
    ['a mode without a month', { position: 1, mode: 'live' }, '/mode', 'conflicting'],
    ['position 0', { position: 0 }, '/position', 'out-of-range'],
    ['position -1', { position: -1 }, '/position', 'out-of-range'],
    ['a fraction', { position: 1.5 }, '/position', 'not-an-integer'],
    ['16 digits', { position: 1_000_000_000_000_000 }, '/position', 'out-of-range'],
    ['a position beyond the newest event', { position: 100_000 }, '/position', 'out-of-range'],
    ['a position as text', { position: '1' }, '/position', 'wrong-type'],
    ['a time without an offset', { time: '2026-01-31T17:00:00' }, '/time', 'wrong-format'],
    ['a time in the future', { time: '2999-01-31T17:00:00+07:00' }, '/time', 'in-the-future'],
    ['a time before the first event', { time: '2001-01-31T17:00:00+07:00' }, '/time', 'out-of-range'],
    ['a month that does not exist', { month: '2026-13' }, '/month', 'wrong-format'],
    ['an unknown member', { at: 1 }, '/at', 'unknown-field'],
  ])('refuses %s', async (_, body, pointer, code) => {
    const { status, body: problem } = await openAt(body);
    expect({ status, errors: problem.errors }).toMatchObject({ status: 400, errors: [{ pointer, code }] });
  });

  it('refuses a month that is not closed, a merchant’s key, and a moment beyond the maximum', async () => {
    expect(await openAt({ month: '2026-01' })).toMatchObject({ status: 409, body: { code: 'month-open' } });
    expect(await openAt({ position: 1 }, merchant.key)).toMatchObject({ status: 403, body: { code: 'insufficient-scope' } });
    for (const position of [1, 2, 3]) expect(await openAt({ position })).toMatchObject({ status: 202 });
    expect(await openAt({ position: 4 })).toMatchObject({
      status: 409,
      body: { code: 'too-many-moments', detail: expect.stringContaining('moment 1 has not') },
    });
    expect((await openAt({ position: 1 })).status).toBeLessThan(300);
  });

  it('two processes that open one moment at once make one build, and both serve it', async () => {
    const other = await service.another();
    const position = (await log()).length;
    const answers = await Promise.all(
      [service.url, other.url].map((url) => call('POST', `${url}/audit/moments`, { key: finance, body: { position } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    await opened(position);
    const reads = await Promise.all([service.url, other.url].map((url) => call('GET', `${url}/at/${position}/v1/charges`, { key: merchant.key })));
    expect(reads.map(({ status }) => status)).toEqual([200, 200]);
    expect(reads[0]!.text).toBe(reads[1]!.text);
    expect((await call('DELETE', `${other.url}/audit/moments/${position}`, { key: finance })).status).toBe(204);
    await eventually(async () => (await get(`/at/${position}/audit/merchants`)).body.code === 'moment-not-open');
  });

  it('nothing is at an address that names no moment, or is none of the interface', async () => {
    const position = await opened();
    const paths = ['/at', '/at/0/v1/charges', '/at/-1/v1/charges', '/at/1.5/v1/charges', '/at/1000000000000000/v1/charges'];
    const inside = [
      '',
      '/',
      '/v1',
      '/health/ready',
      '/metrics',
      '/docs',
      '/openapi.json',
      `/at/${position}/v1/charges`,
      '/v1/nothing',
      '/v1/charges/',
    ];
    const encoded = [`/at%2F${position}/v1/charges`, `/at/${position}%2Fv1/charges`, `/at/${position}/v1%2Fcharges`];
    for (const path of [...paths, ...inside.map((each) => `/at/${position}${each}`), ...encoded]) {
      expect([path, await get(path, merchant.key)]).toMatchObject([path, { status: 404, body: { code: 'not-found' } }]);
    }
    for (const unknown of ['999999', `${position}~x`])
      expect(await get(`/at/${unknown}/v1/charges`, merchant.key)).toMatchObject({ status: 404, body: { code: 'moment-not-open' } });
    for (const path of ['/v1/merchants/me/web-hook/deliveries', `/v1/payouts/${merchant.merchant_id}/remittance-advice`]) {
      expect([path, await get(`/at/${position}${path}`, merchant.key)]).toMatchObject([path, { status: 404, body: { code: 'not-in-the-past' } }]);
    }
    for (const path of ['/audit/moments', `/audit/moments/${position}`, '/audit/chain/head']) {
      expect([path, await get(`/at/${position}${path}`)]).toMatchObject([path, { status: 404, body: { code: 'not-in-the-past' } }]);
    }
  });

  it('refuses every operation that is no read, and records nothing', async () => {
    const position = await opened();
    const before = (await log()).length;
    for (const { paths } of documents.values()) {
      for (const [path, operations] of Object.entries(paths)) {
        for (const method of Object.keys(operations).filter((each) => !['get', 'head', 'parameters'].includes(each))) {
          for (const key of [merchant.key, finance]) {
            const target = `/at/${position}${path.replaceAll(/\{[^}]+\}/g, merchant.merchant_id)}`;
            const answer = await service.call(method.toUpperCase(), target, { key, body: CHARGE_ORDER, headers: newIdempotencyKey() });
            expect([method, target, answer]).toMatchObject([method, target, { status: 405, body: { code: 'read-only-moment' } }]);
            expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
          }
        }
      }
    }
    expect((await log()).length).toBe(before);
    expect((await service.call('HEAD', `/at/${position}/v1/charges`, { key: merchant.key })).status).toBe(200);
    expect((await service.call('OPTIONS', `/at/${position}/v1/charges`)).status).toBe(204);
  });

  it('shows records as they were, and links within the moment', async () => {
    const before = await opened();
    const charge = (await post('/v1/charges', CHARGE_ORDER)).body;
    const after = await opened();
    expect((await get(`/at/${before}/v1/charges/${charge.id}`, merchant.key)).status).toBe(404);
    await service.call('POST', `/v1/charges/${charge.id}/cancel`, { key: merchant.key });
    expect((await get(`/v1/charges/${charge.id}`, merchant.key)).body.status).toBe('CANCELLED');
    const past = await get(`/at/${after}/v1/charges/${charge.id}`, merchant.key);
    expect(past.body).toMatchObject({ id: charge.id, amount: charge.amount, status: 'PENDING' });
    expect(past.headers.get('as-of-position')).toBe(String(after));
    const other = await service.newMerchant();
    expect((await get(`/at/${after}/v1/charges/${charge.id}`, other.key)).status).toBe(404);
  });

  it('a merchant that did not exist then has no records, and causes no error', async () => {
    const position = await opened();
    const late = await service.newMerchant();
    const statuses = new Set<number>();
    const reads = await everyRead(documents.get('openapi.json')!, late.key, [], ({ path, accept }) =>
      service.call('GET', `/at/${position}${path}`, { key: late.key, headers: { accept } }),
    );
    for (const { path, answer } of reads) {
      statuses.add(answer.status);
      if (answer.status !== 404) expect([path, answer.status, answer.text]).toEqual([path, 200, expect.anything()]);
      if (answer.status === 200 && Array.isArray(answer.body)) expect([path, answer.body]).toEqual([path, []]);
    }
    expect(statuses).toEqual(new Set([200, 404]));
  });

  it('readers are admitted by the keys and scopes of today', async () => {
    const { key, key_id } = await issueKey(
      service.deps,
      { kind: 'merchant', merchant_id: merchant.merchant_id },
      { name: 'old', scopes: ['*'], expires_on: null },
    );
    await eventually(async () => (await get('/v1/charges', key)).status === 200);
    await revokeKey(service.deps, { kind: 'merchant', merchant_id: merchant.merchant_id }, key_id);
    await eventually(async () => (await get('/v1/charges', key)).status === 401);
    const position = (await log()).length;
    await opened(position - 1);
    expect((await get(`/at/${position - 1}/v1/charges`, key)).status).toBe(401);
    const narrow = await service.newKey(merchant.merchant_id, ['balances:read']);
    expect((await get(`/at/${position - 1}/v1/charges`, narrow)).status).toBe(403);
    expect((await get(`/at/${position - 1}/v1/balances`, narrow)).status).toBe(200);
    expect((await service.call('GET', `/at/${position - 1}/v1/charges`)).status).toBe(401);
    expect((await get(`/at/${position - 1}/audit/merchants`, merchant.key)).status).toBe(403);
  });

  it('an erased customer is gone at every moment, also when only the key is destroyed', async () => {
    const { body: customer } = await post('/v1/customers', { name: 'Ayu Lestari', email: 'ayu@example.com' });
    const { body: kept } = await post('/v1/customers', { name: 'Budi Santoso', email: 'budi@example.com' });
    const position = await opened();
    const list = async (): Promise<string[]> =>
      (await get(`/at/${position}/v1/customers`, merchant.key)).body.map(({ name }: { name: string }) => name);
    const page = await get(`/at/${position}/v1/customers?PageSize=1`, merchant.key);
    expect(page.headers.get('link')).toContain(`<${service.url}/at/${position}/v1/customers?PageNumber=2&PageSize=1>; rel="next"`);
    expect(await list()).toEqual(expect.arrayContaining(['Ayu Lestari', 'Budi Santoso']));
    expect((await service.call('DELETE', `/v1/customers/${customer.id}`, { key: merchant.key })).status).toBe(204);
    await eventually(async () => (await get(`/at/${position}/v1/customers/${customer.id}`, merchant.key)).status === 404);
    expect(await list()).toEqual(['Budi Santoso']);
    expect((await get(`/at/${position}/v1/customers/${kept.id}`, merchant.key)).body).toMatchObject({ name: 'Budi Santoso' });
  });

  it('builds a moment of an earlier version of a read model again at its next use, and serves none of a newer version', async () => {
    const position = await opened();
    const read = () => get(`/at/${position}/v1/charges`, merchant.key);
    const client = new pg.Client({ connectionString: service.stores.databaseUrl });
    await client.connect();
    try {
      const versionOf = async (): Promise<string> =>
        (await client.query<{ version: string }>('select version from point_in_time.moments where position = $1', [position])).rows[0]!.version;
      const version = await versionOf();
      const raise = (to: number) =>
        client.query('update point_in_time.moments set version = regexp_replace($1, $2, $3)', [version, '=\\d+', `=${to}`]);
      await raise(999);
      await eventually(async () => (await read()).body.detail === 'The moment was built by a newer version of the service.');
      await raise(0);
      await eventually(async () => (await read()).status === 200);
      expect(await versionOf()).toBe(version);
    } finally {
      await client.end();
    }
  });

  it('refuses a moment whose last event a restored log does not have', async () => {
    const before = (await log()).length;
    await post('/v1/charges', CHARGE_ORDER);
    const position = await opened();
    expect((await get(`/at/${position}/v1/charges`, merchant.key)).status).toBe(200);
    const events = await log();
    await putBack({ url: service.stores.databaseUrl }, events[before - 1]!.position);
    await eventually(async () => (await get(`/at/${position}/v1/charges`, merchant.key)).body.code === 'moment-not-open');
    expect((await get(`/audit/moments/${position}`)).body).toMatchObject({ state: 'FAILED', reason: expect.stringContaining('restored') });
  });
});
