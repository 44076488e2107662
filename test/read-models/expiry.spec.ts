import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { ledger } from '../../src/app/ledger.projection.js';
import type { ChargeCreated } from '../../src/ledger/events/charge.events.js';
import { chargeStream } from '../../src/ledger/events/charge.events.js';
import { derivedId } from '../../src/ledger/ids/idempotency.js';
import { newEvent } from '../../src/ledger/streams/new-event.js';
import { EmbeddedEventStore } from '../../src/platform/event-store/embedded/embedded-event-store.js';
import { embeddedEventStoreMigrations } from '../../src/platform/event-store/embedded/embedded-event-store.migrations.js';
import type { Position } from '../../src/platform/event-store/event-store.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { ProjectionWatch } from '../../src/platform/projector/projection-watch.js';
import { Projector } from '../../src/platform/projector/projector.js';
import { projectorMigrations } from '../../src/platform/projector/projector.migrations.js';
import { ExpiryWorker } from '../../src/domain/charges/expiry.worker.js';
import { timestamp } from '../../src/ledger/time.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const MERCHANT = '0f0c1d5e-6a7b-4c8d-9e0f-112233445566';
const START = Date.now();

describe('expiry', () => {
  let database: TestDatabase;
  let store: EmbeddedEventStore;
  let pool: Pool;
  let projector: Projector;
  let watch: ProjectionWatch;
  let now: number;
  const processes: ExpiryWorker[] = [];
  const reports: string[] = [];

  beforeEach(async () => {
    now = START;
    reports.length = 0;
    database = await createTestDatabase([...embeddedEventStoreMigrations, ...projectorMigrations]);
    store = new EmbeddedEventStore({ databaseUrl: database.url });
    pool = createPool({ url: database.url, applicationName: 'test', maxConnections: 4 });
    projector = new Projector({ url: database.url, store, projections: [ledger] });
    projector.start();
    watch = new ProjectionWatch({ url: database.url, pool, store, projections: ['ledger'] });
    await watch.start();
  });

  afterEach(async () => {
    await Promise.all(processes.splice(0).map((each) => each.stop()));
    await projector.stop();
    await watch.close();
    await store.close();
    await pool.end();
    await database.drop();
  });

  function begin(): ExpiryWorker {
    const expiry = new ExpiryWorker({
      databaseUrl: database.url,
      store,
      pool,
      clock: () => now,
      onError: (_error, { charge_id }) => reports.push(charge_id ?? 'pass'),
    });
    processes.push(expiry);
    expiry.start();
    return expiry;
  }

  async function haltProjections(): Promise<void> {
    await projector.stop();
    projector = new Projector({ url: database.url, store, projections: [ledger] });
  }

  async function create(number: number, expiresAt: number): Promise<string> {
    const charge_id = derivedId(MERCHANT, `charge ${number}`);
    const created: ChargeCreated = {
      charge_id,
      merchant_id: MERCHANT,
      code: `CHG_${number.toString().padStart(16, '0')}`,
      amount: 10_000,
      currency: 'IDR',
      channel_code: 'QR_QRIS',
      action_flow: 'PAYLOAD',
      reference_id: `order-${number}`,
      description: null,
      meta_data: {},
      action: { type: 'PRESENT_TO_CUSTOMER', embedded_url: 'http://test/pay', simulation_url: null },
      fee: { type: 'FIXED', value: 0 },
      fee_amount: 0,
      net_amount: 10_000,
      charge_statement_id: derivedId(charge_id, 'statement'),
      processor: 'SIMULATOR',
      settlement_cycle: 'T+2',
      expires_on: timestamp(expiresAt),
      created_by: 'key_test',
      created_on: timestamp(START),
    };
    const context = { now: timestamp(START), actor: 'key_test', correlation_id: 'c', causation_id: 'c' };
    await append(charge_id, 'no-stream', newEvent({ type: 'ChargeCreated', data: created }, context));
    return charge_id;
  }

  async function append(id: string, expected: number | 'no-stream', event: ReturnType<typeof newEvent>): Promise<Position> {
    const result = await store.append(chargeStream(id), expected, [event]);
    if (!result.ok) throw new Error('conflict');
    return result.position;
  }

  const types = async (id: string): Promise<string[]> => (await store.read(chargeStream(id))).map(({ type }) => type);

  it('expires a charge when it is due, as the System, and not before', async () => {
    const early = await create(1, START + 60_000);
    const later = await create(2, START + 120_000);
    begin();
    now = START + 60_000;
    await eventually(async () => (await types(early)).length === 2);
    const [, expired] = await store.read(chargeStream(early));
    expect(expired).toMatchObject({
      type: 'ChargeExpired',
      data: { charge_id: early, expired_on: timestamp(now) },
      metadata: { actor: 'System', merchant_id: MERCHANT },
    });
    expect(await types(later)).toEqual(['ChargeCreated']);
  });

  it('expires no charge whose payment the read model does not contain yet', async () => {
    const paid = await create(1, START + 1_000);
    const other = await create(2, START + 1_000);
    const head = await store.head();
    await watch.waitFor('ledger', head!, 10_000);
    await haltProjections();
    const event = {
      charge_id: paid,
      merchant_id: MERCHANT,
      currency: 'IDR',
      processor: 'SIMULATOR',
      amount: 10_000,
      fee_amount: 0,
      net_amount: 10_000,
      paid_on: timestamp(START),
      settlement_date: timestamp(START),
      payment_reference: 'p',
      late_after: null,
    };
    await append(
      paid,
      0,
      newEvent({ type: 'ChargePaid', data: event }, { now: timestamp(START), actor: 'System', correlation_id: 'c', causation_id: 'c' }),
    );
    now = START + 5_000;
    begin();
    await eventually(async () => (await types(other)).length === 2);
    expect(await types(paid)).toEqual(['ChargeCreated', 'ChargePaid']);
  });

  it('expiry continues in another process when the elected one stops, and after a time without any', async () => {
    const first = await create(1, START + 1_000);
    now = START + 2_000;
    const one = begin();
    await eventually(async () => (await types(first)).length === 2);
    const two = begin();
    await one.stop();
    const second = await create(2, START + 1_500);
    await eventually(async () => (await types(second)).length === 2);
    await two.stop();
    const third = await create(3, START + 1_600);
    begin();
    await eventually(async () => (await types(third)).length === 2);
    expect(await types(first)).toEqual(['ChargeCreated', 'ChargeExpired']);
  });

  it('expires each of many charges due at once exactly once, over several pages', async () => {
    const ids = await Promise.all(Array.from({ length: 1_700 }, (_, number) => create(number, START + 1_000 + (number % 7))));
    await watch.waitFor('ledger', (await store.head())!, 20_000);
    now = START + 10_000;
    begin();
    begin();
    const pending = async (): Promise<number> =>
      (await pool.query<{ count: number }>(`select count(*)::int as count from ledger.charges where status = 'PENDING'`)).rows[0]!.count;
    await eventually(async () => (await pending()) === 0);
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from ledger.charges where status = 'EXPIRED' and updated_by = 'System' and revision = 1`,
    );
    expect(rows[0]!.count).toBe(ids.length);
  });

  it('an unreadable charge delays no other expiry and is logged once', async () => {
    const broken = await create(1, START + 1_000);
    const context = { now: timestamp(START), actor: 'x', correlation_id: 'c', causation_id: 'c' };
    await watch.waitFor('ledger', (await store.head())!, 10_000);
    await haltProjections();
    const unknown = newEvent(
      { type: 'ChargeFailed', data: { charge_id: broken, merchant_id: MERCHANT, currency: 'IDR', reason: '', failed_on: timestamp(START) } },
      context,
    );
    await append(broken, 0, { ...unknown, type: 'ChargeForgotten' });
    const good = await createBehindAStoppedProjection(2);
    now = START + 5_000;
    begin();
    await eventually(async () => (await types(good)).length === 2);
    await eventually(async () => reports.length > 0);
    expect(reports).toEqual([broken]);
    expect(await types(broken)).toEqual(['ChargeCreated', 'ChargeForgotten']);
  });

  /** Its row is a copy of another's: no projection runs. */
  async function createBehindAStoppedProjection(number: number): Promise<string> {
    const id = await create(number, START + 1_000);
    const { rows } = await pool.query<{ column_name: string }>(
      `select column_name from information_schema.columns where table_schema = 'ledger' and table_name = 'charges' and column_name not in ('id', 'seq')`,
    );
    const columns = rows.map(({ column_name }) => column_name).join(', ');
    await pool.query(`insert into ledger.charges (id, ${columns}) select $1, ${columns} from ledger.charges limit 1`, [id]);
    return id;
  }
});
