// The Postgres of a test run: starts in the folder that holds all files of the run, prints its URL as one line, lives until standard
// input ends, prints then how many connections it had at once, at most, and removes the folder.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';

const SAMPLE_MS = 100;
/** Three files at a time, each with a service in its process (37), a second one beside it (15) and the test's own connections. */
const CONNECTIONS = { max: 240, reserved: 3 };

// A run that was killed reads nothing any more; its data are removed all the same.
process.stdout.on('error', () => undefined);
const files = process.argv[2]!;
try {
  const postgres = await startEmbeddedPostgres(join(files, 'postgres'), { connections: CONNECTIONS });
  await forgetOnPowerLoss(postgres.url);
  process.stdout.write(`${postgres.url}\n`);
  const ending = new AbortController();
  process.stdin.once('end', () => ending.abort()).resume();
  process.stdout.write(`${await mostConnections(postgres.url, ending.signal)}\n`);
  await postgres.stop();
} finally {
  await rm(files, { recursive: true, force: true, maxRetries: 10 });
}

/** Turns durability off: no data of a run outlive its machine. Tests of crashes use separate servers. */
async function forgetOnPowerLoss(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const setting of ['fsync', 'full_page_writes']) await client.query(`alter system set ${setting} = off`);
  await client.query('select pg_reload_conf()');
  await client.end();
}

async function mostConnections(url: string, ending: AbortSignal): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let most = 0;
  while (!ending.aborted) {
    const { rows } = await client.query<{ n: number }>(`select count(*)::int4 as n from pg_stat_activity where backend_type = 'client backend'`);
    most = Math.max(most, rows[0]!.n);
    await delay(SAMPLE_MS, undefined, { signal: ending }).catch(() => undefined);
  }
  await client.end();
  return most;
}
