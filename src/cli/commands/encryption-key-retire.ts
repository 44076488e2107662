import { Command } from 'commander';
import { loadEncryptionKey } from '../../app/encryption-key.js';
import type { Cli } from '../cli.js';

export const encryptionKeyRetire = (cli: Cli): Command =>
  new Command('retire').description('make every ENCRYPTION_KEY but the one in force invalid').action(async () => {
    const { encryptionKeyId, retireOtherEncryptionKeys } = await import('../../app/service-secret.js');
    const { id, retired } = await cli.withStores(async ({ config, databaseUrl }) => {
      const current = await loadEncryptionKey(config, databaseUrl);
      return { id: encryptionKeyId(current), retired: await retireOtherEncryptionKeys(databaseUrl, current) };
    });
    await cli.answer({ encryption_key_id: id, retired }, () => `Key ${id} alone is valid; ${retired} retired.`);
  });
