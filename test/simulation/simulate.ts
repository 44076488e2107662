import { parseArgs } from 'node:util';
import { ProposalWorld } from './proposal-world.js';
import { TransferWorld } from './transfer-world.js';
import { World } from './world.js';

/**
 * `npm run simulate -- --seed N --runs M`: M runs from seed N on. Prints what went wrong with the seed that shows it; exit 1 then.
 * `--trace` prints every step of the run that failed; `--transfers` plays payouts by a bank over a network instead of everything else,
 * `--proposals` what persons of the house propose to each other.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1000' },
    trace: { type: 'boolean', default: false },
    transfers: { type: 'boolean', default: false },
    proposals: { type: 'boolean', default: false },
  },
});
const Played = values.transfers ? TransferWorld : values.proposals ? ProposalWorld : World;
const first = Number(values.seed);
const runs = Number(values.runs);
const started = performance.now();
let steps = 0;
let events = 0;
for (let seed = first; seed < first + runs; seed += 1) {
  const result = await new Played(seed).play();
  steps += result.steps;
  events += result.events;
  if (result.violation === null) continue;
  if (values.trace) process.stdout.write(`${result.trace.join('\n')}\n`);
  process.stdout.write(`seed ${seed}, after ${result.steps} steps: ${result.violation}\n`);
  process.exit(1);
}
const seconds = (performance.now() - started) / 1000;
process.stdout.write(`${runs} runs from seed ${first}: ${steps} steps, ${events} events, nothing wrong, ${seconds.toFixed(1)} s\n`);
