import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { createPool } from '../../src/platform/postgres/pool.js';
import { timestamp } from '../../src/ledger/time.js';
import { eventually, within } from '../support/eventually.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

interface Received {
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly body: any;
}

type Reply = (request: IncomingMessage, response: ServerResponse, count: number) => void;
const accept: Reply = (_, response) => response.writeHead(204).end();

/** A merchant's receiver, which records the requests that it receives. */
class Receiver {
  readonly received: Received[] = [];
  reply: Reply = accept;

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        this.received.push({ headers: request.headers as Record<string, string>, text, body: JSON.parse(text) });
        this.reply(request, response, this.received.length);
      });
    });
  }

  static async open(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Receiver(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  async has(count: number): Promise<void> {
    await eventually(() => this.received.length >= count);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const KEY = 'a plain key of some length';
const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('web-hooks', () => {
  let service: TestService;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SECONDS: '0.1,0.1,0.1' });
  });
  afterAll(async () => {
    for (const receiver of receivers) receiver.close();
    await service.stop();
  });

  async function newReceiver(reply: Reply = accept): Promise<Receiver> {
    const receiver = await Receiver.open();
    receiver.reply = reply;
    receivers.push(receiver);
    return receiver;
  }
  const setTo = (key: string, url: string, more: object = {}): Promise<Answer> =>
    service.call('POST', '/v1/merchants/me/web-hook', { key, body: { web_hook_uri: url, signature_key: KEY, events: [], ...more } });
  const create = async (key: string): Promise<Answer> =>
    service.call('POST', '/v1/charges', { key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
  const play = (charge: Answer, outcome: string): Promise<Answer> => service.call('POST', charge.body.action.simulation_url, { body: { outcome } });
  const deliveries = async (key: string) => (await service.call('GET', '/v1/merchants/me/web-hook/deliveries', { key })).body;
  const events = async (key: string, query = 'PageSize=100') => (await service.call('GET', `/v1/events?${query}`, { key })).body;

  async function merchantWithHook(more: object = {}, reply: Reply = accept): Promise<{ merchant: TestMerchant; receiver: Receiver; set: Answer }> {
    const [merchant, receiver] = [await service.newMerchant(), await newReceiver(reply)];
    const set = await setTo(merchant.key, receiver.url, more);
    expect(set.status).toBe(200);
    return { merchant, receiver, set };
  }

  it('events are delivered signed, in sequence, with the content of GET /v1/events', async () => {
    const { merchant, receiver, set } = await merchantWithHook();
    const charge = await create(merchant.key);
    await play(charge, 'succeed');
    await receiver.has(3);
    const verifier = new Webhook(set.body.verification_secret);
    for (const { text, headers } of receiver.received) verifier.verify(text, headers);
    const bodies = receiver.received.map(({ body }) => body).sort((a, b) => a.sequence - b.sequence);
    expect(bodies.map(({ type, sequence, previous_sequence }) => [type, sequence, previous_sequence])).toEqual([
      ['charge.created', 1, null],
      ['charge.succeeded', 2, 1],
      ['balance.updated', 3, 2],
    ]);
    expect(Object.keys(bodies[0])).toEqual(['id', 'type', 'timestamp', 'sequence', 'previous_sequence', 'merchant_id', 'data']);
    expect(bodies[0].data).toMatchObject({ id: charge.body.id, status: 'PENDING', settlement_status: 'UNKNOWN', updated_on: charge.body.created_on });
    const detail = await service.call('GET', `/v1/charges/${charge.body.id}`, { key: merchant.key });
    expect(bodies[1].data).toEqual(detail.body);
    const [balance] = (await service.call('GET', '/v1/balances', { key: merchant.key })).body;
    expect(bodies[2].data).toEqual(balance);
    expect(await events(merchant.key)).toEqual(bodies.map(({ previous_sequence: _, ...event }) => event));
    for (const { headers, body } of receiver.received) {
      expect(headers['webhook-id']).toBe(body.id);
      expect(headers['content-type']).toBe('application/json');
    }
  });

  it('the standardwebhooks library verifies deliveries with a whsec_ key', async () => {
    const { merchant, receiver, set } = await merchantWithHook({ signature_key: WHSEC });
    expect(set.body).toMatchObject({ verification_secret: WHSEC, key_hint: '…LaSw', status: 'ENABLED', events: [] });
    await create(merchant.key);
    await receiver.has(1);
    new Webhook(WHSEC).verify(receiver.received[0]!.text, receiver.received[0]!.headers);
  });

  it('deliveries have signatures of both keys after a change', async () => {
    const { merchant, receiver } = await merchantWithHook({ signature_key: WHSEC });
    const changed = await setTo(merchant.key, receiver.url);
    await create(merchant.key);
    await receiver.has(1);
    const { text, headers } = receiver.received[0]!;
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
    new Webhook(WHSEC).verify(text, headers);
    new Webhook(changed.body.verification_secret).verify(text, headers);
  });

  it('a selection refers to its previous selected event, and every event has a number', async () => {
    const merchant = await service.newMerchant();
    await play(await create(merchant.key), 'succeed');
    await eventually(async () => (await events(merchant.key)).length === 3);
    const receiver = await newReceiver();
    await setTo(merchant.key, receiver.url, { events: ['charge.succeeded', 'charge.failed'] });
    for (const outcome of ['succeed', 'fail', 'succeed']) await play(await create(merchant.key), outcome);
    await receiver.has(3);
    const bodies = receiver.received.map(({ body }) => body).sort((a, b) => a.sequence - b.sequence);
    // Events 1–3 precede the webhook; then follow created, succeeded, balance, created, failed, created, succeeded, balance.
    expect(bodies.map(({ type, sequence, previous_sequence }) => [type, sequence, previous_sequence])).toEqual([
      ['charge.succeeded', 5, 2],
      ['charge.failed', 8, 5],
      ['charge.succeeded', 10, 8],
    ]);
    expect((await events(merchant.key)).map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect((await events(merchant.key, 'After=8&Type=CHARGE.SUCCEEDED')).map(({ sequence }: { sequence: number }) => sequence)).toEqual([10]);
    expect((await service.call('GET', '/v1/events?Type=charge.exploded', { key: merchant.key })).status).toBe(400);
  });

  it('a failed delivery is retried with the same id until it succeeds, and each attempt is logged', async () => {
    const { merchant, receiver } = await merchantWithHook({ events: ['charge.created'] }, (_, response, count) =>
      response.writeHead(count < 3 ? 500 : 200).end(),
    );
    await create(merchant.key);
    await receiver.has(3);
    await eventually(async () => (await deliveries(merchant.key))[0]?.status === 'SUCCEEDED');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    const [delivery] = await deliveries(merchant.key);
    expect(delivery).toMatchObject({ type: 'charge.created', sequence: 1, response_code: 200, next_attempt_on: null });
    expect(delivery.attempts.map(({ status, response_code }: { status: string; response_code: number }) => [status, response_code])).toEqual([
      ['FAILED', 500],
      ['FAILED', 500],
      ['SUCCEEDED', 200],
    ]);
  });

  it('a delivery fails at the end of the schedule, and is repeated on request', async () => {
    let isUp = false;
    const { merchant, receiver } = await merchantWithHook({ events: ['charge.created'] }, (_, response) =>
      response.writeHead(isUp ? 200 : 503).end(),
    );
    await create(merchant.key);
    await eventually(async () => (await deliveries(merchant.key))[0]?.status === 'FAILED');
    expect(receiver.received).toHaveLength(4);
    isUp = true;
    const [{ id }] = await deliveries(merchant.key);
    const again = await service.call('POST', `/v1/merchants/me/web-hook/deliveries/${id}/redeliver`, { key: merchant.key });
    expect([again.status, again.body.status]).toEqual([200, 'PENDING']);
    await eventually(async () => (await deliveries(merchant.key))[0]?.status === 'SUCCEEDED');
    expect(receiver.received.at(-1)!.text).toBe(receiver.received[0]!.text);
    const other = await merchantWithHook();
    expect((await service.call('POST', `/v1/merchants/me/web-hook/deliveries/${id}/redeliver`, { key: other.merchant.key })).status).toBe(404);
  });

  it('the next attempt waits for the duration in Retry-After', async () => {
    const { merchant, receiver } = await merchantWithHook({ events: ['charge.created'] }, (_, response, count) =>
      count === 1 ? response.writeHead(429, { 'retry-after': '2' }).end() : response.writeHead(200).end(),
    );
    await create(merchant.key);
    await receiver.has(2);
    // Compares the service's own times: this process may have seen the first attempt late.
    await eventually(async () => (await deliveries(merchant.key))[0].attempts.length === 2);
    const [first, second] = (await deliveries(merchant.key))[0].attempts.map(({ attempted_on }: { attempted_on: string }) =>
      Date.parse(attempted_on),
    );
    expect(second - first).toBeGreaterThan(1_800);
  });

  it('a 410 response disables the webhook with a reason, until it is set again', async () => {
    const { merchant, receiver } = await merchantWithHook({}, (_, response) => response.writeHead(410).end());
    await create(merchant.key);
    const hook = async () => (await service.call('GET', '/v1/merchants/me/web-hook', { key: merchant.key })).body;
    await eventually(async () => (await hook()).status === 'DISABLED');
    expect(await hook()).toMatchObject({ disabled_reason: 'GONE' });
    await eventually(async () => (await service.call('GET', '/v1/merchants/me', { key: merchant.key })).body.web_hook.status === 'DISABLED');
    expect((await service.call('POST', '/v1/merchants/me/web-hook/test', { key: merchant.key })).status).toBe(409);
    receiver.reply = accept;
    const before = receiver.received.length;
    await create(merchant.key);
    expect((await setTo(merchant.key, receiver.url)).body.status).toBe('ENABLED');
    await create(merchant.key);
    await receiver.has(before + 1);
    expect(receiver.received.at(-1)!.body.sequence).toBe(3);
  });

  it('three days without success and an exhausted schedule disable the webhook', async () => {
    const { merchant, receiver } = await merchantWithHook({ events: ['charge.created'] }, (_, response) => response.writeHead(500).end());
    const read = async () => (await service.call('GET', '/v1/merchants/me/web-hook', { key: merchant.key })).body;
    // Repeats the newest event with a time of four days ago.
    const stream = `merchant-${merchant.merchant_id}`;
    const [newest] = await service.stores.eventStore.read(stream, { direction: 'backwards', limit: 1 });
    const set_on = timestamp(Date.now() - 4 * 86_400_000);
    await service.stores.eventStore.append(stream, newest!.revision, [{ ...newest!, id: randomUUID(), data: { ...newest!.data, set_on } }]);
    await create(merchant.key);
    await eventually(async () => (await deliveries(merchant.key))[0]?.status === 'FAILED');
    expect((await read()).status).toBe('ENABLED');
    const pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test' });
    await pool.query("update web_hook_queues set failing_since = now() - interval '73 hours' where merchant_id = $1", [merchant.merchant_id]);
    await pool.end();
    await create(merchant.key);
    await eventually(async () => (await read()).status === 'DISABLED');
    expect(await read()).toMatchObject({ disabled_reason: 'EXHAUSTED' });
    expect(receiver.received).toHaveLength(8);
  });

  it('an event contains the customer’s current data, and after the deletion only the id', async () => {
    const { merchant, receiver } = await merchantWithHook();
    const customer = await service.call('POST', '/v1/customers', {
      key: merchant.key,
      headers: newIdempotencyKey(),
      body: { name: 'Siti Aminah', email: 'siti@example.com' },
    });
    expect(customer.status).toBe(201);
    await receiver.has(1);
    expect(receiver.received[0]!.body).toMatchObject({ type: 'customer.created', data: customer.body });
    expect((await service.call('DELETE', `/v1/customers/${customer.body.id}`, { key: merchant.key })).status).toBe(204);
    await receiver.has(2);
    expect(receiver.received[1]!.body).toMatchObject({ type: 'customer.deleted', data: { id: customer.body.id, deleted: true } });
    const told = await events(merchant.key);
    expect(told.map(({ data }: { data: object }) => data)).toEqual(Array(2).fill({ id: customer.body.id, deleted: true }));
    const [{ id }] = (await deliveries(merchant.key)).slice(-1);
    await service.call('POST', `/v1/merchants/me/web-hook/deliveries/${id}/redeliver`, { key: merchant.key });
    await receiver.has(3);
    expect(receiver.received[2]!.text).not.toContain('Siti');
  });

  it('a redirect is not followed', async () => {
    const target = await newReceiver();
    const { merchant, receiver } = await merchantWithHook({ events: ['charge.created'] }, (_, response) =>
      response.writeHead(307, { location: target.url }).end(),
    );
    await create(merchant.key);
    await eventually(async () => (await deliveries(merchant.key))[0]?.status === 'FAILED');
    expect(receiver.received.length).toBe(4);
    expect(target.received).toHaveLength(0);
  });

  it('deliveries ignore the body of a response, and survive receivers that close the connection', async () => {
    const mib = Buffer.alloc(1024 * 1024);
    const endless = await merchantWithHook({ events: ['charge.created'] }, (_, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write(mib));
      };
      response.on('drain', more);
      more();
    });
    const broken = await merchantWithHook({ events: ['charge.created'] }, (request) => request.socket.destroy());
    await create(endless.merchant.key);
    await create(broken.merchant.key);
    await eventually(async () => (await deliveries(endless.merchant.key))[0]?.status === 'SUCCEEDED');
    await eventually(async () => (await deliveries(broken.merchant.key))[0]?.status === 'FAILED');
    expect((await deliveries(broken.merchant.key))[0]).toMatchObject({ response_code: null, attempts: [{ error: expect.any(String) }, {}, {}, {}] });
  });

  it('a receiver that hangs delays no other merchant', async () => {
    const hanging = await merchantWithHook({}, () => undefined);
    for (let i = 0; i < 3; i += 1) await create(hanging.merchant.key);
    await hanging.receiver.has(1);
    const healthy = await merchantWithHook();
    await within(2_000, async () => {
      await create(healthy.merchant.key);
      await healthy.receiver.has(1);
    });
  });

  it('a test delivery has no sequence', async () => {
    const { merchant, receiver } = await merchantWithHook();
    const test = await service.call('POST', '/v1/merchants/me/web-hook/test', { key: merchant.key });
    expect([test.status, test.body.type, test.body.sequence]).toEqual([200, 'test', null]);
    await receiver.has(1);
    expect(receiver.received[0]!.body).toEqual({
      id: test.body.webhook_id,
      type: 'test',
      timestamp: test.body.created_on,
      merchant_id: merchant.merchant_id,
      data: {},
    });
    await create(merchant.key);
    await receiver.has(2);
    expect(receiver.received[1]!.body).toMatchObject({ sequence: 1, previous_sequence: null });
  });

  it('the webhook can be set, read, shown in /me and deleted; no response shows the key', async () => {
    const merchant = await service.newMerchant();
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
    ] as const) {
      const answer = await service.call(method, `/v1/merchants/me/web-hook${path}`, { key: merchant.key });
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
    const url = 'http://127.0.0.1:9/hooks';
    const set = await setTo(merchant.key, url, { events: ['charge.paid'] });
    expect([set.status, set.body.errors[0].pointer]).toEqual([400, '/events/0']);
    await setTo(merchant.key, url, { events: ['Charge.Succeeded'] });
    const read = await service.call('GET', '/v1/merchants/me/web-hook', { key: merchant.key });
    expect(read.body).toMatchObject({ web_hook_uri: url, events: ['charge.succeeded'], key_hint: '…ngth' });
    const me = await service.call('GET', '/v1/merchants/me', { key: merchant.key });
    expect(me.body.web_hook).toMatchObject({ web_hook_uri: url, events: ['charge.succeeded'], key_hint: '…ngth' });
    for (const { text } of [read, me]) expect(text).not.toContain(KEY);
    const stored = await service.stores.eventStore.read(`merchant-${merchant.merchant_id}`);
    expect(JSON.stringify(stored.map(({ data }) => data))).not.toContain(Buffer.from(KEY).toString('base64').slice(0, 20));
    expect((await service.call('DELETE', '/v1/merchants/me/web-hook', { key: merchant.key })).status).toBe(204);
    expect((await service.call('GET', '/v1/merchants/me/web-hook', { key: merchant.key })).status).toBe(404);
    expect((await service.call('GET', '/v1/merchants/me', { key: merchant.key })).body.web_hook).toBeNull();
  });

  it.each([
    ['a whsec_ key of too few bytes', `whsec_${Buffer.alloc(23).toString('base64')}`],
    ['a whsec_ key of too many bytes', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['a whsec_ key that is no base64', 'whsec_!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!'],
    ['15 characters', 'fifteen letters'],
    ['256 characters', 'x'.repeat(256)],
  ])('rejects %s', async (_, signature_key) => {
    const merchant = await service.newMerchant();
    const answer = await setTo(merchant.key, 'http://127.0.0.1:9', { signature_key });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/signature_key']);
  });
});
