import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startApi } from '../../src/app/api.js';
import { startBackground } from '../../src/app/workers/background.js';
import { NO_ROUTES, type ProcessorRoutes } from '../../src/domain/charges/remote/remote-processor.js';
import { readConfig } from '../../src/app/config.js';
import { issueKey, registerMerchant } from '../../src/domain/merchants/merchant.commands.js';
import type { DirectoryDeps } from '../../src/domain/operators/directory.js';
import type { BankRoutes } from '../../src/domain/payouts/transfer/remote-bank.js';
import { GuardedEventStore } from '../../src/platform/event-store/guarded-event-store.js';
import { createLogger } from '../../src/platform/process/logging.js';
import { openStores, type Stores } from '../../src/app/stores.js';
import type { Clock } from '../../src/ledger/time.js';
import { eventually } from './eventually.js';
import { LogFromNow } from './log-from-now.js';
import { markupDefects } from './markup.js';
import { AnswerCheck, wholeDocumentOf } from './openapi.js';
import { createServiceDatabase } from './service-database.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** As it came. */
  readonly text: string;
  /** Parsed; undefined when there was none. */
  readonly body: any;
}

export interface CallOptions {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestMerchant {
  readonly merchant_id: string;
  readonly key: string;
  readonly key_id: string;
}

export interface TestService {
  readonly url: string;
  /** Address of health and metrics of projector and worker, if METRICS_PORT was given. */
  readonly metricsUrl: string | undefined;
  readonly stores: Stores;
  readonly deps: DirectoryDeps;
  /** `path` is below the service's address, or a URL. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  newMerchant(details?: { name?: string; country?: string; mode?: 'test' | 'live' }): Promise<TestMerchant>;
  /** A key with these scopes only. */
  newKey(merchantId: string, scopes: readonly string[]): Promise<string>;
  /** Starts the same service once more on the same stores, as another process would; with `clock`, on that clock and separate connections. */
  another(clock?: Clock): Promise<{ readonly url: string; stop(): Promise<void> }>;
  stop(): Promise<void>;
}

const ASKED_AGAIN_MAX = 60;
/** A read waits by itself, unless the projections are seconds behind. */
const [SHOWN_WITHIN_MS, SHOWN_PAUSE_MS] = [30_000, 20];

const NO_BANKS: BankRoutes = { route: () => undefined, named: () => undefined, begun: () => undefined };

/** A real EventStoreDB for the tests' events, in place of a separate database for each test. */
const EVENTSTORE_URL = process.env['EVENTSTORE_URL'] ?? '';

/** Checks by origin: every answer that a test receives from an origin must match its document. */
const checks = new Map<string, AnswerCheck>();
/** One for all services: they are the same build. */
let ownCheck: AnswerCheck | undefined;

/** From now on. */
export function checkAnswersOf(url: string, check: AnswerCheck): void {
  checks.set(new URL(url).origin, check);
}

async function checkOwnAnswers(url: string): Promise<void> {
  ownCheck ??= new AnswerCheck(await wholeDocumentOf(url));
  checkAnswersOf(url, ownCheck);
}

/** Starts the whole service in this process, on a separate database and log, over real HTTP. `processors`, `banks`: replace the configured rails. */
export async function startTestService(
  env: Readonly<Record<string, string>> = {},
  processors?: ProcessorRoutes,
  banks?: BankRoutes,
  createDatabase = createServiceDatabase,
): Promise<TestService> {
  const database = await createDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-test-'));
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    EVENTSTORE_URL,
    RATE_LIMIT_PER_SECOND: '0',
    LOG_LEVEL: 'silent',
    // Three files at a time share a Postgres, and some start several services.
    API_PROCESSES: '4',
    ...env,
  });
  const logger = createLogger(config.logLevel);
  const rails = processors || banks ? { processors: processors ?? NO_ROUTES, banks: banks ?? NO_BANKS } : undefined;
  const opened = await openStores(config, () => undefined);
  // Only a test that does not choose its event store shares one, whose log then holds the events of other tests.
  const isShared = EVENTSTORE_URL !== '' && env['EVENTSTORE_URL'] === undefined;
  const stores = isShared ? { ...opened, eventStore: await LogFromNow.of(opened.eventStore) } : opened;
  const background = await startBackground(config, stores, logger, rails);
  const api = await startApi(config, stores, logger, rails);
  await checkOwnAnswers(api.url);
  const deps = { store: stores.eventStore, clock: Date.now };
  const others: { stop(): Promise<void> }[] = [];
  return {
    url: api.url,
    metricsUrl: background.metricsUrl,
    stores,
    deps,
    call: (method, path, options) => callUntilShown(method, new URL(path, api.url), options),
    async newMerchant({ name = 'Kopi Kita', country = 'ID', mode = 'test' } = {}) {
      const { merchant_id, key, key_id } = await registerMerchant(deps, { name, email: null, country, mode });
      await keyWorks(api.url, key);
      return { merchant_id, key, key_id };
    },
    async newKey(merchant_id, scopes) {
      const { key } = await issueKey(deps, { kind: 'merchant', merchant_id }, { name: 'test', scopes, expires_on: null });
      await keyWorks(api.url, key);
      return key;
    },
    async another(clock) {
      if (!clock) {
        const other = await startApi(config, stores, logger, rails);
        others.push(other);
        await checkOwnAnswers(other.url);
        return other;
      }
      const own = await openStores(config, () => undefined, undefined, clock);
      const eventStore = isShared ? new GuardedEventStore(stores.eventStore, own.clockGuard) : own.eventStore;
      const other = await startApi(config, { ...own, eventStore }, logger, rails);
      const stop = async (): Promise<void> => {
        await other.stop();
        await own.close();
      };
      others.push({ stop });
      await checkOwnAnswers(other.url);
      return { url: other.url, stop };
    },
    async stop() {
      for (const part of [api, ...others, background]) await part.stop();
      await stores.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** @throws when the service's OpenAPI document does not describe the answer, or the markup of a page has defects. */
export async function call(method: string, url: URL | string, { key, body, headers = {} }: CallOptions = {}): Promise<Answer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const { origin, pathname } = new URL(url);
  // A form is posted by a page, which is not part of the interface.
  const isForm = Object.entries(headers).some(([name, value]) => name.toLowerCase() === 'content-type' && value.includes('form'));
  const faults = isForm
    ? undefined
    : checks.get(origin)?.faults({ method, path: pathname, status: response.status, headers: response.headers, text });
  if (faults !== undefined && faults.length > 0) throw new Error(`not as /openapi.json says:\n${faults.slice(0, 20).join('\n')}`);
  const contentType = response.headers.get('content-type') ?? '';
  if (/^\s*<!doctype html/i.test(text) && !contentType.startsWith('text/html')) throw new Error(`${pathname} sends a page as ${contentType}`);
  const defects = method !== 'HEAD' && contentType.startsWith('text/html') ? markupDefects(text) : [];
  if (defects.length > 0) throw new Error(`the markup of ${pathname} has defects:\n${defects.slice(0, 20).join('\n')}`);
  const isJson = /\bjson\b/.test(contentType);
  return { status: response.status, headers: response.headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined };
}

/** Calls as a client does: repeats a request answered 503 under the same key, after the time in Retry-After. */
export async function callPatiently(method: string, url: URL | string, options: CallOptions): Promise<Answer> {
  for (let asked = 0; ; asked += 1) {
    const answer = await call(method, url, options);
    if (answer.status !== 503 || asked >= ASKED_AGAIN_MAX) return answer;
    await delay(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

/**
 * Calls as an obedient client does: repeats a read that reports a lag, and any request that found its record busy, of which nothing was
 * recorded. Both happen on a busy machine.
 */
export async function callUntilShown(method: string, url: URL, options?: CallOptions): Promise<Answer> {
  for (const deadline = performance.now() + SHOWN_WITHIN_MS; ;) {
    const answer = await call(method, url, options);
    const isBusy = answer.body?.code === 'record-busy';
    const isBehind = isRepeatable(method, url) && answer.headers.has('ledger-lag');
    if (!(isBusy || isBehind) || performance.now() > deadline) return answer;
    await delay(isBusy ? Number(answer.headers.get('retry-after')) * 1_000 : SHOWN_PAUSE_MS);
  }
}

/** Cancelling a record again returns the same response. A response with a lag may show an earlier state. */
const isRepeatable = (method: string, { pathname }: URL): boolean => method === 'GET' || pathname.endsWith('/cancel');

/** A key is known everywhere within a moment of being issued. */
async function keyWorks(url: string, key: string): Promise<void> {
  await eventually(async () => (await call('GET', new URL('/v1/balances', url), { key })).status !== 401);
}

export const newIdempotencyKey = (): Record<string, string> => ({ 'idempotency-key': randomUUID() });

/** A charge that any test merchant can create. */
export const CHARGE_ORDER = {
  amount: 10_000,
  currency: 'IDR',
  channel_code: 'qr_qris',
  action_flow: 'payload',
  reference_id: 'order-1001',
  description: 'Two coffees',
  metadata: { table: '7' },
} as const;
