import type { IssuedKey } from '../domain/operators/directory.js';

/** Describes a new key. */
export function keyWords(kind: 'API key' | 'Finance key' | 'Operator key', { key_id, key, expires_on }: IssuedKey): string {
  return [
    `${'Key id'.padEnd(kind.length)}  ${key_id}`,
    `${kind}  ${key}`,
    ...(expires_on === null ? [] : [`${'Expires'.padEnd(kind.length)}  ${expires_on}`]),
    '',
    'The key is shown only once: only its hash is stored.',
  ].join('\n');
}
