import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ProblemCode, PROBLEMS } from '../../src/ledger/problems.js';
import { type EdgeApp, startEdge } from '../support/edge-app.js';

const ORDER = { amount: 10000, currency: 'idr', channel_code: 'QR_qris', reference_id: 'order-1' };
const ID = '0198C0DE-7A5E-5C3A-9D2F-3F6F4A1B2C3D';

let edge: EdgeApp;
let key: string;

beforeAll(async () => {
  edge = await startEdge({ limits: { handlerMs: 300 } });
  key = edge.keys.issue();
});
afterAll(() => edge.app.close());

function send(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
  return fetch(edge.url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
}

function post(body: unknown, headers: Record<string, string> = {}, path = '/v1/orders'): Promise<Response> {
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return send(path, { method: 'POST', body: bytes as string, headers: { 'content-type': 'application/json', 'idempotency-key': 'k-1', ...headers } });
}

interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  request_id: string;
  errors?: { pointer?: string; parameter?: string; code: string; detail: string }[];
}

async function problem(response: Response, code: ProblemCode): Promise<ProblemBody> {
  const body = (await response.json()) as ProblemBody;
  expect({ code: body.code, status: response.status }).toEqual({ code, status: PROBLEMS[code].status });
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(body).toMatchObject({ type: `${edge.url}/problems/${code}`, title: PROBLEMS[code].title, status: response.status });
  expect(body.request_id).toMatch(/^req_[0-9a-f]{32}$/);
  expect(response.headers.get('request-id')).toBe(body.request_id);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(body.detail).not.toBe('');
  return body;
}

const pointers = ({ errors = [] }: ProblemBody): Record<string, string> =>
  Object.fromEntries(errors.map((error) => [error.pointer ?? error.parameter ?? '', error.code]));

describe('a body', () => {
  it('a valid body becomes an instance with normalised values', async () => {
    const response = await post({ ...ORDER, description: 'two\tlines\nhere', address: { country: 'id' }, events: ['ORDER.PAID', 'order.paid'] });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      key: 'k-1',
      amount: 10000,
      currency: 'IDR',
      channel_code: 'QR_QRIS',
      reference_id: 'order-1',
      description: 'two\tlines\nhere',
      address: { country: 'ID' },
      events: ['order.paid'],
      caller: { mode: 'test', merchant_id: '0198c0de-0000-4000-8000-000000000001' },
    });
  });

  it('a faulty body returns every fault with its pointer', async () => {
    const response = await post({
      amount: '5',
      currency: 'XYZ',
      channel_code: 'cash',
      description: 'bell\u0007',
      address: { country: 'Atlantis', zip: 1 },
      metadata: { 'a/b~c': 1, ok: 'yes' },
      events: ['order.paid', 'order.lost'],
      'am/ount': 3,
    });
    const body = await problem(response, 'validation-failed');
    expect(pointers(body)).toEqual({
      '/amount': 'wrong-type',
      '/currency': 'unknown-currency',
      '/channel_code': 'unknown-value',
      '/reference_id': 'required',
      '/description': 'control-character',
      '/address/country': 'unknown-country',
      '/address/zip': 'unknown-field',
      '/metadata/a~1b~0c': 'wrong-type',
      '/events/1': 'unknown-value',
      '/am~1ount': 'unknown-field',
    });
    expect(body.instance).toBe('/v1/orders');
  });

  it.each([
    ['0', 'out-of-range'],
    ['-1', 'out-of-range'],
    ['1.5', 'not-an-integer'],
    ['"10000"', 'wrong-type'],
    ['null', 'required'],
    ['true', 'wrong-type'],
    ['9007199254740992', 'out-of-range'],
    ['9007199254740993', 'out-of-range'],
    ['1e400', 'out-of-range'],
    ['1e-400', 'out-of-range'],
    ['9007199254740991.4', 'out-of-range'],
    ['1.00000000000000000001', 'out-of-range'],
    ['[1]', 'wrong-type'],
    ['{}', 'wrong-type'],
  ])('rejects the amount %s', async (amount, code) => {
    const body = await problem(await post(JSON.stringify({ ...ORDER, amount: 0 }).replace('"amount":0', `"amount":${amount}`)), 'validation-failed');
    expect(pointers(body)).toEqual({ '/amount': code });
  });

  it.each([
    ['100.0', 100],
    ['1e2', 100],
    ['1.5e1', 15],
    ['100.00e0', 100],
    ['1200e-2', 12],
    ['9007199254740991', 9007199254740991],
  ])('reads the amount %s as %d', async (amount, value) => {
    const response = await post(JSON.stringify({ ...ORDER, amount: 0 }).replace('"amount":0', `"amount":${amount}`));
    expect(((await response.json()) as { amount: number }).amount).toBe(value);
  });

  it('keeps any metadata key as plain data', async () => {
    const metadata = '{"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d","":"x"}';
    const refused = await problem(await post(JSON.stringify(ORDER).replace('}', `,"metadata":${metadata}}`)), 'validation-failed');
    expect(pointers(refused)).toEqual({ '/metadata/': 'too-short' });
    const response = await post(JSON.stringify(ORDER).replace('}', `,"metadata":${metadata.replace(',"":"x"', '')}}`));
    expect(await response.text()).toContain(`"metadata":${metadata.replace(',"":"x"', '')}`);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', '/amount'])(
    'rejects a field named %s on every level',
    async (name) => {
      const member = `{${JSON.stringify(name)}:{"a":1},`;
      const order = JSON.stringify({ ...ORDER, address: { country: 'ID' } }).replaceAll('{', member);
      const pointer = `/${name.replace('/', '~1')}`;
      expect(pointers(await problem(await post(order), 'validation-failed'))).toEqual({
        [pointer]: 'unknown-field',
        [`/address${pointer}`]: 'unknown-field',
      });
    },
  );

  it.each(['__proto__', 'constructor', 'then', 'toString'])('an object with a member %s instead of a text is a wrong type', async (name) => {
    const order = JSON.stringify({ ...ORDER, reference_id: 0, address: { line1: 0 } }).replaceAll(/:0\b/g, `:{"${name}":5}`);
    expect(pointers(await problem(await post(order), 'validation-failed'))).toEqual({
      '/reference_id': 'wrong-type',
      '/address/line1': 'wrong-type',
    });
  });

  it('a body with thousands of unknown fields returns a hundred faults', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, 1]));
    const body = await problem(await post({ ...ORDER, amount: 0, ...many }), 'validation-failed');
    expect(body.detail).toBe('100 fields are not valid.');
    expect(Object.keys(pointers(body))).toEqual(['/amount', ...Array.from({ length: 99 }, (_, n) => `/k${n}`)]);
  });

  it('metadata has bounds on keys, lengths and values', async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'v']));
    expect(pointers(await problem(await post({ ...ORDER, metadata: many }), 'validation-failed'))).toEqual({ '/metadata': 'too-many-keys' });
    const long = { ['k'.repeat(41)]: 'v', a: 'v'.repeat(501), b: '😀'.repeat(500), c: 'bell\u0000', d: 'line\n\ttab' };
    const faults = Object.values(pointers(await problem(await post({ ...ORDER, metadata: long }), 'validation-failed')));
    expect(faults).toEqual(['too-long', 'too-long', 'control-character']);
    for (const metadata of [[], 'x', 1, { a: { b: 'c' } }, { a: null }]) await problem(await post({ ...ORDER, metadata }), 'validation-failed');
  });

  it('lengths count code points; lone surrogates and control characters are rejected', async () => {
    expect((await post({ ...ORDER, reference_id: '😀'.repeat(255) })).status).toBe(200);
    expect(pointers(await problem(await post({ ...ORDER, reference_id: '😀'.repeat(256) }), 'validation-failed'))).toEqual({
      '/reference_id': 'too-long',
    });
    for (const [text, code] of [
      ['\\ud800', 'lone-surrogate'],
      ['a\\u0000', 'control-character'],
      ['\\u0085', 'control-character'],
      ['tab\\t', 'control-character'],
      ['', 'too-short'],
    ]) {
      const response = await post(JSON.stringify({ ...ORDER, reference_id: '@' }).replace('@', text ?? ''));
      expect(pointers(await problem(response, 'validation-failed'))).toEqual({ '/reference_id': code });
    }
  });

  it.each([
    ['a syntax error', '{"amount":'],
    ['nothing', ''],
    ['two documents', '{}{}'],
    ['a byte order mark', '\ufeff{}'],
    ['a name twice', '{"amount":1,"amount":2}'],
    ['a name twice, once escaped', '{"amount":1,"am\\u006funt":2}'],
    ['objects 3,000 deep', '{"a":'.repeat(3000) + '1' + '}'.repeat(3000)],
    ['arrays 3,000 deep', '['.repeat(3000) + ']'.repeat(3000)],
    ['an unclosed string', '{"a":"\\'],
  ])('a body that is %s is malformed JSON', async (_, text) => {
    await problem(await post(text), 'malformed-json');
  });

  it('a body that is not UTF-8 is malformed JSON', async () => {
    await problem(await post(Buffer.from('{"reference_id":"\xff"}', 'latin1')), 'malformed-json');
  });

  it.each(['[]', 'null', '1', '"text"', 'true'])('a body that is %s is not valid', async (text) => {
    expect(pointers(await problem(await post(text), 'validation-failed'))).toEqual({ '': 'wrong-type' });
  });

  it('a missing body is not valid', async () => {
    await problem(await send('/v1/orders', { method: 'POST', headers: { 'idempotency-key': 'k' } }), 'validation-failed');
  });

  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/vnd.api+json',
    'nonsense',
    '',
  ])('a body of type "%s" is not supported', async (type) => {
    await problem(await post(JSON.stringify(ORDER), { 'content-type': type }), 'unsupported-media-type');
  });

  it('a compressed body is not supported', async () => {
    await problem(await post(JSON.stringify(ORDER), { 'content-encoding': 'gzip' }), 'unsupported-media-type');
  });

  it('a body without a type is not supported', async () => {
    await problem(
      await send('/v1/orders', { method: 'POST', body: Buffer.from('{}'), headers: { 'idempotency-key': 'k' } }),
      'unsupported-media-type',
    );
  });

  it('accepts a body of 64 KiB, and rejects a larger one with 413', async () => {
    const filler = (size: number) => JSON.stringify(ORDER) + ' '.repeat(size - JSON.stringify(ORDER).length);
    expect((await post(filler(65536))).status).toBe(200);
    await problem(await post(filler(65537)), 'body-too-large');
    await problem(await post(filler(4_000_000)), 'body-too-large');
    const chunked = new ReadableStream(
      {
        pull(controller) {
          controller.enqueue(new TextEncoder().encode(' '.repeat(16384)));
        },
      },
      { highWaterMark: 1 },
    );
    const response = await send('/v1/orders', {
      method: 'POST',
      body: chunked,
      duplex: 'half',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
    } as RequestInit & { headers: Record<string, string> });
    await problem(response, 'body-too-large');
  });

  it('a route without a body accepts an empty body or object only', async () => {
    expect((await post({}, {}, `/v1/orders/${ID}/cancel`)).status).toBe(200);
    expect((await send(`/v1/orders/${ID}/cancel`, { method: 'POST' })).status).toBe(200);
    expect(pointers(await problem(await post({ reason: 'x' }, {}, `/v1/orders/${ID}/cancel`), 'validation-failed'))).toEqual({
      '/reason': 'unknown-field',
    });
    await problem(await post('[1]', {}, `/v1/orders/${ID}/cancel`), 'validation-failed');
  });

  it('only a page without JavaScript accepts a form', async () => {
    const form = { method: 'POST', body: 'outcome=succeed&note=a+b%21', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect(await (await fetch(`${edge.url}/pay/token`, form)).json()).toEqual({ outcome: 'succeed', note: 'a b!' });
  });
});

describe('a query', () => {
  const get = (query: string) => send(`/v1/orders?${query}`);

  it('an empty query has defaults', async () => {
    expect(await (await send('/v1/orders')).json()).toEqual({ PageNumber: 1, PageSize: 10, OrderBy: 'CREATED_ON', IsDescending: false });
  });

  it('names and values are recognised in any case', async () => {
    const response = await get(`pagenumber=2&PAGESIZE=100&isDescending=FALSE&currency=sgd&ID=${ID}&orderby=Amount&searchtext=50%25+off`);
    expect(await response.json()).toEqual({
      PageNumber: 2,
      PageSize: 100,
      IsDescending: false,
      Currency: 'SGD',
      Id: ID.toLowerCase(),
      OrderBy: 'AMOUNT',
      SearchText: '50% off',
    });
  });

  it.each([
    ['2026-01-31T15:15:30+07:00', '2026-01-31T08:15:30.000+00:00'],
    ['2026-01-31T15:15:30.1%2B07:00', '2026-01-31T08:15:30.100+00:00'],
    ['2026-01-31t08:15:30z', '2026-01-31T08:15:30.000+00:00'],
    ['2026-01-31T08:15:30.1234Z', '2026-01-31T08:15:30.124+00:00'],
    ['2024-02-29T00:00:00-00:30', '2024-02-29T00:30:00.000+00:00'],
  ])('reads the time %s', async (text, instant) => {
    expect(await (await get(`DateFrom=${text}`)).json()).toMatchObject({ DateFrom: instant });
  });

  it.each([
    '2026-01-31',
    '2026-01-31T08:15:30',
    '2026-02-30T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T08:60:00Z',
    '0001-01-01T00:00:00%2B01:00',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00Z',
    '1738311330',
    'now',
  ])('rejects the time %s', async (text) => {
    expect(pointers(await problem(await get(`DateFrom=${text}`), 'validation-failed'))).toEqual({ DateFrom: 'wrong-format' });
  });

  it('a faulty query returns every fault with its parameter', async () => {
    const body = await problem(
      await get('PageNumber=0&PageSize=101&IsDescending=1&Id=42&Currency=&Colour=red&SearchText=%E0%A4%A&OrderBy=name'),
      'validation-failed',
    );
    expect(pointers(body)).toEqual({
      PageNumber: 'out-of-range',
      PageSize: 'out-of-range',
      IsDescending: 'not-a-boolean',
      Id: 'wrong-format',
      Currency: 'unknown-currency',
      Colour: 'unknown-parameter',
      SearchText: 'malformed-escape',
      OrderBy: 'unknown-value',
    });
    expect(body.instance).toBe('/v1/orders');
  });

  it('faults have the order of the query', async () => {
    const body = await problem(await get('Currency=&Colour=red&PageSize=0&Id=42&PageNumber=x&Currency=IDR'), 'validation-failed');
    expect(Object.keys(pointers(body))).toEqual(['Colour', 'PageSize', 'Id', 'PageNumber', 'Currency']);
  });

  it.each(['PageSize=10&PageSize=10', 'PageSize=10&pagesize=20', 'PageSize=10&%50ageSize=10'])('rejects a repeated parameter: %s', async (query) => {
    expect(pointers(await problem(await get(query), 'validation-failed'))).toEqual({ PageSize: 'given-twice' });
  });

  it.each([
    'PageSize=1.5',
    'PageSize=',
    'PageSize=1e1',
    'PageSize=0x10',
    'PageSize=%201',
    'PageNumber=-1',
    'PageNumber=99999999999999999999',
    'PageSize[]=3',
    '__proto__=1',
    'constructor=1',
    'SearchText=a%00b',
    'SearchText=%ED%A0%80',
    '%FF=1',
    'IsDescending',
  ])('rejects %s', async (query) => {
    await problem(await get(query), 'validation-failed');
  });

  it('a route without parameters rejects a query', async () => {
    expect(pointers(await problem(await send(`/v1/orders/${ID}?expand=all`), 'validation-failed'))).toEqual({ expand: 'unknown-parameter' });
  });

  it('links to other pages keep the other parameters', async () => {
    const response = await get('PageNumber=2&PageSize=10&SearchText=a%26b');
    expect(response.headers.get('x-total-count')).toBe('35');
    const page = (number: number) => `<${edge.url}/v1/orders?SearchText=a%26b&PageNumber=${number}&PageSize=10>`;
    expect(response.headers.get('link')).toBe(`${page(1)}; rel="first", ${page(1)}; rel="prev", ${page(3)}; rel="next", ${page(4)}; rel="last"`);
    expect((await get('PageNumber=9')).headers.get('link')).toMatch(
      /PageNumber=4&PageSize=10>; rel="prev", <[^>]*PageNumber=4&PageSize=10>; rel="last"$/,
    );
  });
});

describe('a path', () => {
  it.each([
    '/v1/orders/42',
    '/v1/orders/%00',
    '/v1/orders/%ZZ',
    `/v1/orders/${ID}x`,
    `/v1/orders/${'9'.repeat(300)}`,
    '/v1/orders/',
    '/v1/nothing',
    '/',
    '/v1/orders/%2e%2e',
    '//v1/orders',
  ])('an unknown path returns 404: %s', async (path) => {
    await problem(await send(path), 'not-found');
  });

  it('an unknown path returns 404 before key and body are checked', async () => {
    await problem(await fetch(`${edge.url}/v1/nothing`, { method: 'POST', body: 'no json', headers: { 'content-type': 'text/plain' } }), 'not-found');
  });

  it('ids in a path match in any case', async () => {
    expect(await (await send(`/v1/orders/${ID}`)).json()).toEqual({ id: ID.toLowerCase() });
  });

  it.each([
    ['PUT', '/v1/orders', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/v1/orders/x', 'DELETE, GET, HEAD, OPTIONS'],
    ['PATCH', '/health/live', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/v1/orders', 'GET, HEAD, OPTIONS, POST'],
  ])('rejects %s %s with 405 and the allowed methods', async (method, path, allow) => {
    const response = await send(path, { method, ...(method === 'PROPFIND' ? {} : { body: 'x' }) });
    await problem(response, 'method-not-allowed');
    expect(response.headers.get('allow')).toBe(allow);
  });

  it('OPTIONS returns the allowed methods, and HEAD the headers of GET', async () => {
    const options = await fetch(`${edge.url}/v1/orders`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow'), await options.text()]).toEqual([204, 'GET, HEAD, OPTIONS, POST', '']);
    const head = await send('/v1/orders', { method: 'HEAD' });
    expect([head.status, head.headers.get('x-total-count'), await head.text()]).toEqual([200, '35', '']);
    expect((await fetch(`${edge.url}/v1/orders`, { method: 'HEAD' })).status).toBe(401);
  });
});

describe('Idempotency-Key', () => {
  const keyOf = async (value: string) => ((await (await post(ORDER, { 'idempotency-key': value })).json()) as { key: string }).key;

  it('bare and quoted keys are the same', async () => {
    expect(await keyOf('abc')).toBe('abc');
    expect(await keyOf('"abc"')).toBe('abc');
    expect(await keyOf('"a \\"b\\" \\\\"')).toBe('a "b" \\');
    expect(await keyOf('a,b c')).toBe('a,b c');
    expect(await keyOf(`"${'x'.repeat(255)}"`)).toBe('x'.repeat(255));
  });

  it.each(['', '""', '"', '"abc', '"a"b"', '"a\\b"', '"abc";q=1', 'x'.repeat(256), `"${'x'.repeat(256)}"`, 'caf\u00e9', 'a\tb'])(
    'rejects the malformed key %j',
    async (value) => {
      await problem(await post(ORDER, { 'idempotency-key': value }), 'idempotency-key-malformed');
    },
  );

  it('a missing key returns 400', async () => {
    await problem(
      await send('/v1/orders', { method: 'POST', body: JSON.stringify(ORDER), headers: { 'content-type': 'application/json' } }),
      'idempotency-key-missing',
    );
  });
});

describe('a failure in a handler', () => {
  const fault = (name: string, headers: Record<string, string> = {}) => send(`/v1/faults/${name}`, { method: 'POST', headers });

  it('a bug returns 500 without detail, and is logged with the request id', async () => {
    const body = await problem(await fault('bug'), 'internal-error');
    expect(JSON.stringify(body)).not.toMatch(/secret|select|TypeError|\.ts/);
    expect(edge.log.find((line) => line.includes(body.request_id))).toContain('secret internals');
  });

  it.each(['store', 'postgres'])('a lost connection returns 503: %s', async (name) => {
    const response = await fault(name);
    const body = await problem(response, 'unavailable');
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(JSON.stringify(body)).not.toMatch(/10\.0\.0|ECONN|refused/);
  });

  it('an unknown outcome of a write returns 503 with that detail', async () => {
    const body = await problem(await fault('unknown', { 'idempotency-key': 'key-1' }), 'unavailable');
    expect(body.detail).toMatch(/is not known whether the write was recorded/);
    expect(body.detail).toMatch(/same Idempotency-Key/);
    // An update takes no key, so its problem does not mention one.
    expect((await problem(await fault('unknown'), 'unavailable')).detail).not.toMatch(/Idempotency-Key/);
  });

  it('a handler beyond its deadline returns 503', async () => {
    const body = await problem(await fault('silence'), 'unavailable');
    expect(body.detail).toMatch(/is not known whether the write was recorded/);
    // A read may have a body, and then it is a POST.
    expect((await problem(await fault('silent-read'), 'unavailable')).detail).toBe('The request took too long. Nothing was changed.');
  });

  it.each([
    ['beyond its deadline', 'silence', 'unavailable'],
    ['that fails', 'bug', 'internal-error'],
  ] as const)('a handler %s sends no headers of the answer that it had begun', async (_, end, code) => {
    const response = await fault(`begun/${end}`);
    await problem(response, code);
    expect(response.headers.get('cache-control')).toBe('no-store');
    for (const name of ['content-encoding', 'etag', 'content-disposition']) expect([name, response.headers.get(name)]).toEqual([name, null]);
  });

  it('a refusal returns the problem of its name', async () => {
    expect((await problem(await fault('refusal'), 'state-conflict')).detail).toBe('A paid order cannot be cancelled.');
  });
});

describe('every response', () => {
  it('contains a request id of the service, never the client’s', async () => {
    const response = await send('/v1/orders', { headers: { 'request-id': 'mine', 'x-request-id': 'mine' } });
    expect(response.headers.get('request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  });

  it('uses the correlation id of a valid traceparent', async () => {
    const ids = async (traceparent: string) =>
      ((await (await post(ORDER, { traceparent })).json()) as { ids: { correlation_id: string; causation_id: string } }).ids;
    expect((await ids('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')).correlation_id).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
    for (const invalid of [
      '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
      'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      'x',
    ]) {
      const { correlation_id, causation_id } = await ids(invalid);
      expect(correlation_id).toBe(causation_id);
    }
  });

  it('contains security headers', async () => {
    const { headers } = await send('/v1/orders');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('writes sums with all their digits', async () => {
    expect(await (await send('/v1/orders/sum')).text()).toBe('{"total_amount":9007199254740993,"parts":[1,null,"x"]}');
  });
});

describe('the service’s own pages', () => {
  it.each(Object.keys(PROBLEMS))('explain the problem %s', async (code) => {
    const response = await fetch(`${edge.url}/problems/${code}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain(`<code>${code}</code>`);
  });

  it('an unknown problem returns 404', async () => {
    await problem(await fetch(`${edge.url}/problems/toString`), 'not-found');
    expect((await fetch(`${edge.url}/problems`)).status).toBe(200);
  });

  it('report that the service lives and is ready', async () => {
    expect(await (await fetch(`${edge.url}/health/live`)).json()).toEqual({ status: 'alive' });
    expect(await (await fetch(`${edge.url}/health/ready`)).json()).toEqual({ status: 'ready', checks: {} });
  });

  it('metrics have a label for the route, not for the path', async () => {
    await send(`/v1/orders/${ID}`);
    await send('/v1/some/where/else');
    const text = await (await fetch(`${edge.url}/metrics`)).text();
    expect(text).toContain('http_request_duration_seconds_count{route="/v1/orders/:id",method="GET",status="200"}');
    expect(text).toContain('route="none",method="other",status="404"');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(text).not.toContain(ID.toLowerCase());
    expect(text).not.toContain('some');
  });
});

it('the log contains no key and no body', () => {
  const all = edge.log.join('');
  expect(all).not.toContain(key);
  expect(all).not.toContain('order-1');
});
