import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ConfigError } from '../../src/platform/process/config-error.js';
import { loadEncryptionKey } from '../../src/app/encryption-key.js';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { addEncryptionKey, encryptionKeyId, loadServiceSecret, retireOtherEncryptionKeys } from '../../src/app/service-secret.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
const [first, second, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];

beforeEach(async () => {
  database = await createTestDatabase(MIGRATIONS);
});
afterEach(() => database.drop());

describe("the service's secret", () => {
  it('the service secret is created once when many processes start at once', async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, () => loadServiceSecret(database.url, first)));
    expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1);
    expect(secrets[0]).toHaveLength(32);
    expect(secrets[0]).not.toEqual(first);
    expect(await loadServiceSecret(database.url, first)).toEqual(secrets[0]);
  });

  it('one of two first starts with different keys creates the service secret; the other one fails with a configuration error', async () => {
    const starts = await Promise.allSettled([loadServiceSecret(database.url, first), loadServiceSecret(database.url, second)]);
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const failed = starts.find((start): start is PromiseRejectedResult => start.status === 'rejected');
    expect(failed!.reason).toBeInstanceOf(ConfigError);
  });

  it('the old and the new key open the service secret during a change, and only the new one afterwards', async () => {
    const secret = await loadServiceSecret(database.url, first);
    await addEncryptionKey(database.url, first, second);
    await addEncryptionKey(database.url, first, second);
    expect(await loadServiceSecret(database.url, first)).toEqual(secret);
    expect(await loadServiceSecret(database.url, second)).toEqual(secret);
    expect(await retireOtherEncryptionKeys(database.url, second)).toBe(1);
    expect(await retireOtherEncryptionKeys(database.url, second)).toBe(0);
    expect(await loadServiceSecret(database.url, second)).toEqual(secret);
    await expect(loadServiceSecret(database.url, first)).rejects.toThrow(ConfigError);
  });

  it('another key neither opens nor replaces the service secret', async () => {
    await loadServiceSecret(database.url, first);
    await expect(loadServiceSecret(database.url, other)).rejects.toThrow('ENCRYPTION_KEY');
    await expect(addEncryptionKey(database.url, other, second)).rejects.toThrow(ConfigError);
    await expect(retireOtherEncryptionKeys(database.url, other)).rejects.toThrow(ConfigError);
    await expect(loadServiceSecret(database.url, first)).resolves.toHaveLength(32);
  });

  it('the service secret is stored only in sealed form', async () => {
    const secret = await loadServiceSecret(database.url, first);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ row: string }>('select s::text as row from service_secret s');
    await client.end();
    expect(rows).toHaveLength(1);
    for (const bytes of [secret, first]) expect(rows[0]!.row).not.toContain(bytes.toString('hex'));
    expect(rows[0]!.row).toContain(encryptionKeyId(first));
  });
});

describe('the encryption key', () => {
  it('the encryption key is created once by concurrent starts, and rejected when it is damaged', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-key-'));
    try {
      const keys = await Promise.all(Array.from({ length: 8 }, () => loadEncryptionKey({ encryptionKey: undefined, dataDir }, database.url)));
      expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
      expect(Buffer.from(await readFile(join(dataDir, 'encryption-key'), 'utf8'), 'base64')).toEqual(keys[0]);
      await writeFile(join(dataDir, 'encryption-key'), 'c2hvcnQ=');
      await expect(loadEncryptionKey({ encryptionKey: undefined, dataDir }, database.url)).rejects.toThrow(ConfigError);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });

  it('the encryption key is not created again beside a database that has one', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-key-'));
    try {
      await loadServiceSecret(database.url, await loadEncryptionKey({ encryptionKey: undefined, dataDir }, database.url));
      await rm(join(dataDir, 'encryption-key'));
      await expect(loadEncryptionKey({ encryptionKey: undefined, dataDir }, database.url)).rejects.toThrow(
        /^\S+encryption-key is missing, .* or set ENCRYPTION_KEY/,
      );
      expect(await readdir(dataDir)).toEqual([]);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });
});
