import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { build, BUILD } from './build.mjs';

/** A file system in memory. A run writes 11 GB in small files, which costs a disk's file system a tenth of the processors' time. */
const MEMORY = '/dev/shm';
/** Bytes that a run holds at once, with room to spare: containers often have 64 MB there. */
const ENOUGH = 4 * 2 ** 30;

/**
 * Compiles the programs that tests start, then starts one Postgres for the whole run: TEST_DATABASE_URL if given, else an embedded one.
 * A separate process holds it and all files of the run, so that they are removed also when the run is killed.
 */
export default async function globalSetup() {
  await build();
  if (process.env.TEST_DATABASE_URL) return;
  const files = await folderOfRun();
  process.env.TMPDIR = files;
  const server = spawn(process.execPath, [join(BUILD, 'test/support/postgres-server.js'), files], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true, // Ctrl-C ends the run; the server then sees its standard input end
  });
  const lines = createInterface(server.stdout);
  const [line] = await Promise.race([
    once(lines, 'line'),
    once(server, 'exit').then(([code]) => {
      throw new Error(`the tests' Postgres did not start (exit ${code})`);
    }),
  ]);
  process.env.TEST_DATABASE_URL = line;
  globalThis.testPostgres = { server, lines };
}

/** Takes the place of the machine's folder for temporary files, and is open to all as that is: some tests run as another user. */
async function folderOfRun() {
  const folder = await fs.mkdtemp(join((await hasRoom(MEMORY)) ? MEMORY : tmpdir(), 'chargebook-'));
  await fs.chmod(folder, 0o1777);
  return folder;
}

async function hasRoom(folder) {
  const { bavail, bsize } = await fs.statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ENOUGH;
}
