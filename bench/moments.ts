import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stores } from '../src/app/stores.js';
import { runCommand, type Usage } from './command.js';
import { measurePages, timed } from './finance.js';
import { issueKey } from '../src/domain/merchants/merchant.commands.js';
import type { Load } from './load.js';
import type { Service } from './money.js';
import { besideCreates, rebuild, type BesideCreates, type RebuildRate } from './rebuild.js';

/** Events between two moments of which the second begins with a copy of the first. */
const BETWEEN = 10_000;
/** Open moments by which memory is measured: the maximum. */
const OPEN = 4;
const WARM_UP = 20;
/** Pages that do not follow from the events alone, or of records that the newest events may change. */
const WITHOUT_PAST = /: (?:webhooks|deliveries|rails|chain|chain head|proof|an event by its id|what waits)$/;

interface Build {
  /** Time from the command to the moment that can be read. */
  readonly seconds: number;
  readonly megabytes: number;
}

export interface MomentFigures {
  readonly events: number;
  readonly from_nothing: Build;
  readonly from_earlier: Build & { readonly events: number };
  /** Another fee for all charges, priced from the same log. */
  readonly what_if: Usage & { readonly seconds: number };
  /** Rebuilds all read models from one reading, on the same log. */
  readonly rebuild: RebuildRate;
  /** Medians, in turn. */
  readonly pages: readonly { readonly page: string; readonly present_ms: number; readonly moment_ms: number }[];
  /** Median of the ratios. */
  readonly pages_ratio: number;
  /** Resident memory of the API process, with the maximum of open moments and without. */
  readonly mib_per_moment: number;
  readonly beside_build: BesideCreates<Build>;
  readonly beside_rebuild: BesideCreates<RebuildRate>;
}

interface MomentBench {
  readonly stores: Stores;
  readonly start: () => Promise<Service>;
  /** The service's environment; the CLI runs with it. */
  readonly env: NodeJS.ProcessEnv;
  readonly seconds: number;
  /** Creates charges at the service for `seconds`, `inFlight` at a time. */
  readonly drive: (url: string, inFlight: number, seconds: number) => Promise<Load>;
}

/** Measures builds of moments, their pages and their memory, and creates beside a build. The log has more than 10,000 events. */
export async function measureMoments({ stores, start, env, seconds, drive }: MomentBench): Promise<MomentFigures> {
  const finance = await issueKey({ store: stores.eventStore, clock: Date.now }, { kind: 'finance' }, { name: 'Bench', expires_on: null });
  let service = await start();
  try {
    const events = await newestEvent(env);
    const what_if = await priceAnew(env);
    const from_nothing = await open(env, events - BETWEEN);
    const from_earlier = { ...(await open(env, events)), events: BETWEEN };
    await close(env, events - BETWEEN);
    const isLeftOut = (page: string): boolean => WITHOUT_PAST.test(page);
    const [present = [], moment = []] = await measurePages(stores, service, ['', `/at/${events}`], isLeftOut);
    const pages = present.map(({ page, p50_ms }, place) => ({ page, present_ms: p50_ms, moment_ms: moment[place]!.p50_ms }));
    const ratios = pages.map(({ present_ms, moment_ms }) => moment_ms / present_ms).sort((a, b) => a - b);
    for (let each = 1; each < OPEN; each += 1) await open(env, events - each);
    // Pages leave garbage, which hides the memory of moments: a process that has answered little has none.
    await service.stop();
    service = await start();
    const mib_per_moment = await memoryOfMoments(service, finance.key, events);
    for (let each = 0; each < OPEN; each += 1) await close(env, events - each);
    const driven = (inFlight: number, during: number): Promise<Load> => drive(service.url, inFlight, during);
    const beside_build = await besideCreates(seconds, driven, () => open(env, events));
    await close(env, events);
    const beside_rebuild = await besideCreates(seconds, driven, () => rebuild(env));
    return {
      ...{ events, what_if, from_nothing, from_earlier, rebuild: await rebuild(env), pages },
      ...{ pages_ratio: ratios[Math.floor(ratios.length / 2)]!, mib_per_moment, beside_build, beside_rebuild },
    };
  } finally {
    await service.stop();
  }
}

async function priceAnew(env: NodeJS.ProcessEnv): Promise<MomentFigures['what_if']> {
  const folder = await mkdtemp(join(tmpdir(), 'chargebook-bench-'));
  const file = join(folder, 'scenario.json');
  try {
    await writeFile(file, JSON.stringify({ name: 'bench', charge_fees: [{ fee: { type: 'PERCENTAGE', value: 0.6 } }] }));
    const { answer: _, ...measured } = await runCommand(env, ['what-if', file]);
    return measured;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads from the present, then from the open moments up to `position`. Returns the memory that each of them takes in the API process, MiB. */
async function memoryOfMoments({ url, pid }: Service, key: string, position: number): Promise<number> {
  const read = async (root: string): Promise<void> => {
    for (const path of ['/audit/trial-balance', '/audit/journal', '/audit/merchants', '/audit/payouts'])
      await timed(`${url}${root}${path}`, { authorization: `Bearer ${key}` });
  };
  for (let each = 0; each < WARM_UP; each += 1) await read('');
  const before = await residentMib(pid);
  for (let each = 0; each < OPEN; each += 1) await read(`/at/${position - each}`);
  return ((await residentMib(pid)) - before) / OPEN;
}

/** Returns NaN without /proc. */
async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

async function newestEvent(env: NodeJS.ProcessEnv): Promise<number> {
  const { answer } = await runCommand<{ readonly position: number }>(env, ['at', 'open', '--time', new Date().toISOString()]);
  await close(env, answer.position);
  return answer.position;
}

async function open(env: NodeJS.ProcessEnv, position: number): Promise<Build> {
  const { answer, seconds } = await runCommand<{ readonly size_bytes: number }>(env, ['at', 'open', '--position', String(position), '--wait']);
  return { seconds, megabytes: Math.round(answer.size_bytes / 1e6) };
}

const close = (env: NodeJS.ProcessEnv, position: number): Promise<unknown> => runCommand(env, ['at', 'close', String(position)]);
