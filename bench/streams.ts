import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { PROJECTIONS } from '../src/app/projections.js';
import type { EventStore } from '../src/platform/event-store/event-store.js';
import { readCheckpoint } from '../src/platform/projector/checkpoint.js';
import { appendLog, loadLog } from './catch-up.js';
import type { Load } from './load.js';
import type { Service } from './money.js';

/** Costs of a log with `streams` streams. Each is a charge; seven of ten are paid. */
export interface StreamFigures {
  readonly streams: number;
  /** Appends to new streams and reads of random streams, by the engine alone. */
  readonly append: Quantiles;
  readonly read: Quantiles;
  /** From the first start of a service on that log until all read models are up to date. */
  readonly catch_up: { readonly events: number; readonly seconds: number; readonly events_per_second: number };
  /** Time of a later start until the service listens. */
  readonly start_seconds: number;
  /** POST /v1/charges, 16 in flight. */
  readonly creates: Load;
}

interface Quantiles {
  readonly p50_ms: number;
  readonly p99_ms: number;
}

const TIMES = 2_000;

export async function measureStreams(
  { pool, store, start }: { readonly pool: Pool; readonly store: EventStore; readonly start: () => Promise<Service> },
  streams: number,
  createsAt: (url: string) => Promise<Load>,
  print: (line: string) => void,
): Promise<StreamFigures> {
  await loadLog(pool, streams);
  await pool.query('vacuum analyze event_store.events');
  print(`${streams} streams are in the log`);
  const append = await timesOf(() => appendLog(store, 1));
  const { rows } = await pool.query<{ stream: string }>(
    'select stream from event_store.events where position in (select (random() * $1)::bigint + 1 from generate_series(1, $2))',
    [streams, TIMES],
  );
  const read = await timesOf((n) => store.read(rows[n % rows.length]!.stream));
  print(`the engine: append ${describe(append)}; read ${describe(read)}`);
  const begun = performance.now();
  const projecting = await start();
  for (const { name } of PROJECTIONS) await untilProjected(pool, store, name);
  const seconds = (performance.now() - begun) / 1_000;
  await projecting.stop();
  const events = Number(await store.head());
  const catch_up = { events, seconds, events_per_second: Math.round(events / seconds) };
  print(`all read models: ${events} events in ${seconds.toFixed(1)} s, ${catch_up.events_per_second}/s`);
  const again = performance.now();
  const service = await start();
  const start_seconds = (performance.now() - again) / 1_000;
  let creates;
  try {
    creates = await createsAt(service.url);
  } finally {
    await service.stop();
  }
  print(`a start takes ${start_seconds.toFixed(1)} s`);
  return { streams, append, read, catch_up, start_seconds, creates };
}

async function untilProjected(pool: Pool, store: EventStore, name: string): Promise<void> {
  const head = await store.head();
  for (;;) {
    const checkpoint = await readCheckpoint(pool, name);
    if (checkpoint?.indexed === true && (checkpoint.position ?? 0n) >= (head ?? 0n)) return;
    await delay(50);
  }
}

const describe = ({ p50_ms, p99_ms }: Quantiles): string => `p50 ${p50_ms.toFixed(1)} ms, p99 ${p99_ms.toFixed(1)} ms`;

/** Measures TIMES sequential calls. */
async function timesOf(work: (n: number) => Promise<unknown>): Promise<Quantiles> {
  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    const begun = performance.now();
    await work(n);
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return { p50_ms: times[TIMES / 2]!, p99_ms: times[Math.floor(TIMES * 0.99)]! };
}
