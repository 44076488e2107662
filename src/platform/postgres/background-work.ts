import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type pg from 'pg';

/**
 * Niceness of work that no request waits for: beside a busy process of normal priority it gets a quarter of a core, and of idle cores everything. Not
 * the maximum: in a transaction it may hold locks that requests wait for.
 */
const NICENESS = 5;

/** Leaves the processors to other processes from now on, for as long as this process runs: not every user may take that back. */
export function stepBack(): void {
  // On Linux a priority is a thread's, and the threads that collect garbage exist already.
  for (const thread of threads()) lower(thread);
}

/**
 * Does the same for the server's processes of the connections that `pool` makes from now on, if they are ours to lower: those of an embedded Postgres
 * on this machine. Otherwise nothing happens.
 */
export function stepBackBehind(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    // `pg` keeps this for cancelling a statement, and its types leave it out.
    const { processID: pid } = client as pg.PoolClient & { readonly processID: number | null };
    if (pid !== null && isEmbeddedBackend(pid)) lower(pid);
  });
}

/** When the server runs on another machine, any process of this machine may have this number. */
function isEmbeddedBackend(pid: number): boolean {
  try {
    return /^postgres: chargebook-\d+-\d+: /.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [process.pid];
  }
}

/** Does nothing when it is not allowed, or the process has ended. */
function lower(id: number): void {
  try {
    if (getPriority(id) < NICENESS) setPriority(id, NICENESS);
  } catch {
    return;
  }
}
