import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PROJECTIONS } from '../../src/app/projections.js';
import type { TestDatabase } from '../support/postgres.js';
import { runCli, type Run } from '../support/run-cli.js';
import { createServiceDatabase } from '../support/service-database.js';

const NAMES = PROJECTIONS.map(({ name }) => name);

describe('lost checkpoints without a running service', () => {
  let database: TestDatabase;
  let dataDir: string;
  let admin: pg.Client;

  beforeAll(async () => {
    database = await createServiceDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-checkpoint-'));
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    expect(await cli('merchant', 'create', '--name', 'Warung')).toMatchObject({ code: 0 });
    await admin.query(NAMES.map((name) => `delete from ${name}.checkpoint`).join(';'));
  });
  afterAll(async () => {
    await admin.end();
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  const cli = (...args: string[]): Promise<Run> => runCli(args, { DATABASE_URL: database.url, DATA_DIR: dataDir });

  it('status and verify name the rebuild command, which rebuilds everything', async () => {
    const status = await cli('projections', 'status');
    expect(status).toMatchObject({ code: 0, stderr: '' });
    for (const name of NAMES) expect(status.stdout).toContain(`"projections rebuild ${name}" rebuilds them`);
    const verified = await cli('projections', 'verify', 'recon');
    expect(verified).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: projection recon has no tables.*"projections rebuild recon".*\n$/),
    });
    const rebuilt = await cli('projections', 'rebuild', '--json');
    expect(rebuilt).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(rebuilt.stdout)).toMatchObject({
      differences: 0,
      switched: true,
      projections: NAMES.map((name) => ({ name, switched: true })),
    });
    expect(await cli('projections', 'verify')).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await cli('projections', 'status', '--json');
    const { head, projections } = JSON.parse(stdout) as { head: number; projections: object[] };
    expect(projections).toMatchObject(NAMES.map((name) => ({ name, built: true, position: head, lag_events: 0 })));
  });
});
