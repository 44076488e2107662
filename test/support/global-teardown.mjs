import { once } from 'node:events';

/** The tests' Postgres accepts 240. A run that comes near this limit fails on other machines now and then. */
const CONNECTIONS_MAX = 180;

export default async function globalTeardown() {
  const running = globalThis.testPostgres;
  if (!running || running.server.exitCode !== null) return;
  running.server.stdin.end();
  const [[most]] = await Promise.all([once(running.lines, 'line'), once(running.server, 'exit')]);
  process.stderr.write(`Most connections to the tests' Postgres at once: ${most}\n`);
  if (!(Number(most) <= CONNECTIONS_MAX)) throw new Error(`the tests took ${most} connections to Postgres at once; they may take ${CONNECTIONS_MAX}`);
}
