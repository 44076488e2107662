/** `npm run models [-- <words of a name>]`: explores every case whose name matches; exits with 1 when a verdict is not as expected. */
import type { Case } from './explorer.js';
import { PROPOSAL } from './proposal.js';
import { RAIL } from './rail.js';
import { REFUND } from './refund.js';
import { REWIND } from './rewind.js';

const MODELS: Readonly<Record<string, readonly Case[]>> = { proposal: PROPOSAL, rail: RAIL, refund: REFUND, rewind: REWIND };
const words = process.argv.slice(2).join(' ');

for (const [model, cases] of Object.entries(MODELS)) {
  for (const { name, holds, verdict } of cases.filter((each) => `${model}: ${each.name}`.includes(words))) {
    const started = performance.now();
    const { states, failure } = verdict();
    const isExpected = holds === (failure === undefined);
    const found = failure ? `fails in ${failure.trace.length} steps: ${failure.why}` : 'holds';
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    process.stdout.write(`${isExpected ? 'ok  ' : 'FAIL'} ${model}: ${name} | ${states} states, ${seconds} s | ${found}\n`);
    if (isExpected) continue;
    process.exitCode = 1;
    for (const label of failure?.trace ?? []) process.stdout.write(`       ${label}\n`);
  }
}
