import { Command, Option } from 'commander';
import { loadMerchants } from '../../domain/merchants/load-merchants.js';
import { rotateKey } from '../../domain/merchants/merchant.commands.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { keyWords } from '../key-words.js';
import { asNamed } from '../with-operators.js';

const CALLED = {
  merchant: { field: 'api_key', words: 'API key' },
  finance: { field: 'finance_key', words: 'Finance key' },
  operator: { field: 'operator_key', words: 'Operator key' },
} as const;

export const keyRotate = (cli: Cli): Command =>
  new Command('rotate')
    .description('issue a key that replaces another, with the same name, scopes and lifetime; the old key remains valid for a while')
    .argument('<key-id>', 'key_…, not the key itself')
    .addOption(
      new Option('--overlap <duration>', 'how long the old key remains valid: 0, 90s, 30m, 24h, 7d; at most 30d')
        .argParser(argument.duration)
        .default(argument.duration('24h'), '24h'),
    )
    .action(async (keyId: string, { overlap }: { readonly overlap: number }) => {
      const { rotated, kind } = await cli.withStores(async ({ deps, eventStore }) => {
        const owner = (await loadMerchants(eventStore)).ownerOf(keyId);
        return { rotated: await rotateKey(asNamed(deps, owner), owner, keyId, overlap), kind: owner.kind };
      });
      const { key_id, key, replaced } = rotated;
      const { field, words } = CALLED[kind];
      await cli.answer({ key_id, [field]: key, replaced }, () =>
        [keyWords(words, rotated), `${replaced.key_id} is valid until ${replaced.revoked_on}.`].join('\n'),
      );
    });
