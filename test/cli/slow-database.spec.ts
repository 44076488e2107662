import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '../support/postgres.js';
import { runCli } from '../support/run-cli.js';
import { createServiceDatabase } from '../support/service-database.js';
import { SilentFront } from '../support/silent-front.js';

/** Longer than the service's own time limit. */
const SILENT_MS = 3_500;

describe('a database that responds slowly', () => {
  let database: TestDatabase;
  let front: SilentFront;
  let directory: string;
  beforeAll(async () => {
    database = await createServiceDatabase();
    const { hostname, port } = new URL(database.url);
    front = await SilentFront.to({ path: join(decodeURIComponent(hostname), `.s.PGSQL.${port}`) });
    directory = await mkdtemp(join(tmpdir(), 'chargebook-slow-'));
  });
  afterAll(async () => {
    await front.stop();
    await database.drop();
    await rm(directory, { recursive: true });
  });

  it('a command waits for the database and succeeds', async () => {
    const { username, password, pathname } = new URL(database.url);
    const DATABASE_URL = `postgres://${username}:${password}@127.0.0.1:${front.port}${pathname}`;
    front.fallSilent();
    const listed = runCli(['merchant', 'list'], { DATA_DIR: directory, DATABASE_URL });
    await front.heldBack();
    await delay(SILENT_MS);
    front.heal();
    expect(await listed).toMatchObject({ code: 0, stderr: '' });
  });
});
