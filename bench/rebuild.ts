import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Load } from './load.js';

const IN_FLIGHT = 64;

export interface RebuildRate {
  readonly events: number;
  readonly seconds: number;
  /** Rate from the command's start to the switch, comparison and indexes included. */
  readonly events_per_second: number;
}

export interface Rebuilds {
  /** Rates by projection; `all` rebuilds all of them from one reading. */
  readonly alone: Readonly<Record<string, RebuildRate>>;
  readonly beside_creates: BesideCreates<RebuildRate>;
}

export interface BesideCreates<Work> {
  /** Loads before and after the work. */
  readonly before: Load;
  readonly after: Load;
  readonly during: Load;
  readonly work: Work;
  /** Loss relative to the mean rate before and after. */
  readonly loss_percent: number;
}

/**
 * Measures `projections rebuild` on a running service: first each projection alone, then the ledger while charges are created.
 * @param env the service's environment; the CLI runs with it
 * @param drive creates charges for `seconds`, `inFlight` at a time
 */
export async function measureRebuilds(
  env: NodeJS.ProcessEnv,
  projections: readonly string[],
  seconds: number,
  drive: (inFlight: number, seconds: number) => Promise<Load>,
): Promise<Rebuilds> {
  const alone: Record<string, RebuildRate> = {};
  for (const name of projections) alone[name] = await rebuild(env, name);
  alone['all'] = await rebuild(env);
  return { alone, beside_creates: await besideCreates(seconds, drive, () => rebuild(env, 'ledger')) };
}

/** Measures creates before, during and after some background work. */
export async function besideCreates<Work>(
  seconds: number,
  drive: (inFlight: number, seconds: number) => Promise<Load>,
  begin: () => Promise<Work>,
): Promise<BesideCreates<Work>> {
  await drive(IN_FLIGHT, seconds / 2); // warms up
  const before = await drive(IN_FLIGHT, seconds / 2);
  let isDone = false;
  const working = begin().finally(() => (isDone = true));
  const slices: Load[] = [];
  while (!isDone) slices.push(await drive(IN_FLIGHT, 1));
  const after = await drive(IN_FLIGHT, seconds / 2);
  // The work ended within the last slice, so that slice is left out.
  const during = inAll(slices.length > 1 ? slices.slice(0, -1) : slices);
  const usual = (before.per_second + after.per_second) / 2;
  return { before, after, during, work: await working, loss_percent: Math.round((1 - during.per_second / usual) * 100) };
}

/** Combines loads of equal duration; the p99 is the highest of theirs. */
function inAll(slices: readonly Load[]): Load {
  const mean = (of: (slice: Load) => number): number => slices.reduce((sum, slice) => sum + of(slice), 0) / slices.length;
  return {
    per_second: Math.round(mean(({ per_second }) => per_second)),
    p50_ms: mean(({ p50_ms }) => p50_ms),
    p99_ms: Math.max(...slices.map(({ p99_ms }) => p99_ms)),
    failures: slices.reduce((sum, { failures }) => sum + failures, 0),
  };
}

const run = promisify(execFile);
const CLI = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));

/** Rebuilds projections of a running service; without names, all of them from one reading. */
export async function rebuild(env: NodeJS.ProcessEnv, ...names: string[]): Promise<RebuildRate> {
  const { stdout } = await run(process.execPath, [CLI, 'projections', 'rebuild', ...names, '--json'], { env });
  const { events, seconds, events_per_second } = JSON.parse(stdout) as RebuildRate;
  return { events, seconds, events_per_second };
}
