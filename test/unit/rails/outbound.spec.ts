import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ForbiddenAddress } from '../../../src/platform/http/edge/address-guard.js';
import type { ProviderResult } from '../../../src/ledger/ports/provider-result.js';
import { Outbound, type OutboundOptions } from '../../../src/rails/calls/outbound.js';
import type { RailAnswer, RailCall } from '../../../src/rails/calls/rail-calls.js';
import { systemRailClock } from '../../../src/rails/calls/rail-clock.js';
import { certificate } from '../../support/certificate.js';
import { ManualClock } from '../../support/manual-clock.js';

const HOST = 'rail.example.com';
const CALL: RailCall = { endpoint: 'create', priority: 'act', method: 'POST', path: '/v1/orders?x=1', headers: { 'x-key': 'k' }, body: '{"a":1}' };
const asText = ({ status, body }: RailAnswer): ProviderResult<string> => ({ is: 'accepted', value: `${status} ${body.toString()}` });

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return (server.address() as AddressInfo).port;
}

/** Log lines and reports of the calls. */
interface Told {
  readonly lines: Record<string, unknown>[];
  readonly called: string[];
  readonly circuits: string[];
  readonly skews: number[];
}

function outbound(port: number, options: Partial<OutboundOptions> = {}): Outbound & { readonly told: Told } {
  const told: Told = { lines: [], called: [], circuits: [], skews: [] };
  const write = (line: unknown): void => void told.lines.push(line as Record<string, unknown>);
  const calls = new Outbound({
    rail: 'simulator',
    base: `http://${HOST}:${port}`,
    allowPrivate: true,
    tls: '1.3',
    resolve: async () => ['127.0.0.1'],
    clock: systemRailClock,
    perSecond: 1_000,
    needsClock: false,
    log: { info: write, warn: write },
    observer: {
      called: (endpoint, outcome) => told.called.push(`${endpoint} ${outcome}`),
      circuit: (endpoint, state) => told.circuits.push(`${endpoint} ${state}`),
      clockSkew: (seconds) => told.skews.push(seconds),
    },
    random: () => 0.5,
    ...options,
  });
  open.push(calls);
  return Object.assign(calls, { told });
}

const http = (listener: RequestListener): Promise<number> => listening(createServer(listener));
/** A server that is shown each connection as it is. */
const tcp = (onConnection: (socket: Socket) => void): Promise<number> => listening(createTcpServer(onConnection));

describe('a call to a provider', () => {
  it('sends a call as given, and returns the answer as received', async () => {
    const port = await http((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url, headers } = request;
        response.writeHead(201, { 'x-answer': 'yes' });
        response.end([method, url, headers.host, headers['x-key'], headers.accept, Buffer.concat(chunks).toString()].join(' '));
      });
    });
    const calls = outbound(port, { base: `http://${HOST}:${port}/openapi/` });
    await expect(calls.call({ ...CALL, ids: { charge_id: 'c-1' } }, asText)).resolves.toEqual({
      is: 'accepted',
      value: `201 POST /openapi/v1/orders?x=1 ${HOST}:${port} k application/json {"a":1}`,
    });
    expect(calls.told.called).toEqual(['create accepted']);
    expect(calls.told.lines).toEqual([
      { rail: 'simulator', endpoint: 'create', outcome: 'accepted', code: undefined, status: 201, ms: expect.any(Number), charge_id: 'c-1' },
    ]);
  });

  it('keeps a connection open for the next call', async () => {
    const ports = new Set<number | undefined>();
    const port = await http((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('{}');
    });
    const calls = outbound(port);
    for (let call = 0; call < 10; call += 1) await calls.call(CALL, asText);
    // One is given back a moment after its answer.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('keeps two hundred calls in flight at once', async () => {
    const held: (() => void)[] = [];
    const port = await http((_, response) => {
      held.push(() => response.end('{}'));
      if (held.length === 200) for (const release of held) release();
    });
    const calls = outbound(port);
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => calls.call(CALL, asText)));
    expect(new Set(outcomes.map(({ is }) => is))).toEqual(new Set(['accepted']));
  });
});

describe('nothing was sent, so nothing happened', () => {
  it('sends nothing when the base is not to be called at all', () => {
    for (const base of [
      'http://api.example.com',
      'https://10.0.0.1',
      'https://localhost',
      'https://u:p@api.example.com',
      'ftp://api.example.com',
      'x',
    ])
      expect(() => outbound(1, { base, allowPrivate: false })).toThrow(ForbiddenAddress);
  });

  it('sends nothing when the name leads inside, or to nothing', async () => {
    let connections = 0;
    const port = await tcp(() => (connections += 1));
    const inside = outbound(port, { base: `https://${HOST}:${port}`, allowPrivate: false });
    await expect(inside.call(CALL, asText)).resolves.toEqual({ is: 'retryable', code: 'ForbiddenAddress' });
    const nowhere = outbound(port, { resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })) });
    await expect(nowhere.call(CALL, asText)).resolves.toEqual({ is: 'retryable', code: 'ENOTFOUND' });
    expect(connections).toBe(0);
  });

  it('resolves the name for each connection, and rejects it once it leads inside', async () => {
    const { key, cert } = certificate(HOST);
    const server = createTlsServer({ key, cert }, (_, response) => response.writeHead(200, { connection: 'close' }).end('{}'));
    const port = await listening(server);
    const answers = [['127.0.0.1'], ['8.8.8.8', '127.0.0.1']];
    const asked: string[] = [];
    const calls = outbound(port, { base: `https://${HOST}:${port}`, ca: cert, resolve: async (name) => (asked.push(name), answers.shift()!) });
    await expect(calls.call(CALL, asText)).resolves.toMatchObject({ is: 'accepted' });
    expect(asked).toEqual([HOST]);
    const strict = outbound(port, { base: `https://${HOST}:${port}`, ca: cert, allowPrivate: false, resolve: async () => answers.shift()! });
    await expect(strict.call(CALL, asText)).resolves.toEqual({ is: 'retryable', code: 'ForbiddenAddress' });
  });

  it('sends nothing when the connection is refused, and tries a second address', async () => {
    const port = await http((_, response) => response.end('{}'));
    const calls = outbound(port, { resolve: async () => ['127.0.0.2', '127.0.0.1'] });
    await expect(calls.call(CALL, asText)).resolves.toMatchObject({ is: 'accepted' });
    const gone = outbound(port, { resolve: async () => ['127.0.0.2'] });
    await expect(gone.call(CALL, asText)).resolves.toEqual({ is: 'retryable', code: 'ECONNREFUSED' });
  });

  it('sends nothing when TLS fails: reset, too old, expired, for another name, by an untrusted issuer', async () => {
    const serve = async (options: object, certified = certificate(HOST)) => {
      const server = createTlsServer({ ...certified, ...options }, (_, response) => response.end('{}'));
      server.on('tlsClientError', () => undefined);
      return { port: await listening(server), ca: certified.cert };
    };
    const outcome = async ({ port, ca }: { port: number; ca?: string }, tls: '1.2' | '1.3' = '1.3') =>
      outbound(port, { base: `https://${HOST}:${port}`, tls, ...(ca === undefined ? {} : { ca }) }).call(CALL, asText);
    const notNow = (code: unknown) => ({ is: 'retryable', code });

    expect(await outcome({ port: await tcp((socket) => socket.resetAndDestroy()) })).toEqual(
      notNow(expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/)),
    );
    const old = await serve({ maxVersion: 'TLSv1.2' });
    expect(await outcome(old)).toEqual(notNow(expect.stringMatching(/PROTOCOL_VERSION/)));
    expect(await outcome(old, '1.2')).toMatchObject({ is: 'accepted' });
    expect(await outcome(await serve({}, certificate(HOST, { validUntil: Date.now() - 60_000 })))).toEqual(notNow('CERT_HAS_EXPIRED'));
    expect(await outcome(await serve({}, certificate('other.example.com')))).toEqual(notNow('ERR_TLS_CERT_ALTNAME_INVALID'));
    const { port } = await serve({});
    expect(await outcome({ port })).toEqual(notNow('DEPTH_ZERO_SELF_SIGNED_CERT'));
  });

  it('sends nothing when there is no connection in time', async () => {
    // The handshake never ends.
    const port = await tcp(() => undefined);
    const calls = outbound(port, { base: `https://${HOST}:${port}` });
    await expect(calls.call({ ...CALL, leaveWithinMs: 200 }, asText)).resolves.toEqual({ is: 'retryable', code: 'no-connection-in-time' });
    await expect(calls.call({ ...CALL, totalMs: 200 }, asText)).resolves.toEqual({ is: 'retryable', code: 'no-connection-in-time' });
  });

  it('never sends a call that was given up, also when its connection opens later', async () => {
    const requests: string[] = [];
    const port = await http((request, response) => {
      requests.push(request.url!);
      response.end('{}');
    });
    let resolveName = (_: string[]): void => undefined;
    const calls = outbound(port, { resolve: () => new Promise<string[]>((resolve) => (resolveName = resolve)) });
    await expect(calls.call({ ...CALL, path: '/given-up', leaveWithinMs: 50 }, asText)).resolves.toMatchObject({ is: 'retryable' });
    const next = calls.call({ ...CALL, path: '/next' }, asText);
    resolveName(['127.0.0.1']);
    await new Promise((resolve) => setImmediate(resolve));
    resolveName(['127.0.0.1']);
    await expect(next).resolves.toMatchObject({ is: 'accepted' });
    expect(requests).toEqual(['/next']);
  });
});

describe('the outcome of a call is unknown', () => {
  const unknown = (code: unknown) => ({ is: 'unknown', code });
  const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

  it('returns unknown when the connection is reset after the first byte', async () => {
    const port = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await expect(outbound(port).call(CALL, asText)).resolves.toEqual(unknown(expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/)));
  });

  it('returns unknown when the response does not arrive, or not to its end, in time', async () => {
    const silent = await tcp(() => undefined);
    await expect(outbound(silent).call({ ...CALL, totalMs: 200 }, asText)).resolves.toEqual(unknown('no-answer-in-time'));
    const slow = await tcp((socket) => socket.once('data', () => socket.write(`${HEAD}content-length: 9\r\n\r\n{"a"`)));
    await expect(outbound(slow).call({ ...CALL, totalMs: 200 }, asText)).resolves.toEqual(unknown('no-answer-in-time'));
  });

  it('returns unknown when the response is cut off', async () => {
    for (const part of [`${HEAD}content-length: 9\r\n\r\n{"a"`, `${HEAD}transfer-encoding: chunked\r\nconnection: close\r\n\r\n9\r\n{"a"`, HEAD]) {
      const port = await tcp((socket) => socket.once('data', () => socket.end(part)));
      const outcome = await outbound(port).call(CALL, ({ body }) => ({ is: 'accepted', value: JSON.parse(body.toString()) as unknown }));
      expect(outcome).toEqual(unknown(expect.any(String)));
    }
  });

  it('returns unknown for a response of 100 MB, and holds hardly any of it', async () => {
    let written = 0;
    const megabyte = Buffer.alloc(1_000_000, 0x20);
    const port = await http((_, response) => {
      const write = (): void => {
        for (; written < 100;) {
          written += 1;
          if (!response.write(megabyte)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    await expect(outbound(port).call(CALL, asText)).resolves.toEqual(unknown('answer-too-large'));
    expect(written).toBeLessThan(100);
  });

  it('reads as many bytes as were requested, and not one more', async () => {
    const port = await http((_, response) => response.end('x'.repeat(1_000)));
    const calls = outbound(port);
    await expect(calls.call({ ...CALL, bytesMax: 1_000 }, asText)).resolves.toMatchObject({ is: 'accepted' });
    await expect(calls.call({ ...CALL, bytesMax: 999 }, asText)).resolves.toEqual(unknown('answer-too-large'));
  });

  it('returns unknown for a redirect, and does not follow it', async () => {
    const paths: (string | undefined)[] = [];
    const port = await http((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await expect(outbound(port).call(CALL, asText)).resolves.toEqual(unknown('redirected'));
    expect(paths).toEqual([CALL.path]);
  });

  it('returns unknown for a response that is not HTTP or cannot be read, and logs none of it', async () => {
    const noise = await tcp((socket) => socket.once('data', () => socket.end('SSH-2.0-secret\r\n')));
    await expect(outbound(noise).call(CALL, asText)).resolves.toEqual(unknown(expect.stringMatching(/^HPE_|^HTTPParserError$/)));
    const port = await http((_, response) => response.end('secret words'));
    const calls = outbound(port);
    const outcome = await calls.call(CALL, ({ body }) => JSON.parse(body.toString()) as ProviderResult<string>);
    expect(outcome).toEqual(unknown('unreadable-answer'));
    expect(JSON.stringify(calls.told.lines)).not.toMatch(/secret|"a"|x-key/);
  });

  it('returns unknown when this process stops meanwhile, and retries nothing', async () => {
    let requests = 0;
    let arrived = (): void => undefined;
    const first = new Promise<void>((resolve) => (arrived = resolve));
    const port = await http(() => {
      requests += 1;
      arrived();
    });
    const calls = outbound(port);
    const outcome = calls.call({ ...CALL, method: 'GET' }, asText);
    await first;
    await calls.close();
    await expect(outcome).resolves.toMatchObject({ is: 'unknown' });
    await expect(calls.call(CALL, asText)).resolves.toMatchObject({ is: 'retryable' });
    expect(requests).toBe(1);
  });
});

describe('a provider that cannot take more', () => {
  const tooMany = (headers: Record<string, string>): Promise<number> => http((_, response) => response.writeHead(429, headers).end('{}'));
  const refused = (): ProviderResult<never> => ({ is: 'retryable', code: '429' });

  it.each([
    [{ 'Rate-Limit-Reset': '26.8' }, 26_800],
    [{ 'Retry-After': '7' }, 7_000],
    [{ 'Rate-Limit-Reset': '999999999' }, 900_000],
    [{ 'Retry-After': 'soon' }, 500],
  ])('waits as long as the provider asks, within bounds: %j', async (headers, ms) => {
    const calls = outbound(await tooMany(headers), { clock: new ManualClock() });
    await expect(calls.call(CALL, refused)).resolves.toEqual({ is: 'retryable', code: '429', after_ms: ms });
    await expect(calls.call({ ...CALL, leaveWithinMs: 100 }, refused)).resolves.toEqual({ is: 'retryable', code: 'too-many-calls', after_ms: ms });
    // Another endpoint is another bucket.
    await expect(calls.call({ ...CALL, endpoint: 'query' }, refused)).resolves.toMatchObject({ code: '429' });
  });

  it('doubles the wait each time that the provider names none, up to a minute', async () => {
    const clock = new ManualClock();
    const calls = outbound(await tooMany({}), { clock });
    const waits: unknown[] = [];
    for (let call = 0; call < 8; call += 1) {
      const outcome = await calls.call(CALL, refused);
      waits.push((outcome as { after_ms: number }).after_ms);
      await clock.advance(60_000);
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });
});

describe('an unhealthy provider', () => {
  it('gets no new calls, but for inquiries and trials', async () => {
    const clock = new ManualClock();
    let isWell = false;
    const port = await http((_, response) => response.writeHead(isWell ? 200 : 500).end('{}'));
    const calls = outbound(port, { clock });
    const read = ({ status }: RailAnswer): ProviderResult<number> =>
      status === 200 ? { is: 'accepted', value: status } : { is: 'unknown', code: '500' };
    for (let call = 0; call < 5; call += 1) await calls.call(CALL, read);
    expect([calls.told.circuits, calls.isOpen('create'), calls.isOpen('query')]).toEqual([['create open'], true, false]);
    await expect(calls.call(CALL, read)).resolves.toEqual({ is: 'retryable', code: 'circuit-open', after_ms: 30_000 });
    await expect(calls.call({ ...CALL, isInquiry: true }, read)).resolves.toEqual({ is: 'unknown', code: '500' });
    await expect(calls.call({ ...CALL, isInquiry: true }, read)).resolves.toEqual({ is: 'retryable', code: 'circuit-open', after_ms: 60_000 });
    isWell = true;
    await clock.advance(30_000);
    expect([calls.isOpen('create'), calls.isOnTrial('create')]).toEqual([false, true]);
    await expect(calls.call(CALL, read)).resolves.toEqual({ is: 'accepted', value: 200 });
    expect(calls.told.circuits).toEqual(['create open', 'create half-open', 'create closed']);
    expect(calls.isOnTrial('create')).toBe(false);
  });

  it('checks the provider’s clock: warns beyond 5 s, sends no dated call beyond a minute, until a bare request finds it mended', async () => {
    const clock = new ManualClock();
    let aheadMs = 30_000;
    const methods: (string | undefined)[] = [];
    const port = await http((request, response) => {
      methods.push(request.method);
      response.sendDate = false;
      response.writeHead(200, { date: new Date(clock.now() + aheadMs).toUTCString() }).end('{}');
    });
    const calls = outbound(port, { clock, needsClock: true });
    await expect(calls.call(CALL, asText)).resolves.toMatchObject({ is: 'accepted' });
    expect(calls.told.lines[0]).toEqual({ rail: 'simulator', skew_ms: 30_000 });
    aheadMs = 61_000;
    await calls.call(CALL, asText);
    await expect(calls.call(CALL, asText)).resolves.toEqual({ is: 'retryable', code: 'clock-skew', after_ms: 60_000 });
    aheadMs = 0;
    await clock.advance(60_000);
    await expect(calls.call(CALL, asText)).resolves.toMatchObject({ code: 'clock-skew' });
    while (calls.skewMs !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await expect(calls.call(CALL, asText)).resolves.toMatchObject({ is: 'accepted' });
    expect(methods).toEqual(['POST', 'POST', 'HEAD', 'POST']);
    expect(calls.told.skews.at(-1)).toBe(0);
    const undated = outbound(port, { clock });
    aheadMs = 3_600_000;
    for (let call = 0; call < 2; call += 1) await expect(undated.call(CALL, asText)).resolves.toMatchObject({ is: 'accepted' });
  });
});
