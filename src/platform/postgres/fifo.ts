import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const { O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;

/**
 * Named pipes, because the kernel tracks the processes that hold one open, and always releases it for a process that dies, however it dies, on either
 * side of a container's wall. A pid in a file can do neither.
 */

/** Returns false when a file of this name exists already. @throws when the file system has no pipes */
export async function makeFifo(file: string): Promise<boolean> {
  try {
    // An explicit mode (`-m`) would be set by a second step, which fails when another process has removed the pipe in between.
    await run('/bin/sh', ['-c', 'umask 077 && exec mkfifo "$1"', 'mkfifo', file], { env: { PATH: process.env.PATH, LC_ALL: 'C' } });
    return true;
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    if (/File exists/.test(reason)) return false;
    throw new Error(`cannot create a named pipe; the directory must be on a local file system: ${reason}`, { cause: error });
  }
}

/** Never waits for a writer. */
export function openForReading(file: string): number {
  return fs.openSync(file, O_RDONLY | O_NONBLOCK);
}

/** Returns null when no process has it open for reading, or there is no such pipe. */
export function openForWriting(file: string): number | null {
  try {
    return fs.openSync(file, O_WRONLY | O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENXIO' || code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns true when a process has it open for writing. Discards unread data. */
export function hasWriter(readingEnd: number): boolean {
  try {
    const scratch = Buffer.alloc(4096);
    while (fs.readSync(readingEnd, scratch) > 0);
    return false; // the end: no process can write any more
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return true;
    throw error;
  }
}
