// Runs commands of the command line one after the other, each as in a separate process: with its arguments, environment, directory
// and output, and until nothing keeps that process alive. The modules of commands take half a second to load, and load once.
import { getPriority } from 'node:os';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command, Report } from './run-cli.js';

const SCRIPT = new URL('../../src/cli/main.js', import.meta.url);
/** The module that the script imports; imported with another query, it runs again. */
const PROGRAM = new URL('program.js', SCRIPT);
/** A command that still keeps the process alive after this time would never end. */
const ENDS_WITHIN_MS = 60_000;
/** The resource that keeps the host itself alive. */
const OUR_CHANNEL = 'PipeWrap';

const firstPriority = getPriority();
let commands = 0;

/** Stands for standard output or standard error, where they are no terminal. */
function capture(name: 'stdout' | 'stderr'): () => string {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  Object.defineProperty(process, name, { configurable: true, value: stream });
  return () => Buffer.concat(chunks).toString();
}

const keepsAlive = (): string => process.getActiveResourcesInfo().toSorted().join(', ');

async function run({ args, env, cwd }: Command): Promise<Report> {
  const [stdout, stderr] = [capture('stdout'), capture('stderr')];
  process.argv = [process.execPath, SCRIPT.pathname, ...args];
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  commands += 1;
  await import(`${PROGRAM.href}?command=${commands}`);
  const code = Number(process.exitCode);
  process.exitCode = undefined;
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  const deadline = performance.now() + ENDS_WITHIN_MS;
  while (keepsAlive() !== OUR_CHANNEL) {
    if (performance.now() > deadline) throw new Error(`"${args.join(' ')}" does not end: ${keepsAlive()}`);
    await delay(2, undefined, { ref: false });
  }
  // A process that has lowered its priority cannot raise it again.
  return { code, stdout: stdout(), stderr: stderr(), isReusable: getPriority() === firstPriority };
}

process.on('message', (command: Command) => void run(command).then((report) => process.send!(report)));
process.on('disconnect', () => process.exit());
