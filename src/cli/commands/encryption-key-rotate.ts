import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { parseEncryptionKey } from '../../app/config.js';
import { loadEncryptionKey, replaceEncryptionKey } from '../../app/encryption-key.js';
import type { Cli } from '../cli.js';

export const encryptionKeyRotate = (cli: Cli): Command =>
  new Command('rotate')
    .description('make a second ENCRYPTION_KEY valid beside the current one (NEW_ENCRYPTION_KEY, or a new random one)')
    .action(async () => {
      const { addEncryptionKey, encryptionKeyId } = await import('../../app/service-secret.js');
      const given = process.env.NEW_ENCRYPTION_KEY?.trim() ?? '';
      const next = given === '' ? randomBytes(32) : parseEncryptionKey('NEW_ENCRYPTION_KEY', given);
      const isInFile = await cli.withStores(async ({ config, databaseUrl }) => {
        await addEncryptionKey(databaseUrl, await loadEncryptionKey(config, databaseUrl), next);
        if (config.encryptionKey) return false;
        await replaceEncryptionKey(config.dataDir, next);
        return true;
      });
      const encryption_key = isInFile ? null : next.toString('base64');
      await cli.answer({ encryption_key_id: encryptionKeyId(next), encryption_key }, () =>
        [
          ...(isInFile ? ['The key in DATA_DIR is replaced.'] : [`ENCRYPTION_KEY=${encryption_key}`, '', 'Keep it with the backups.']),
          'Restart every process with the new key, then run "encryption-key retire": until then the old key works too.',
        ].join('\n'),
      );
    });
