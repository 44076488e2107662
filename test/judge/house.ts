import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { openStores, type Stores } from '../../src/app/stores.js';
import { issueKey, registerMerchant } from '../../src/domain/merchants/merchant.commands.js';
import { SERVER_ENVIRONMENT } from '../../src/platform/embedded-postgres/embedded-binaries.js';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import type { FaultRates } from '../../tools/provider-simulators/faults.js';
import { newSnapAgreement } from '../../tools/provider-simulators/snap-access.js';
import { SnapSimulator } from '../../tools/provider-simulators/snap.js';
import { XenditSimulator } from '../../tools/provider-simulators/xendit.js';
import { RailCredentials, type Credentials } from '../../src/rails/settings/rail-credentials.js';
import { allowOnRail, routeMerchant, setRail, type RailDeps } from '../../src/rails/settings/rail.commands.js';
import { timestamp } from '../../src/ledger/time.js';
import type { FastClock } from './fast-clock.js';

/** Default name of the holder of an account at the simulated banks. */
export const HOLDER = 'Siti Aminah';

const ENCRYPTION_KEY = Buffer.alloc(32, 7);
const CONNECTIONS = { max: 160, reserved: 3 };
const YEAR_MS = 365 * 86_400_000;
/** A slow response arrives after the default time limit of a call (8 s) and within that of a transfer request (25 s). */
const SLOW_MS = 12_000;
const LATE_MS = 15_000;
const SETTLES_AFTER_MS = 2_000;
/** Limit that Xendit documents for its sandbox and that the rails respect. */
const XENDIT_PER_MINUTE = 60;
const SNAP_PER_SECOND = 20;
/** Together they cover both kinds of signatures, every retention of references, and every settlement time. */
const PROFILES = ['standard', 'midtrans', 'bca', 'mandiri', 'faspay', 'bri', 'bnc', 'espay'];
/** Remembers every reference for 60 days. The rail relies on that, so this bank never forgets one here. */
const REMEMBERS = 'midtrans';

/** A merchant with separate accounts at a provider and at a bank. */
export interface Shop {
  readonly merchant_id: string;
  readonly key: string;
  readonly profile: string;
  readonly xendit: XenditSimulator;
  readonly bank: SnapSimulator;
}

export interface House {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly stores: Stores;
  readonly financeKey: string;
  readonly shops: readonly Shop[];
  readonly apiPort: number;
  /** Environment of the service's processes. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts the parts that the run never kills: Postgres, and the simulated providers, which keep their records in this process. */
export async function openHouse(clock: FastClock, { shops: count, seed }: { readonly shops: number; readonly seed: number }): Promise<House> {
  const directory = await mkdtemp(join(tmpdir(), 'chargebook-judge-'));
  const closing: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const each of closing) await each().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  };
  try {
    Object.assign(SERVER_ENVIRONMENT, clock.environment('postgres'));
    const postgres = await startEmbeddedPostgres(join(directory, 'postgres'), { connections: CONNECTIONS });
    closing.unshift(() => postgres.stop());
    const pool = createPool({ url: postgres.url, applicationName: 'judge', maxConnections: 4 });
    closing.unshift(() => pool.end());
    const { rows } = await pool.query<{ ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms');
    await clock.correct('postgres', rows[0]!.ms - Date.now());
    const stores = await openStores({ dataDir: directory, databaseUrl: postgres.url, eventStoreUrl: undefined }, () => undefined);
    closing.unshift(() => stores.close());
    const apiPort = await freePort();
    const secret = await loadServiceSecret(postgres.url, ENCRYPTION_KEY);
    const deps: RailDeps = { store: stores.eventStore, clock: Date.now, credentials: new RailCredentials(pool, secret), by: 'judge' };
    const { key: financeKey } = await issueKey(deps, { kind: 'finance' }, { name: 'Judge', expires_on: null });
    const shops: Shop[] = [];
    for (let n = 0; n < count; n += 1) {
      const shop = await openShop(deps, n, seed * 1_000 + n, `http://127.0.0.1:${apiPort}`);
      closing.unshift(() => Promise.all([shop.xendit.close(), shop.bank.close()]));
      shops.push(shop);
    }
    const env = {
      ...{ DATABASE_URL: postgres.url, DATA_DIR: directory, ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'), HOST: '127.0.0.1' },
      ...{ READ_DATABASE_URL: '', EVENTSTORE_URL: '', PUBLIC_URL: '', NODE_ENV: '', RATE_LIMIT_PER_SECOND: '0', CHARGE_TTL_SECONDS: '900' },
      LOG_LEVEL: 'error',
    };
    return { databaseUrl: postgres.url, pool, stores, financeKey, shops, apiPort, env, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openShop(deps: RailDeps, n: number, seed: number, url: string): Promise<Shop> {
  const profile = PROFILES[n % PROFILES.length]!;
  const common = { port: 0, faults: {}, slowMs: SLOW_MS, lateMs: LATE_MS };
  const [into, out] = [`in-${n}`, `out-${n}`];
  const xenditCredentials = { secret_key: `xnd_development_of_shop_${n}_0123456789`, callback_token: `callback-token-of-shop-${n}` };
  const xendit = await XenditSimulator.listen({
    ...{ ...common, seed: 2 * seed, callbackUrl: `${url}/v1/rails/${into}/notifications` },
    ...{ secretKey: xenditCredentials.secret_key, callbackToken: xenditCredentials.callback_token },
    ...{ perMinute: XENDIT_PER_MINUTE, refundsAfterMs: SETTLES_AFTER_MS },
  });
  const agreement = newSnapAgreement();
  const bank = await SnapSimulator.listen({
    ...{ ...common, seed: 2 * seed + 1, callbackUrl: `${url}/v1/rails/${out}/notifications` },
    ...{ profile, agreement, perSecond: SNAP_PER_SECOND, settlesAfterMs: SETTLES_AFTER_MS, holder: HOLDER },
  });
  const sandbox = { mode: 'sandbox', allow_private: true } as const;
  const given = (credentials: object) => () => Promise.resolve(credentials as Credentials);
  await setRail(deps, into, { kind: 'xendit', ...sandbox, base_url: xendit.url }, given(xenditCredentials));
  await setRail(deps, out, { kind: 'snap', profile, ...sandbox, base_url: bank.url }, given(agreement.credentials));
  if (profile === REMEMBERS) {
    const until = timestamp(Date.now() + YEAR_MS / 2);
    await allowOnRail(deps, out, { what: 'pay-again', until, evidence: 'The bank keeps references for 60 days.' });
  }
  const { merchant_id, key } = await registerMerchant(deps, { name: `Toko ${n}`, email: null, country: 'ID', mode: 'test' });
  return { merchant_id, key, profile, xendit, bank };
}

/** Routes later charges and payouts to the providers; earlier ones used the built-in simulator. */
export async function routeShops({ shops, stores, pool, databaseUrl }: House): Promise<void> {
  const secret = await loadServiceSecret(databaseUrl, ENCRYPTION_KEY);
  const deps: RailDeps = { store: stores.eventStore, clock: Date.now, credentials: new RailCredentials(pool, secret), by: 'judge' };
  for (const [n, { merchant_id }] of shops.entries()) {
    await routeMerchant(deps, merchant_id, { use: 'QR_QRIS', rail: `in-${n}`, merchant_name_id: null });
    await routeMerchant(deps, merchant_id, { use: 'payout.IDR', rail: `out-${n}`, merchant_name_id: null });
  }
}

/** Sets the rates of all faults. The bank with an `allow` for its retention of references never forgets one: it has confirmed that in writing. */
export async function setFaults(shops: readonly Shop[], rates: FaultRates): Promise<void> {
  const none = Object.fromEntries(Object.keys(rates).map((name) => [name, 0]));
  for (const { profile, xendit, bank } of shops) {
    const kept = profile === REMEMBERS ? { ...rates, 'forget-midnight': 0, 'forget-reference': 0 } : rates;
    for (const [url, given] of [
      [xendit.url, rates],
      [bank.url, kept],
    ] as const) {
      await fetch(`${url}/control/faults`, { method: 'POST', body: JSON.stringify({ ...none, ...given }) });
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
