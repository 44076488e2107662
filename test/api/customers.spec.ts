import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { customerStream } from '../../src/ledger/events/customer.events.js';
import { within } from '../support/eventually.js';
import { callPatiently, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

let service: TestService;
let merchant: TestMerchant;

beforeAll(async () => {
  service = await startTestService();
  merchant = await service.newMerchant();
});
afterAll(() => service.stop());

const PERSON = {
  name: 'Sari Dewi',
  description: 'Buys every Friday',
  email: 'sari@example.com',
  phone: '+62 (812) 3456-7890',
  address: { line1: 'Jalan Melati 5', line2: 'Lantai 2', city: 'Bandung', state: 'Jawa Barat', postal_code: '40115', country: 'id' },
  shipping: { phone: '0812.3456', receiver_name: 'Budi Dewi', address: { line1: 'Jalan Mawar 1', country: 'SG' } },
  tax: { id_type: 'NPWP', id_value: '09.254.294.3-407.000' },
  metadata: { tier: 'gold' },
} as const;
const WHEN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const EMPTY_ADDRESS = { line1: null, line2: null, city: null, state: null, postal_code: null, country: null };

const create = (body: unknown = PERSON, headers: Record<string, string> = newIdempotencyKey(), key = merchant.key): Promise<Answer> =>
  service.call('POST', '/v1/customers', { key, body, headers });
const get = (path: string, key = merchant.key, headers: Record<string, string> = {}): Promise<Answer> => service.call('GET', path, { key, headers });
const put = (body: unknown, headers: Record<string, string> = {}, key = merchant.key): Promise<Answer> =>
  service.call('PUT', '/v1/customers', { key, body, headers });
const remove = (path: string, headers: Record<string, string> = {}, key = merchant.key): Promise<Answer> =>
  service.call('DELETE', path, { key, headers });
const newCustomer = async (body: object = PERSON): Promise<string> => (await create(body)).body.id;

describe('creating a customer', () => {
  it('returns 201 with the record and its location', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/v1/customers/${answer.body.id}`);
    expect(answer.headers.get('etag')).toBe('"1"');
    expect(answer.headers.get('ledger-lag')).toBeNull();
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
    const { metadata: _, ...shown } = PERSON;
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID),
      ...shown,
      address: { ...PERSON.address, country: 'ID' },
      shipping: { ...PERSON.shipping, address: { ...EMPTY_ADDRESS, line1: 'Jalan Mawar 1', country: 'SG' } },
      created_on: expect.stringMatching(WHEN),
      updated_on: answer.body.created_on,
    });
    expect((await get(`/v1/customers/${answer.body.id}`)).text).toBe(answer.text);
  });

  it('requires a name only, and returns absent fields as null', async () => {
    const answer = await create({ name: 'X' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: answer.body.id,
      name: 'X',
      description: null,
      email: null,
      phone: null,
      address: null,
      shipping: null,
      tax: null,
      created_on: answer.body.created_on,
      updated_on: answer.body.created_on,
    });
    const nested = await create({ name: 'X', address: {}, shipping: {}, tax: {} });
    expect(nested.body).toMatchObject({
      address: EMPTY_ADDRESS,
      shipping: { phone: null, receiver_name: null, address: null },
      tax: { id_type: null, id_value: null },
    });
  });

  it('accepts every field at its maximum length', async () => {
    const line = '字'.repeat(255);
    const address = { line1: line, line2: line, city: line, state: line, postal_code: line, country: 'Id' };
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`.padEnd(40, 'x'), '😀'.repeat(50)]));
    const answer = await create({
      name: '😀'.repeat(255),
      description: 'd'.repeat(499) + '\n',
      email: `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.id`,
      phone: '1'.repeat(32),
      address,
      shipping: { phone: '+().', receiver_name: line, address },
      tax: { id_type: 't'.repeat(64), id_value: 'v'.repeat(64) },
      metadata,
    });
    expect(answer.status).toBe(201);
    expect(answer.body.name).toBe('😀'.repeat(255));
  });

  it.each<[string, object, string]>([
    ['no name', {}, '/name'],
    ['a name that is null', { name: null }, '/name'],
    ['an empty name', { name: '' }, '/name'],
    ['a name too long', { name: 'x'.repeat(256) }, '/name'],
    ['a name with NUL', { name: 'a\u0000b' }, '/name'],
    ['a name with half a surrogate pair', { name: 'a\ud800' }, '/name'],
    ['a name that is a number', { name: 5 }, '/name'],
    ['a long description', { name: 'x', description: 'x'.repeat(501) }, '/description'],
    ['an e-mail without @', { name: 'x', email: 'sari.example.com' }, '/email'],
    ['an e-mail without a domain', { name: 'x', email: 'sari@' }, '/email'],
    ['an e-mail with a space', { name: 'x', email: 'sa ri@example.com' }, '/email'],
    ['an e-mail with two @', { name: 'x', email: 'sari@dewi@example.com' }, '/email'],
    ['an e-mail with two dots', { name: 'x', email: 'sari@example..com' }, '/email'],
    ['an e-mail without a dot in its domain', { name: 'x', email: 'sari@localhost' }, '/email'],
    ['an e-mail too long', { name: 'x', email: `${'a'.repeat(60)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.id` }, '/email'],
    ['an empty e-mail', { name: 'x', email: '' }, '/email'],
    ['a short phone', { name: 'x', phone: '123' }, '/phone'],
    ['a long phone', { name: 'x', phone: '1'.repeat(33) }, '/phone'],
    ['a phone with letters', { name: 'x', phone: '0800-KOPI' }, '/phone'],
    ['a phone that is a number', { name: 'x', phone: 628123456 }, '/phone'],
    ['an address that is text', { name: 'x', address: 'Jalan Melati 5' }, '/address'],
    ['an address that is a list', { name: 'x', address: [] }, '/address'],
    ['a long line', { name: 'x', address: { line1: 'x'.repeat(256) } }, '/address/line1'],
    ['an unknown country', { name: 'x', address: { country: 'XX' } }, '/address/country'],
    ['a country of three letters', { name: 'x', address: { country: 'IDN' } }, '/address/country'],
    ['an unknown field of an address', { name: 'x', address: { zip: '1' } }, '/address/zip'],
    ['a country in a shipping address', { name: 'x', shipping: { address: { country: 'XX' } } }, '/shipping/address/country'],
    ['a shipping phone', { name: 'x', shipping: { phone: 'x' } }, '/shipping/phone'],
    ['a tax id too long', { name: 'x', tax: { id_value: 'x'.repeat(65) } }, '/tax/id_value'],
    ['an unknown field', { name: 'x', nickname: 'y' }, '/nickname'],
    ['an id in a create', { name: 'x', id: randomUUID() }, '/id'],
    ['metadata of numbers', { name: 'x', metadata: { a: 1 } }, '/metadata/a'],
  ])('rejects %s', async (_, body, pointer) => {
    const headers = newIdempotencyKey();
    const answer = await create(body, headers);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation-failed']);
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer })]);
    expect((await create({ name: 'The key is still free' }, headers)).status).toBe(201);
  });

  it('rejects an e-mail address made for slow matching within a second', async () => {
    const answer = await within(1_000, () => create({ name: 'x', email: `${'a.'.repeat(32)}@${'a-'.repeat(90)}` }));
    expect(answer.status).toBe(400);
  });

  it('requires the scopes customers:read and customers:write', async () => {
    const reader = await service.newKey(merchant.merchant_id, ['customers:read', 'charges:write']);
    const writer = await service.newKey(merchant.merchant_id, ['customers:write']);
    const id = await newCustomer();
    for (const answer of [
      await create(PERSON, newIdempotencyKey(), reader),
      await put({ id }, {}, reader),
      await remove(`/v1/customers/${id}`, {}, reader),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'insufficient-scope']);
    }
    for (const path of ['/v1/customers', `/v1/customers/${id}`, `/v1/customers/${id}/events`]) {
      expect((await get(path, writer)).status).toBe(403);
      expect((await get(path, reader)).status).toBe(200);
    }
  });
});

describe('an Idempotency-Key of a customer', () => {
  it('returns the first response again, also after an update of the customer', async () => {
    const headers = newIdempotencyKey();
    const first = await create(PERSON, headers);
    await put({ id: first.body.id, name: 'Another Name' });
    const { metadata, ...rest } = PERSON;
    const again = await create({ metadata, ...rest, address: { ...PERSON.address, country: 'ID' } }, headers);
    expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([201, 'true', first.text]);
    expect([again.headers.get('location'), again.headers.get('etag')]).toEqual([first.headers.get('location'), '"1"']);
    expect((await get(`/v1/customers/${first.body.id}`)).body.name).toBe('Another Name');
  });

  it('rejects a different body, and belongs to one merchant', async () => {
    const headers = newIdempotencyKey();
    const first = await create({ name: 'Sari' }, headers);
    const other = await create({ name: 'Sari', metadata: { a: 'b' } }, headers);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-key-reused']);
    expect((await create({ name: 'Sari', email: null, metadata: {} }, headers)).text).toBe(first.text);
    const neighbour = await service.newMerchant();
    const theirs = await create({ name: 'Sari' }, headers, neighbour.key);
    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(first.body.id);
  });

  it('rejects a create without an Idempotency-Key with 400', async () => {
    const answer = await create(PERSON, {});
    expect([answer.status, answer.body.code]).toEqual([400, 'idempotency-key-missing']);
  });

  it('50 equal requests at once to two processes create one customer, with 50 equal responses', async () => {
    const other = await service.another();
    const headers = newIdempotencyKey();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        callPatiently('POST', new URL('/v1/customers', i % 2 === 0 ? service.url : other.url), { key: merchant.key, body: PERSON, headers }),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    // On a busy machine the first response may be 503, and all others are replays.
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null).length).toBeLessThanOrEqual(1);
    expect((await get(`/v1/customers/${answers[0]!.body.id}/events`)).body).toHaveLength(1);
  });

  it('a repeat after the deletion returns 404, for the same and for another body', async () => {
    const headers = newIdempotencyKey();
    const { body } = await create(PERSON, headers);
    await remove(`/v1/customers/${body.id}`);
    for (const repeat of [await create(PERSON, headers), await create({ name: 'Somebody else' }, headers)]) {
      expect([repeat.status, repeat.body.code]).toEqual([404, 'not-found']);
    }
  });
});

describe('updating a customer', () => {
  it('keeps absent fields, clears null fields, and replaces nested objects whole', async () => {
    const created = await create();
    const { id } = created.body;
    const answer = await put({ id, description: null, address: { city: 'Medan', country: 'my' }, shipping: null });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toBe('"2"');
    expect(answer.body).toEqual({
      ...created.body,
      description: null,
      address: { ...EMPTY_ADDRESS, city: 'Medan', country: 'MY' },
      shipping: null,
      updated_on: expect.stringMatching(WHEN),
    });
    expect(answer.body.updated_on >= created.body.updated_on).toBe(true);
    const read = await get(`/v1/customers/${id}`);
    expect([read.text, read.headers.get('etag')]).toEqual([answer.text, '"2"']);
  });

  it('an update without a change appends no event', async () => {
    const created = await create();
    const { created_on: _, updated_on: __, ...same } = created.body;
    const answer = await put({ ...same, metadata: PERSON.metadata });
    expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([200, created.text, '"1"']);
    expect((await put({ id: same.id })).text).toBe(created.text);
    expect((await get(`/v1/customers/${same.id}/events`)).body).toHaveLength(1);
  });

  it('accepts the id in any case', async () => {
    const id = await newCustomer();
    expect((await put({ id: id.toUpperCase(), name: 'S' })).body).toMatchObject({ id, name: 'S' });
  });

  it.each<[string, object, string]>([
    ['no id', { name: 'x' }, '/id'],
    ['a malformed id', { id: '1', name: 'x' }, '/id'],
    ['a name that is null', { id: randomUUID(), name: null }, '/name'],
    ['an empty name', { id: randomUUID(), name: '' }, '/name'],
    ['a malformed e-mail', { id: randomUUID(), email: 'x' }, '/email'],
    ['an unknown field', { id: randomUUID(), created_on: '2026-01-31T08:15:30.123+00:00' }, '/created_on'],
    ['an unknown nested field', { id: randomUUID(), shipping: { address: { street: 'x' } } }, '/shipping/address/street'],
  ])('rejects %s', async (_, body, pointer) => {
    const answer = await put(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation-failed']);
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer })]);
  });

  it('concurrent updates lose no change', async () => {
    const id = await newCustomer({ name: 'x' });
    const changes = [{ description: 'd' }, { email: 'e@example.com' }, { phone: '12345' }, { tax: { id_type: 't' } }, { address: { city: 'c' } }];
    expect((await Promise.all(changes.map((change) => put({ id, ...change })))).map(({ status }) => status)).toEqual(changes.map(() => 200));
    const { body, headers } = await get(`/v1/customers/${id}`);
    expect(body).toMatchObject({ name: 'x', ...changes.reduce((all, change) => ({ ...all, ...change }), {}) });
    expect(headers.get('etag')).toBe('"6"');
  });
});

describe('fifty writers of one customer', () => {
  it('all updates return 200, and each appends one event', async () => {
    const id = await newCustomer();
    const names = Array.from({ length: 150 }, (_, i) => `Writer ${i}`);
    const answers: Answer[] = [];
    const writer = async (nth: number): Promise<void> => {
      // A busy machine may return 503 to an update that waited too long. Nothing was recorded, so the client sends it again.
      for (let i = nth; i < names.length; i += 50)
        answers.push(await callPatiently('PUT', new URL('/v1/customers', service.url), { key: merchant.key, body: { id, name: names[i] } }));
    };
    await Promise.all(Array.from({ length: 50 }, (_, nth) => writer(nth)));
    expect(answers.map(({ status }) => status)).toEqual(Array(150).fill(200));
    const tags = answers.map(({ headers }) => Number(headers.get('etag')!.replaceAll('"', ''))).toSorted((a, b) => a - b);
    expect(tags).toEqual(Array.from({ length: 150 }, (_, i) => i + 2));
    const pages = await Promise.all([1, 2].map((page) => get(`/v1/customers/${id}/events?PageSize=100&PageNumber=${page}`)));
    expect(pages.map(({ headers }) => headers.get('x-total-count'))).toEqual(['151', '151']);
    const recorded = pages.flatMap(({ body }) => body as { type: string; data: { name: string } }[]).slice(1);
    expect(recorded.map(({ data }) => data.name).toSorted()).toEqual(names.toSorted());
    // The history has each update as its response reports it.
    for (const { body, headers } of answers) {
      expect(recorded[Number(headers.get('etag')!.replaceAll('"', '')) - 2]!.data.name).toBe(body.name);
    }
  });

  it('updates with the same If-Match: one succeeds, the others return 412', async () => {
    const id = await newCustomer();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => put({ id, name: `Rival ${i}` }, { 'if-match': '"1"' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status === 412 && body.code === 'precondition-failed')).toHaveLength(49);
    expect((await get(`/v1/customers/${id}`)).body.name).toBe(answers.find(({ status }) => status === 200)!.body.name);
    expect((await get(`/v1/customers/${id}/events`)).headers.get('x-total-count')).toBe('2');
  });
});

describe('a customer that was updated often', () => {
  it('reads a page without the other events, and erases from the first and the newest event alone', async () => {
    const id = await newCustomer();
    const { eventStore } = service.stores;
    const page = 'x'.repeat(25_000);
    const metadata = (n: number): object => Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, `${n} ${page.slice(0, 450)}`]));
    for (let n = 0; n < 40; n += 1) expect((await put({ id, metadata: metadata(n) })).status).toBe(200);
    const read = eventStore.read.bind(eventStore);
    // Workers read the newest event of the log meanwhile, which may be in this stream. Requests read that one, too.
    const events = new Set<string>();
    eventStore.read = async (stream, ...how) => {
      const found = await read(stream, ...how);
      if (stream === customerStream(id)) for (const event of found) events.add(event.id);
      return found;
    };
    try {
      const one = await get(`/v1/customers/${id}/events?PageSize=1&PageNumber=41`);
      expect([one.headers.get('x-total-count'), one.body.length]).toEqual(['41', 1]);
      // The newest event, which has the count, and the requested one.
      expect(events.size).toBeLessThanOrEqual(2);
      expect((await get(`/v1/customers/${id}/events?PageSize=100&PageNumber=2`)).body).toEqual([]);
      events.clear();
      expect((await put({ id, name: 'Another' })).status).toBe(200);
      expect((await remove(`/v1/customers/${id}`)).status).toBe(204);
      expect(events.size).toBeLessThanOrEqual(4);
    } finally {
      eventStore.read = read;
    }
  });
});

describe('ETag and If-Match', () => {
  it('only the named version can be changed and deleted', async () => {
    const id = await newCustomer();
    expect((await put({ id, name: 'Two' }, { 'if-match': '"1"' })).headers.get('etag')).toBe('"2"');
    for (const stale of ['"1"', 'W/"2"', '"1", "7"', '2', 'nonsense']) {
      for (const answer of [
        await put({ id, name: 'Three' }, { 'if-match': stale }),
        await remove(`/v1/customers/${id}`, { 'if-match': stale }),
        await remove(`/v1/customers?Id=${id}`, { 'if-match': stale }),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([412, 'precondition-failed']);
      }
    }
    expect((await get(`/v1/customers/${id}`)).body.name).toBe('Two');
    expect((await put({ id, name: 'Three' }, { 'if-match': '"9", "2"' })).status).toBe(200);
    expect((await put({ id, name: 'Four' }, { 'if-match': '*' })).headers.get('etag')).toBe('"4"');
    expect((await remove(`/v1/customers/${id}`, { 'if-match': '"4"' })).status).toBe(204);
  });

  it('updates and deletions of a customer that does not exist return 404', async () => {
    const id = randomUUID();
    expect((await put({ id, name: 'x' }, { 'if-match': '"1"' })).status).toBe(404);
    expect((await remove(`/v1/customers/${id}`, { 'if-match': '*' })).status).toBe(404);
  });

  it('one of several concurrent changes with the same version succeeds', async () => {
    const id = await newCustomer();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => put({ id, name: `Name ${i}` }, { 'if-match': '"1"' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(412)]);
  });

  it('a read with the current ETag in If-None-Match returns 304 without a body', async () => {
    const id = await newCustomer();
    const known = await get(`/v1/customers/${id}`, merchant.key, { 'if-none-match': '"0", W/"1"' });
    expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', '"1"']);
    await put({ id, name: 'Changed' });
    expect((await get(`/v1/customers/${id}`, merchant.key, { 'if-none-match': '"1"' })).body.name).toBe('Changed');
  });
});

describe('deleting a customer', () => {
  it.each([
    ['by query', (id: string) => `/v1/customers?Id=${id}`],
    ['by query in any case', (id: string) => `/v1/customers?id=${id.toUpperCase()}`],
    ['by path', (id: string) => `/v1/customers/${id}`],
  ])('%s returns 204, then 404 everywhere', async (_, path) => {
    const id = await newCustomer();
    const answer = await remove(path(id));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('ledger-lag')).toBeNull();
    for (const gone of [
      await get(`/v1/customers/${id}`),
      await put({ id, name: 'x' }),
      await remove(path(id)),
      await remove(`/v1/customers/${id}`),
    ]) {
      expect([gone.status, gone.body.code]).toEqual([404, 'not-found']);
    }
    expect((await get('/v1/customers?PageSize=100&IsDescending=true')).body.map((customer: { id: string }) => customer.id)).not.toContain(id);
  });

  it('rejects a body, and accepts a JSON content type without one', async () => {
    const id = await newCustomer();
    const json = { 'content-type': 'application/json' };
    const announced = await service.call('DELETE', `/v1/customers?Id=${id}`, { key: merchant.key, headers: json, body: { Id: id } });
    expect([announced.status, announced.body.code]).toEqual([400, 'validation-failed']);
    expect((await remove(`/v1/customers?Id=${id}`, json)).status).toBe(204);
    expect((await create('', newIdempotencyKey())).body.code).toBe('malformed-json');
  });

  it('requires one well-formed Id and nothing else', async () => {
    const id = await newCustomer();
    for (const path of ['/v1/customers', '/v1/customers?Id=1', `/v1/customers?Id=${id}&Id=${id}`, `/v1/customers?Id=${id}&Force=true`]) {
      expect([(await remove(path)).status, (await remove(path)).body.code]).toEqual([400, 'validation-failed']);
    }
    expect((await get(`/v1/customers/${id}`)).status).toBe(200);
  });

  it('concurrent deletions: one succeeds, the others return 404', async () => {
    const id = await newCustomer();
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(`/v1/customers/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(9).fill(404)]);
  });
});

describe('another merchant', () => {
  it('reads, changes and deletions of the customer return 404', async () => {
    const neighbour = await service.newMerchant();
    const id = await newCustomer();
    for (const answer of [
      await get(`/v1/customers/${id}`, neighbour.key),
      await get(`/v1/customers/${id}/events`, neighbour.key),
      await put({ id, name: 'x' }, {}, neighbour.key),
      await remove(`/v1/customers?Id=${id}`, {}, neighbour.key),
      await remove(`/v1/customers/${id}`, { 'if-match': '"9"' }, neighbour.key),
      await get(`/v1/customers/${randomUUID()}`),
      await get('/v1/customers/no-id'),
      await remove('/v1/customers/no-id'),
      await get(`/v1/customers/${randomUUID()}/events`),
    ]) {
      expect([answer.status, answer.body.code, answer.body.detail]).toEqual([404, 'not-found', 'There is no such record.']);
    }
    expect((await get('/v1/customers', neighbour.key)).body).toEqual([]);
    expect((await get(`/v1/customers/${id}`)).status).toBe(200);
  });
});

describe('listing customers', () => {
  it('returns a bare array in pages, oldest first, with totals and links', async () => {
    const owner = await service.newMerchant();
    const list = (query: string) => get(`/v1/customers${query}`, owner.key);
    const empty = await list('');
    expect([empty.status, empty.text, empty.headers.get('x-total-count')]).toEqual([200, '[]', '0']);
    const ids: string[] = [];
    for (let i = 0; i < 12; i += 1) ids.push((await create({ name: `Customer ${i}` }, newIdempotencyKey(), owner.key)).body.id);

    const first = await list('');
    expect(first.headers.get('x-total-count')).toBe('12');
    expect(first.body).toHaveLength(10);
    expect(first.headers.get('link')).toContain(`<${service.url}/v1/customers?PageNumber=2&PageSize=10>; rel="next"`);
    const all = (await list('?PageSize=100')).body as { id: string; created_on: string }[];
    expect(all.map(({ id }) => id)).toEqual([...all].sort((a, b) => (a.created_on + a.id < b.created_on + b.id ? -1 : 1)).map(({ id }) => id));
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(ids));
    expect((await list('?pagesize=100&ISDESCENDING=True')).body).toEqual([...all].reverse());
    const paged = [await list('?PageSize=5'), await list('?PageSize=5&PageNumber=2'), await list('?PageSize=5&PageNumber=3')];
    expect(paged.flatMap(({ body }) => body)).toEqual(all);
    const past = await list('?PageNumber=99');
    expect([past.status, past.text, past.headers.get('x-total-count')]).toEqual([200, '[]', '12']);
    expect(all[0]).toEqual((await get(`/v1/customers/${all[0]!.id}`, owner.key)).body);

    await remove(`/v1/customers/${ids[3]!}`, {}, owner.key);
    const less = await list('?PageSize=100');
    expect([less.body.length, less.headers.get('x-total-count')]).toEqual([11, '11']);
  });

  it.each(['PageNumber=0', 'PageSize=101', 'PageSize=ten', 'IsDescending=1', 'Email=x', 'PageSize=1&pagesize=2'])('rejects ?%s', async (query) => {
    const answer = await get(`/v1/customers?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation-failed']);
  });

  it('reads in another process return every acknowledged write, also with its position', async () => {
    const other = await service.another();
    const created = await create();
    const { id } = created.body;
    const there = await service.call('GET', `${other.url}/v1/customers/${id}`, {
      key: merchant.key,
      headers: { 'min-ledger-position': created.headers.get('ledger-position')! },
    });
    expect(there.text).toBe(created.text);
    await put({ id, name: 'New' });
    expect((await service.call('GET', `${other.url}/v1/customers/${id}`, { key: merchant.key })).body.name).toBe('New');
    await remove(`/v1/customers/${id}`);
    expect((await service.call('GET', `${other.url}/v1/customers/${id}`, { key: merchant.key })).status).toBe(404);
  });
});

describe("a customer's event history", () => {
  it('returns every event, and after the deletion no personal data', async () => {
    const { body: created } = await create();
    await put({ id: created.id, email: null });
    const history = await get(`/v1/customers/${created.id}/events`);
    expect(history.headers.get('x-total-count')).toBe('2');
    const { id: customer_id, created_on, updated_on: _, ...details } = created;
    const ids = { customer_id, merchant_id: merchant.merchant_id };
    expect(history.body).toEqual([
      {
        id: expect.stringMatching(UUID),
        type: 'CustomerCreated',
        occurred_on: created_on,
        actor: merchant.key_id,
        correlation_id: expect.any(String),
        causation_id: expect.any(String),
        data: { ...ids, ...details, created_by: merchant.key_id, created_on },
      },
      expect.objectContaining({ type: 'CustomerUpdated', data: expect.objectContaining({ ...ids, ...details, email: null }) }),
    ]);
    expect(history.text).not.toContain('sealed');

    await remove(`/v1/customers/${created.id}`);
    const after = await get(`/v1/customers/${created.id}/events`);
    expect(after.body.map(({ type }: { type: string }) => type)).toEqual(['CustomerCreated', 'CustomerUpdated', 'CustomerDeleted']);
    const nothing = { name: null, description: null, email: null, phone: null, address: null, shipping: null, tax: null };
    expect(after.body[0].data).toEqual({ ...ids, ...nothing, created_by: merchant.key_id, created_on });
    expect(after.body[1].data).toMatchObject(nothing);
    expect(after.body[2].data).toEqual({ ...ids, deleted_by: merchant.key_id, deleted_on: expect.stringMatching(WHEN) });
    expect((await get(`/v1/customers/${created.id}/events?PageSize=1&PageNumber=3`)).body).toEqual([after.body[2]]);
  });
});
