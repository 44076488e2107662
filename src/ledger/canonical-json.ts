import { hash } from 'node:crypto';

/** JSON as RFC 8785 writes it: members sorted by UTF-16 code units at every level; absent and undefined are the same. Text holds no lone surrogates. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

/** SHA-256 of the canonical form, lower-case hex. */
export function digestOf(value: object): string {
  return hash('sha256', canonicalJson(value));
}
