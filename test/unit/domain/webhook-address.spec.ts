import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkedAddresses, ForbiddenAddress, isGlobalUnicast, readOutboundUri } from '../../../src/platform/http/edge/address-guard.js';
import { retryAfter } from '../../../src/platform/http/retry-after.js';
import { Sender } from '../../../src/domain/webhooks/sender.js';
import { BUSY } from '../../support/eventually.js';

const PUBLIC_ONLY = { allowPrivate: false };
const resolvesTo =
  (...addresses: string[]) =>
  async (): Promise<string[]> =>
    addresses;

/** The guard's verdict on an address whose names resolve by `resolve`. */
async function verdict(uri: string, resolve = resolvesTo('93.184.216.34')): Promise<'allowed' | 'forbidden'> {
  try {
    await checkedAddresses(readOutboundUri(uri, PUBLIC_ONLY), PUBLIC_ONLY, resolve);
    return 'allowed';
  } catch (error) {
    if (error instanceof ForbiddenAddress) return 'forbidden';
    throw error;
  }
}

describe('addresses of web-hooks', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://012.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://192.168.257/',
    'https://169.254.169.254/',
    'https://0xa9fea9fe/',
    'https://2852039166/',
    'https://100.64.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://240.0.0.1/',
    'https://192.0.2.1/',
    'https://198.18.0.1/',
    'https://198.51.100.1/',
    'https://203.0.113.1/',
    'https://192.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b:1::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[fc00::1]/',
    'https://[fd12:3456::1]/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
    'https://[3fff::1]/',
    'https://[100::1]/',
    'https://[5f00::1]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://hooks.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://user:secret@shop.example.com/',
    'https://user@shop.example.com/',
    'http://shop.example.com/',
    'ftp://shop.example.com/',
    'javascript:alert(1)',
    '//shop.example.com/',
    'shop.example.com',
    'https://shop.example.com:0/',
  ])('rejects %s', async (uri) => {
    expect(await verdict(uri)).toBe('forbidden');
  });

  it.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['::1'],
    ['::ffff:10.0.0.1'],
    ['64:ff9b::a00:1'],
    ['93.184.216.34', '127.0.0.1'],
    ['2606:4700::1', 'fe80::1'],
  ])('rejects a name that resolves to %s', async (...addresses) => {
    expect(await verdict('https://shop.example.com/hooks', resolvesTo(...addresses))).toBe('forbidden');
  });

  it.each([
    'https://shop.example.com/hooks?a=1',
    'https://shop.example.com:8443/',
    'https://93.184.216.34/',
    'https://[2606:4700::1111]/',
    'https://shop.example.com./',
  ])('allows %s', async (uri) => {
    expect(await verdict(uri)).toBe('allowed');
  });

  it('knows what the public internet is', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450::1'])
      expect([address, isGlobalUnicast(address)]).toEqual([address, true]);
    for (const address of ['', 'shop.example.com', '127.0.0.1', '::1']) expect([address, isGlobalUnicast(address)]).toEqual([address, false]);
  });
});

describe('the sender', () => {
  let server: Server;
  let requests = 0;
  let port = 0;
  beforeAll(async () => {
    server = createServer((_, response) => {
      requests += 1;
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => void server.close());
  const never = new AbortController().signal;

  it('connects to the address that was checked, whatever the name answers afterwards', async () => {
    let asked = 0;
    const changing = async (): Promise<string[]> => [(asked += 1) === 1 ? '127.0.0.1' : '192.0.2.1'];
    const sender = new Sender({ allowPrivate: true, resolve: changing, connectTimeoutMs: 1_000 });
    expect(await sender.post(`http://shop.example.com:${port}/`, {}, '{}', never)).toMatchObject({ response_code: 204 });
    expect(asked).toBe(1);
  });

  it('opens no connection when the name leads to a private address since its registration', async () => {
    const before = requests;
    const sender = new Sender({ ...PUBLIC_ONLY, resolve: resolvesTo('127.0.0.1') });
    const sent = await sender.post(`https://shop.example.com:${port}/`, {}, '{}', never);
    expect(sent).toMatchObject({ response_code: null, error: expect.stringMatching(/not sent/) });
    expect(await sender.post(`https://127.0.0.1:${port}/`, {}, '{}', never)).toMatchObject({ response_code: null });
    expect(requests).toBe(before);
  });

  it('tries the next address of a name when the first does not answer', async () => {
    const sender = new Sender({ allowPrivate: true, resolve: resolvesTo('127.0.0.2', '127.0.0.1'), connectTimeoutMs: 1_000 });
    expect(await sender.post(`http://shop.example.com:${port}/`, {}, '{}', never)).toMatchObject({ response_code: 204 });
  });

  it('ignores proxies of the environment', async () => {
    const before = { ...process.env };
    Object.assign(process.env, { HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1', NODE_USE_ENV_PROXY: '1' });
    const sender = new Sender({ allowPrivate: true, resolve: resolvesTo('127.0.0.1') });
    expect(await sender.post(`http://shop.example.com:${port}/`, {}, '{}', never)).toMatchObject({ response_code: 204 });
    process.env = before;
  });

  it.each([
    ['hangs', (): void => undefined],
    [
      'drips its head',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
        const drip = setInterval(() => socket.write('a'), 20);
        socket.on('close', () => clearInterval(drip));
      },
    ],
    ['ends its half and says nothing', (socket: Socket) => void socket.end()],
    ['breaks off in its head', (socket: Socket) => void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-le'))],
    ['speaks another protocol', (socket: Socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
    ['sends a head without an end', (socket: Socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1024 * 1024)}`)],
  ])('gives up on a receiver that %s', async (_, behave) => {
    const open = new Set<Socket>();
    const slow = createTcpServer({ allowHalfOpen: true }, (socket) => {
      open.add(socket);
      socket.on('error', () => undefined);
      behave(socket);
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const sender = new Sender({ allowPrivate: true, resolve: resolvesTo('127.0.0.1'), totalTimeoutMs: 300 });
    const sent = await sender.post(`http://shop.example.com:${(slow.address() as AddressInfo).port}/`, {}, '{}', never);
    expect(sent.response_code).toBeNull();
    expect(sent.latency_ms).toBeLessThan(BUSY * 300);
    for (const socket of open) socket.destroy();
    slow.close();
  });

  it('waits a second at most for the rest of an answer after its head', async () => {
    const dripping = createServer((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(drip));
    });
    await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve));
    const sender = new Sender({ allowPrivate: true, resolve: resolvesTo('127.0.0.1') });
    const begun = performance.now();
    expect(await sender.post(`http://shop.example.com:${(dripping.address() as AddressInfo).port}/`, {}, '{}', never)).toMatchObject({
      response_code: 200,
    });
    expect(performance.now() - begun).toBeLessThan(BUSY * 1_000);
    dripping.close();
  });

  it('keeps a connection for the next delivery, and opens another when the receiver has closed it', async () => {
    let connections = 0;
    const answers = ['keep', 'keep', 'close when used again'];
    const keeping = createServer((_, response) => {
      // Takes the request and hangs up, as a server does whose idle time has just run out.
      if (answers.shift() === 'close when used again') response.socket!.destroy();
      else response.writeHead(200).end('thanks');
    });
    keeping.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => keeping.listen(0, '127.0.0.1', resolve));
    let lookedUp = 0;
    const sender = new Sender({ allowPrivate: true, resolve: async () => [(lookedUp += 1) > 0 ? '127.0.0.1' : ''] });
    const post = () => sender.post(`http://shop.example.com:${(keeping.address() as AddressInfo).port}/`, {}, '{}', never);
    for (let i = 0; i < 3; i += 1) expect(await post()).toMatchObject({ response_code: 200 });
    // The third went over the first connection, was cut off, and over a second one.
    expect([connections, lookedUp]).toEqual([2, 2]);
    sender.close();
    keeping.close();
  });

  it('never reuses a connection whose answer it did not read to the end', async () => {
    let connections = 0;
    const talkative = createServer((_, response) => void response.writeHead(200).end(Buffer.alloc(1024 * 1024)));
    talkative.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => talkative.listen(0, '127.0.0.1', resolve));
    const sender = new Sender({ allowPrivate: true, resolve: resolvesTo('127.0.0.1') });
    for (let i = 0; i < 2; i += 1) {
      expect(await sender.post(`http://shop.example.com:${(talkative.address() as AddressInfo).port}/`, {}, '{}', never)).toMatchObject({
        response_code: 200,
      });
    }
    expect(connections).toBe(2);
    talkative.close();
  });

  it('reads Retry-After as seconds or as a date', () => {
    const nowMs = Date.UTC(2026, 0, 31, 8, 0, 0);
    expect(retryAfter('120', nowMs)).toBe(120);
    expect(retryAfter('Sat, 31 Jan 2026 08:01:00 GMT', nowMs)).toBe(60);
    expect(retryAfter('Sat, 31 Jan 2026 07:01:00 GMT', nowMs)).toBe(0);
    for (const nonsense of ['soon', '-5', '1.5', '', undefined]) expect(retryAfter(nonsense, nowMs)).toBeNull();
  });
});
