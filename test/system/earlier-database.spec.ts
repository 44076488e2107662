import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startApi } from '../../src/app/api.js';
import { PROJECTIONS } from '../../src/app/projections.js';
import { startBackground } from '../../src/app/workers/background.js';
import { readConfig } from '../../src/app/config.js';
import { openStores } from '../../src/app/stores.js';
import { readEvent, SCHEMA_VERSIONS, type LedgerEventType } from '../../src/ledger/catalogue.js';
import { readBridged } from '../../src/platform/projector/bridge.js';
import { versionOf } from '../../src/platform/projector/checkpoint.js';
import { createLogger } from '../../src/platform/logging.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { eventually } from '../support/eventually.js';
import { runCli } from '../support/run-cli.js';
import { collect } from '../support/events.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { call, CHARGE_ORDER, newIdempotencyKey } from '../support/service.js';

/**
 * A database as the service at a1fe4b5 left it, and the responses of that service from it. `dump.sql.gz` is `pg_dump --inserts`, taken after
 * charges, payouts and settlements in every state, erased customers, rotated and revoked keys, web-hooks, events of earlier schema
 * versions and two events that were set aside. Neither file is ever generated again: the service must support a database of that day
 * for ever. Read models of the ledger have gained columns since, and responses fields: the ledger is rebuilt, and returns all that it did.
 */
const kept = (file: string): string => gunzipSync(readFileSync(new URL(`../golden/database/${file}`, import.meta.url))).toString();

interface Kept {
  readonly encryption_key: string;
  readonly keys: Readonly<Record<string, { readonly key: string }>>;
  readonly projections: readonly { readonly name: string; readonly version: string; readonly ordinal: number }[];
  readonly answers: readonly {
    readonly who: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly text: string;
  }[];
}

const LEDGER = 'ledger';

/** Fields added to responses since: 0 or null for earlier records. */
const ADDED: ReadonlySet<string> = new Set([
  'refunds',
  'disputes',
  'net_amount',
  'fee_amount',
  'refund_id',
  'dispute_id',
  'refunded_amount',
  'disputed_amount',
  'bank_code',
  'pending_reason',
  'beneficiary',
  'proposal_id',
  'relates_to',
  'adjustment_id',
]);
/** Values in a database of test merchants only, with their processor as the only one. */
const isOfTests = (name: string, value: unknown): boolean => (name === 'mode' && value === 'test') || (name === 'processor' && value === 'SIMULATOR');

/** Fields that have values for old records which they did not have before. */
const SAID_SINCE: ReadonlySet<string> = new Set(['refund', 'refundable_amount']);
/** Position and amount of a payment that no charge could take, which the books did not contain then. */
const UNMATCHED = { position: 709, amount: 100_000, currency: 'SGD' };
const LAST_BOOKED_THEN = 701;
const NEW_ACCOUNTS: ReadonlySet<unknown> = new Set(['refunding', 'disputed', 'suspense', 'costs', 'tax', 'losses', 'equity']);

/** Items added to lists since: empty accounts and groups, and the money that this payment moved. */
const isNewItem = (item: unknown): boolean => {
  const { account, kind, balance, amount, position } = item as Record<string, unknown>;
  if (account !== undefined && position === UNMATCHED.position) return true;
  if (NEW_ACCOUNTS.has(account)) return balance === 0 || (account === 'suspense' && balance === UNMATCHED.amount);
  return (kind === 'REFUNDS' || kind === 'DISPUTES') && amount === 0;
};

/** Dispute fees of a merchant without an agreement. */
const isNoFee = (name: string, value: unknown): boolean =>
  name === 'disputes' && Array.isArray(value) && value.every(({ fee }: { fee: { value: number } }) => fee.value === 0);

/** Sum of the amounts of a list of records. */
const amountOf = (list: unknown): number | undefined =>
  Array.isArray(list) ? list.reduce<number>((sum, { amount }: { amount: number }) => sum + amount, 0) : undefined;

/** The attribution to settlements has another order since payouts use them up in the order of their success; the sum of the rest is the same. */
const isRetold = (name: string, of: object, now: unknown, then: unknown): boolean =>
  name.startsWith('funded_from') || (name === 'items' && (of as { bucket?: unknown }).bucket === 'AVAILABLE' && amountOf(now) === amountOf(then));

/** Values that this payment changes: the sums of its currency, the newest booking of all, and the last actor on the account of its merchant. */
function isMovedByUnmatched(name: string, of: object, now: unknown, then: unknown): boolean {
  if (name === 'position') return now === UNMATCHED.position && then === LAST_BOOKED_THEN;
  const { account, currency } = of as { readonly account?: unknown; readonly currency?: unknown };
  if (name === 'last_modified_by') return currency === UNMATCHED.currency && now === 'System' && then === 'key_test';
  const isSum = account === 'processor' || name === 'total_debit' || name === 'total_credit';
  return isSum && typeof now === 'number' && typeof then === 'number' && Math.abs(now - then) === UNMATCHED.amount;
}

/** An answer as JSON, as lines of JSON, or as rows of CSV. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.trimEnd().split(/\r?\n/);
    // Columns that are new are the last ones, and empty or the mode of all merchants.
    return lines.map((line) =>
      line.startsWith('{')
        ? (JSON.parse(line) as unknown)
        : line
            .replace(/,(mode|test),(proposal_id)?,(relates_to)?$/, '')
            .replace(/,(refund_id)?,(dispute_id)?$/, '')
            .replace(/,(mode|test)$/, ''),
    );
  }
}

/** Without the fields that were added since then. */
function asThen(now: unknown, then: unknown): unknown {
  if (Array.isArray(now) && Array.isArray(then)) {
    const items: unknown[] = now.length === then.length ? now : now.filter((item) => !isNewItem(item));
    return items.map((each, index) => asThen(each, then[index]));
  }
  if (typeof now !== 'object' || typeof then !== 'object' || now === null || then === null) return now;
  const isNew = (name: string, value: unknown): boolean =>
    !(name in then) &&
    (SAID_SINCE.has(name) || (ADDED.has(name) && (value === 0 || value === null)) || isNoFee(name, value) || isOfTests(name, value));
  const kept = Object.entries(now).filter(([name, value]) => !isNew(name, value));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const before = (then as Record<string, unknown>)[name];
      return [name, isRetold(name, now, value, before) || isMovedByUnmatched(name, now, value, before) ? before : asThen(value, before)];
    }),
  );
}

describe('a database of an earlier version of the service', () => {
  const { encryption_key, keys, projections, answers } = JSON.parse(kept('answers.json.gz')) as Kept;
  let database: TestDatabase;
  let dataDir: string;
  let pool: pg.Pool;
  let tables: unknown[];
  let service: { readonly url: string; readonly stores: Awaited<ReturnType<typeof openStores>>; stop(): Promise<void> };

  beforeAll(async () => {
    database = await createTestDatabase();
    const restoring = new pg.Client({ connectionString: database.url });
    await restoring.connect();
    await restoring.query(kept('dump.sql.gz'));
    await restoring.end();
    pool = createPool({ url: database.url, applicationName: 'test', maxConnections: 1 });
    tables = await liveTables();
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-earlier-'));
    // Without a worker: due records would be settled, expire or be sent, and the expected responses would differ.
    const config = readConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: encryption_key,
      PUBLIC_URL: 'https://chargebook.example',
      RATE_LIMIT_PER_SECOND: '0',
      LOG_LEVEL: 'silent',
      API_PROCESSES: '4',
      ROLES: 'api,projector',
    });
    const logger = createLogger(config.logLevel);
    const stores = await openStores(config, () => undefined);
    const background = await startBackground(config, stores, logger);
    const today = versionOf(PROJECTIONS.find(({ name }) => name === LEDGER)!);
    await eventually(async () => (await checkpoints()).some(({ name, version }) => name === LEDGER && version === today));
    const api = await startApi(config, stores, logger);
    service = {
      url: api.url,
      stores,
      stop: async () => {
        await api.stop();
        await background.stop();
        await stores.close();
      },
    };
  });
  afterAll(async () => {
    await service.stop();
    await pool.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Returns the identity of each table of a read model with the version of then; a new build has other tables. */
  async function liveTables(): Promise<unknown[]> {
    const { rows } = await pool.query(
      `select c.oid::int8, n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'i') and n.nspname ~ '^(customers|outbox)' order by 1`,
    );
    return rows;
  }

  const checkpoints = async (): Promise<Kept['projections']> =>
    Promise.all(
      projections.map(async ({ name }) => {
        const { rows } = await pool.query<Omit<Kept['projections'][number], 'name'>>(`select version, ordinal::int4 from ${name}.checkpoint`);
        return { name, ...rows[0]! };
      }),
    );
  const before = (projection: string): object => {
    const { version, ordinal } = projections.find(({ name }) => name === projection)!;
    return { former_version: version, position: ordinal };
  };
  const operator = { DATABASE_URL: '', ENCRYPTION_KEY: encryption_key };

  it('reads events of every type and schema version of an earlier database', async () => {
    const stored = await collect(service.stores.eventStore, null, (_, caughtUp) => caughtUp);
    expect(stored.length).toBe(projections[0]!.ordinal);
    // As many as there were golden events then.
    expect(new Set(stored.map(({ type, metadata }) => `${type}.${metadata.schema_version}`)).size).toBe(38);
    for (const event of stored) expect(readEvent(event).metadata.schema_version).toBe(SCHEMA_VERSIONS[event.type as LedgerEventType]);
  });

  it('an earlier database returns the same responses as before', async () => {
    for (const { who, path, headers, text } of answers) {
      const answer = await call('GET', new URL(path, service.url), { key: keys[who]!.key, ...(headers && { headers }) });
      const [now, then] = [answer.text, text].map(parsed);
      expect({ who, path, headers, answer: asThen(now, then) }).toEqual({ who, path, headers, answer: then });
    }
    expect(answers.length).toBeGreaterThan(100);
  });

  it('an earlier database stays in use: only the ledger and the index of events are rebuilt, and a new charge joins the old ones', async () => {
    const anew = [LEDGER, 'event_index'];
    expect(await checkpoints()).toEqual(projections.map((each) => (anew.includes(each.name) ? { ...each, version: expect.any(String) } : each)));
    // Compared with the tables that it replaced, at the event where they stood: nothing differed but that payment.
    const meant = [{ table: 'balances', rows: 1, sum: `${UNMATCHED.amount}` }];
    expect(await readBridged(pool, LEDGER)).toMatchObject({ ...before(LEDGER), meant });
    const { key } = keys['kopi']!;
    const created = await call('POST', new URL('/v1/charges', service.url), { key, body: CHARGE_ORDER, headers: newIdempotencyKey() });
    expect(created.status).toBe(200);
    const headers = { 'min-ledger-position': created.headers.get('ledger-position')! };
    const read = await call('GET', new URL(`/v1/charges/${created.body.id}`, service.url), { key, headers });
    expect(read).toMatchObject({ status: 200, body: { id: created.body.id, status: 'PENDING' } });
    expect(await liveTables()).toEqual(tables);
  });

  it('an earlier database equals a replay of its events, and its chain verifies', async () => {
    const verified = await runCli(['projections', 'verify', '--json'], { ...operator, DATABASE_URL: database.url });
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    const audited = await runCli(['audit', 'verify'], { ...operator, DATABASE_URL: database.url });
    expect(audited).toMatchObject({ code: 0, stderr: '' });
  });
});
