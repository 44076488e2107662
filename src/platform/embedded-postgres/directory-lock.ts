import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFifo, openForReading, openForWriting } from '../postgres/fifo.js';

const POLL_MS = 10;

/**
 * Runs `work` while no other holder of the same directory's lock runs: neither in another process nor in this one. The lock of a process that dies is
 * free at once, so no stale lock needs to be detected or cleaned up.
 *
 * Method: tickets are named pipes called 1, 2, 3 …; a ticket is alive while its owner holds it open. A caller creates the ticket after the highest
 * existing one, and holds the lock when every lower one is dead. A ticket that finds a higher one after being opened gives up, because the owner of
 * that one may have seen it as dead before. The highest ticket is never removed, so numbers only rise and no name is used twice.
 */
export async function withDirectoryLock<T>(directory: string, work: () => Promise<T>): Promise<T> {
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const ticket = await acquire(directory);
  try {
    return await work();
  } finally {
    fs.closeSync(ticket);
  }
}

async function acquire(directory: string): Promise<number> {
  const fileOf = (ticket: number) => path.join(directory, String(ticket));
  for (;;) {
    const mine = (ticketsIn(directory).at(-1) ?? 0) + 1;
    if (!(await makeFifo(fileOf(mine)))) continue;
    const descriptor = openUnlessRemoved(fileOf(mine));
    if (descriptor === null) continue;
    if (ticketsIn(directory).at(-1) !== mine) {
      fs.closeSync(descriptor);
      continue;
    }
    for (const lower of ticketsIn(directory).filter((ticket) => ticket < mine)) {
      while (isAlive(fileOf(lower))) await delay(POLL_MS);
      fs.rmSync(fileOf(lower), { force: true });
    }
    return descriptor;
  }
}

/** Ascending. */
function ticketsIn(directory: string): number[] {
  return fs
    .readdirSync(directory)
    .map(Number)
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);
}

/** Null when another process saw it as dead before it was opened, and removed it. */
function openUnlessRemoved(file: string): number | null {
  try {
    return openForReading(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function isAlive(file: string): boolean {
  const descriptor = openForWriting(file);
  if (descriptor === null) return false;
  fs.closeSync(descriptor);
  return true;
}
