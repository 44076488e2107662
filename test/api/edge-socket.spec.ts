import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EdgeApp, startEdge } from '../support/edge-app.js';

let edge: EdgeApp;
let key: string;
beforeAll(async () => {
  edge = await startEdge({ limits: { headersMs: 300, requestMs: 600, keepAliveMs: 500 } });
  key = edge.keys.issue();
});
afterAll(() => edge.app.close());

/** Writes the parts in turn, and returns everything received until the connection ends. */
async function talk(parts: Iterable<string> | AsyncIterable<string>): Promise<string> {
  const socket = net.connect(edge.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  for await (const part of parts) {
    if (socket.destroyed) break;
    socket.write(part, 'latin1');
  }
  await ended;
  return answer;
}

function refusal(answer: string): [number, string] {
  const [head = '', body = '{}'] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^content-type: application\/problem\+json; charset=utf-8$/im);
  const id = /^request-id: (req_[0-9a-f]{32})$/im.exec(head)?.[1];
  expect(JSON.parse(body)).toMatchObject({ request_id: id, status: Number(head.slice(9, 12)) });
  return [Number(head.slice(9, 12)), (JSON.parse(body) as { code: string }).code];
}

const AUTH = () => `Host: x\r\nAuthorization: Bearer ${key}\r\n`;

describe('bytes that are not an HTTP request', () => {
  it.each([
    ['a broken request line', 'GET\r\n\r\n'],
    ['another protocol', 'HELO example.com\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a header without a colon', 'GET /v1/orders HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['a NUL in a header', 'GET /v1/orders HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n'],
    ['no Host', 'GET /v1/orders HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['a malformed length', 'POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n'],
    ['two framings', 'POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}'],
    ['two lengths', 'POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  ])('rejects %s with 400 as a problem', async (_, text) => {
    expect(refusal(await talk([text]))).toEqual([400, 'malformed-request']);
  });

  it.each([
    ['GET http://shop.example/v1/orders?PageSize=7', 200, '"PageSize":7'],
    ['GET HTTPS://shop.example:8443/v1/orders', 200, '"PageSize"'],
    ['GET http://shop.example/v1/nowhere', 404, '"instance":"/v1/nowhere"'],
    ['GET http://shop.example?x=1', 404, '"instance":"/"'],
    ['GET http://shop.example/', 404, '"instance":"/"'],
    ['GET http://shop.example//v1/orders', 404, '"instance":"//v1/orders"'],
    ['DELETE http://shop.example/v1/orders', 405, 'allow'],
    ['GET ftp://shop.example/v1/orders', 404, ''],
    ['GET /v1/orders?next=http://shop.example/', 400, '"next"'],
  ])('answers %s, the absolute form of a forwarding proxy, as its path with %i', async (line, status, part) => {
    const answer = await talk([`${line} HTTP/1.1\r\n${AUTH()}Connection: close\r\n\r\n`]);
    expect([line, answer.slice(9, 12), answer.toLowerCase().includes(part.toLowerCase())]).toEqual([line, String(status), true]);
  });

  it('rejects a broken chunk of a body with 400', async () => {
    const answer = await talk([
      `POST /v1/orders HTTP/1.1\r\n${AUTH()}Content-Type: application/json\r\nIdempotency-Key: k\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n`,
    ]);
    expect(refusal(answer)).toEqual([400, 'malformed-request']);
  });

  it('rejects headers that are too large with 431', async () => {
    expect(refusal(await talk([`GET /v1/orders HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`]))).toEqual([431, 'headers-too-large']);
    expect(refusal(await talk([`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`]))).toEqual([431, 'headers-too-large']);
  });

  it('rejects CONNECT with 405', async () => {
    expect(refusal(await talk(['CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n']))).toEqual([405, 'method-not-allowed']);
  });
});

describe('a slow client', () => {
  it('headers that do not end return 408', async () => {
    expect(refusal(await talk(['GET /v1/orders HTTP/1.1\r\nHost: x\r\n']))).toEqual([408, 'request-timeout']);
  });

  it('a body that does not end returns 408', async () => {
    const answer = await talk([
      `POST /v1/orders HTTP/1.1\r\n${AUTH()}Content-Type: application/json\r\nIdempotency-Key: k\r\nContent-Length: 100\r\n\r\n{"a":`,
    ]);
    expect(refusal(answer)).toEqual([408, 'request-timeout']);
  });

  it('a connection without a request returns 408', async () => {
    expect(refusal(await talk([]))).toEqual([408, 'request-timeout']);
  });
});

describe('a connection', () => {
  it('pipelined requests each have a response', async () => {
    const request = (path: string, extra = '') => `GET ${path} HTTP/1.1\r\n${AUTH()}${extra}\r\n`;
    const answer = await talk([request('/v1/orders/sum') + request('/v1/nothing') + request('/health/live', 'Connection: close\r\n')]);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
    expect(answer.match(/request-id: /gi)).toHaveLength(3);
  });

  it('garbage after a request causes at most one 400', async () => {
    const answer = await talk([`GET /v1/orders/sum HTTP/1.1\r\n${AUTH()}\r\n`, '\x00\x01garbage\r\n\r\n']);
    expect(answer).toMatch(/^HTTP\/1\.1 (200|400)/);
    expect(answer.match(/HTTP\/1\.1 400/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  it('a request after a rejected body has a response', async () => {
    const refused = `POST /v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\nhello`;
    const answer = await talk([`${refused}GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`]);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  it('accepts HTTP/1.0 without Host', async () => {
    expect(await talk(['GET /health/live HTTP/1.0\r\n\r\n'])).toMatch(/^HTTP\/1\.1 200/);
  });

  it('ignores an unknown Expect header', async () => {
    expect(await talk(['GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n'])).toMatch(/^HTTP\/1\.1 200/);
  });

  it('accepts OPTIONS * and absolute addresses as targets', async () => {
    expect(await talk(['OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'])).toMatch(/^HTTP\/1\.1 404/);
    expect(await talk(['GET http://x/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'])).toMatch(/^HTTP\/1\.1 (200|404)/);
  });
});

it('an Idempotency-Key sent twice is malformed, one with a comma is not', async () => {
  const body = '{"amount":1,"currency":"IDR","channel_code":"QR_QRIS","reference_id":"r"}';
  const post = (headers: string) =>
    talk([
      `POST /v1/orders HTTP/1.1\r\n${AUTH()}Content-Type: application/json\r\n${headers}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ]);
  expect(refusal(await post('Idempotency-Key: a\r\nIdempotency-Key: a\r\n'))).toEqual([400, 'idempotency-key-malformed']);
  expect(await post('Idempotency-Key: a, a\r\n')).toContain('"key":"a, a"');
});

it('a client that disconnects in the middle of a body causes no error', async () => {
  for (let n = 0; n < 20; n += 1) {
    const socket = net.connect(edge.port, '127.0.0.1');
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    socket.write(`POST /v1/orders HTTP/1.1\r\n${AUTH()}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
    socket.resetAndDestroy();
  }
  expect((await fetch(`${edge.url}/health/live`)).status).toBe(200);
  expect(edge.log.filter((line) => line.includes('"error"'))).toEqual([]);
});
