import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { EventStoreDBProcess, hasEventStoreDB } from '../support/eventstoredb-process.js';
import { collect } from '../support/events.js';
import { BUSY, eventually } from '../support/eventually.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestMerchant, type TestService } from '../support/service.js';

const IN_FLIGHT = 16;
const KILLS = 3;
const BACK_WITHIN_MS = BUSY * 15_000;

/** Runs only if a server is installed. */
const describeOnServer = hasEventStoreDB ? describe : describe.skip;

describeOnServer('kill -9 of EventStoreDB under load', () => {
  let server: EventStoreDBProcess;
  let service: TestService;
  let merchant: TestMerchant;

  beforeAll(async () => {
    server = await EventStoreDBProcess.start();
    service = await startTestService({ EVENTSTORE_URL: server.url });
    merchant = await service.newMerchant();
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  it('kill -9 of EventStoreDB loses no acknowledged charge and doubles none, and the service recovers by itself', async () => {
    const create = (headers: Record<string, string>) => service.call('POST', '/v1/charges', { key: merchant.key, body: CHARGE_ORDER, headers });
    const answers = new Map<string, string>();
    const unanswered = new Set<Record<string, string>>();
    const statuses = new Set<number>();
    let isOver = false;
    const load = Array.from({ length: IN_FLIGHT }, async () => {
      while (!isOver) {
        const key = newIdempotencyKey();
        const { status, body } = await create(key);
        statuses.add(status);
        if (status === 200) answers.set(key['idempotency-key']!, body.id as string);
        else unanswered.add(key);
      }
    });
    const backMs: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const acknowledged = answers.size;
      await eventually(() => answers.size >= acknowledged + 100);
      await server.kill();
      await server.start();
      const up = performance.now();
      await eventually(async () => (await create(newIdempotencyKey())).status === 200, BACK_WITHIN_MS);
      backMs.push(Math.round(performance.now() - up));
    }
    isOver = true;
    await Promise.all(load);
    // A charge with an unknown outcome is found, or created now, under its key: once.
    for (const key of unanswered) {
      const { status, body } = await create(key);
      expect(status).toBe(200);
      answers.set(key['idempotency-key']!, body.id as string);
    }
    process.stdout.write(`kill -9 of EventStoreDB: ${answers.size} charges, ${unanswered.size} without answer, back after ${backMs.join(', ')} ms\n`);

    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const created = new Map<string, RecordedEvent[]>();
    for (const event of await collect(service.stores.eventStore, null, (_, caughtUp) => caughtUp)) {
      if (event.type === 'ChargeCreated') created.set(event.stream, [...(created.get(event.stream) ?? []), event]);
    }
    expect([...created.values()].filter(({ length }) => length !== 1)).toEqual([]);
    expect([...answers.values()].filter((id) => !created.has(`charge-${id}`))).toEqual([]);
    expect(new Set(answers.values()).size).toBe(answers.size);
  }, 240_000);
});
