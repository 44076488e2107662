import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { type ProblemCode, PROBLEMS } from '../../src/ledger/problems.js';
import { FILE_BYTES_MAX, startEdge, type EdgeApp } from '../support/edge-app.js';
import { eventually } from '../support/eventually.js';

let edge: EdgeApp;
let key: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  edge = await startEdge();
  key = edge.keys.issue();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await edge.app.close();
});

const send = (body: BodyInit | undefined, headers: Record<string, string> = { 'content-type': 'image/png' }, path = '/v1/files'): Promise<Response> =>
  fetch(edge.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' as const }),
  });

async function expectProblem(response: Response, code: ProblemCode): Promise<string> {
  const body = (await response.json()) as { code: string; detail: string };
  expect({ code: body.code, status: response.status }).toEqual({ code, status: PROBLEMS[code].status });
  return body.detail;
}

/** Sends the head of a request without its body. `answer` returns the response received so far. */
function begin(bearer: string, declared: number): { readonly socket: Socket; readonly answer: () => string } {
  const socket = connect(edge.port, '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.on('data', (bytes) => (received += bytes.toString('latin1'))).on('error', () => undefined);
  const head = ['POST /v1/files HTTP/1.1', 'Host: edge', `Authorization: Bearer ${bearer}`, 'Content-Type: image/png', `Content-Length: ${declared}`];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, answer: () => received };
}

const asStream = (bytes: Buffer): ReadableStream =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 50_000) controller.enqueue(bytes.subarray(at, at + 50_000));
      controller.close();
    },
  });

describe('a file', () => {
  it.each([
    ['with its length', (bytes: Buffer): BodyInit => bytes as unknown as BodyInit],
    ['in chunks', asStream],
  ])('a file of the maximum size arrives byte for byte, sent %s', async (_, bodyOf) => {
    const bytes = randomBytes(FILE_BYTES_MAX);
    const response = await send(bodyOf(bytes), { 'content-type': 'Image/PNG; x=y' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ media_type: 'image/png', size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  });

  it('an empty file passes the edge', async () => {
    expect(await (await send(undefined)).json()).toMatchObject({ size: 0 });
    expect(await (await send('')).json()).toMatchObject({ size: 0 });
  });

  it.each([
    ['of no type', {}],
    ['of another type', { 'content-type': 'text/html' }],
    ['that is JSON', { 'content-type': 'application/json' }],
    ['that is a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['in another encoding', { 'content-type': 'text/plain; charset=latin1' }],
    ['that is compressed', { 'content-type': 'image/png', 'content-encoding': 'gzip' }],
  ])('a file %s is rejected with the list of accepted types', async (_, headers) => {
    expect(await expectProblem(await send(Buffer.from('{}') as unknown as BodyInit, headers), 'unsupported-media-type')).toContain(
      'image/png, text/plain',
    );
  });

  it.each([
    ['with its length', (bytes: Buffer): BodyInit => bytes as unknown as BodyInit],
    ['in chunks', asStream],
  ])('a file that is too large is rejected, sent %s', async (_, bodyOf) => {
    await expectProblem(await send(bodyOf(Buffer.alloc(FILE_BYTES_MAX + 1))), 'body-too-large');
  });

  it('a file that is far too large is rejected before it is sent', async () => {
    const { socket, answer } = begin(key, 2 ** 40);
    await eventually(() => answer().startsWith('HTTP/1.1 413'));
    socket.destroy();
  });

  it('other routes reject files with 415, and an upload requires its scope', async () => {
    expect(
      await expectProblem(await send('{}', { 'content-type': 'text/plain', 'idempotency-key': 'k' }, '/v1/orders'), 'unsupported-media-type'),
    ).toContain('application/json');
    const other = edge.keys.issue({ scopes: ['orders:write'] });
    await expectProblem(await send('x', { authorization: `Bearer ${other}`, 'content-type': 'text/plain' }), 'insufficient-scope');
  });
});

describe('a merchant that sends files slowly or incompletely', () => {
  it('a slow sender occupies two places, and the other merchants use the remaining ones', async () => {
    const slow = edge.keys.issue({ merchant_id: '0198c0de-0000-4000-8000-000000000002' });
    const begun = Array.from({ length: 18 }, () => begin(slow, 100));
    await eventually(async () => {
      const { status } = await send('x', { authorization: `Bearer ${slow}`, 'content-type': 'text/plain' });
      return status === 429;
    });
    for (let n = 0; n < 20; n += 1) expect((await send('x', { 'content-type': 'text/plain' })).status).toBe(200);
    expect(begun.map(({ answer }) => answer())).toEqual(begun.map(() => ''));

    // A place is free again after its client disconnects or receives a response.
    for (const { socket } of begun.slice(0, 9)) socket.destroy();
    for (const { socket } of begun.slice(9)) socket.write(Buffer.alloc(100));
    await eventually(() => begun.slice(9).every(({ answer }) => answer().startsWith('HTTP/1.1 200')));
    expect((await send('x', { authorization: `Bearer ${slow}`, 'content-type': 'text/plain' })).status).toBe(200);
  });
});
