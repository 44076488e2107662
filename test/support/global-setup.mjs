import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { build, BUILD } from './build.mjs';

/**
 * What tests start is compiled, then one Postgres for the whole run: TEST_DATABASE_URL if given, else an embedded one.
 * A process of its own holds it, so that it goes, with its data, also when the run is killed.
 */
export default async function globalSetup() {
  await build();
  if (process.env.TEST_DATABASE_URL) return;
  const server = spawn(process.execPath, [join(BUILD, 'test/support/postgres-server.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true, // Ctrl-C ends the run; the server then sees its standard input end
  });
  const lines = createInterface(server.stdout);
  const [line] = await Promise.race([
    once(lines, 'line'),
    once(server, 'exit').then(([code]) => {
      throw new Error(`the tests' Postgres did not start (exit ${code})`);
    }),
  ]);
  process.env.TEST_DATABASE_URL = line;
  globalThis.testPostgres = { server, lines };
}
