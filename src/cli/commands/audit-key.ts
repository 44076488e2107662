import { Command } from 'commander';
import { loadEncryptionKey } from '../../app/encryption-key.js';
import type { Cli } from '../cli.js';

export const auditKey = (cli: Cli): Command =>
  new Command('key').description('print the public key that the heads of the chain are signed for (Ed25519)').action(async () => {
    const [{ ChainKeys }, { loadServiceSecret }] = await Promise.all([
      import('../../transparency-log/chain-keys.js'),
      import('../../app/service-secret.js'),
    ]);
    const keys = await cli.withStores(
      async ({ config, databaseUrl }) => new ChainKeys(await loadServiceSecret(databaseUrl, await loadEncryptionKey(config, databaseUrl))),
    );
    const pem = keys.publicKey.export({ format: 'pem', type: 'spki' }).toString();
    await cli.answer({ public_key: keys.publicKeyHex, pem }, () => `${pem}\n${keys.publicKeyHex}`);
  });
