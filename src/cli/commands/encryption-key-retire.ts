import { Command } from 'commander';
import { loadEncryptionKey } from '../../app/encryption-key.js';
import type { Cli } from '../cli.js';

export const encryptionKeyRetire = (cli: Cli): Command =>
  new Command('retire').description('invalidate every ENCRYPTION_KEY except the current one').action(async () => {
    const { encryptionKeyId, retireOtherEncryptionKeys } = await import('../../app/service-secret.js');
    const { id, retired } = await cli.withStores(async ({ config, databaseUrl }) => {
      const current = await loadEncryptionKey(config, databaseUrl);
      return { id: encryptionKeyId(current), retired: await retireOtherEncryptionKeys(databaseUrl, current) };
    });
    await cli.answer({ encryption_key_id: id, retired }, () => `Key ${id} is the only valid one; ${retired} retired.`);
  });
