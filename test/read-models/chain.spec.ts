import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { ledger } from '../../src/app/ledger.projection.js';
import { ChainBroken, ChainEnd, findHead } from '../../src/transparency-log/chain.js';
import { ChainSigner } from '../../src/transparency-log/chain-keys.js';
import type { KeptHeads, Verification } from '../../src/transparency-log/recount.js';
import { verifyLog } from '../../src/transparency-log/verify-log.js';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { EmbeddedEventStore } from '../../src/platform/event-store/embedded/embedded-event-store.js';
import type { EventStore, NewEvent, RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { EventStoreDBEventStore } from '../../src/platform/event-store/eventstoredb/eventstoredb-event-store.js';
import { copyLog } from '../../src/platform/event-store/log-copy.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { checkpointDdl } from '../../src/platform/projector/checkpoint.js';
import { proveEvent } from '../../src/transparency-log/chain-proof.js';
import { TransparencyLogWatch } from '../../src/transparency-log/transparency-log-watch.js';
import { startTransparencyLog } from '../../src/transparency-log/transparency-log.worker.js';
import { collect, someMetadata } from '../support/events.js';
import { SharedLog } from '../../src/platform/projector/shared-log.js';
import { eventually } from '../support/eventually.js';
import { EventStoreDBServer } from '../support/eventstoredb-server.js';
import { appendRecorded } from '../support/in-memory-event-store.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { worldOf } from '../support/histories.js';
import { project } from '../support/projected.js';

const NOW = '2026-01-31T08:15:30.123+00:00';
const signer = new ChainSigner(Buffer.alloc(32, 5));
const { keys } = signer;
const TABLES = ['event_store.events', 'chain.hashes', 'chain.events', 'chain.head'];
/** Disables the guards of the tables: the attacker owns the database. */
const UNGUARDED = 'set session_replication_role = replica; ' + TABLES.map((table) => `alter table ${table} disable trigger all`).join('; ');

let database: TestDatabase;
let store: EmbeddedEventStore;
let pool: pg.Pool;

async function open(): Promise<void> {
  database = await createTestDatabase(MIGRATIONS);
  store = new EmbeddedEventStore({ databaseUrl: database.url });
  pool = createPool({ url: database.url, applicationName: 'test' });
}
async function close(): Promise<void> {
  await store.close();
  await pool.end();
  await database.drop();
}
const verified = (kept: KeptHeads) => verifyLog({ pool, store, keys, kept, signal: new AbortController().signal });
const verify = (...hashes: string[]) => verified({ hashes, from: [] });
const log = (): Promise<RecordedEvent[]> => collect(store, null, (_, caughtUp) => caughtUp, { stored: true });
const WHOLE: Partial<Verification> = { broken_at: null, fault: null, trial_balance_difference: 0 };

async function append(events: number): Promise<void> {
  const data = { charge_id: randomUUID(), merchant_id: someMetadata.merchant_id, reason: 'x', failed_on: NOW, failed_by: 'System' };
  await Promise.all(
    Array.from({ length: events }, () =>
      store.append(`charge-${randomUUID()}`, 'no-stream', [{ id: randomUUID(), type: 'ChargeFailed', data, metadata: someMetadata }]),
    ),
  );
}

describe('a sealed log', () => {
  let events: readonly RecordedEvent[];
  /** The head over so many of the first events. */
  const heads = new Map<number, string>();
  let count: number;

  beforeAll(async () => {
    await open();
    const steps = Array.from({ length: 120 }, (_, n) => [n * 7 + Math.floor(n / 5), n * 31 + 11, (n * 7_919) % 100_000] as const);
    const history = worldOf(steps).log.events;
    await appendRecorded(store, history);
    events = await log();
    count = events.length;
    const chain = await ChainEnd.open(pool, signer, store);
    for (let at = 0; at < count; at += 7) {
      await chain.seal(events.slice(at, at + 7), NOW);
      const head = await findHead(pool);
      heads.set(head!.events, head!.hash);
    }
    await project(pool, ledger, history, 1_000);
    await pool.query(checkpointDdl('ledger'));
    await pool.query(`insert into ledger.checkpoint (ordinal, version, indexed, updated_on) values ($1, 'any', true, now())`, [count]);
    await pool.query(UNGUARDED);
    for (const table of TABLES) await pool.query(`create table ${table}_before as table ${table}`);
  });
  afterAll(close);
  afterEach(async () => {
    for (const table of TABLES) await pool.query(`delete from ${table}; insert into ${table} table ${table}_before`);
  });

  it('verification of an unchanged log succeeds: the money, every event and every kept head', async () => {
    expect(count).toBeGreaterThan(70);
    const verified = await verify(...heads.values());
    expect(verified).toMatchObject({ ...WHOLE, events: count, head: heads.get(count), unsealed: 0 });
    expect(new Map([...verified.met].map(([hash, size]) => [size, hash]))).toEqual(heads);
  });

  const row = (position: number) => `where position = ${position}`;
  it.each<[string, string, number, RegExp]>([
    ['a space in an event', `update event_store.events set data = (' ' || data::text)::json ${row(7)}`, 7, /^event 7, \w+ .* was changed/],
    [
      'a digit in an event',
      `update event_store.events set data = regexp_replace(data::text, '"amount":\\d', '"amount":9')::json ${row(4)}`,
      4,
      /^event 4, .* was changed/,
    ],
    [
      'who did it',
      `update event_store.events set metadata = replace(metadata::text, 'key_test', 'key_evil')::json ${row(5)}`,
      5,
      /^event 5, .* was changed/,
    ],
    ['the type of an event', `update event_store.events set type = 'ChargeExpired' ${row(3)}`, 3, /^event 3, ChargeExpired .* was changed/],
    ['a type that nobody knows', `update event_store.events set type = 'Unheard' ${row(3)}`, 3, /^event 3, Unheard .* was changed/],
    [
      'the id of an event',
      `update event_store.events set id = gen_random_uuid() ${row(4)}`,
      4,
      /^event 4 is not the event sealed .* was never sealed/,
    ],
    [
      'an event deleted',
      `delete from event_store.events ${row(9)}`,
      9,
      /^event 9 is not the event sealed .* no longer exists: it was deleted.* sealed as event 10$/,
    ],
    ['the first event deleted', `delete from event_store.events ${row(1)}`, 1, /no longer exists: .* sealed as event 2$/],
    [
      'two events swapped',
      `update event_store.events set position = -position where position in (20, 33); update event_store.events set position = 53 + position where position < 0`,
      20,
      /^event 20 is not the event sealed .* is now at another position: the order was changed; .* sealed as event 33$/,
    ],
    [
      'what two events say swapped',
      `update event_store.events e set data = o.data from event_store.events o where (e.position, o.position) in ((11, 12), (12, 11))`,
      11,
      /^event 11, .* was changed/,
    ],
    ['the newest events cut off', `delete from event_store.events where position > 60`, 61, /^the log ends after event 60, .* newest are missing/],
    ['all events gone', `delete from event_store.events`, 1, /^the log ends after event 0/],
    ['a leaf of the tree', flip(hashAt(15, 0)), 16, /^the tree’s own hash of event 16 was changed; the event, .* equals the sealed event/],
    ['a node of the tree', flip(hashAt(15, 3)), 16, /^the tree’s own hash over events 9 to 16 was changed/],
    [
      'a row of the tree deleted',
      `delete from chain.hashes where first = (select max(first) from chain.hashes where first < 20)`,
      8,
      /own hashes are missing/,
    ],
    ['the first row of the tree deleted', `delete from chain.hashes where first = 0`, 1, /own hashes are missing from event 1 on/],
    ['the tree’s index', `update chain.events set stream = 'charge-x' where ordinal = 5`, 5, /own index of events was changed at event 5/],
    ['a row of the tree’s index deleted', `delete from chain.events where ordinal = 5`, 5, /own index of events was changed at event 5/],
  ])('verification detects a change: %s', async (_, sql, broken_at, fault) => {
    await pool.query(sql);
    expect(await verify()).toMatchObject({ broken_at, fault: expect.stringMatching(fault) });
  });

  it('verification detects a change of the head of the chain', async () => {
    for (const [sql, fault] of [
      [`update chain.head set hash = set_byte(hash, 5, get_byte(hash, 5) # 1)`, /head’s own hash/],
      [`update chain.head set signature = set_byte(signature, 5, get_byte(signature, 5) # 1)`, /not signed by this service/],
      [`update chain.head set sealed_on = sealed_on - interval '1 day'`, /not signed by this service/],
      [`update chain.head set events = events - 1`, /head’s own hash/],
      [`delete from chain.head`, /head of the chain is missing/],
    ] as const) {
      await pool.query(sql);
      expect(await verify()).toMatchObject({ broken_at: expect.any(Number), fault: expect.stringMatching(fault) });
      await pool.query('delete from chain.head; insert into chain.head table chain.head_before');
    }
  });

  it('a kept head shows that the log was cut off together with its tree', async () => {
    const old = [...heads.keys()].at(-3)!;
    await pool.query(
      `delete from chain.head; delete from chain.events; delete from chain.hashes; delete from event_store.events where position > ${old}`,
    );
    const chain = await ChainEnd.open(pool, signer, store);
    await chain.seal(events.slice(0, old), NOW);
    expect(await verify(heads.get(7)!)).toMatchObject({ broken_at: null, events: old });
    const found = await verify(heads.get(count)!, heads.get(7)!);
    expect(found).toMatchObject({
      broken_at: old + 1,
      fault: expect.stringContaining(`the head ${heads.get(count)} is not the root of the first events`),
    });
    expect([...found.met.values()]).toEqual([7]);
  });

  it('a kept head shows that the log was rewritten together with its tree', async () => {
    await pool.query(`delete from chain.head; delete from chain.events; delete from chain.hashes`);
    await pool.query(`update event_store.events set data = replace(data::text, 'IDR', 'SGD')::json where position < 10`);
    await (await ChainEnd.open(pool, signer, store)).seal(await log(), NOW);
    expect((await verify(heads.get(7)!)).fault).toContain(`the head ${heads.get(7)} is not the root of the first events`);
  });

  describe('by kept heads with their numbers of events', () => {
    const kept = (...sizes: number[]) => verified({ hashes: [], from: sizes.map((events) => ({ events, hash: heads.get(events)! })) });

    it('verification of a log that only grew succeeds with kept heads and their sizes', async () => {
      const found = await kept(7, 21, count);
      expect(found).toMatchObject({ ...WHOLE, events: count });
      expect([...found.met.values()]).toEqual([7, 21, count]);
    });

    it('verification names the first kept head that a rewritten log and tree do not match; an earlier one still holds', async () => {
      await pool.query(`delete from chain.head; delete from chain.events; delete from chain.hashes`);
      await pool.query(`update event_store.events set data = replace(data::text, 'IDR', 'SGD')::json where position between 10 and 12`);
      await (await ChainEnd.open(pool, signer, store)).seal(await log(), NOW);
      const found = await kept(7, 14, 21);
      expect(found).toMatchObject({ broken_at: 14, fault: expect.stringMatching(/^the first 14 events do not match the kept head/) });
      expect([...found.met.values()]).toEqual([7]);
    });

    it('verification detects by a kept head that the log was cut off together with its tree', async () => {
      await pool.query(
        `delete from chain.head; delete from chain.events; delete from chain.hashes; delete from event_store.events where position > 14`,
      );
      await (await ChainEnd.open(pool, signer, store)).seal(events.slice(0, 14), NOW);
      expect(await kept(21, 7)).toMatchObject({
        broken_at: 15,
        fault: expect.stringMatching(/ends after event 14, but the kept head is over 21/),
      });
    });

    it('verification names the changed event when the tree was left unchanged', async () => {
      await pool.query(`update event_store.events set data = (data::text || ' ')::json where position = 10`);
      expect(await kept(14, 7)).toMatchObject({ broken_at: 10, fault: expect.stringMatching(/^event 10, .* was changed/) });
    });

    it('verification rejects a kept head that this service did not sign', async () => {
      const [events, hash] = [7, heads.get(7)!];
      const signed = signer.sign(events, Buffer.from(hash, 'hex'), NOW);
      expect(await verified({ hashes: [], from: [{ events, hash, signed }] })).toMatchObject(WHOLE);
      const forged = new ChainSigner(Buffer.alloc(32, 6)).sign(events, Buffer.from(hash, 'hex'), NOW);
      expect(await verified({ hashes: [], from: [{ events, hash, signed: forged }] })).toMatchObject({
        broken_at: 7,
        fault: expect.stringContaining('not signed by this service'),
      });
    });
  });

  it('verification detects a balance that was changed by hand', async () => {
    await pool.query(`update ledger.balances set available_credit = available_credit + 25 where ctid = (
      select min(ctid) from ledger.balances where merchant_id in (select merchant_id from ledger.owners))`);
    expect(await verify()).toMatchObject({ broken_at: null, trial_balance_difference: 25, fault: expect.stringContaining('differ by 25') });
  });

  it('sealing stops when the end of the log differs from the sealed end', async () => {
    const broken = async (): Promise<void> => void (await expect(ChainEnd.open(pool, signer, store)).rejects.toThrow(ChainBroken));
    await pool.query(`update chain.head set hash = set_byte(hash, 5, get_byte(hash, 5) # 1)`);
    await broken();
    await pool.query(`delete from chain.head`);
    await broken();
    await pool.query(`insert into chain.head table chain.head_before; delete from event_store.events where position > ${count - 2}`);
    await broken();
  });
});

/** Place of the hash of `level` that leaf `leaf` completes: row and byte are found by number. */
function hashAt(leaf: number, level: number): number {
  let ones = 0;
  for (let rest = leaf; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2;
  return 2 * leaf - ones + level;
}

function flip(number: number): string {
  return `update chain.hashes set hashes = set_byte(hashes, ((${number} - first) * 32 + 9)::int, get_byte(hashes, ((${number} - first) * 32 + 9)::int) # 1)
    where first = (select max(first) from chain.hashes where first <= ${number})`;
}

describe('sealing', () => {
  beforeAll(open);
  afterAll(close);

  it('sealing leaves no gap and repeats nothing while several processes compete, start and stop', async () => {
    const errors: unknown[] = [];
    const start = () =>
      startTransparencyLog({ databaseUrl: database.url, store, log: store, signer, clock: Date.now, onError: (error) => errors.push(error) });
    let sealers = [start(), start()];
    for (let round = 0; round < 4; round += 1) {
      await append(150);
      await sealers[0]!.stop();
      sealers = [sealers[1]!, start()];
    }
    await eventually(async () => (await findHead(pool))?.events === 600);
    for (const sealer of sealers) await sealer.stop();
    expect(errors).toEqual([]);
    expect(await verify()).toMatchObject({ ...WHOLE, events: 600, unsealed: 0 });
  });

  it('sealing resumes after its connections are cut, again and again', async () => {
    // As its process reads it for its projections, too.
    const shared = new SharedLog(store);
    const sealing = startTransparencyLog({ databaseUrl: database.url, store, log: shared, signer, clock: Date.now, onError: () => undefined });
    for (let cut = 0; cut < 3; cut += 1) {
      await Promise.all([
        append(50),
        pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name in ('chargebook-sealing', 'chargebook-session')`,
        ),
      ]);
    }
    await eventually(async () => (await findHead(pool))?.events === 750);
    await sealing.stop();
    shared.close();
    expect(await verify()).toMatchObject({ ...WHOLE, events: 750, unsealed: 0 });
  });

  it('two processes that both believe that they lead seal each event once', async () => {
    const [one, other] = [await ChainEnd.open(pool, signer, store), await ChainEnd.open(pool, signer, store)];
    await append(3);
    const events = (await log()).slice(-3);
    await one.seal(events.slice(0, 2), NOW);
    await expect(other.seal(events, NOW)).rejects.toThrow(ChainBroken);
    expect((await findHead(pool))!.events).toBe(752);
    await (await ChainEnd.open(pool, signer, store)).seal(events.slice(2), NOW);
    expect(await verify()).toMatchObject({ ...WHOLE, events: 753, unsealed: 0 });
  });

  it('verification reports the number of unsealed events', async () => {
    await append(2);
    expect(await verify()).toMatchObject({ ...WHOLE, events: 755, unsealed: 2 });
  });

  it('sealing stops before an unknown event and reports its position', async () => {
    const id = randomUUID();
    const watch = new TransparencyLogWatch({ pool, store, newestOrdinal: () => 756 });
    await store.append('thing-1', 'no-stream', [{ id, type: 'Unheard', data: {}, metadata: someMetadata }]);
    await watch.start();
    expect(watch.state()).toMatchObject({ position: 753, unsealed_events: 3, stopped_at: null });

    const seal = async (events: number) => (await ChainEnd.open(pool, signer, store)).seal((await log()).slice(-events), NOW);
    await expect(seal(3)).rejects.toThrow(`unknown event type Unheard: event 756 of the log, ${id}, cannot be sealed`);
    await expect(seal(1)).rejects.toThrow('unknown event type Unheard');
    await eventually(() => watch.state().stopped_at !== null);
    await watch.close();
    expect(watch.state()).toMatchObject({ position: 755, unsealed_events: 1, stopped_at: { position: 756, id, type: 'Unheard' } });
  });

  it('the database rejects changes of sealed rows', async () => {
    for (const sql of ['update chain.hashes set first = 1', 'delete from chain.events', 'truncate chain.hashes']) {
      await expect(pool.query(sql)).rejects.toThrow('what is sealed stays');
    }
  });
});

describe('a slow Postgres', () => {
  beforeAll(open);
  afterAll(close);

  it('sealing advances on a Postgres that is too slow for all pending events at once: it seals fewer of them', async () => {
    await append(600);
    // Ten milliseconds for each event: six seconds, where a statement may take four.
    await pool.query(`
      create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.01); return new; end $$;
      create trigger slow before insert on chain.events for each row execute function slow()`);
    const sealing = startTransparencyLog({ databaseUrl: database.url, store, log: store, signer, clock: Date.now, onError: () => undefined });
    await eventually(async () => (await findHead(pool))?.events === 600);
    await sealing.stop();
    await pool.query('drop function slow() cascade');
    expect(await verify()).toMatchObject({ ...WHOLE, events: 600, unsealed: 0 });
  });
});

describe.each([['to EventStoreDB'], ['from EventStoreDB']])('after a move of the log %s', (direction) => {
  let server: EventStoreDBServer;
  let there: EventStoreDBEventStore;

  beforeAll(async () => {
    await open();
    server = await EventStoreDBServer.start();
    there = new EventStoreDBEventStore({ url: server.url });
  });
  afterAll(async () => {
    await there.close();
    await server.stop();
    await close();
  });

  it('the state of sealing and the proof of a new event rest on the positions of the present engine', async () => {
    const [from, to]: [EventStore, EventStore] = direction === 'to EventStoreDB' ? [store, there] : [there, store];
    const failed = (): NewEvent => ({ id: randomUUID(), type: 'ChargeFailed', data: { code: null, failed_on: NOW }, metadata: someMetadata });
    for (let n = 0; n < 5; n += 1) await from.append(`charge-${n}`, 'no-stream', [failed()]);
    const sealed = await collect(from, null, (_, caughtUp) => caughtUp, { stored: true });
    await (await ChainEnd.open(pool, signer, from)).seal(sealed, NOW);
    await copyLog(from, to, { signal: new AbortController().signal });

    const watch = new TransparencyLogWatch({ pool, store: to, newestOrdinal: () => 5 });
    await watch.start();
    expect(watch.state()).toEqual({ position: 5, unsealed_events: 0, oldest_unsealed_seconds: 0, stopped_at: null });
    const newest = failed();
    await to.append('charge-5', 'no-stream', [newest]);
    await eventually(() => watch.state().oldest_unsealed_seconds > 0);
    const proving = proveEvent({ pool, store: to, keys }, newest.id);
    await (await ChainEnd.open(pool, signer, to)).seal(await to.read('charge-5', { stored: true }), NOW);
    expect(await proving).toMatchObject({ leaf_index: 5, head: { events: 6 } });
    await eventually(() => watch.state().oldest_unsealed_seconds === 0);
    await watch.close();
    expect(watch.state()).toMatchObject({ position: 6, unsealed_events: 0 });
  });
});
