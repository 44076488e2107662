// A process to watch, which sends the messages of the service. Each start appends `started` to the file RUNS. STEP names the work of its event loop after that.
import { appendFileSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';

const { HEARTBEAT, RUNS, STEP } = process.env;
const { beat } = await import(HEARTBEAT);
const note = (what) => appendFileSync(RUNS, `${what} ${process.pid}\n`);

function work(cpuMs) {
  while (process.cpuUsage().user / 1_000 < cpuMs) createHash('sha256').update('step').digest();
}

process.on('SIGTERM', () => process.exit(0));
note('started');
if (STEP === 'endless start') work(Infinity);
beat();
const starts = readFileSync(RUNS, 'utf8').match(/started/g).length;
setTimeout(() => {
  if (STEP === 'endless, at first' && starts === 1) work(Infinity);
  if (STEP === 'works for a second') work(1_000);
  note('done');
}, 100);
setInterval(() => undefined, 1_000);
