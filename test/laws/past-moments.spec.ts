import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { PROJECTIONS } from '../../src/app/projections.js';
import { readEvent } from '../../src/ledger/catalogue.js';
import { milliseconds } from '../../src/ledger/time.js';
import { skippedBy } from '../../src/ledger/streams/quarantine.js';
import type { EventStore, RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import type { ElectedWorker } from '../../src/platform/worker/elected-worker.js';
import { startMoments } from '../../src/point-in-time/moments.worker.js';
import { momentId, type MomentId } from '../../src/point-in-time/moment-id.js';
import type { MomentScenario } from '../../src/point-in-time/moments.js';
import { openMoments } from '../../src/point-in-time/open-moments.js';
import { Repricing } from '../../src/point-in-time/what-if/repricing.js';
import { readStored, type StoredScenario } from '../../src/point-in-time/what-if/scenario.js';
import { collect } from '../support/events.js';
import { eventually } from '../support/eventually.js';
import { everyRead, type Read } from '../support/every-read.js';
import { comparedPart, everyPage } from '../support/console-pages.js';
import type { Document } from '../support/openapi.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { randomNumbers } from '../support/random-numbers.js';
import { sized } from '../support/nightly.js';
import { readRecorded, startWithoutWorker, type RecordedService } from '../support/recorded-database.js';
import { call, type Answer } from '../support/service.js';

const SEED = 20_261_031;
const MOMENTS = sized(4, 30);
/** Ordinal by which the keys of the tests are issued. */
const FIRST = 60;

/** The parts of an answer that are the same in a moment: without the id of its request. */
const contentOf = ({ status, text }: Answer): { readonly status: number; readonly text: string } => ({
  status,
  text: text.replace(/"request_id":"[^"]*"/, '"request_id":""'),
});

/** Addresses whose answers do not follow from the events alone. */
const WITHOUT_PAST = [
  ...['/audit/chain/head', '/audit/chain/consistency', '/audit/chain/proof', '/audit/moments', '/audit/moments/{position}'],
  ...['/audit/payouts/{id}/remittance-advice', '/v1/payouts/{id}/remittance-advice', '/v1/merchants/me/web-hook/deliveries'],
];

const PAGES_WITHOUT_PAST =
  /^\/console\/(?:webhooks|deliveries|rails|chain|moments|desk\/propose|login|logout)|remittance-advice|\/statement$|proof\.json/;
/** Fewest kinds of pages at any position. */
const PAGES_MIN = 40;

const withPast = (document: Document): Document => ({
  ...document,
  paths: Object.fromEntries(Object.entries(document.paths).filter(([path]) => !WITHOUT_PAST.includes(path))),
});

/** Restores a database of the version 1.0.0. */
async function restored(dump: string): Promise<{ readonly database: TestDatabase; readonly pool: Pool }> {
  const database = await createTestDatabase();
  const pool = createPool({ url: database.url, applicationName: 'test', maxConnections: 1, statementTimeoutMs: 0 });
  await pool.query(dump);
  return { database, pool };
}

/** Removes the events and everything that was made from them; keys, secrets and files stay. */
async function emptyLog(pool: Pool): Promise<void> {
  await pool.query(`
    alter table event_store.events disable trigger events_are_facts;
    alter table chain.events disable trigger events_stay;
    alter table chain.hashes disable trigger hashes_stay;
    grant truncate on event_store.events to current_user;
    truncate event_store.events, chain.events, chain.hashes, chain.head;
    update event_store.head set position = 0;
    ${PROJECTIONS.map(({ name }) => `drop schema ${name} cascade;`).join('\n')}`);
}

/** Appends events one after the other. */
async function append(store: EventStore, events: readonly RecordedEvent[]): Promise<void> {
  for (const { stream, revision, id, type, data, metadata } of events) {
    const appended = await store.append(stream, revision === 0 ? 'no-stream' : revision - 1, [{ id, type, data, metadata }]);
    if (!appended.ok) throw new Error(`${stream} is at ${appended.actual}, not at ${revision - 1}`);
  }
}

describe('past moments', () => {
  const { dump, encryption_key, keys } = readRecorded();
  let present: RecordedService;
  let reference: RecordedService;
  let presentDatabase: { readonly database: TestDatabase; readonly pool: Pool };
  let referenceDatabase: { readonly database: TestDatabase; readonly pool: Pool };
  let worker: ElectedWorker;
  let log: readonly RecordedEvent[];
  let documents: Readonly<Record<string, Document>>;
  let merchants: readonly string[];
  /** Time of the last event that the reference has read. */
  let now = Date.parse('2025-01-01T00:00:00Z');

  beforeAll(async () => {
    presentDatabase = await restored(dump);
    present = await startWithoutWorker(presentDatabase.database.url, encryption_key, async (_, { unguarded }) => {
      const recorded = await collect(unguarded, null, (__, caughtUp) => caughtUp);
      // The reference must know the key of finance at every moment.
      const isOfFinance = ({ type }: RecordedEvent): boolean => type === 'FinanceKeyIssued';
      log = [...recorded.filter(isOfFinance), ...recorded.filter((event) => !isOfFinance(event))];
      await emptyLog(presentDatabase.pool);
      await append(unguarded, log);
    });
    referenceDatabase = await restored(dump);
    await emptyLog(referenceDatabase.pool);
    reference = await startWithoutWorker(referenceDatabase.database.url, encryption_key, undefined, () => now);
    const { databaseUrl, eventStore: store } = present.stores;
    worker = startMoments({
      ...openMoments(presentDatabase.pool, databaseUrl, present.config),
      ...{ databaseUrl, pool: presentDatabase.pool, store, projections: PROJECTIONS, skipped: skippedBy(store), directory: undefined },
      timeZone: 'UTC',
      onError: (error) => {
        throw error;
      },
    });
    const read = async (file: string): Promise<Document> => (await (await fetch(new URL(file, present.url))).json()) as Document;
    documents = { merchants: withPast(await read('openapi.json')), finance: withPast(await read('openapi/audit.json')) };
    const all = await call('GET', new URL('/audit/merchants', present.url), { key: keys['finance']! });
    merchants = (all.body.items as { readonly id: string }[]).slice(0, 2).map(({ id }) => id);
  });
  afterAll(async () => {
    await worker.stop();
    await Promise.all([present.stop(), reference.stop()]);
    for (const { database, pool } of [presentDatabase, referenceDatabase]) {
      await pool.end();
      await database.drop();
    }
  });

  /** Appends the events up to `ordinal` to the log of the reference, at the same places, and waits until they can be read. */
  async function bringTo(ordinal: number): Promise<void> {
    const { unguarded } = reference.stores;
    await append(unguarded, log.slice(Number((await unguarded.head()) ?? 0n), ordinal));
    now = milliseconds(log[ordinal - 1]!.metadata.occurred_on);
    await untilProjected(referenceDatabase.pool, unguarded);
  }

  /** Waits until all events can be read. */
  async function untilProjected(pool: Pool, store: EventStore): Promise<void> {
    const position = await store.head();
    const checkpoints = PROJECTIONS.map(({ name }) => `${name}.checkpoint`);
    await eventually(async () => {
      const { rows: missing } = await pool.query('select from unnest($1::text[]) as table_name where to_regclass(table_name) is null', [checkpoints]);
      if (missing.length > 0) return false;
      const { rows } = await pool.query<{ ready: boolean }>(
        `select bool_and(position = $1) as ready from (${checkpoints.map((each) => `select position from ${each}`).join(' union all ')}) c`,
        [position],
      );
      return rows[0]!.ready;
    });
  }

  const finance = (method: string, path: string, body?: unknown): Promise<Answer> =>
    call(method, new URL(path, present.url), { key: keys['finance']!, ...(body !== undefined && { body }) });

  async function open(position: number): Promise<void> {
    expect(await finance('POST', '/audit/moments', { position })).toMatchObject({ status: 202, body: { position, state: 'BUILDING' } });
    await eventually(async () => (await finance('GET', `/audit/moments/${position}`)).body.state === 'READY');
  }

  async function readAll(ask: (read: Read) => Promise<Answer>) {
    const reads = [];
    for (const [name, key] of Object.entries(keys)) {
      const document = documents[name === 'finance' ? 'finance' : 'merchants']!;
      reads.push(...(await everyRead(document, key, name === 'finance' ? merchants : [], ask)));
    }
    return reads;
  }

  /** Signs in with the key of finance; returns a reader of the pages. */
  async function visitorOf(url: string): Promise<(address: string) => Promise<Answer>> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin };
    const signedIn = await call('POST', new URL('/console/login', url), { body: new URLSearchParams({ key: keys['finance']! }).toString(), headers });
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
    return (address) => call('GET', new URL(address, url), { headers: { cookie } });
  }

  /** @returns the number of compared pages */
  async function comparePages(id: MomentId, { url } = reference): Promise<number> {
    const [now, then] = await Promise.all([visitorOf(present.url), visitorOf(url)]);
    const expected = await everyPage('/console', then, (address) => PAGES_WITHOUT_PAST.test(address));
    const moment = `/at/${id}`;
    for (const [address, answer] of expected) {
      const past = await now(`${moment}${address}`);
      expect([address, past.status < 500]).toEqual([address, true]);
      expect({ id, address, status: past.status, text: comparedPart(past.text, moment) }).toEqual({
        ...{ id, address, status: answer.status, text: comparedPart(answer.text) },
      });
    }
    return expected.size;
  }

  /** @returns the compared paths */
  async function compareReads(id: MomentId, { url } = reference): Promise<readonly string[]> {
    const expected = await readAll(({ key, path, accept }) => call('GET', new URL(path, url), { key, headers: { accept } }));
    for (const { key, path, accept, answer } of expected) {
      const past = await call('GET', new URL(`/at/${id}${path}`, present.url), { key, headers: { accept } });
      const content = contentOf(past);
      expect([path, past.status < 500]).toEqual([path, true]);
      const text = content.text.replaceAll(`/at/${id}/`, '/');
      expect({ id, path, accept, ...content, text }).toEqual({ id, path, accept, ...contentOf(answer) });
      expect(past.headers.get('as-of-position')).toBe(/^\d+/.exec(id)![0]);
    }
    return expected.map(({ path }) => path);
  }

  it('a moment answers every read as a service that has read exactly its events', async () => {
    const random = randomNumbers(SEED);
    const positions = Array.from({ length: MOMENTS }, () => FIRST + random(log.length - FIRST)).sort((a, b) => a - b);
    const paths = new Set<string>();
    let before: number | undefined;
    for (const position of [...positions, log.length]) {
      await bringTo(position);
      await open(position);
      for (const path of await compareReads(String(position))) paths.add(path);
      if (position === log.length || sized(position === positions[0], true)) expect(await comparePages(String(position))).toBeGreaterThan(PAGES_MIN);
      // The next build begins with a copy of this one, and the one after that with a copy of that one.
      if (before !== undefined) expect((await finance('DELETE', `/audit/moments/${before}`)).status).toBe(204);
      if (before !== undefined)
        expect(await finance('GET', `/at/${before}/audit/merchants`)).toMatchObject({ status: 404, body: { code: 'moment-not-open' } });
      before = position;
    }
    expect(paths.size).toBeGreaterThan(100);
  });

  const whatIf = (file: object): MomentScenario => ({ name: 'other', scenario: { ...(file as StoredScenario), from: null, to: null } });

  async function openPriced(scenario: MomentScenario): Promise<MomentId> {
    const { moments } = openMoments(presentDatabase.pool, present.stores.databaseUrl, present.config);
    const { position } = await moments.open({ ordinal: log.length, event: log.at(-1)! }, 'cli:test', scenario);
    const id = momentId(position, scenario.name);
    await eventually(async () => (await finance('GET', `/audit/moments/${id}`)).body.state === 'READY');
    return id;
  }

  it('a scenario without rules changes no answer and no page', async () => {
    await bringTo(log.length);
    const id = await openPriced(whatIf({ name: 'nothing else' }));
    await compareReads(id);
    await comparePages(id);
    expect((await finance('DELETE', `/audit/moments/${id}`)).status).toBe(204);
  });

  /** The last ones leave nothing of any charge: lines of settlements are of nothing then. */
  it.each([
    ['other fees', 3.3, 700_000, 123_400],
    ['fees of everything', 100, 0, 0],
  ])('at %s, a moment answers every read as a service whose log has these fees', async (name, ofCharges, ofPayouts, ofDisputes) => {
    const scenario = whatIf({
      name,
      charge_fees: [{ merchant: '*', channel: '*', fee: { type: 'PERCENTAGE', value: ofCharges } }],
      payout_fees: [{ currency: 'IDR', fee: { type: 'FIXED', value: ofPayouts } }],
      dispute_fees: [{ currency: 'IDR', fee: { type: 'FIXED', value: ofDisputes } }],
    });
    const stored = readStored(scenario.scenario);
    const repricing = new Repricing(stored.scenario, stored.period);
    const priced = log.map((event, index) => repricing.reprice(readEvent({ ...event, ordinal: index + 1 })));
    expect(priced.filter((event, index) => JSON.stringify(event.data) !== JSON.stringify(log[index]!.data)).length).toBeGreaterThan(log.length / 10);
    const { database, pool } = await restored(dump);
    await emptyLog(pool);
    const other = await startWithoutWorker(
      database.url,
      encryption_key,
      (_, { unguarded }) => append(unguarded, priced),
      () => now,
    );
    try {
      await untilProjected(pool, other.stores.unguarded);
      const id = await openPriced(scenario);
      await compareReads(id, other);
      expect(await comparePages(id, other)).toBeGreaterThan(PAGES_MIN);
      expect((await finance('DELETE', `/audit/moments/${id}`)).status).toBe(204);
    } finally {
      await other.stop();
      await pool.end();
      await database.drop();
    }
  });
});
