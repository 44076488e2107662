import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { ConfigError } from '../platform/process/config-error.js';
import { deriveKey, KEY_BYTES, encrypt, decrypt } from '../ledger/crypto/encryption.js';
import { createPool, inTransaction } from '../platform/postgres/pool.js';
import { timestamp } from '../ledger/time.js';

/**
 * Page URLs, fingerprints and the keys of customers derive from one random secret that never changes. ENCRYPTION_KEY opens the secret. It can be
 * changed while processes run: for a time, the old and the new one both open the same secret.
 */
const BOUND_TO = 'secret of the service';

/** Returns an id of an ENCRYPTION_KEY that does not reveal the key: 16 hex digits. */
export function encryptionKeyId(encryptionKey: Buffer): string {
  return deriveKey(encryptionKey, 'chargebook encryption key id').subarray(0, 8).toString('hex');
}

/**
 * Returns the secret that `encryptionKey` opens; creates it at the first start of all processes.
 * @throws ConfigError when only other keys open the database's secret
 */
export async function loadServiceSecret(databaseUrl: string, encryptionKey: Buffer): Promise<Buffer> {
  return withPool(databaseUrl, async (pool) => {
    const known = await find(pool, encryptionKey);
    if (known) return known;
    return inTransaction(pool, async (tx) => {
      await tx.query('lock table service_secret in exclusive mode');
      const { rows } = await tx.query<{ keys: bigint }>('select count(*) as keys from service_secret');
      if (rows[0]!.keys === 0n) await add(tx, encryptionKey, randomBytes(KEY_BYTES));
      const secret = await find(tx, encryptionKey);
      if (!secret) throw new ConfigError('ENCRYPTION_KEY is not the key of this database; set the previous key');
      return secret;
    });
  });
}

/** True when a key opens a secret, so this is not the first start. */
export function hasServiceSecret(databaseUrl: string): Promise<boolean> {
  return withPool(databaseUrl, async (pool) => {
    const { rowCount } = await pool.query('select from service_secret limit 1');
    return rowCount === 1;
  });
}

/** Makes `next` open the secret as well as `current`; a repeat succeeds. @throws ConfigError when `current` does not open it */
export async function addEncryptionKey(databaseUrl: string, current: Buffer, next: Buffer): Promise<void> {
  const secret = await loadServiceSecret(databaseUrl, current);
  await withPool(databaseUrl, (pool) => add(pool, next, secret));
}

/**
 * Makes `current` the only key that opens the secret.
 * @returns the number of other keys that did
 * @throws ConfigError when `current` does not open it, or when there is a newer key: it was added as the successor, and processes may already use it
 */
export async function retireOtherEncryptionKeys(databaseUrl: string, current: Buffer): Promise<number> {
  await loadServiceSecret(databaseUrl, current);
  return withPool(databaseUrl, async (pool) => {
    const id = encryptionKeyId(current);
    const { rows: newer } = await pool.query<{ encryption_key_id: string }>(
      `select n.encryption_key_id from service_secret n join service_secret c on c.encryption_key_id = $1 and n.added_on > c.added_on
        order by n.added_on desc limit 1`,
      [id],
    );
    if (newer[0]) throw new ConfigError(`ENCRYPTION_KEY is ${id}, and ${newer[0].encryption_key_id} is newer: set that key, then retire the others`);
    const { rowCount } = await pool.query('delete from service_secret where encryption_key_id <> $1', [id]);
    return rowCount ?? 0;
  });
}

async function find(db: Pool | PoolClient, encryptionKey: Buffer): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ wrapped_secret: Buffer }>('select wrapped_secret from service_secret where encryption_key_id = $1', [
    encryptionKeyId(encryptionKey),
  ]);
  return rows[0] && decrypt(wrappingKey(encryptionKey), rows[0].wrapped_secret, BOUND_TO);
}

async function add(db: Pool | PoolClient, encryptionKey: Buffer, secret: Buffer): Promise<void> {
  await db.query('insert into service_secret (encryption_key_id, wrapped_secret, added_on) values ($1, $2, $3) on conflict do nothing', [
    encryptionKeyId(encryptionKey),
    encrypt(wrappingKey(encryptionKey), secret, BOUND_TO),
    timestamp(Date.now()),
  ]);
}

const wrappingKey = (encryptionKey: Buffer): Buffer => deriveKey(encryptionKey, 'chargebook service secret');

async function withPool<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = createPool({ url, applicationName: 'chargebook-secret', maxConnections: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
