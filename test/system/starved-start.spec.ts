import { afterEach, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { sized } from '../support/nightly.js';
import { childrenOf, procOf, servesRequests } from '../support/processes.js';
import { createServiceDatabase } from '../support/service-database.js';
import { startServiceProcess } from '../support/service-process.js';
import { throttle } from '../support/throttled.js';

const descendantsOf = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
const serviceProcesses = (): number[] => descendantsOf(process.pid).filter((pid) => procOf(pid, 'cmdline').includes('src/main.js'));

/** They start one after the other. With four, a start takes 11 seconds of processor time. */
const WORKERS = sized(2, 4);
const START_MAX_MS = 600_000;

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

it(
  `npm start -- --workers ${WORKERS} starts with little of a core for each process, and none is killed`,
  async () => {
    const database = await createServiceDatabase();
    ending.push(() => database.drop());
    const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-starved-'));
    ending.push(() => rm(dataDir, { recursive: true, force: true }));
    // Loading the modules of an API process takes more than a second of a core: seven at this share, without a turn of the event loop.
    const throttled = throttle(serviceProcesses, 0.15);
    ending.push(() => throttled.release());
    const service = await startServiceProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url }, ['--workers', String(WORKERS)]);
    await throttled.release();
    ending.push(() => service.stop());
    const kills = service.lines.filter((line) => line.includes('does not respond'));
    expect(kills).toEqual([]);
    await eventually(async () => (await fetch(new URL('/health/ready', service.url))).ok);
    expect(childrenOf(service.pid).filter(servesRequests)).toHaveLength(WORKERS);
  },
  START_MAX_MS,
);
