import { createServer, type Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { call, CHARGE_ORDER, newIdempotencyKey } from '../support/service.js';

let dataDir: string;
let receiver: Server;
let running: ServiceProcess | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'chargebook-web-hooks-'));
});
afterEach(async () => {
  await running?.stop();
  receiver.closeAllConnections();
  receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** All roles in one process, so that the killed process is the sender. */
const start = async (): Promise<ServiceProcess> =>
  (running = await startServiceProcess({ DATA_DIR: dataDir, ROLES: 'api,projector,worker', WEBHOOK_ALLOW_PRIVATE: 'true' }));

describe('kill -9 between sending a web-hook and recording it', () => {
  it('sends a web-hook again under the same id and sequence when it was killed before recording it', async () => {
    const received: { id: string; text: string }[] = [];
    let killed: Promise<void> | undefined;
    receiver = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        received.push({ id: String(request.headers['webhook-id']), text });
        if (received.length === 1) killed = running!.kill();
        else response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const first = await start();
    const keyLine = (): RegExpExecArray | null => /sk_test_[0-9A-Za-z]{36}/.exec(first.lines.join('\n'));
    await eventually(() => keyLine() !== null);
    const key = keyLine()![0];
    const body = {
      web_hook_uri: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      signature_key: 'a plain key of some length',
      events: [],
    };
    expect((await call('POST', `${first.url}/v1/merchants/me/web-hook`, { key, body })).status).toBe(200);
    await call('POST', `${first.url}/v1/charges`, { key, body: CHARGE_ORDER, headers: newIdempotencyKey() }).catch(() => undefined);
    await eventually(() => killed !== undefined);
    await killed;

    const second = await start();
    // Keys are shown once; a later start prints the commands that issue others.
    expect(second.lines.slice(-3)).toEqual([
      expect.stringContaining('key issue --merchant'),
      expect.stringContaining('finance-key issue --name'),
      `listening on ${second.url}`,
    ]);
    await eventually(() => received.length >= 2);
    expect(received[1]).toEqual(received[0]);
    expect(JSON.parse(received[0]!.text)).toMatchObject({ type: 'charge.created', sequence: 1 });
    await eventually(async () => {
      const { body: deliveries } = await call('GET', `${second.url}/v1/merchants/me/web-hook/deliveries`, { key });
      return deliveries[0]?.status === 'SUCCEEDED';
    });
  });
});
