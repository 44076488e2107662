import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { EventStore, RecordedEvent } from '../src/platform/event-store/event-store.js';
import { findBalances, findBalancesAsOf } from '../projections/balances/balance-reads.js';
import { createPool } from '../src/platform/postgres/pool.js';
import { readCheckpoint } from '../src/platform/projector/checkpoint.js';
import type { Projection } from '../src/platform/projector/projection.js';
import { Projector } from '../src/platform/projector/projector.js';
import { timestamp } from '../src/ledger/time.js';
import { headOf, writeBehind } from './log-writer.js';

const MERCHANT = '6f1d1f5a-9c51-4a7e-8a4e-0d2b53f3a111';
const FROM_MS = Date.UTC(2026, 0, 1);
/** Time between two charges. */
const EVERY_MS = 250;
const CHUNK = 10_000;

/**
 * Inserts the events of `charges` charges, seven of ten paid, directly into the embedded engine's table: appending takes longer.
 * @param merchantId a registered merchant; absent: registers one, so the log must not have been loaded like this before
 * @returns the number of events
 */
export async function loadLog(pool: Pool, charges: number, merchantId?: string): Promise<number> {
  const before = await headOf(pool);
  let position = before;
  const write = async (entries: readonly CopiedEvent[]): Promise<void> => {
    const events = entries.map(({ data, metadata, ...event }) => ({
      ...{ ...event, id: randomUUID() },
      ...{ data: JSON.stringify(data), metadata: JSON.stringify(metadata) },
    }));
    position = await writeBehind(pool, position, events);
  };
  if (merchantId === undefined) await write([REGISTERED]);
  for (let first = 0; first < charges; first += CHUNK)
    await write(Array.from({ length: Math.min(CHUNK, charges - first) }, (_, n) => historyOf(first + n, merchantId)).flat());
  return position - before;
}

/** Appends the same events to a store without a table to insert into: `charges` new streams, 64 appends in flight. */
export async function appendLog(store: EventStore, charges: number): Promise<void> {
  const append = async (entries: readonly CopiedEvent[]): Promise<void> => {
    const events = entries.map(({ type, data, metadata }) => ({ id: randomUUID(), type, data, metadata }));
    const result = await store.append(entries[0]!.stream, 'no-stream', events);
    if (!result.ok) throw new Error(`a new stream was there already, at revision ${result.actual}`);
  };
  if ((await store.read(REGISTERED.stream, { limit: 1 })).length === 0) await append([REGISTERED]);
  let next = 0;
  const writer = async (): Promise<void> => {
    while (next < charges) await append(historyOf((next += 1)));
  };
  await Promise.all(Array.from({ length: 64 }, writer));
}

type CopiedEvent = Pick<RecordedEvent, 'stream' | 'revision' | 'type' | 'data' | 'metadata'>;

/** The books of a charge depend on its merchant's mode, so the merchant must be registered. */
const REGISTERED: CopiedEvent = {
  stream: `merchant-${MERCHANT}`,
  revision: 0,
  type: 'MerchantRegistered',
  metadata: {
    merchant_id: MERCHANT,
    actor: 'cli:bench',
    $correlationId: MERCHANT,
    $causationId: MERCHANT,
    schema_version: 1,
    occurred_on: timestamp(FROM_MS),
  },
  data: {
    merchant_id: MERCHANT,
    name: 'Bench',
    email: null,
    country: 'ID',
    mode: 'test',
    default_currency: 'IDR',
    timezone: 'Asia/Jakarta',
    created_on: timestamp(FROM_MS),
  },
};

/** Returns the events of charge number `n`: it is created, and paid when `n % 10` is below 7. */
function historyOf(n: number, merchantId = MERCHANT): CopiedEvent[] {
  const charge_id = randomUUID();
  const stream = `charge-${charge_id}`;
  const on = timestamp(FROM_MS + n * EVERY_MS);
  const metadata = {
    merchant_id: merchantId,
    actor: 'key_0123456789abcdef',
    $correlationId: charge_id,
    $causationId: charge_id,
    schema_version: 1,
    occurred_on: on,
  };
  const [amount, fee_amount, net_amount] = [1_000_000 + n, 7_000, 993_000 + n];
  const of = { charge_id, merchant_id: merchantId, currency: 'IDR' };
  const created: CopiedEvent = {
    stream,
    revision: 0,
    type: 'ChargeCreated',
    metadata: { ...metadata, fingerprint: 'kO0m6VhUj3b8mJc2pZ0n1s9y4w7x' },
    data: {
      ...of,
      code: `CHG_${charge_id.replaceAll('-', '').slice(0, 16).toUpperCase()}`,
      amount,
      channel_code: 'QR_QRIS',
      action_flow: 'PAYLOAD',
      reference_id: `order-2026-${n}`,
      description: 'Two coffees and a croissant',
      meta_data: { table: '7', waiter: 'Sari' },
      action: {
        type: 'PRESENT_TO_CUSTOMER',
        embedded_url: `http://127.0.0.1:3000/pay/${charge_id}`,
        simulation_url: null,
        qr_string: '0'.repeat(180),
      },
      fee: { type: 'PERCENTAGE', value: 0.7 },
      fee_amount,
      net_amount,
      charge_statement_id: randomUUID(),
      processor: 'simulator',
      settlement_cycle: 'T+2',
      expires_on: timestamp(FROM_MS + n * EVERY_MS + 1_800_000),
      created_by: 'key_0123456789abcdef',
      created_on: on,
    },
  };
  if (n % 10 >= 7) return [created];
  const paid: CopiedEvent = {
    stream,
    revision: 1,
    type: 'ChargePaid',
    metadata,
    data: {
      ...of,
      amount,
      fee_amount,
      net_amount,
      paid_on: on,
      settlement_date: timestamp(FROM_MS + 172_800_000),
      payment_reference: charge_id,
      late_after: null,
    },
  };
  return [created, paid];
}

export interface CatchUp {
  readonly events: number;
  readonly seconds: number;
  readonly events_per_second: number;
}

/** Projects the whole log into an empty schema, indexes for readers included. */
export async function measureCatchUp(url: string, store: EventStore, projection: Projection): Promise<CatchUp> {
  const pool = createPool({ url, applicationName: 'bench' });
  await pool.query(`drop schema if exists ${projection.name} cascade`);
  const head = await store.head();
  const begun = performance.now();
  const projector = new Projector({ url, store, projections: [projection] });
  projector.start();
  try {
    for (;;) {
      const checkpoint = await readCheckpoint(pool, projection.name);
      if (checkpoint?.indexed && checkpoint.position === head) {
        const seconds = (performance.now() - begun) / 1_000;
        return { events: checkpoint.ordinal, seconds, events_per_second: Math.round(checkpoint.ordinal / seconds) };
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await projector.stop();
    await pool.end();
  }
}

const READS = 500;

/** Measures reads of the loaded merchant's balances, current and as of moments spread over its history. The `ledger` must be caught up. */
export async function measureBalanceReads(pool: Pool, charges: number): Promise<{ readonly now_p99_ms: number; readonly as_of_p99_ms: number }> {
  const owner = { merchant_id: MERCHANT, created_on: timestamp(FROM_MS) };
  const p99 = async (read: (n: number) => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let n = 0; n < READS; n += 1) {
      const begun = performance.now();
      await read(n);
      times.push(performance.now() - begun);
    }
    return times.sort((a, b) => a - b)[Math.floor(READS * 0.99)]!;
  };
  return {
    now_p99_ms: await p99(() => findBalances(pool, owner, ['IDR', 'MYR', 'SGD'])),
    as_of_p99_ms: await p99((n) =>
      findBalancesAsOf(pool, owner, ['IDR', 'MYR', 'SGD'], timestamp(FROM_MS + Math.floor((n / READS) * charges) * EVERY_MS)),
    ),
  };
}
