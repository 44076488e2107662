import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { withoutPassword } from '../../src/cli/commands/psql.js';
import { createServiceDatabase } from '../support/service-database.js';
import type { TestDatabase } from '../support/postgres.js';
import { startCli } from '../support/run-cli.js';

describe('psql', () => {
  let folder: string;
  let database: TestDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chargebook-psql-'));
    database = await createServiceDatabase();
    // Stands for psql, which is not on every machine: prints its environment and its arguments.
    await writeFile(join(folder, 'psql'), '#!/bin/sh\nprintf "%s\\n" "$PGPASSWORD" "$@"\nexit 2\n');
    await chmod(join(folder, 'psql'), 0o755);
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = async (path: string) => {
    const child = startCli(['psql', '--', '-c', 'select 1'], { DATABASE_URL: database.url, DATA_DIR: folder, PATH: path });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: code as number, stdout, stderr };
  };

  it('opens the database of the ledger, with the password in the environment, and ends with the code of psql', async () => {
    const { code, stdout } = await run(`${folder}:/usr/bin:/bin`);
    const [password, address, ...args] = stdout.trimEnd().split('\n');
    expect([code, args]).toEqual([2, ['-c', 'select 1']]);
    const { password: stored } = new URL(database.url);
    expect([password, address!.includes(`:${stored}@`)]).toEqual([decodeURIComponent(stored), false]);
    const whole = Object.assign(new URL(address!), { password: encodeURIComponent(password!) });
    const client = new pg.Client({ connectionString: whole.href });
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  });

  it('names the package of psql where it is missing', async () => {
    expect(await run(join(folder, 'none'))).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: psql is not installed; it is in the package postgresql-client\n',
    });
  });

  it.each([
    ['postgres://user:p%40ss@db.example:5432/books', 'postgres://user@db.example:5432/books', 'p@ss'],
    ['postgres://user@db.example/books', 'postgres://user@db.example/books', ''],
    ['postgresql://u:p@/books?host=/run/postgresql', 'postgresql://u@/books?host=/run/postgresql', 'p'],
    ['postgres://u:p@a:5432,b:5432/books?sslmode=no-verify', 'postgres://u@a:5432,b:5432/books?sslmode=require', 'p'],
    ['postgres://u:p@a/books?uselibpqcompat=true&sslmode=require', 'postgres://u@a/books?sslmode=require', 'p'],
    ['postgres://u:p@a/books?sslmode=require&uselibpqcompat=true', 'postgres://u@a/books?sslmode=require', 'p'],
  ])('takes the password out of %s', (url, address, password) => {
    expect(withoutPassword(url)).toEqual({ address, password });
  });
});
