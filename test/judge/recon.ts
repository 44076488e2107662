/**
 * `npm run judge:recon -- --seeds 20`: for each seed, trades for seventeen days and plants each of the simulator's defects in the files of
 * one day. Compares the breaks and refusals of reconciliation with the planted defects by kind, id and line. Exits with 1 when a defect was
 * missed or a break has no defect. `--json` prints one JSON document instead of the table.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { DEFECTS_COUNT } from '../../tools/simulated-files/day.js';
import { ReconWorld } from '../support/recon-world.js';
import { SimulatedTrade } from '../support/simulated-trade.js';

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    /** The first seed. */
    seed: { type: 'string', default: '1' },
    /** For example `1,7`; 0 is a run without a defect. */
    defects: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const SEEDS = Array.from({ length: Number(options.seeds) }, (_, n) => Number(options.seed) + n);
const DEFECTS = options.defects?.split(',').map(Number) ?? [...Array(DEFECTS_COUNT + 1).keys()];
/** Maximum number of printed lines per defect. */
const SHOWN_MAX = 3;

interface Judged {
  readonly defect: number;
  readonly runs: number;
  found: number;
  readonly missed: string[];
  readonly extra: string[];
}

async function judge(pool: Pool): Promise<Judged[]> {
  const judged = DEFECTS.map((defect): Judged => ({ defect, runs: SEEDS.length, found: 0, missed: [], extra: [] }));
  for (const seed of SEEDS) {
    const trade = new SimulatedTrade(seed);
    // Banks use both formats.
    const format = seed % 2 === 0 ? 'mt940' : 'camt053';
    for (const each of judged) {
      const named = (name: string): string => `seed ${seed}: ${name}`;
      try {
        const verdict = await new ReconWorld(trade, format).run(pool, each.defect === 0 ? [] : [each.defect], seed);
        each.found += verdict.found.length;
        each.missed.push(...verdict.missed.map(named));
        each.extra.push(...verdict.extra.map(named));
      } catch (error) {
        each.missed.push(named(`${error as Error}`));
      }
    }
    process.stderr.write(
      `seed ${seed}: ${judged.filter(({ missed, extra }) => missed.length + extra.length > 0).length} defects with faults so far\n`,
    );
  }
  return judged;
}

async function main(): Promise<number> {
  const began = performance.now();
  const directory = await mkdtemp(join(tmpdir(), 'chargebook-judge-'));
  const postgres = await startEmbeddedPostgres(join(directory, 'postgres'));
  const pool = createPool({ url: postgres.url, applicationName: 'judge', statementTimeoutMs: 0 });
  try {
    const judged = await judge(pool);
    const seconds = Math.round((performance.now() - began) / 1_000);
    const isRight = judged.every(({ missed, extra }) => missed.length + extra.length === 0);
    process.stdout.write(options.json ? `${JSON.stringify({ seeds: SEEDS, seconds, isRight, judged })}\n` : words(judged, seconds));
    return isRight ? 0 : 1;
  } finally {
    await pool.end();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

function words(judged: readonly Judged[], seconds: number): string {
  const lines = judged.flatMap(({ defect, runs, found, missed, extra }) => [
    [defect, runs, found, missed.length, extra.length].map((cell) => String(cell).padStart(7)).join(''),
    ...[...missed.map((name) => `missed: ${name}`), ...extra.map((name) => `extra: ${name}`)].slice(0, SHOWN_MAX).map((line) => `         ${line}`),
  ]);
  const header = ['defect', 'runs', 'found', 'missed', 'extra'].map((cell) => cell.padStart(7)).join('');
  return `${[header, ...lines, `${seconds} s`].join('\n')}\n`;
}

process.exitCode = await main();
