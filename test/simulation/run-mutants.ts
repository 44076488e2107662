import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutant.js';
import { APPROVAL_MUTANTS } from './approval-mutants.js';
import { MUTANTS } from './mutants.js';
import { PROPOSAL_MUTANTS } from './proposal-mutants.js';
import { TRANSFER_MUTANTS } from './transfer-mutants.js';

/**
 * `npm run simulate:mutants [-- <words of a name>]`: plants each defect in a copy of the sources and has the simulation look for it,
 * from several seeds; or the spec that the defect names. Every defect must be found from each seed. Exit 1 when one is not.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  'src',
  'projections',
  'tools',
  'test/support',
  'test/simulation',
  'test/decide',
  'test/unit',
  'test/golden',
  '.swcrc',
  'package.json',
];
const SEEDS = [1, 100_001, 200_001];
const RUNS_MAX = 8_000;
/** Where nothing is to be found, this is how long it is looked for. */
const RUNS_IN_VAIN = 400;

/** A copy whose own code breaks shows nothing about the effect of its defect. */
const CRASHED = /: (?:Type|Reference|Syntax)Error: /;

/** Mutants of simulations that run only with an option. */
const PLAYED: ReadonlyMap<readonly string[], readonly Mutant[]> = new Map([
  [['--transfers'], TRANSFER_MUTANTS],
  [['--proposals'], PROPOSAL_MUTANTS],
  [['--approvals'], APPROVAL_MUTANTS],
]);

interface Verdict {
  readonly mutant: Mutant;
  readonly isAsWanted: boolean;
  readonly findings: readonly string[];
}

async function plant(mutant: Mutant): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'chargebook-mutant-'));
  for (const path of COPIED) await cp(join(ROOT, path), join(copy, path), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const { file, from, to } of mutant.edits) {
    const source = await readFile(join(copy, file), 'utf8');
    if (source.split(from).length !== 2) throw new Error(`"${mutant.name}": this must stand once in ${file}:\n${from}`);
    await writeFile(
      join(copy, file),
      source.replace(from, () => to),
    );
  }
  return copy;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function simulate(root: string, options: readonly string[], seed: number, runs: number): Promise<Ended> {
  const asked = ['--seed', String(seed), '--runs', String(runs), ...options];
  return run(root, ['--import', './test/support/typescript.mjs', 'test/simulation/simulate.ts', ...asked]);
}

/** As `npm test` does, but for the database: specs of deciders need none. */
function runSpec(root: string, spec: string): Promise<Ended> {
  const config = {
    rootDir: root,
    testEnvironment: 'node',
    transform: {},
    testRunner: '<rootDir>/test/support/spec-runner.mjs',
    testMatch: [`<rootDir>/${spec}`],
  };
  return run(root, ['--import', './test/support/typescript.mjs', 'node_modules/jest/bin/jest.js', '--config', JSON.stringify(config)]);
}

function run(root: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: output.trim() }));
  });
}

async function judge(mutant: Mutant): Promise<Verdict> {
  const options = [...PLAYED].find(([, mutants]) => mutants.includes(mutant))?.[0] ?? [];
  const copy = await plant(mutant);
  try {
    if (mutant.spec !== undefined) return { mutant, ...judgeSpec(await runSpec(copy, mutant.spec)) };
    const findings: string[] = [];
    let isAsWanted = true;
    for (const seed of SEEDS) {
      const { code, output } = await simulate(copy, options, seed, mutant.isDefect ? RUNS_MAX : RUNS_IN_VAIN);
      // A violation is printed as one line that names the seed. Any other output means that the copy does not run.
      const isFound = code === 1 && /^seed \d+, after/m.test(output) && !CRASHED.test(output);
      isAsWanted &&= mutant.isDefect ? isFound : code === 0;
      findings.push(...output.split('\n').slice(isFound || code === 0 ? -1 : -12));
    }
    return { mutant, isAsWanted, findings };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Tests fail, rather than the file that holds them. */
function judgeSpec({ code, output }: Ended): Pick<Verdict, 'isAsWanted' | 'findings'> {
  const failed = output.split('\n').filter((line) => line.includes('●') && line.includes('›'));
  return failed.length > 0
    ? { isAsWanted: code === 1, findings: [failed[0]!.trim()] }
    : { isAsWanted: false, findings: output.split('\n').slice(-12) };
}

const words = process.argv.slice(2).join(' ');
const waiting = [...MUTANTS, ...[...PLAYED.values()].flat()].filter(({ name }) => name.includes(words));
const total = waiting.length;
let failures = 0;
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const { isAsWanted, findings } = await judge(mutant);
      if (!isAsWanted) failures += 1;
      process.stdout.write(`${isAsWanted ? 'ok  ' : 'FAIL'} ${mutant.name}\n${findings.map((finding) => `       ${finding}\n`).join('')}`);
    }
  }),
);
process.stdout.write(`${total - failures} of ${total} as wanted\n`);
process.exit(failures === 0 ? 0 : 1);
