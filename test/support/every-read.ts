import type { Document } from './openapi.js';
import type { Answer } from './service.js';

/** A read of one address in one form. */
export interface Read {
  readonly key: string;
  readonly path: string;
  readonly accept: string;
}

/** Queries that an operation requires, or without which its answer would end now. */
const QUERIES: Readonly<Record<string, string>> = {
  '/audit/desk/waiting': '?Mode=test',
  '/audit/search': '?Reference=order-1',
  '/audit/chain/consistency': '?First=1',
  '/audit/chain/proof': '?EventId=0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d',
};
const RECORDS_OF_A_LIST = 2;

/**
 * Sends every GET operation of a document: lists in each of their forms, and single records whose ids the lists contain.
 * @param merchants values of `{merchant}`
 * @returns each read with its answer
 */
export async function everyRead(
  { paths }: Document,
  key: string,
  merchants: readonly string[],
  ask: (read: Read) => Promise<Answer>,
): Promise<readonly (Read & { readonly answer: Answer })[]> {
  const done: (Read & { readonly answer: Answer })[] = [];
  const ids = new Map<string, readonly string[]>();
  for (const [path, { get }] of Object.entries(paths)) {
    const success = get?.responses['200'];
    if (!success || '$ref' in success) continue;
    const [list = ''] = path.split(/\/\{/, 1);
    const named = path.includes('{merchant}') ? merchants : path.includes('{currency}') ? ['IDR'] : (ids.get(list) ?? []);
    const targets = path.includes('{') ? named.map((name) => path.replace(/\{[^}]+\}/, name).replace('{currency}', 'IDR')) : [path];
    for (const target of targets.filter((each) => !each.includes('{')).map((each) => each + (QUERIES[path] ?? ''))) {
      for (const accept of Object.keys(success.content ?? { 'application/json': {} })) {
        const read = { key, path: target, accept };
        const answer = await ask(read);
        done.push({ ...read, answer });
        if (target === path && accept === 'application/json') ids.set(path, idsIn(answer.body));
      }
    }
  }
  return done;
}

/** Ids of the first records of a list. */
export function idsIn(body: unknown, max = RECORDS_OF_A_LIST): string[] {
  const items = Array.isArray(body) ? (body as unknown[]) : Object.values(body ?? {}).find((value) => Array.isArray(value));
  const found = ((items ?? []) as { readonly id?: string }[]).map(({ id }) => id).filter((id) => id !== undefined);
  return found.slice(0, max);
}
