import { readFileSync } from 'node:fs';

/** Returns a file of /proc about a process; empty once the process has ended. */
export function procOf(pid: number, what: 'cmdline' | 'environ' | `task/${number}/children`): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return '';
  }
}

export const childrenOf = (pid: number): number[] =>
  procOf(pid, `task/${pid}/children`)
    .trim()
    .split(' ')
    .map(Number)
    .filter((child) => child > 0);

/** A process that has ended has no command line, also while its parent has not read its exit code. */
export const isAlive = (pid: number): boolean => procOf(pid, 'cmdline') !== '';

/** True for a process that was started to serve requests alone. */
export const servesRequests = (pid: number): boolean => procOf(pid, 'environ').split('\0').includes('ROLES=api');
