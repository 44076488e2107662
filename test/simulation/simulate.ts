import { parseArgs } from 'node:util';
import { ProposalWorld } from './proposal-world.js';
import { TransferWorld } from './transfer-world.js';
import { World, type RunResult } from './world.js';

/**
 * `npm run simulate -- --seed N --runs M`: M runs from seed N on. Prints a violation with its seed, and exits with 1.
 * `--trace` prints every step of the run that failed; `--transfers` plays payouts by a bank over a network instead of everything else,
 * `--proposals` proposals of operators; with `--approvals` payouts require the approvals of operators.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1000' },
    trace: { type: 'boolean', default: false },
    transfers: { type: 'boolean', default: false },
    proposals: { type: 'boolean', default: false },
    approvals: { type: 'boolean', default: false },
  },
});
const worldOf = (seed: number): { play(): Promise<RunResult> } => {
  if (values.transfers) return new TransferWorld(seed);
  return values.proposals ? new ProposalWorld(seed) : new World(seed, { approvals: values.approvals });
};
const first = Number(values.seed);
const runs = Number(values.runs);
const started = performance.now();
let steps = 0;
let events = 0;
for (let seed = first; seed < first + runs; seed += 1) {
  const result = await worldOf(seed).play();
  steps += result.steps;
  events += result.events;
  if (result.violation === null) continue;
  if (values.trace) process.stdout.write(`${result.trace.join('\n')}\n`);
  process.stdout.write(`seed ${seed}, after ${result.steps} steps: ${result.violation}\n`);
  process.exit(1);
}
const seconds = (performance.now() - started) / 1000;
process.stdout.write(`${runs} runs from seed ${first}: ${steps} steps, ${events} events, nothing wrong, ${seconds.toFixed(1)} s\n`);
