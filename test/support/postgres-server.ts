// The Postgres of a test run: starts, prints its URL as one line, and lives until standard input ends.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/platform/postgres/embedded-postgres.js';

const directory = await mkdtemp(join(tmpdir(), 'chargebook-test-'));
try {
  const postgres = await startEmbeddedPostgres(directory);
  process.stdout.write(`${postgres.url}\n`);
  await new Promise((resolve) => process.stdin.once('end', resolve).resume());
  await postgres.stop();
} finally {
  await rm(directory, { recursive: true, force: true });
}
