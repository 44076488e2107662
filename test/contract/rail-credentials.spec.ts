import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { addEncryptionKey, loadServiceSecret, retireOtherEncryptionKeys } from '../../src/app/service-secret.js';
import { DecryptionFailed } from '../../src/ledger/crypto/encryption.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { RailCredentials } from '../../src/rails/settings/rail-credentials.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { SNAP_CREDENTIALS, XENDIT_CREDENTIALS } from '../support/rail-credentials.js';

let database: TestDatabase;
let pool: pg.Pool;
let kept: RailCredentials;

beforeEach(async () => {
  database = await createTestDatabase(MIGRATIONS);
  pool = createPool({ url: database.url, applicationName: 'test' });
  kept = new RailCredentials(pool, randomBytes(32));
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

describe('the credentials of rails', () => {
  it('reads rail credentials as they were stored, separately per version', async () => {
    expect(await kept.add('bca', SNAP_CREDENTIALS, 0)).toBe(1);
    expect(await kept.add('bca', { ...SNAP_CREDENTIALS, partner_id: 'other' }, 1)).toBe(2);
    expect(await kept.add('xendit', XENDIT_CREDENTIALS, 0)).toBe(1);
    expect(await kept.read('bca', 1)).toEqual(SNAP_CREDENTIALS);
    expect(await kept.read('bca', 2)).toEqual({ ...SNAP_CREDENTIALS, partner_id: 'other' });
    expect(await kept.read('xendit', 1)).toEqual(XENDIT_CREDENTIALS);
    expect(await kept.read('xendit', 2)).toBeUndefined();
  });

  it('rail credentials have unique versions when many commands store at once, and when the log has more than the table', async () => {
    const versions = await Promise.all(Array.from({ length: 8 }, () => kept.add('bca', XENDIT_CREDENTIALS, 0)));
    expect(versions.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await kept.add('bca', XENDIT_CREDENTIALS, 20)).toBe(21);
  });

  it('destroys rail credentials up to a version', async () => {
    for (const newest of [0, 1, 2]) await kept.add('bca', XENDIT_CREDENTIALS, newest);
    await kept.removeUpTo('bca', 2);
    expect(await Promise.all([1, 2, 3].map((version) => kept.read('bca', version)))).toEqual([undefined, undefined, XENDIT_CREDENTIALS]);
    await kept.remove('bca', 3);
    expect(await kept.read('bca', 3)).toBeUndefined();
  });

  it('rail credentials are stored only in sealed form, and open with no other secret', async () => {
    await kept.add('bca', SNAP_CREDENTIALS, 0);
    const { rows } = await pool.query<{ sealed: Buffer }>('select sealed from rail_credentials');
    expect(rows).toHaveLength(Object.keys(SNAP_CREDENTIALS).length);
    for (const value of Object.values(SNAP_CREDENTIALS)) expect(rows.some(({ sealed }) => sealed.includes(value))).toBe(false);
    await expect(new RailCredentials(pool, randomBytes(32)).read('bca', 1)).rejects.toThrow(DecryptionFailed);
  });

  it.each([
    ['rail', `update rail_credentials set rail = 'xendit'`, 'xendit', 1],
    ['version', 'update rail_credentials set version = 2', 'bca', 2],
    ['field', `update rail_credentials set field = case field when 'secret_key' then 'callback_token' else 'secret_key' end`, 'bca', 1],
  ])('rail credentials do not open in the place of another %s', async (_, change, rail, version) => {
    await kept.add('bca', XENDIT_CREDENTIALS, 0);
    // Both fields change places in one statement.
    await pool.query('alter table rail_credentials drop constraint rail_credentials_pkey');
    await pool.query(change);
    await expect(kept.read(rail, version)).rejects.toThrow(DecryptionFailed);
  });

  it('rail credentials survive a change of ENCRYPTION_KEY', async () => {
    const [first, second] = [randomBytes(32), randomBytes(32)];
    await new RailCredentials(pool, await loadServiceSecret(database.url, first)).add('bca', XENDIT_CREDENTIALS, 0);
    await addEncryptionKey(database.url, first, second);
    await retireOtherEncryptionKeys(database.url, second);
    expect(await new RailCredentials(pool, await loadServiceSecret(database.url, second)).read('bca', 1)).toEqual(XENDIT_CREDENTIALS);
  });
});
