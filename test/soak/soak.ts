/**
 * `npm run soak -- --minutes 30`: runs the service as `npm start` does, under steady traffic of some merchants, of finance and of a hostile
 * merchant at its rate limit. Samples its resources, and exits with 1 when a figure grows without end or passes its bound, when a response
 * is wrong, or when a confirmed record is missing afterwards. `--json` prints one JSON document instead of the tables.
 */
import { spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Taken } from '../../bench/receiver.js';
import { issueKey, registerMerchant } from '../../src/domain/merchants/merchant.commands.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { openStores } from '../../src/app/stores.js';
import { randomNumbers } from '../support/random-numbers.js';
import { SoakClient } from './client.js';
import { SoakMerchant } from './merchant.js';
import { audit, beHostile } from './others.js';
import { sample, SOAK_APPLICATION, type Sample } from './sampling.js';
import { floorsOf, quantile, trendOf, type TrendLimit } from './trend.js';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    merchants: { type: 'string', default: '4' },
    /** Actions of each merchant per second; an action is up to four requests. */
    rate: { type: 'string', default: '10' },
    /** The service's RATE_LIMIT_PER_SECOND, which the hostile merchant uses up; 0 turns it off, and that merchant sends 100. */
    'rate-limit': { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
});
const MINUTES = Number(options.minutes);
const MERCHANTS = Number(options.merchants);
const RATE = Number(options.rate);
const RATE_LIMIT = Number(options['rate-limit']);
if (!(MINUTES >= 1 && MERCHANTS >= 1 && RATE > 0 && RATE_LIMIT >= 0))
  throw new RangeError('--minutes and --merchants are 1 at least, --rate is above 0');

const SAMPLE_MS = 3_000;
/** Short, so that unpaid charges expire during the run. */
const CHARGE_TTL_SECONDS = 60;
const API_RESIDENT_MAX_MB = 400;
/** Maximum share of 503 among the responses to honest clients; docs/operations-reference.md asks for an investigation above it. */
const UNAVAILABLE_MAX_SHARE = 0.01;
const MISSED_MAX_SHARE = 0.02;
const AGREES_WITHIN_MS = 90_000;
const TOLD_MAX = 10;

/** Number of lowest points over the whole run from which the trend of a figure of memory is computed. */
const FLOORS = 40;
/** Sampled figures, and the limits above which their growth is a leak. A figure without a limit is only reported: it is bounded or grows by its nature. */
const SERIES: Readonly<Record<string, { readonly of: (sample: Sample) => number; readonly limit?: TrendLimit; readonly isMemory?: true }>> = {
  'API process, memory MB': { of: ({ api }) => api.own, limit: { perMinute: 1, growth: 16 }, isMemory: true },
  'projector and worker, memory MB': { of: ({ background }) => background.own, limit: { perMinute: 1, growth: 16 }, isMemory: true },
  'Postgres, memory MB': { of: ({ postgres }) => postgres.own, limit: { perMinute: 1, growth: 64 }, isMemory: true },
  'API process, resident MB': { of: ({ api }) => api.resident },
  'API process, heap MB': { of: ({ heapMb }) => heapMb, limit: { perMinute: 1, growth: 16 }, isMemory: true },
  'projector and worker, resident MB': { of: ({ background }) => background.resident },
  'API process, open files': { of: ({ api }) => api.files, limit: { perMinute: 0.2, growth: 10 } },
  'projector and worker, open files': { of: ({ background }) => background.files, limit: { perMinute: 0.2, growth: 10 } },
  'Postgres, open files': { of: ({ postgres }) => postgres.files },
  'connections to Postgres': { of: ({ connections }) => connections, limit: { perMinute: 0.2, growth: 5 } },
  'projection lag s': { of: ({ lagSeconds }) => lagSeconds, limit: { perMinute: 0.02, growth: 0.5 } },
  'oldest unsealed event s': { of: ({ unsealedSeconds }) => unsealedSeconds, limit: { perMinute: 0.02, growth: 0.5 } },
  'event loop p99 ms': { of: ({ eventLoopP99Ms }) => eventLoopP99Ms },
  'data MB': { of: ({ dataMb }) => dataMb },
  'WAL MB': { of: ({ walMb }) => walMb },
};

const tell = (line: string): void => void process.stderr.write(`${line}\n`);

interface Program {
  readonly url: string;
  readonly pid: number;
  /** Stops the program and returns its exit code; null after a kill. */
  stop(): Promise<number | null>;
}

/** Starts a program of the build and waits until it listens. */
async function start(path: string, env: NodeJS.ProcessEnv, onLine: (line: string) => void): Promise<Program> {
  const script = fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));
  const child = spawn(process.execPath, ['--enable-source-maps', script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${path} ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      onLine(line);
      const match = /^listening on (\S+)/.exec(line);
      if (match) resolve(match[1]!);
    });
  });
  return {
    url,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM');
      return (await ended)[0];
    },
  };
}

/** Repeats `find` until it returns null, for at most AGREES_WITHIN_MS. @returns its last result */
async function untilAgreed(find: () => Promise<string | null>): Promise<string | null> {
  const deadline = performance.now() + AGREES_WITHIN_MS;
  for (;;) {
    const difference = await find().catch((error: unknown) => String(error));
    if (difference === null || performance.now() > deadline) return difference;
    await delay(500);
  }
}

async function soak(stop: AbortSignal) {
  const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-soak-'));
  const closing: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  const findings: string[] = [];
  try {
    const errors: string[] = [];
    const env = {
      ...process.env,
      DATABASE_URL: '',
      READ_DATABASE_URL: '',
      EVENTSTORE_URL: '',
      ROLES: '',
      PUBLIC_URL: '',
      NODE_ENV: '',
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      RATE_LIMIT_PER_SECOND: String(RATE_LIMIT),
      WEBHOOK_ALLOW_PRIVATE: 'true',
      CHARGE_TTL_SECONDS: String(CHARGE_TTL_SECONDS),
      LOG_LEVEL: 'warn',
    };
    const service = await start('src/main.js', env, (line) => {
      if (/^\{"level":(50|60|"error"|"fatal")/.test(line)) errors.push(line);
    });
    closing.unshift(() => service.stop());
    const receiver = await start('bench/receiver.js', process.env, () => undefined);
    closing.unshift(() => receiver.stop());
    const stores = await openStores({ dataDir, databaseUrl: undefined, eventStoreUrl: undefined }, tell);
    closing.unshift(() => stores.close());
    const pool = createPool({ url: stores.databaseUrl, applicationName: SOAK_APPLICATION, maxConnections: 1 });
    closing.unshift(() => pool.end());
    const client = new SoakClient(service.url);
    closing.unshift(() => client.close());

    const deps = { store: stores.eventStore, clock: Date.now };
    const register = async (name: string) => (await registerMerchant(deps, { name, email: null, country: 'ID', mode: 'test' })).key;
    const { key: financeKey } = await issueKey(deps, { kind: 'finance' }, { name: 'Soak', expires_on: null });
    const merchants: SoakMerchant[] = [];
    for (let n = 0; n < MERCHANTS; n += 1) merchants.push(new SoakMerchant(client, await register(`Soak ${n}`), randomNumbers(n + 1)));
    const hostileKey = await register('Hostile');
    // The service accepts a key a moment after its issue.
    await untilAgreed(async () =>
      (await client.once({ kind: 'first', path: '/v1/merchants/me', key: hostileKey }))?.status === 200 ? null : 'unknown',
    );
    for (const merchant of merchants) await merchant.setWebhook(receiver.url);

    const begun = performance.now();
    const ending = new AbortController();
    const end = (): void => ending.abort();
    setMaxListeners(0, ending.signal);
    stop.addEventListener('abort', end);
    const timer = setTimeout(end, MINUTES * 60_000);
    closing.unshift(async () => clearTimeout(timer));
    const over = ending.signal;
    tell(`${service.url}, ${MERCHANTS} merchants and a hostile one, ${MINUTES} min`);
    const samples: Sample[] = [];
    /** Errors of failed samples: a process was busy for seconds, or was replaced. */
    const missed: string[] = [];
    const hostile = { key: hostileKey, url: service.url, perSecond: RATE_LIMIT || 100, random: randomNumbers(99) };
    const traffic = Promise.all([
      ...merchants.map((merchant) => merchant.run(RATE, over)),
      beHostile(client, hostile, over),
      audit(client, financeKey, 2, randomNumbers(100), over),
    ]);
    while (!over.aborted) {
      await sample({ ...service, dataDir }, pool, (performance.now() - begun) / 60_000).then(
        (taken) => {
          samples.push(taken);
          if (samples.length % 20 === 0) tell(describeSample(taken));
        },
        (error: unknown) => void missed.push(String(error)),
      );
      await delay(SAMPLE_MS, undefined, { signal: over }).catch(() => undefined);
    }
    await traffic;
    const answers = client.figures();
    if (stop.aborted) findings.push('stopped before its time');

    tell('comparing what is there with what was answered');
    for (const [n, merchant] of merchants.entries()) {
      const difference = await untilAgreed(() => merchant.compare());
      if (difference !== null) findings.push(`merchant ${n}: ${difference}`);
    }
    const isBalanced = await untilAgreed(async () => {
      const { body } = await client.send({ kind: 'audit trial balance', path: '/audit/trial-balance', key: financeKey });
      const currencies = body.currencies as { currency: string; difference: number }[];
      if (currencies.length === 0) return 'the trial balance is empty';
      const wrong = currencies.find(({ difference }) => difference !== 0);
      return wrong ? `the trial balance differs by ${wrong.difference} ${wrong.currency}` : null;
    });
    if (isBalanced !== null) findings.push(isBalanced);
    const deliveries = await untilAgreed(async () => {
      for (const merchant of merchants) while ((await merchant.readEvents()) > 0);
      const { deliveries } = (await (await fetch(receiver.url)).json()) as Taken;
      const events = merchants.reduce((sum, merchant) => sum + merchant.events, 0);
      return deliveries === events ? null : `${deliveries} web-hooks were delivered of ${events} events`;
    });
    if (deliveries !== null) findings.push(deliveries);

    const series = Object.fromEntries(
      Object.entries(SERIES).map(([name, { of, limit, isMemory }]) => {
        const points = samples.map((each) => ({ minute: each.minute, value: of(each) }));
        const values = points.map(({ value }) => value);
        const half = Math.floor(values.length / 2);
        const trend = trendOf(isMemory ? floorsOf(points, FLOORS) : points, limit ?? { perMinute: Infinity, growth: Infinity });
        if (trend.isLeak) findings.push(`${name} grows by ${trend.perMinute.toFixed(2)} a minute, ${trend.growth.toFixed(1)} in the second half`);
        return [
          name,
          {
            first_half: quantile(values.slice(0, half), 0.5),
            second_half: quantile(values.slice(half), 0.5),
            least: Math.min(...values),
            largest: Math.max(...values),
            per_minute: trend.perMinute,
            limit_per_minute: limit?.perMinute ?? null,
          },
        ];
      }),
    );
    if (missed.length > samples.length * MISSED_MAX_SHARE) findings.push(`${missed.length} samples could not be taken: ${missed[0]}`);
    const resident = series['API process, resident MB']!.largest;
    if (resident > API_RESIDENT_MAX_MB) findings.push(`the API process took ${resident.toFixed(0)} MB, more than ${API_RESIDENT_MAX_MB}`);
    const honest = Object.entries(answers).filter(([kind]) => kind !== 'hostile' && kind !== 'first');
    const honestAnswers = honest.reduce((sum, [, kind]) => sum + kind.answers, 0);
    const unavailable = honest.reduce((sum, [, { statuses }]) => sum + (statuses[503] ?? 0), 0);
    if (unavailable > honestAnswers * UNAVAILABLE_MAX_SHARE) findings.push(`${unavailable} of ${honestAnswers} answers to the honest were 503`);
    findings.push(...client.wrong.slice(0, TOLD_MAX), ...errors.slice(0, TOLD_MAX).map((line) => `logged: ${line.slice(0, 500)}`));
    if (client.wrong.length > TOLD_MAX) findings.push(`${client.wrong.length} wrong answers in all`);
    if (errors.length > TOLD_MAX) findings.push(`${errors.length} errors logged in all`);
    const did = merchants.map((merchant) => merchant.did);
    return {
      machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
      minutes: samples.at(-1)!.minute,
      samples: samples.length,
      did,
      honest_answers: honestAnswers,
      unavailable,
      series,
      answers,
      findings,
    };
  } finally {
    for (const close of closing) await close().catch((error: unknown) => tell(String(error)));
  }
}

function describeSample({ minute, api, background, postgres, connections, lagSeconds, dataMb }: Sample): string {
  return `${minute.toFixed(1)} min: API ${api.resident.toFixed(0)} MB, projector and worker ${background.resident.toFixed(0)} MB, Postgres ${postgres.own.toFixed(0)} MB, files ${api.files} + ${background.files}, ${connections} connections, lag ${lagSeconds.toFixed(2)} s, data ${dataMb.toFixed(0)} MB`;
}

function print({ machine, minutes, samples, honest_answers, unavailable, series, answers, findings }: Awaited<ReturnType<typeof soak>>): void {
  const line = (...cells: readonly string[]): void =>
    void process.stdout.write(`${cells.map((cell, n) => (n === 0 ? cell.padEnd(34) : cell.padStart(12))).join(' ')}\n`);
  process.stdout.write(`${minutes.toFixed(1)} min, ${samples} samples, ${machine}\n\n`);
  line('', 'first half', 'second half', 'least', 'largest', 'a minute', 'limit');
  for (const [name, { first_half, second_half, least, largest, per_minute, limit_per_minute }] of Object.entries(series)) {
    line(
      name,
      ...[first_half, second_half, least, largest].map((value) => value.toFixed(1)),
      per_minute.toFixed(3),
      limit_per_minute?.toString() ?? '',
    );
  }
  process.stdout.write('\n');
  line('answers', 'number', 'p50 ms', 'p99 ms', 'worst ms', 'by status');
  for (const [kind, { answers: number, p50_ms, p99_ms, worst_ms, statuses }] of Object.entries(answers)) {
    const byStatus = Object.entries(statuses).map(([status, times]) => `${status}: ${times}`);
    line(kind, String(number), ...[p50_ms, p99_ms, worst_ms].map((ms) => ms.toFixed(1)), `   ${byStatus.join(', ')}`);
  }
  process.stdout.write(`\n${honest_answers} answers to the honest, ${unavailable} of them 503\n`);
  process.stdout.write(findings.length === 0 ? 'nothing wrong\n' : `${findings.join('\n')}\n`);
}

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
const result = await soak(interrupted.signal);
if (options.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
else print(result);
process.exitCode = result.findings.length === 0 ? 0 : 1;
