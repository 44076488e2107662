import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { EventStore, NewEvent } from '../src/platform/event-store/event-store.js';

/** Latencies in ms. */
export interface Rate {
  readonly count: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** A charge's first event, some 600 bytes of data and metadata. */
export function sampleEvent(): NewEvent {
  const id = randomUUID();
  return {
    id,
    type: 'ChargeCreated',
    data: {
      charge_id: id,
      merchant_id: '6f1d1f5a-9c51-4a7e-8a4e-0d2b53f3a111',
      code: 'CHG_0123456789ABCDEF',
      amount: 1_000_000,
      currency: 'IDR',
      channel_code: 'QR_QRIS',
      action_flow: 'EMBEDDED',
      reference_id: `order-${id}`,
      description: null,
      meta_data: { order: id },
      fee_amount: 7_000,
      net_amount: 993_000,
      settlement_cycle: 'T+2',
      created_by: 'key_0123456789abcdef',
    },
    metadata: {
      merchant_id: '6f1d1f5a-9c51-4a7e-8a4e-0d2b53f3a111',
      actor: 'key_0123456789abcdef',
      $correlationId: id,
      $causationId: id,
      schema_version: 1,
      occurred_on: new Date().toISOString(),
    },
  };
}

/** Measures appends of one event to a new stream each, by `inFlight` callers that each wait for their result. */
export function measureAppends(store: EventStore, inFlight: number, seconds: number): Promise<Rate> {
  return measureRate(inFlight, seconds, async () => {
    const event = sampleEvent();
    const result = await store.append(`charge-${event.id}`, 'no-stream', [event]);
    if (!result.ok) throw new Error(`a new stream was there already, at revision ${result.actual}`);
  });
}

/** The yardstick: each of `inFlight` callers repeats one prepared, committed INSERT of the same bytes on its own connection. */
export async function measureInserts(databaseUrl: string, inFlight: number, seconds: number): Promise<Rate> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: inFlight });
  try {
    await pool.query('drop table if exists bench_inserts');
    await pool.query('create table bench_inserts (id uuid primary key, type text not null, data json not null, metadata json not null)');
    await Promise.all(Array.from({ length: inFlight }, () => pool.query('select pg_sleep(0.1)')));
    return await measureRate(inFlight, seconds, async () => {
      const { id, type, data, metadata } = sampleEvent();
      const values = [id, type, JSON.stringify(data), JSON.stringify(metadata)];
      await pool.query({ name: 'bench_insert', text: 'insert into bench_inserts values ($1, $2, $3, $4)', values });
    });
  } finally {
    await pool.query('drop table if exists bench_inserts').catch(() => undefined);
    await pool.end();
  }
}

/** Reads and parses the whole log through a subscription until it has caught up. `p50` and `p99` are latencies of batches. */
export async function measureReads(store: EventStore, batchSize = 5_000): Promise<Rate> {
  const end = new AbortController();
  const latencies: number[] = [];
  let count = 0;
  const start = performance.now();
  let last = start;
  for await (const { events, caughtUp } of store.subscribe(null, { signal: end.signal, batchSize })) {
    count += events.length;
    latencies.push(performance.now() - last);
    last = performance.now();
    if (caughtUp) end.abort();
  }
  return rate(count, (last - start) / 1_000, latencies);
}

/** Measures the calls of `once` that `inFlight` callers complete in `seconds`. Each caller starts the next call when the last one ends. */
export async function measureRate(inFlight: number, seconds: number, once: () => Promise<void>): Promise<Rate> {
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1_000;
  const caller = async (): Promise<void> => {
    for (let begun = performance.now(); begun < end; begun = performance.now()) {
      await once();
      latencies.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return rate(latencies.length, (performance.now() - start) / 1_000, latencies);
}

function rate(count: number, seconds: number, latencies: readonly number[]): Rate {
  const sorted = Float64Array.from(latencies).sort();
  const quantile = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
  return { count, seconds, perSecond: count / seconds, p50: quantile(0.5), p99: quantile(0.99) };
}
