import { Command } from 'commander';
import { loadMerchants } from '../../domain/merchants/load-merchants.js';
import { revokeKey } from '../../domain/merchants/merchant.commands.js';
import type { Cli } from '../cli.js';
import { asNamed } from '../with-operators.js';

export const keyRevoke = (cli: Cli): Command =>
  new Command('revoke')
    .description(
      'revoke a key of a merchant, finance or an operator; every process refuses it within a second, regardless of the clock of this machine',
    )
    .argument('<key-id>', 'key_…, not the key itself')
    .action(async (keyId: string) => {
      const revoked = await cli.withStores(async ({ deps, unguarded, eventStore }) => {
        const owner = (await loadMerchants(eventStore)).ownerOf(keyId);
        // Works on every machine: no rule depends on the time of a revocation.
        return revokeKey({ ...asNamed(deps, owner), store: unguarded }, owner, keyId);
      });
      await cli.answer(revoked, () => `${revoked.key_id} is revoked as of ${revoked.revoked_on}.`);
    });
