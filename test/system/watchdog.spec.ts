import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { superviseBackground } from '../../src/app/workers/background-process.js';
import { built } from '../support/built.js';
import { eventually } from '../support/eventually.js';
import { isAlive } from '../support/processes.js';
import { throttle } from '../support/throttled.js';

const SCRIPT = fileURLToPath(new URL('../support/watched-process.mjs', import.meta.url));

interface Line {
  readonly msg: string;
  readonly cause?: string;
  readonly patience_ms?: number;
}

let folder: string;
let lines: Line[];
let supervised: ReturnType<typeof superviseBackground>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargebook-watchdog-'));
  lines = [];
});
afterEach(async () => {
  await supervised.stop();
  await rm(folder, { recursive: true });
});

function supervise(step: string): void {
  const env = { ...process.env, HEARTBEAT: built('src/app/workers/heartbeat.js'), RUNS: join(folder, 'runs'), STEP: step };
  supervised = superviseBackground(SCRIPT, env, pino({ level: 'error' }, { write: (line) => void lines.push(JSON.parse(line) as Line) }));
}

/** Returns the processes that have written this, in their order. */
async function pidsOf(what: 'started' | 'done'): Promise<number[]> {
  const runs = await readFile(join(folder, 'runs'), 'utf8').catch(() => '');
  return [...runs.matchAll(new RegExp(`^${what} (\\d+)$`, 'gm'))].map(([, pid]) => Number(pid));
}

const kills = (): Line[] => lines.filter(({ cause }) => cause !== undefined);

describe('a background process', () => {
  it('that is stopped is replaced, and its successor is given twice the time', async () => {
    supervise('nothing');
    for (const before of [0, 1]) {
      await eventually(async () => (await pidsOf('done')).length === before + 1);
      process.kill((await pidsOf('started'))[before]!, 'SIGSTOP');
    }
    await eventually(async () => (await pidsOf('done')).length === 3);
    expect(kills()).toMatchObject([5_000, 10_000].map((patience_ms) => ({ cause: 'stopped', patience_ms })));
  });

  it('that spins is replaced', async () => {
    supervise('endless, at first');
    await eventually(async () => (await pidsOf('done')).length === 1);
    expect(await pidsOf('started')).toHaveLength(2);
    expect(kills()).toMatchObject([{ cause: 'spins', patience_ms: 5_000 }]);
  });

  it('whose start never ends is ended by a stop', async () => {
    supervise('endless start');
    await eventually(async () => (await pidsOf('started')).length === 1);
    const [pid] = await pidsOf('started');
    await supervised.stop();
    expect(isAlive(pid!)).toBe(false);
  });

  it('with a tenth of a core finishes a step of a second, and is not replaced', async () => {
    supervise('works for a second');
    await eventually(async () => (await pidsOf('started')).length === 1);
    const pids = await pidsOf('started');
    const throttled = throttle(() => pids, 0.1);
    await eventually(async () => (await pidsOf('done')).length === 1 || lines.length > 0);
    await throttled.release();
    expect(lines).toEqual([]);
    expect(await pidsOf('done')).toEqual(pids);
  });
});
