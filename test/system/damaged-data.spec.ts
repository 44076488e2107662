import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../support/run-cli.js';
import { startServiceProcess } from '../support/service-process.js';
import { call, callUntilShown, CHARGE_ORDER, newIdempotencyKey } from '../support/service.js';

describe('a data directory with a missing file', () => {
  let dataDir: string;
  let key: string;
  let charge: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'chargebook-damaged-'));
    const service = await startServiceProcess({ DATA_DIR: dataDir });
    key = /sk_test_[0-9A-Za-z]{36}/.exec(service.lines.join('\n'))![0];
    charge = (await call('POST', `${service.url}/v1/charges`, { key, headers: newIdempotencyKey(), body: CHARGE_ORDER })).body.id;
    await service.stop();
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const start = (args: readonly string[] = []): Promise<string> =>
    startServiceProcess({ DATA_DIR: dataDir }, args).then(
      async (service) => {
        await service.stop();
        return 'it started';
      },
      (error: Error) => error.message,
    );

  it.each([
    ['postgres/data/PG_VERSION', [], /^the embedded Postgres cannot use its data in \S+: PG_VERSION missing; restore the directory from a backup$/],
    ['postgres/data/global/pg_control', [], /: global\/pg_control missing;/],
    ['postgres/data/postgresql.conf', [], /: postgresql\.conf missing;/],
    ['postgres/data/pg_wal', [], /: pg_wal missing;/],
    [
      'encryption-key',
      [],
      /^\S+encryption-key is missing, and it contains the encryption key of this database: restore the file, or set ENCRYPTION_KEY to its content$/,
    ],
    ['encryption-key', ['--workers', '2'], /^\S+encryption-key is missing/],
  ])('a start without %s, with the arguments %j, fails with one line and changes nothing', async (name, args, line) => {
    const away = join(tmpdir(), `chargebook-away-${process.pid}`);
    await rename(join(dataDir, name), away);
    try {
      const [, said] = /^the service ended with 1: ([^]*)$/.exec(await start(args)) ?? [];
      expect(said).toMatch(line);
      expect(said).not.toContain('\n');
      const command = await runCli(['audit', 'key'], { DATA_DIR: dataDir });
      expect([command.code, command.stderr]).toEqual([1, expect.stringMatching(/^error: [^\n]+\n$/)]);
      expect(await readdir(join(dataDir, name, '..'))).not.toContain(name.split('/').at(-1));
    } finally {
      await rename(away, join(dataDir, name));
    }
  });

  it('a data directory that is complete again has its data', async () => {
    const service = await startServiceProcess({ DATA_DIR: dataDir });
    expect((await callUntilShown('GET', new URL(`/v1/charges/${charge}`, service.url), { key })).status).toBe(200);
    await service.stop();
  });
});
