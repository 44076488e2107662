import { afterEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { runCli } from '../support/run-cli.js';
import { createServiceDatabase } from '../support/service-database.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { call, callUntilShown, CHARGE_ORDER, newIdempotencyKey } from '../support/service.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const start = async (env: Record<string, string>): Promise<ServiceProcess> => {
  const service = await startServiceProcess(env);
  closing.push(() => service.stop());
  return service;
};

describe('ENCRYPTION_KEY', () => {
  it('ENCRYPTION_KEY changes while the service runs: data sealed, signed or created under it stays valid', async () => {
    const database = await createServiceDatabase();
    closing.push(() => database.drop());
    const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-key-'));
    closing.push(() => rm(dataDir, { recursive: true, force: true }));
    const env = { DATA_DIR: dataDir, DATABASE_URL: database.url };

    const first = await start(env);
    await eventually(() => first.lines.some((line) => line.includes('sk_test_')));
    const key = /sk_test_[0-9A-Za-z]{36}/.exec(first.lines.join('\n'))![0];
    const oldKey = (await readFile(join(dataDir, 'encryption-key'), 'utf8')).trim();
    const headers = newIdempotencyKey();
    const customer = await call('POST', `${first.url}/v1/customers`, { key, body: { name: 'Sari' }, headers });
    const charge = await call('POST', `${first.url}/v1/charges`, { key, body: CHARGE_ORDER, headers });
    const continues = async ({ url }: ServiceProcess): Promise<void> => {
      expect((await callUntilShown('GET', new URL(`/v1/customers/${customer.body.id}`, url), { key })).text).toBe(customer.text);
      for (const [path, body, answer] of [
        ['customers', { name: 'Sari' }, customer],
        ['charges', CHARGE_ORDER, charge],
      ] as const) {
        const again = await call('POST', `${url}/v1/${path}`, { key, body, headers });
        expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', answer.text]);
      }
      expect((await call('GET', url + new URL(charge.body.action.embedded_url).pathname)).status).toBe(200);
    };

    const rotated = await runCli(['encryption-key', 'rotate', '--json'], env);
    expect([rotated.code, rotated.stderr]).toEqual([0, '']);
    expect(JSON.parse(rotated.stdout)).toEqual({ encryption_key_id: expect.stringMatching(/^[0-9a-f]{16}$/), encryption_key: null });
    expect((await readFile(join(dataDir, 'encryption-key'), 'utf8')).trim()).not.toBe(oldKey);
    const second = await start(env);
    for (const service of [first, second]) await continues(service);

    const retired = await runCli(['encryption-key', 'retire', '--json'], env);
    expect(JSON.parse(retired.stdout)).toEqual({ encryption_key_id: JSON.parse(rotated.stdout).encryption_key_id, retired: 1 });
    for (const service of [first, second]) await continues(service);
    await expect(startServiceProcess({ ...env, ENCRYPTION_KEY: oldKey })).rejects.toThrow('ENCRYPTION_KEY is not the key of this database');
  });

  it('a configured ENCRYPTION_KEY is followed by another configured one, or by one that is shown once', async () => {
    const database = await createServiceDatabase();
    closing.push(() => database.drop());
    const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: old, LOG_LEVEL: 'error' };
    const given = await runCli(['encryption-key', 'rotate', '--json'], { ...env, NEW_ENCRYPTION_KEY: next });
    expect(JSON.parse(given.stdout).encryption_key).toBe(next);
    const made = await runCli(['encryption-key', 'rotate', '--json'], { ...env, ENCRYPTION_KEY: next });
    expect(Buffer.from(JSON.parse(made.stdout).encryption_key, 'base64')).toHaveLength(32);
    for (const [wrong, message] of [
      [{ NEW_ENCRYPTION_KEY: 'short' }, 'NEW_ENCRYPTION_KEY must be base64 of exactly 32 bytes'],
      [{ ENCRYPTION_KEY: randomBytes(32).toString('base64') }, 'ENCRYPTION_KEY is not the key of this database'],
    ] as const) {
      const refused = await runCli(['encryption-key', 'rotate', '--json'], { ...env, ...wrong });
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain(message);
    }
    // The environment of the shell may be older than the key: it must not retire the successor of its key.
    const stale = await runCli(['encryption-key', 'retire', '--json'], { ...env, ENCRYPTION_KEY: next });
    expect([stale.code, stale.stderr]).toEqual([1, expect.stringContaining(`${JSON.parse(made.stdout).encryption_key_id} is newer`)]);
    const newest = { ...env, ENCRYPTION_KEY: JSON.parse(made.stdout).encryption_key as string };
    expect(JSON.parse((await runCli(['encryption-key', 'retire', '--json'], newest)).stdout).retired).toBe(2);
  });
});
