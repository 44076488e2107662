import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStores } from '../../src/app/stores.js';
import { EventStoreDBEventStore } from '../../src/platform/event-store/eventstoredb/eventstoredb-event-store.js';
import { EventStoreDBServer, type AppendFault } from '../support/eventstoredb-server.js';
import { eventually, within } from '../support/eventually.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestMerchant, type TestService } from '../support/service.js';

describe('the service on EventStoreDB', () => {
  let server: EventStoreDBServer;
  let service: TestService;
  let merchant: TestMerchant;

  beforeAll(async () => {
    server = await EventStoreDBServer.start();
    // EventStoreDB 24 does this on the empty log of a first start.
    server.sendsCheckpointOfNowhere = true;
    service = await startTestService({ EVENTSTORE_URL: server.url });
    merchant = await service.newMerchant();
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  const create = (headers = newIdempotencyKey()) => service.call('POST', '/v1/charges', { key: merchant.key, body: CHARGE_ORDER, headers });
  const chargeStreams = () => new Set(server.log.events.map(({ stream }) => stream).filter((stream) => stream.startsWith('charge-')));

  it('stores events there, and reads include its own writes', async () => {
    const created = await create();
    expect(created.status).toBe(200);
    expect(server.log.stream(`charge-${created.body.id}`)).toMatchObject([{ type: 'ChargeCreated', revision: 0, isJson: true }]);
    const position = created.headers.get('ledger-position')!;
    const listed = await service.call('GET', '/v1/charges', { key: merchant.key, headers: { 'min-ledger-position': position } });
    expect(listed.text).toContain(created.body.id);
  });

  // Runs before many events are written: with many events, followers read pages of the log and do not depend on a subscription.
  it('readiness fails while the log grows without a subscription, and recovers by itself', async () => {
    const ready = () => service.call('GET', '/health/ready');
    expect((await ready()).status).toBe(200);
    server.isMute = true;
    server.cut();
    expect((await create()).status).toBe(200);
    // A process first misses events of its merchants; it detects later that the projections have stopped.
    await eventually(async () => (await ready()).body.checks.projection_ledger.status === 'failing');
    expect((await ready()).status).toBe(503);
    server.isMute = false;
    await eventually(async () => (await ready()).status === 200);
  });

  it('creates each charge once although connections break before and after the write', async () => {
    const before = chargeStreams().size;
    const faults: (AppendFault | undefined)[] = [undefined, 'cut-before', undefined, undefined, 'cut-after', undefined, 'cut-after'];
    server.onAppend = (stream) => (stream.startsWith('charge-') ? faults.shift() : undefined);
    const keys = Array.from({ length: 20 }, newIdempotencyKey);
    const answers = await Promise.all([...keys, ...keys].map((key) => create(key)));
    server.onAppend = () => undefined;
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(new Set(answers.map(({ body }) => body.id as string)).size).toBe(keys.length);
    expect(chargeStreams().size - before).toBe(keys.length);
  });

  it('returns 503 within five seconds while the server is away, and recovers by itself', async () => {
    await server.refuse();
    const before = server.log.events.length;
    const refused = await within(5_000, () => create());
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(server.log.events).toHaveLength(before);
    await server.accept();
    await eventually(async () => (await create()).status === 200);
  });
});

describe('a start on EventStoreDB', () => {
  it('leaves no connection to the event store when its data directory cannot be used', async () => {
    const server = await EventStoreDBServer.start();
    const aFile = fileURLToPath(import.meta.url);
    const config = { dataDir: aFile, databaseUrl: undefined, eventStoreUrl: server.url };
    await expect(openStores(config, () => undefined)).rejects.toThrow(`DATA_DIR: ${aFile} cannot be used: it is a file`);
    // A later connection is open only after one that the start has begun.
    const later = new EventStoreDBEventStore({ url: server.url });
    await later.head();
    await later.close();
    await eventually(() => server.connections === 0);
    await server.stop();
  });
});
