/**
 * Runs the contract suite, API tests and kill tests against a real KurrentDB (formerly EventStoreDB).
 * The server is the one at EVENTSTORE_URL, or `kurrentd` or `eventstored` if one is installed here, started on loopback and in memory.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const SPECS = [
  'test/contract/eventstoredb',
  'test/api/eventstoredb',
  'test/system/eventstoredb',
  'test/system/restore',
  'test/cli/recon-moved',
  'test/api/charges',
  'test/api/payouts',
  'test/api/settlements',
];
const READY_WITHIN_MS = 60_000;
const PROGRAM = ['kurrentd', 'eventstored'].find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);

if (process.env.EVENTSTORE_URL) {
  if (PROGRAM === undefined)
    console.log('EventStoreDB: no kurrentd or eventstored on this machine: the kill test is skipped; moves and restores use a simulated server');
  process.exitCode = await run(process.env.EVENTSTORE_URL);
} else if (PROGRAM !== undefined) {
  const server = await startServer();
  try {
    process.exitCode = await run(`esdb://127.0.0.1:${server.port}?tls=false`);
  } finally {
    server.process.kill();
  }
} else {
  console.log('EventStoreDB: skipped, there is neither EVENTSTORE_URL nor kurrentd nor eventstored on this machine');
}

/** One file after the other: each takes the log to begin where it began. */
function run(url) {
  const asked = ['test', '--', '--runInBand', ...SPECS];
  const tests = spawn('npm', asked, { env: { ...process.env, EVENTSTORE_URL: url }, stdio: 'inherit' });
  return new Promise((resolve) => tests.once('exit', (code) => resolve(code ?? 1)));
}

async function startServer() {
  const port = await freePort();
  const options = [
    '--insecure',
    '--mem-db',
    '--node-ip',
    '127.0.0.1',
    '--node-port',
    String(port),
    '--run-projections',
    'None',
    '--disable-log-file',
  ];
  const server = spawn(PROGRAM, options, { env: { ...process.env, EVENTSTORE_TELEMETRY_OPTOUT: 'true' }, stdio: 'ignore' });
  let ended = false;
  server.once('exit', () => (ended = true));
  process.once('exit', () => server.kill());
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined);
    if (answer?.status === 204) return { port, process: server };
    if (ended || Date.now() > deadline) throw new Error(`${PROGRAM} was started and does not answer`);
    await delay(200);
  }
}

function freePort() {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
