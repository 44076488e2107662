import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.js';
import { ConfigError } from '../platform/process/config-error.js';
import { ignoreMissing, inDataDirectory } from './data-directory.js';
import { readText } from '../platform/text/text-file.js';
import { hasServiceSecret } from './service-secret.js';

const KEY_BYTES = 32;

/**
 * Returns ENCRYPTION_KEY, or the key that was generated once in DATA_DIR. Two concurrent first starts end with the same key, because a hard link
 * fails if the file exists. No key is generated for a database whose secret another key opens.
 * @throws ConfigError when the file does not contain a key, or a required file is missing
 */
export async function loadEncryptionKey({ encryptionKey, dataDir }: Pick<Config, 'encryptionKey' | 'dataDir'>, databaseUrl: string): Promise<Buffer> {
  return encryptionKey ?? inDataDirectory(dataDir, () => keyInFile(dataDir, databaseUrl));
}

async function keyInFile(dataDir: string, databaseUrl: string): Promise<Buffer> {
  const file = fileIn(dataDir);
  const read = (): Promise<string | undefined> => readText(file).catch(ignoreMissing);
  let stored = await read();
  if (stored === undefined && (await hasServiceSecret(databaseUrl))) {
    // Another first start may have created the file and the secret meanwhile.
    stored = await read();
    if (stored === undefined) {
      throw new ConfigError(
        `${file} is missing, and it contains the encryption key of this database: restore the file, or set ENCRYPTION_KEY to its content`,
      );
    }
  }
  if (stored === undefined) {
    await mkdir(dataDir, { recursive: true });
    const draft = await writeDraft(file, randomBytes(KEY_BYTES));
    await link(draft, file).catch(ignoreExisting);
    await rm(draft);
  }
  const key = Buffer.from((stored ?? (await readText(file))).trim(), 'base64');
  if (key.length !== KEY_BYTES) throw new ConfigError(`${file} contains no encryption key; restore the file, or set ENCRYPTION_KEY`);
  return key;
}

/** Replaces the key in DATA_DIR atomically: a reader finds the old or the new one. */
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

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
