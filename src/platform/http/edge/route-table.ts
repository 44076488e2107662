import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem, type Problem } from '../../problem.js';

/** The methods of each path; used only when a request matched no route. */
export class RouteTable {
  private readonly methods = new Map<string, Set<string>>();

  add(pattern: string, methods: string | readonly string[]): void {
    const known = this.methods.get(pattern) ?? new Set(['OPTIONS']);
    for (const method of [methods].flat()) known.add(method);
    this.methods.set(pattern, known);
  }

  /** Returns the methods of every route whose pattern matches; empty when none does. */
  allowed(path: string): string[] {
    const found = new Set<string>();
    for (const [pattern, methods] of this.methods) if (fits(pattern, path)) for (const method of methods) found.add(method);
    return [...found].sort();
  }

  /** 404, 405 with Allow, or the answer to OPTIONS. @throws Problem not-found, method-not-allowed. */
  answer(request: FastifyRequest, reply: FastifyReply): void {
    const path = pathOf(request);
    const allow = this.allowed(path).join(', ');
    if (allow === '') throw nothingAt(path);
    if (request.method !== 'OPTIONS') throw new HttpProblem('method-not-allowed', `This path allows only ${allow}.`, { headers: { allow } });
    void reply.code(204).header('allow', allow).send();
  }
}

/**
 * Rejects a path with an empty part. Fastify reads `/v1/charges/` as the record with an empty id, whose answer would be that of a record, a list or
 * an invalid query, depending on the route. @throws Problem not-found.
 */
export function requireWholePath(request: FastifyRequest): void {
  const path = pathOf(request);
  if (path !== '/' && (path.endsWith('/') || path.includes('//'))) throw nothingAt(path);
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '';

function nothingAt(path: string): Problem {
  const isSlashTooMany = path !== '/' && path.endsWith('/');
  return new HttpProblem(
    'not-found',
    isSlashTooMany ? 'There is nothing at this path: paths end without a slash.' : 'There is nothing at this path.',
  );
}

/** `:name` matches one part of a path, `*` the rest of it. */
function fits(pattern: string, path: string): boolean {
  const expected = pattern.split('/');
  const parts = path.split('/');
  const open = expected.at(-1) === '*';
  if (open ? parts.length < expected.length : parts.length !== expected.length) return false;
  return expected.every((part, index) => part === '*' || (part.startsWith(':') ? parts[index] !== '' : part === parts[index]));
}
