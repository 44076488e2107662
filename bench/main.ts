/**
 * `npm run bench`: measures the service and the machine's own limits in the same run, because absolute figures drift.
 * BENCH_SECONDS per measurement (default 8), BENCH_ROWS charges for lists, catch-up, moments and finance (default 200,000),
 * BENCH_ONLY=creates,read-after-write,money,refunds,remote,deliveries,appends,catch-up,lists,finance,growth,paced,hostile,recon,closes,moments,streams,eventstoredb; the last needs EVENTSTORE_URL, a separate server with a new log; `growth`, `moments` and `paced` run only when BENCH_ONLY names them.
 * BENCH_STREAMS: sizes, in streams, of the logs that `streams` compares (default 10,000 and 1,000,000); it runs only when BENCH_ONLY names it
 * BENCH_LINES: lines of CSV, and of MT940, that `recon` imports and matches (default 1,000,000); it runs only when BENCH_ONLY names it
 * BENCH_DAYS, BENCH_DAY_LINES: days of a bank that `closes` closes, and lines of each (default 30, 100,000); it runs only when BENCH_ONLY names it
 * BENCH_MERCHANTS: number of merchants whose charges `finance`, `growth` and `moments` load (default 300)
 * BENCH_DATA_DIR: folder in which `finance`, `growth` and `moments` create their log and keep it for the next run
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { PROJECTIONS } from '../src/app/projections.js';
import { readConfig } from '../src/app/config.js';
import { registerMerchant } from '../src/domain/merchants/merchant.commands.js';
import { MIGRATIONS } from '../src/app/migrations.js';
import { EmbeddedEventStore } from '../src/platform/event-store/embedded/embedded-event-store.js';
import { EventStoreDBEventStore } from '../src/platform/event-store/eventstoredb/eventstoredb-event-store.js';
import { migrate } from '../src/platform/postgres/migrations.js';
import { createPool } from '../src/platform/postgres/pool.js';
import { readCheckpoint } from '../src/platform/projector/checkpoint.js';
import { openStores, type Stores } from '../src/app/stores.js';
import { measureAppends, measureInserts, measureReads } from './appends.js';
import { loadLog, measureBalanceReads, measureCatchUp } from './catch-up.js';
import { measureCloses } from './closes.js';
import { cpuByProcess, cpuEach } from './cpu.js';
import { measureDeliveries, type Latency } from './deliveries.js';
import { measureOnEventStoreDB } from './eventstoredb.js';
import { caughtUp, measurePages, measureVerify, type PageRow } from './finance.js';
import { loadFinanceLog } from './finance-log.js';
import { measureGrowth, type GrowthFigures } from './growth.js';
import { measureHostile, type HostileFigures, type Waits } from './hostile.js';
import { measureLists } from './lists.js';
import { headOf } from './log-writer.js';
import { drive, type Load } from './load.js';
import { measureMoney, type Service, type StartService } from './money.js';
import { measureMoments, type MomentFigures } from './moments.js';
import { drivePaced } from './paced.js';
import { measureReadsAfterWrites, type ReadsAfterWrites } from './read-after-write.js';
import { measureRebuilds, type RebuildRate } from './rebuild.js';
import { measureRecon, type ReconBench } from './recon.js';
import { measureRefunds } from './refunds.js';
import { measureRemote, type RemoteFigures } from './remote.js';
import { loadSettlements } from './settled-log.js';
import { measureStreams, type StreamFigures } from './streams.js';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 8);
const ROWS = Number(process.env['BENCH_ROWS'] ?? 200_000);
const ONLY = process.env['BENCH_ONLY']?.split(',');
const DATA_DIR = process.env['BENCH_DATA_DIR'];
const STREAMS = (process.env['BENCH_STREAMS'] ?? '10000,1000000').split(',').map(Number);
const RECON_LINES = Number(process.env['BENCH_LINES'] ?? 1_000_000);
const DAYS = Number(process.env['BENCH_DAYS'] ?? 30);
const DAY_LINES = Number(process.env['BENCH_DAY_LINES'] ?? 100_000);
const MERCHANTS = Number(process.env['BENCH_MERCHANTS'] ?? 300);
const IN_FLIGHT = [1, 16, 64];
/** Creates per second of clients that do not wait for each other. */
const PACES = [250, 500, 1_000, 2_000, 2_500, 3_000];
/** Alternating rounds of yardstick and service; odd, so that one ratio is the median. */
const ROUNDS = 5;
const READS_BACK = 10_000;
/** Settlements of 1,000 lines each in the rebuilt log. */
const REBUILT_SETTLEMENTS = 10;
const HOSTILE_CHARGES = 40_000;
/** The service's default rate limit. */
const HOSTILE_RATE = 100;

interface CreatesRow {
  readonly in_flight: number;
  /** The loads of the round with the median ratio. */
  readonly yardstick: Load;
  readonly service: Load;
  /** Rate of the service divided by that of the yardstick: the median, and all rounds. */
  readonly ratio: number;
  readonly ratios: readonly number[];
  /** CPU per create by process, µs, median of the rounds. */
  readonly cpu_us: Readonly<Record<string, number>>;
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-bench-'));
  const stores = await openStores({ dataDir, databaseUrl: process.env['DATABASE_URL'], eventStoreUrl: undefined }, () => undefined);
  const results: Record<string, unknown> = { machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`, node: process.version };
  const section = async (name: string, measure: () => Promise<unknown>): Promise<void> => {
    if (ONLY && !ONLY.includes(name)) return;
    print(`\n${name}`);
    results[name] = await measure();
  };
  try {
    await section('creates', () => measureCreates(stores, dataDir));
    if (ONLY?.includes('paced')) await section('paced', () => measurePaces(stores, dataDir));
    await section('read-after-write', () => measureReadingBack(stores, dataDir));
    await section('money', () => measureMoneyMoves(stores, dataDir));
    await section('refunds', () => measureRefundRates(stores, dataDir));
    await section('remote', () => measureRemoteCharges(stores, dataDir));
    await section('deliveries', () => measureWebhooks(stores, dataDir));
    await section('appends', () => onNewDatabase(stores, measureEngine));
    await section('catch-up', () => onNewDatabase(stores, measureProjector));
    await section('rebuild', () => measureRebuild(join(dataDir, 'rebuild')));
    const eventStoreUrl = process.env['EVENTSTORE_URL'];
    if (eventStoreUrl) await section('eventstoredb', () => onNewDatabase(stores, (url) => measureEventStoreDB(eventStoreUrl, url, dataDir)));
    await section('lists', () => onNewDatabase(stores, measureListQueries));
    if (ONLY?.includes('recon'))
      await section('recon', () => onReconciliation(join(dataDir, 'recon'), (bench) => measureRecon(bench, RECON_LINES, RECON_LINES / 10)));
    if (ONLY?.includes('closes'))
      await section('closes', () => onReconciliation(join(dataDir, 'closes'), (bench) => measureCloses(bench, DAYS, DAY_LINES)));
    await section('hostile', () => measureHostileMerchant(join(dataDir, 'hostile')));
    if (ONLY?.includes('streams')) await section('streams', () => measureStreamCounts(dataDir));
    await section('finance', () => onKeptData(stores, dataDir, measureFinance));
    if (ONLY?.includes('moments')) await section('moments', () => onKeptData(stores, dataDir, measurePastMoments));
    if (ONLY?.includes('growth')) await section('growth', () => onKeptData(stores, dataDir, measureGrownLog));
    await writeFile('bench-results.json', `${JSON.stringify(results, null, 2)}\n`);
  } finally {
    await stores.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureEngine(url: string): Promise<unknown> {
  const store = new EmbeddedEventStore({ databaseUrl: url });
  await measureAppends(store, 32, 2);
  const inserts = await measureInserts(url, 32, SECONDS / 2);
  const appends = await measureAppends(store, 32, SECONDS);
  const reads = await measureReads(store);
  await store.close();
  print(
    `engine, 32 in flight: ${Math.round(appends.perSecond)} appends/s, p99 ${appends.p99.toFixed(1)} ms; prepared committed INSERT ${Math.round(inserts.perSecond)}/s`,
  );
  print(`engine, whole log: ${Math.round(reads.perSecond)} events/s`);
  return { appends, inserts, reads };
}

async function measureProjector(url: string): Promise<unknown> {
  const pool = createPool({ url, applicationName: 'bench', statementTimeoutMs: 0 });
  const store = new EmbeddedEventStore({ databaseUrl: url });
  await loadLog(pool, ROWS);
  const results: Record<string, unknown> = {};
  for (const projection of PROJECTIONS) {
    const caughtUp = await measureCatchUp(url, store, projection);
    results[projection.name] = caughtUp;
    print(`${projection.name}: ${caughtUp.events} events in ${caughtUp.seconds.toFixed(1)} s, ${caughtUp.events_per_second}/s`);
  }
  const balances = await measureBalanceReads(pool, ROWS);
  results['balance_reads'] = { charges: ROWS, ...balances };
  print(`balances of a merchant with ${ROWS} charges: p99 ${balances.now_p99_ms.toFixed(1)} ms, AsOf p99 ${balances.as_of_p99_ms.toFixed(1)} ms`);
  await store.close();
  await pool.end();
  return results;
}

/** Uses a separate embedded Postgres, where a rebuild yields to the service's requests. */
async function measureRebuild(dataDir: string): Promise<unknown> {
  const stores = await openStores({ dataDir, databaseUrl: undefined, eventStoreUrl: undefined }, () => undefined);
  const pool = createPool({ url: stores.databaseUrl, applicationName: 'bench', statementTimeoutMs: 0 });
  try {
    await loadLog(pool, ROWS);
    await loadSettlements(pool, REBUILT_SETTLEMENTS);
    const key = await newMerchantKey(stores);
    // The worker would expire the loaded charges meanwhile.
    const env = { ...serviceEnv(stores, dataDir), DATABASE_URL: '', ROLES: 'api,projector' };
    const service = await startProgram('../src/main.js', env);
    const names = PROJECTIONS.map(({ name }) => name);
    const head = await stores.eventStore.head();
    for (const name of names) {
      while (((await readCheckpoint(pool, name))?.position ?? -1n) < head!) await delay(100);
    }
    const next = createsWith(key);
    const measured = await measureRebuilds(env, names, SECONDS, (inFlight, seconds) => drive(`${service.url}/v1/charges`, inFlight, seconds, next));
    const rate = ({ events, seconds, events_per_second }: RebuildRate): string =>
      `${events} events in ${seconds.toFixed(1)} s, ${events_per_second}/s`;
    for (const [name, rebuilt] of Object.entries(measured.alone)) print(`${name}: ${rate(rebuilt)}`);
    const { before, during, after, work, loss_percent } = measured.beside_creates;
    print(`64 in flight: before ${describe(before)}; during a rebuild of the ledger ${describe(during)}; after ${describe(after)}`);
    print(`${loss_percent} % lost; the rebuild beside them: ${rate(work)}`);
    await service.stop();
    return measured;
  } finally {
    await pool.end();
    await stores.close();
  }
}

async function measureListQueries(url: string): Promise<unknown> {
  const lists = await measureLists(url, ROWS);
  print(`${ROWS} charges of one merchant`);
  for (const { query, p50_ms, p99_ms, bound_ms } of lists) {
    print(
      `${query.padEnd(40)} p50 ${p50_ms.toFixed(1).padStart(7)} ms, p99 ${p99_ms.toFixed(1).padStart(7)} ms${bound_ms === null ? '' : `, promised ${bound_ms} ms`}`,
    );
  }
  return { rows: ROWS, lists };
}

/** Uses a separate embedded Postgres for each size. */
async function measureStreamCounts(dataDir: string): Promise<StreamFigures[]> {
  const results: StreamFigures[] = [];
  for (const streams of STREAMS) {
    const dir = join(dataDir, `streams-${streams}`);
    const stores = await openStores({ dataDir: dir, databaseUrl: undefined, eventStoreUrl: undefined }, () => undefined);
    const pool = createPool({ url: stores.databaseUrl, applicationName: 'bench', statementTimeoutMs: 0 });
    try {
      // The worker would expire the loaded charges meanwhile.
      const env = { ...serviceEnv(stores, dir), DATABASE_URL: '', ROLES: 'api,projector' };
      const next = createsWith(await newMerchantKey(stores));
      const measured = await measureStreams(
        { pool, store: stores.eventStore, start: () => startProgram('../src/main.js', env) },
        streams,
        (url) => drive(`${url}/v1/charges`, 16, SECONDS, next),
        print,
      );
      print(`16 in flight: ${describe(measured.creates)}`);
      results.push(measured);
    } finally {
      await pool.end();
      await stores.close();
      await rm(dir, { recursive: true, force: true });
    }
  }
  return results;
}

/** Uses a separate embedded Postgres, the default of a new installation. */
async function onReconciliation<T>(dataDir: string, measure: (bench: ReconBench) => Promise<T>): Promise<T> {
  const stores = await openStores({ dataDir, databaseUrl: undefined, eventStoreUrl: undefined }, () => undefined);
  const pool = createPool({ url: stores.databaseUrl, applicationName: 'bench', statementTimeoutMs: 0 });
  try {
    const env = { ...serviceEnv(stores, dataDir), DATABASE_URL: '' };
    const bench = { pool, store: stores.eventStore, env, start: () => startProgram('../src/main.js', env), dir: dataDir, print };
    return await measure(bench);
  } finally {
    await pool.end();
    await stores.close();
  }
}

/** Runs `work` in BENCH_DATA_DIR, which is kept, or in a new database. */
async function onKeptData<T>(stores: Stores, dataDir: string, work: (stores: Stores, dataDir: string) => Promise<T>): Promise<T> {
  const openOn = (url: string | undefined, dir: string) =>
    openStores({ dataDir: dir, databaseUrl: url, eventStoreUrl: undefined }, () => undefined).then(async (kept) => {
      try {
        return await work(kept, dir);
      } finally {
        await kept.close();
      }
    });
  return DATA_DIR === undefined ? onNewDatabase(stores, (url) => openOn(url, dataDir)) : openOn(undefined, DATA_DIR);
}

/** Writes a log of ROWS charges unless there is one, and waits until it is projected and sealed. */
async function haveFinanceLog(stores: Stores, dataDir: string, pool: Pool): Promise<void> {
  if ((await headOf(pool)) === 0) {
    const begun = performance.now();
    const config = readConfig({ ...process.env, DATA_DIR: dataDir });
    let [loaded, told] = [0, 0];
    await loadFinanceLog(config, stores, { charges: ROWS, merchants: MERCHANTS }, (charges) => {
      loaded += charges;
      if (loaded - told < ROWS / 10) return;
      told = loaded;
      print(`${loaded} charges of ${MERCHANTS} merchants in the log after ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
    });
  }
  const projecting = await startProgram('../src/main.js', serviceEnv(stores, dataDir));
  await caughtUp(pool, stores.eventStore);
  await projecting.stop();
  await pool.query('vacuum analyze');
}

async function measureGrownLog(stores: Stores, dataDir: string): Promise<GrowthFigures> {
  const pool = createPool({ url: stores.databaseUrl, applicationName: 'bench', statementTimeoutMs: 0 });
  try {
    await haveFinanceLog(stores, dataDir, pool);
    const env = serviceEnv(stores, dataDir);
    const next = createsWith(await newMerchantKey(stores));
    const start = () => startProgram('../src/main.js', env);
    const grown = await measureGrowth({ stores, pool, env, start, drive: (url) => drive(`${url}/v1/charges`, 16, SECONDS, next) });
    const kib = (bytes: number): string => (bytes / 1_024 / grown.charges).toFixed(3);
    print(`${grown.charges} charges, ${grown.events} events; KiB a charge: table, its indexes`);
    for (const { table, rows, bytes, index_bytes } of grown.tables.filter((each) => each.bytes + each.index_bytes > 1_048_576))
      print(`${table.padEnd(36)} ${String(rows).padStart(9)} rows ${kib(bytes).padStart(8)} ${kib(index_bytes).padStart(8)}`);
    const { start_seconds, peak_mib, wal_bytes_per_create, rebuild, verify } = grown;
    print(`starts in ${start_seconds.toFixed(1)} s, ${peak_mib} MiB after ${describe(grown.creates)}; ${wal_bytes_per_create} bytes of WAL a create`);
    print(`rebuild: ${rebuild.events} events in ${rebuild.seconds.toFixed(1)} s, ${rebuild.events_per_second}/s`);
    print(`audit verify: ${verify.events} events in ${verify.seconds.toFixed(1)} s, CPU ${verify.cpu_seconds.toFixed(1)} s, ${verify.rss_mib} MiB`);
    return grown;
  } finally {
    await pool.end();
  }
}

async function measurePastMoments(stores: Stores, dataDir: string): Promise<MomentFigures> {
  const pool = createPool({ url: stores.databaseUrl, applicationName: 'bench', statementTimeoutMs: 0 });
  await haveFinanceLog(stores, dataDir, pool);
  await pool.end();
  const env = serviceEnv(stores, dataDir);
  const next = createsWith(await newMerchantKey(stores));
  const measured = await measureMoments({
    ...{ stores, env, seconds: SECONDS, start: () => startProgram('../src/main.js', env) },
    drive: (url, inFlight, seconds) => drive(`${url}/v1/charges`, inFlight, seconds, next),
  });
  const { events, what_if, from_nothing, from_earlier, rebuild, pages, pages_ratio, mib_per_moment, beside_build, beside_rebuild } = measured;
  print(`what-if over ${events} events: ${what_if.seconds.toFixed(1)} s, ${what_if.cpu_seconds.toFixed(1)} s of CPU, ${what_if.peak_mib} MiB`);
  const promised = ((events / 1e6) * 90).toFixed(0);
  print(`${events} events from nothing: ${from_nothing.seconds.toFixed(1)} s, ${from_nothing.megabytes} MB; promised ${promised} s`);
  print(`from a moment ${from_earlier.events} events before: ${from_earlier.seconds.toFixed(1)} s, promised 10 s`);
  print(`yardstick, projections rebuild: ${rebuild.seconds.toFixed(1)} s, ${rebuild.events_per_second}/s`);
  print(`${mib_per_moment.toFixed(0)} MiB per open moment and API process, promised 40`);
  for (const { page, present_ms, moment_ms } of pages)
    print(`${page.padEnd(52)} now ${present_ms.toFixed(1).padStart(7)} ms, as of a moment ${moment_ms.toFixed(1).padStart(7)} ms`);
  print(`pages as of a moment take ${pages_ratio.toFixed(2)} times as long, median; promised 1.10`);
  print(
    `creates, 64 in flight: ${beside_build.loss_percent} % lost beside a build, ${beside_rebuild.loss_percent} % beside a rebuild of all read models`,
  );
  return measured;
}

async function measureFinance(stores: Stores, dataDir: string): Promise<unknown> {
  const pool = createPool({ url: stores.databaseUrl, applicationName: 'bench', statementTimeoutMs: 0 });
  await haveFinanceLog(stores, dataDir, pool);
  await pool.end();
  const env = serviceEnv(stores, dataDir);
  // The service's timers have nothing to do: all due charges are settled, all overdue ones have expired.
  const service = await startProgram('../src/main.js', env);
  let pages: PageRow[];
  try {
    [pages = []] = await measurePages(stores, service);
  } finally {
    await service.stop();
  }
  for (const { page, first_ms, p50_ms, worst_ms, bound_ms } of pages) {
    const [first, p50, worst] = [first_ms, p50_ms, worst_ms].map((ms) => `${ms.toFixed(1).padStart(7)} ms`);
    print(`${page.padEnd(52)} first ${first}, p50 ${p50}, worst ${worst}${bound_ms === null ? '' : `, promised ${bound_ms} ms`}`);
  }
  const verify = await measureVerify(env);
  const { events, seconds, cpu_seconds, rss_mib } = verify;
  const perMillion = (figure: number): string => ((figure / events) * 1e6).toFixed(1);
  print(
    `audit verify: ${events} events in ${seconds.toFixed(1)} s (${perMillion(seconds)} s per million), CPU ${cpu_seconds.toFixed(1)} s (${perMillion(cpu_seconds)}), ${rss_mib} MiB; promised 60 s per million`,
  );
  return { rows: ROWS, pages, verify };
}

async function measureMoneyMoves(stores: Stores, dataDir: string): Promise<unknown> {
  const env = serviceEnv(stores, dataDir);
  const start: StartService = (seconds) => startProgram('../src/main.js', { ...env, SETTLEMENT_INTERVAL_SECONDS: String(seconds) });
  const pool = createPool({ url: stores.databaseUrl, applicationName: 'bench', maxConnections: 1 });
  let money;
  try {
    money = await measureMoney(pool, start, await newMerchantKey(stores), 128, SECONDS);
  } finally {
    await pool.end();
  }
  print(`payouts on one account, 128 in flight: ${describe(money.payouts)}`);
  print(`    CPU of a payout, µs: ${shares(money.payouts.cpu_us)}`);
  const { lines, seconds, lines_per_second, creates_per_second } = money.settlement;
  print(
    `settlement: ${lines} charges available ${seconds.toFixed(1)} s after the start, ${lines_per_second} lines/s, beside ${creates_per_second} creates/s`,
  );
  return money;
}

async function measureRefundRates(stores: Stores, dataDir: string): Promise<unknown> {
  const env = serviceEnv(stores, dataDir);
  const start: StartService = (seconds) => startProgram('../src/main.js', { ...env, SETTLEMENT_INTERVAL_SECONDS: String(seconds) });
  const yardstick = await startProgram('yardstick.js', env);
  try {
    const refunds = await measureRefunds(start, yardstick, await newMerchantKey(stores), 64, SECONDS);
    print(`64 in flight: yardstick ${describe(refunds.yardstick)}; creates ${describe(refunds.creates)}`);
    print(`refunds of unsettled charges: ${describe(refunds.unsettled)}; by creates ${refunds.ratio.toFixed(2)}`);
    print(`refunds of settled charges on one account: ${describe(refunds.settled)}`);
    return refunds;
  } finally {
    await yardstick.stop();
  }
}

/** Runs a separate API whose charges use simulated providers, and the service with its projector. */
async function measureRemoteCharges(stores: Stores, dataDir: string): Promise<RemoteFigures> {
  const env = serviceEnv(stores, dataDir);
  const delays = { quick: '20', slow: '2000' };
  const [quickProvider, slowProvider] = [
    await startProgram('remote-provider.js', { ...env, PROVIDER_DELAY_MS: delays.quick }),
    await startProgram('remote-provider.js', { ...env, PROVIDER_DELAY_MS: delays.slow }),
  ];
  const deps = { store: stores.eventStore, clock: Date.now };
  const [quick, slow] = [
    await registerMerchant(deps, { name: 'Quick', email: null, country: 'ID', mode: 'test' }),
    await registerMerchant(deps, { name: 'Slow', email: null, country: 'ID', mode: 'test' }),
  ];
  const REMOTE_PROVIDERS = `${quick.merchant_id}=${quickProvider.url},${slow.merchant_id}=${slowProvider.url}`;
  const projecting = await startProgram('../src/main.js', { ...env, ROLES: 'api,projector' });
  const service = await startProgram('remote-service.js', { ...env, REMOTE_PROVIDERS });
  try {
    const simulated = createsWith(await newMerchantKey(stores));
    const measured = await measureRemote({
      ...{ service, quickProvider, seconds: SECONDS },
      ...{ quick: createsWith(quick.key), slow: createsWith(slow.key), simulated },
    });
    print(
      `a provider that takes ${delays.quick} ms, 1 in flight: directly ${describe(measured.provider)}; a create there ${describe(measured.creates)}`,
    );
    print(`it adds ${measured.adds_ms.toFixed(1)} ms at p50, promised 2`);
    print(`${measured.in_flight} in flight at a provider that takes ${delays.slow} ms: ${describe(measured.slow)}`);
    const { alone, beside } = measured.simulated;
    print(`charges without a rail, 400 a second: alone ${describe(alone)}; beside those ${describe(beside)}`);
    return measured;
  } finally {
    await Promise.all([service, projecting, quickProvider, slowProvider].map((program) => program.stop()));
  }
}

async function measureWebhooks(stores: Stores, dataDir: string): Promise<unknown> {
  const receiver = await startProgram('receiver.js', process.env);
  try {
    const { backlog, quiet, beside_hanging } = await measureDeliveries({
      store: stores.eventStore,
      receiverUrl: receiver.url,
      seconds: SECONDS,
      startService: (ROLES) =>
        startProgram('../src/main.js', { ...serviceEnv(stores, dataDir), WEBHOOK_ALLOW_PRIVATE: 'true', ...(ROLES !== undefined && { ROLES }) }),
    });
    const latency = ({ p50_ms, p99_ms }: Latency): string => `event to first attempt p50 ${p50_ms} ms, p99 ${p99_ms} ms`;
    print(
      `${backlog.deliveries} deliveries while charges are created: ${backlog.per_second}/s, ${backlog.cpu_ms_per_delivery?.toFixed(2) ?? '?'} ms of CPU each`,
    );
    print(`quiet: ${latency(quiet)}`);
    print(
      `beside ${beside_hanging.hanging} that hang: ${latency(beside_hanging)}; memory ${beside_hanging.rss_mib_before} → ${beside_hanging.rss_mib} MiB`,
    );
    return { backlog, quiet, beside_hanging };
  } finally {
    await receiver.stop();
  }
}

/** Uses a separate embedded Postgres. The hostile merchant has long lists and an available balance. */
async function measureHostileMerchant(dataDir: string): Promise<HostileFigures> {
  const stores = await openStores({ dataDir, databaseUrl: undefined, eventStoreUrl: undefined }, () => undefined);
  const pool = createPool({ url: stores.databaseUrl, applicationName: 'bench', statementTimeoutMs: 0 });
  const receiver = await startProgram('receiver.js', process.env);
  try {
    const deps = { store: stores.eventStore, clock: Date.now };
    const hostile = await registerMerchant(deps, { name: 'Hostile', email: null, country: 'ID', mode: 'test' });
    await loadLog(pool, HOSTILE_CHARGES, hostile.merchant_id);
    const env = {
      ...serviceEnv(stores, dataDir),
      DATABASE_URL: '',
      RATE_LIMIT_PER_SECOND: String(HOSTILE_RATE),
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SETTLEMENT_INTERVAL_SECONDS: '1',
    };
    const honestKey = await newMerchantKey(stores);
    const service = await startProgram('../src/main.js', env);
    // Waits until the loaded charges are settled or have expired: until then the worker is busy with them.
    const open = `select from ledger.charges where merchant_id = $1 and (status = 'PENDING' or settlement_status = 'PENDING') limit 1`;
    await caughtUp(pool, stores.eventStore);
    while ((await pool.query(open, [hostile.merchant_id])).rowCount! > 0) await delay(250);
    await caughtUp(pool, stores.eventStore);
    await pool.query('vacuum analyze');
    let measured;
    try {
      measured = await measureHostile({
        url: service.url,
        honestKey,
        hostileKey: hostile.key,
        hangingUrl: `${receiver.url}/hang`,
        ratePerSecond: HOSTILE_RATE,
        seconds: 2 * SECONDS,
      });
    } finally {
      await service.stop();
    }
    const waits = ({ refused, p50_ms, p99_ms, worst_ms }: Waits): string =>
      `p50 ${p50_ms.toFixed(1)} ms, p99 ${p99_ms.toFixed(1)} ms, worst ${worst_ms.toFixed(1)} ms${refused > 0 ? `, ${refused} REFUSED` : ''}`;
    for (const [kind, { quiet, beside }] of Object.entries(measured.kinds))
      print(`${kind.padEnd(10)} alone ${waits(quiet)}; beside ${waits(beside)}`);
    const { quiet, beside, factor, hostile: did } = measured;
    const statuses = Object.entries(did.statuses).map(([status, count]) => `${status}: ${count}`);
    print(`all        alone ${waits(quiet)}; beside ${waits(beside)}`);
    print(`p99 moved by ${factor.toFixed(2)}, promised less than 2; the hostile merchant sent ${did.per_second}/s (${statuses.join(', ')})`);
    return measured;
  } finally {
    await receiver.stop();
    await pool.end();
    await stores.close();
  }
}

/** Runs `work` on a new, empty database with the current schema on the service's Postgres. */
async function onNewDatabase<T>(stores: Stores, work: (url: string) => Promise<T>): Promise<T> {
  const admin = createPool({ url: stores.databaseUrl, applicationName: 'bench', statementTimeoutMs: 0 });
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${name}`);
  const url = new URL(stores.databaseUrl);
  url.pathname = `/${name}`;
  try {
    await migrate(url.toString(), MIGRATIONS);
    return await work(url.toString());
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

const serviceEnv = (stores: Pick<Stores, 'databaseUrl'>, dataDir: string): NodeJS.ProcessEnv => ({
  ...process.env,
  DATABASE_URL: stores.databaseUrl,
  EVENTSTORE_URL: '',
  DATA_DIR: dataDir,
  PORT: '0',
  RATE_LIMIT_PER_SECOND: '0',
  LOG_LEVEL: 'warn',
});

async function newMerchantKey(stores: Pick<Stores, 'eventStore'>): Promise<string> {
  const deps = { store: stores.eventStore, clock: Date.now };
  return (await registerMerchant(deps, { name: 'Bench', email: null, country: 'ID', mode: 'test' })).key;
}

async function measureCreates(stores: Stores, dataDir: string): Promise<CreatesRow[]> {
  const key = await newMerchantKey(stores);
  const env = serviceEnv(stores, dataDir);
  const yardstick = await startProgram('yardstick.js', env);
  const service = await startProgram('../src/main.js', env);
  const next = createsWith(key);
  const atYardstick = (inFlight: number, seconds: number) => drive(yardstick.url, inFlight, seconds, next);
  const atService = (inFlight: number, seconds: number) => drive(`${service.url}/v1/charges`, inFlight, seconds, next);
  const pool = createPool({ url: stores.databaseUrl, applicationName: 'bench', maxConnections: 1 });
  await atYardstick(64, 3);
  await atService(64, 5);
  const rows: CreatesRow[] = [];
  for (const inFlight of IN_FLIGHT) {
    const rounds: { readonly yardstick: Load; readonly service: Load }[] = [];
    const used: Record<string, number>[] = [];
    // Yardstick and service alternate: on a machine that drifts, one round may be half as fast as another.
    for (let round = 0; round < ROUNDS; round++) {
      const yardstickLoad = await atYardstick(inFlight, SECONDS / 2);
      const before = await cpuByProcess({ pool, pid: service.pid });
      const serviceLoad = await atService(inFlight, SECONDS / 2);
      used.push(cpuEach(before, await cpuByProcess({ pool, pid: service.pid }), (serviceLoad.per_second * SECONDS) / 2));
      rounds.push({ yardstick: yardstickLoad, service: serviceLoad });
    }
    const ratios = rounds.map((round) => round.service.per_second / round.yardstick.per_second);
    const middle = rounds[ratios.indexOf(median(ratios))]!;
    const cpu_us = Object.fromEntries(Object.keys(used[0]!).map((name) => [name, median(used.map((each) => each[name] ?? 0))]));
    const row = { in_flight: inFlight, ...middle, ratio: median(ratios), ratios, cpu_us };
    rows.push(row);
    print(
      `${String(inFlight).padStart(3)} in flight: yardstick ${describe(row.yardstick)}; service ${describe(row.service)}; ratio ${row.ratio.toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
    );
    print(`    CPU of a create, µs: ${shares(cpu_us)}`);
  }
  await pool.end();
  await Promise.all([yardstick.stop(), service.stop()]);
  return rows;
}

/** Median of an odd number of values. */
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Two processes serve requests; one of them also starts the projector and the worker. */
async function measureReadingBack(stores: Stores, dataDir: string): Promise<Record<'crowd' | 'idle' | 'beside', ReadsAfterWrites>> {
  const env = serviceEnv(stores, dataDir);
  const next = createsWith(await newMerchantKey(stores));
  const service = await startProgram('../src/main.js', env);
  const other = await startProgram('../src/main.js', { ...env, ROLES: 'api' });
  try {
    await drive(`${service.url}/v1/charges`, 16, 3, next);
    const urls = { write: service.url, read: other.url };
    const crowd = await measureReadsAfterWrites(urls, READS_BACK, 16, next);
    const idle = await measureReadsAfterWrites(urls, READS_BACK / 10, 1, next);
    const [beside] = await Promise.all([
      measureReadsAfterWrites(urls, READS_BACK / 50, 1, next),
      drive(`${service.url}/v1/charges`, 16, SECONDS, next),
    ]);
    const tell = (how: string, { pairs, unseen, marked, read }: ReadsAfterWrites): void =>
      print(
        `${pairs} creates read back in another process, ${how}: ${unseen} unseen, ${marked} marked; read p50 ${read.p50_ms} ms, p99 ${read.p99_ms} ms`,
      );
    tell('16 in flight', crowd);
    tell('one at a time', idle);
    tell('one at a time beside 16 creates in flight', beside);
    return { crowd, idle, beside };
  } finally {
    await Promise.all([service.stop(), other.stop()]);
  }
}

/** Returns a generator of requests that create a charge, each with a new idempotency key. */
function createsWith(key: string): () => { headers: Record<string, string>; body: string } {
  let sequence = 0;
  const body = JSON.stringify({
    amount: 10_000,
    currency: 'IDR',
    channel_code: 'qr_qris',
    action_flow: 'payload',
    reference_id: 'order-2026-000001',
    description: 'Two coffees and a croissant',
    metadata: { table: '7', waiter: 'Sari' },
  });
  return () => ({
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': `bench-${process.pid}-${(sequence += 1)}` },
    body,
  });
}

interface Pace extends Load {
  readonly wanted: number;
  /** Mean number of busy cores during the run: service, Postgres and load. */
  readonly cores: number;
}

/** Measures the time of a create at fixed rates of arrival, regardless of the service's speed. */
async function measurePaces(stores: Stores, dataDir: string): Promise<Pace[]> {
  const service = await startProgram('../src/main.js', serviceEnv(stores, dataDir));
  const pool = createPool({ url: stores.databaseUrl, applicationName: 'bench', maxConnections: 1 });
  const next = createsWith(await newMerchantKey(stores));
  try {
    await drive(`${service.url}/v1/charges`, 64, 5, next); // warms up
    const paces: Pace[] = [];
    for (const wanted of PACES) {
      const before = await cpuByProcess({ pool, pid: service.pid });
      const load = await drivePaced(`${service.url}/v1/charges`, wanted, SECONDS, next);
      const each = Object.values(cpuEach(before, await cpuByProcess({ pool, pid: service.pid }), load.per_second * SECONDS));
      const pace = { wanted, ...load, cores: (each.reduce((sum, us) => sum + us, 0) * load.per_second) / 1e6 };
      paces.push(pace);
      print(`${wanted} a second: ${describe(pace)}; ${pace.cores.toFixed(2)} cores`);
    }
    return paces;
  } finally {
    await pool.end();
    await service.stop();
  }
}

async function measureEventStoreDB(eventStoreUrl: string, databaseUrl: string, dataDir: string): Promise<unknown> {
  const eventStore = new EventStoreDBEventStore({ url: eventStoreUrl });
  const next = createsWith(await newMerchantKey({ eventStore }));
  await eventStore.close();
  const service = await startProgram('../src/main.js', { ...serviceEnv({ databaseUrl }, dataDir), EVENTSTORE_URL: eventStoreUrl });
  const atService = (inFlight: number, seconds: number) => drive(`${service.url}/v1/charges`, inFlight, seconds, next);
  const measured = await measureOnEventStoreDB(eventStoreUrl, databaseUrl, SECONDS, atService, () => service.stop());
  const { raw_appends, creates, ratio, raw_read_per_second, catch_up } = measured;
  print(`64 in flight: client alone ${Math.round(raw_appends.perSecond)} appends/s; service ${describe(creates)}; ratio ${ratio.toFixed(2)}`);
  print(
    `client alone reads ${raw_read_per_second} events/s; catching up: ${Object.entries(catch_up)
      .map(([name, rate]) => `${name} ${rate}/s`)
      .join(', ')}`,
  );
  return measured;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const shares = (byProcess: Readonly<Record<string, number>>): string =>
  Object.entries(byProcess)
    .map(([name, us]) => `${name} ${us}`)
    .join(', ');

const describe = ({ per_second, p50_ms, p99_ms, failures }: Load): string =>
  `${per_second}/s, p50 ${p50_ms.toFixed(1)} ms, p99 ${p99_ms.toFixed(1)} ms${failures > 0 ? `, ${failures} FAILED` : ''}`;

/** Starts a program of the build and waits for its `listening on <url>`. */
async function startProgram(path: string, env: NodeJS.ProcessEnv): Promise<Service> {
  const child: ChildProcess = spawn(process.execPath, ['--enable-source-maps', fileURLToPath(new URL(path, import.meta.url))], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${path} ended with ${code}`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const match = /^listening on (\S+)/.exec(line);
      if (match?.[1]) resolve(match[1]);
    });
  });
  return {
    url,
    pid: child.pid!,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

await main();
