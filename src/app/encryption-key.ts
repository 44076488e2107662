import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.js';
import { ConfigError } from '../platform/config-error.js';
import { readText } from '../platform/text-file.js';
import { hasServiceSecret } from './service-secret.js';

const KEY_BYTES = 32;

/**
 * ENCRYPTION_KEY, or the one that was made once in DATA_DIR. Two first starts at once end with the same key: a hard link
 * is made only where no file stands. None is made for a database whose secret another key opens.
 * @throws ConfigError when the file does not hold a key, or is missing where there must be one.
 */
export async function loadEncryptionKey(config: Pick<Config, 'encryptionKey' | 'dataDir'>, databaseUrl: string): Promise<Buffer> {
  if (config.encryptionKey) return config.encryptionKey;
  const file = fileIn(config.dataDir);
  const read = (): Promise<string | undefined> => readText(file).catch(ignoreMissing);
  let stored = await read();
  if (stored === undefined && (await hasServiceSecret(databaseUrl))) {
    // Another first start may have made both since.
    stored = await read();
    if (stored === undefined) {
      throw new ConfigError(
        `${file} is missing, and it holds the encryption key of this database: restore it, or set ENCRYPTION_KEY to what it held`,
      );
    }
  }
  if (stored === undefined) {
    await mkdir(config.dataDir, { recursive: true });
    const draft = await writeDraft(file, randomBytes(KEY_BYTES));
    await link(draft, file).catch(ignoreExisting);
    await rm(draft);
  }
  const key = Buffer.from((stored ?? (await readText(file))).trim(), 'base64');
  if (key.length !== KEY_BYTES) throw new ConfigError(`${file} does not hold an encryption key; restore it, or set ENCRYPTION_KEY`);
  return key;
}

/** Puts `key` in the place of the one in DATA_DIR; whoever reads finds the one or the other. */
export async function replaceEncryptionKey(dataDir: string, key: Buffer): Promise<void> {
  const file = fileIn(dataDir);
  await rename(await writeDraft(file, key), file);
}

const fileIn = (dataDir: string): string => join(dataDir, 'encryption-key');

async function writeDraft(file: string, key: Buffer): Promise<string> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${key.toString('base64')}\n`, { mode: 0o600, flush: true });
  return draft;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
