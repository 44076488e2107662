import { hash } from 'node:crypto';

/**
 * Returns JSON as RFC 8785 defines it: members sorted by UTF-16 code units at every level; absent and undefined are equal. Text holds no lone
 * surrogates.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** Returns the SHA-256 of the canonical form, lower-case hex. */
export function digestOf(value: object): string {
  return hash('sha256', canonicalJson(value));
}
