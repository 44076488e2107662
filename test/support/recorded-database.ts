import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { startApi } from '../../src/app/api.js';
import { readConfig, type Config } from '../../src/app/config.js';
import { openStores, type Stores } from '../../src/app/stores.js';
import { startBackground } from '../../src/app/workers/background.js';
import type { Clock } from '../../src/ledger/time.js';
import { ClockGuard } from '../../src/platform/event-store/clock-guard.js';
import { createLogger } from '../../src/platform/process/logging.js';

export const RECORDED_FILE = new URL('../golden/database/1.0.0.json.br', import.meta.url);

/** A database as the service of 1.0.0 left it, and the responses of that service from it. `npm run record:database` records both anew. */
export interface Recorded {
  /** SQL that creates the database. */
  readonly dump: string;
  readonly encryption_key: string;
  readonly projections: readonly { readonly name: string; readonly version: string; readonly ordinal: number }[];
  /** The first of them is a merchant's. */
  readonly keys: Readonly<Record<string, string>>;
  readonly responses: readonly RecordedResponse[];
}

export interface RecordedResponse {
  /** Name of the key. */
  readonly key: string;
  readonly path: string;
  readonly accept: string;
  readonly text: string;
}

export const readRecorded = (): Recorded => JSON.parse(brotliDecompressSync(readFileSync(RECORDED_FILE)).toString()) as Recorded;

export interface RecordedService {
  readonly url: string;
  readonly stores: Stores;
  readonly config: Config;
  stop(): Promise<void>;
}

/**
 * Opens the stores, and starts the service on them once `fill` has ended. Without a worker: due records would be settled, expire or be sent, and the
 * responses would change. `clock`: of the process and of the database.
 */
export async function startWithoutWorker(
  databaseUrl: string,
  encryptionKey: string,
  fill: (config: Config, stores: Stores) => Promise<unknown> = () => Promise.resolve(),
  clock?: Clock,
): Promise<RecordedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-recorded-'));
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: encryptionKey,
    PUBLIC_URL: 'https://chargebook.example',
    RATE_LIMIT_PER_SECOND: '0',
    LOG_LEVEL: 'silent',
    API_PROCESSES: '4',
    ROLES: 'api,projector',
  });
  const logger = createLogger(config.logLevel);
  const opened = await openStores(config, () => undefined, undefined, clock);
  // A clock that the test sets is the database's as well.
  const stores = clock ? { ...opened, clockGuard: standingClock(clock) } : opened;
  await fill(config, stores);
  const background = await startBackground(config, stores, logger);
  const api = await startApi(config, stores, logger);
  return {
    url: api.url,
    stores,
    config,
    async stop() {
      await api.stop();
      await background.stop();
      await stores.clockGuard.stop();
      await stores.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A clock that moves only when the test moves it. */
function standingClock(clock: Clock): ClockGuard {
  const guard = new ClockGuard({ ask: () => Promise.resolve(clock()), clock });
  Object.defineProperty(guard, 'common', { value: clock });
  return guard;
}
