import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type pg from 'pg';

/**
 * Niceness of what nobody waits for: beside a busy process of normal priority it gets a quarter of a core, and of idle ones
 * everything. Not the greatest there is: in a transaction it may hold what others come to wait for.
 */
const NICENESS = 5;

/** From now on this process takes what others leave of the processors, for as long as it runs: not every user may take that back. */
export function stepBack(): void {
  // On Linux a priority is a thread's, and those that collect garbage are there already.
  for (const thread of threads()) lower(thread);
}

/**
 * The same for the server's processes behind the connections that `pool` makes from now on, where these are ours to lower: of an
 * embedded Postgres on this machine. Elsewhere nothing happens.
 */
export function stepBackBehind(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    // What `pg` keeps for cancelling a statement, and its types leave out.
    const { processID: pid } = client as pg.PoolClient & { readonly processID: number | null };
    if (pid !== null && isEmbeddedBackend(pid)) lower(pid);
  });
}

/** Who has this number on this machine may be anybody, where the server runs on another one. */
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

/** Where it is not allowed, or the process has ended, everything stays as it is. */
function lower(id: number): void {
  try {
    if (getPriority(id) < NICENESS) setPriority(id, NICENESS);
  } catch {
    return;
  }
}
