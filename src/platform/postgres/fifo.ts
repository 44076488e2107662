import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const { O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;

/**
 * Named pipes, because the kernel keeps account of who holds one open, and never forgets to let go for a process that dies,
 * however it dies, on whichever side of a container's wall. A pid in a file can say neither.
 */

/** False when something of this name is there already. @throws where the file system has no pipes */
export async function makeFifo(file: string): Promise<boolean> {
  try {
    // A mode of its own (`-m`) would be set by a second step, which fails when somebody has removed the pipe in between.
    await run('/bin/sh', ['-c', 'umask 077 && exec mkfifo "$1"', 'mkfifo', file], { env: { PATH: process.env.PATH, LC_ALL: 'C' } });
    return true;
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    if (/File exists/.test(reason)) return false;
    throw new Error(`cannot make a named pipe, is this a local file system? ${reason}`, { cause: error });
  }
}

/** Never waits for a writer. */
export function openForReading(file: string): number {
  return fs.openSync(file, O_RDONLY | O_NONBLOCK);
}

/** Null when nobody has it open for reading, or there is no such pipe. */
export function openForWriting(file: string): number | null {
  try {
    return fs.openSync(file, O_WRONLY | O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENXIO' || code === 'ENOENT') return null;
    throw error;
  }
}

/** True when somebody has it open for writing. Takes what waits to be read. */
export function hasWriter(readingEnd: number): boolean {
  try {
    const scratch = Buffer.alloc(4096);
    while (fs.readSync(readingEnd, scratch) > 0);
    return false; // the end: nobody can write any more
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return true;
    throw error;
  }
}
