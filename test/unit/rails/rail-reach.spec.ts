import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { checkReach, type ReachOptions } from '../../../src/rails/calls/reach.js';
import { certificate, type Certified } from '../../support/certificate.js';
import { DAY_MS } from '../../../src/ledger/time.js';

const HOST = 'rail.example.com';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(server);
  return (server.address() as AddressInfo).port;
}

const serving = (certified: Certified, options: object = {}): Promise<number> => {
  const server = createTlsServer({ ...certified, ...options });
  server.on('tlsClientError', () => undefined);
  return listening(server);
};

async function found(options: Partial<ReachOptions>): Promise<unknown[]> {
  const findings = await checkReach({ base: `https://${HOST}`, allowPrivate: true, tls: '1.3', resolve: async () => ['127.0.0.1'], ...options });
  for (const { level, todo } of findings) expect([level, todo !== undefined]).toEqual([level, level !== 'ok']);
  return findings.map(({ check, level }) => `${check} ${level}`);
}

describe('reachability of a rail', () => {
  it('accepts a rail that resolves, speaks TLS 1.3 and proves its name', async () => {
    const certified = certificate(HOST, { validUntil: Date.now() + 30 * DAY_MS });
    const base = `https://${HOST}:${await serving(certified)}`;
    expect(await found({ base, ca: certified.cert })).toEqual(['name ok', 'tls ok', 'certificate ok']);
    expect(await found({ base, ca: certified.cert, tls: '1.2' })).toEqual(['name ok', 'tls warn', 'certificate ok']);
  });

  it('reports a name error for an address inside, without https or without a name', async () => {
    expect(await found({ allowPrivate: false })).toEqual(['name error']);
    expect(await found({ allowPrivate: false, base: `http://${HOST}` })).toEqual(['name error']);
    expect(await found({ resolve: () => Promise.reject(new Error('no')) })).toEqual(['name error']);
    expect(await found({ base: 'http://127.0.0.1:1' })).toEqual(['name ok', 'tls ok']);
  });

  it('warns of a certificate that ends soon; rejects one that has ended, names another host, or has no trusted issuer', async () => {
    const of = async (certified: Certified, ca = certified.cert) => found({ base: `https://${HOST}:${await serving(certified)}`, ca });
    expect(await of(certificate(HOST, { validUntil: Date.now() + 13 * DAY_MS }))).toEqual(['name ok', 'tls ok', 'certificate warn']);
    expect(await of(certificate(HOST, { validUntil: Date.now() - DAY_MS }))).toEqual(['name ok', 'certificate error']);
    expect(await of(certificate('other.example.com'))).toEqual(['name ok', 'certificate error']);
    expect(await of(certificate(HOST), certificate(HOST).cert)).toEqual(['name ok', 'certificate error']);
  });

  it('rejects a closed port, a protocol that is not TLS, and an old TLS version', async () => {
    const certified = certificate(HOST);
    const base = async (port: Promise<number> | number): Promise<{ base: string; ca: string }> => ({
      base: `https://${HOST}:${await port}`,
      ca: certified.cert,
    });
    expect(await found(await base(1))).toEqual(['name ok', 'connection error']);
    expect(await found(await base(listening(createServer((socket) => socket.end('SSH-2.0\r\n')))))).toEqual(['name ok', 'connection error']);
    expect(await found(await base(serving(certified, { maxVersion: 'TLSv1.2' })))).toEqual(['name ok', 'tls error']);
  });
});
