import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type pg from 'pg';
import { EmbeddedDataDamaged, EmbeddedPostgresUnavailable, SERVER_ENVIRONMENT, type Binaries, type RunAs } from './embedded-binaries.js';

const run = promisify(execFile);

export const SUPERUSER = 'chargebook';
/** Connects as itself and then acts as the superuser, which owns everything. */
export const BOUNDED_USER = 'chargebook_service';

/** Inside of the data directory, so that both are created, moved, backed up and lost together. */
const PASSWORD_FILE = 'chargebook.password';
const DRAFT_PREFIX = 'data.new-';
const MADE_WITH = ['PG_VERSION', 'base', 'global/pg_control', 'pg_hba.conf', 'pg_wal', 'pg_xact', 'postgresql.conf', PASSWORD_FILE];

/** Postgres refuses to run as root. Started by root, it runs as the owner of its data, at first `nobody`; otherwise as our own user. */
export async function serverUser(data: string): Promise<RunAs> {
  if (process.getuid?.() !== 0) return {};
  const owner = fs.statSync(data, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const id = async (flag: string) => Number((await run('id', [flag, 'nobody'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/**
 * Returns the data directory as an argument for Postgres, whose working directory is always the data directory itself. The user of root's Postgres
 * may have no access by path (below /root, in a private temporary folder), but a process may always use its working directory. Data therefore stay
 * under DATA_DIR for every user of the service.
 */
export function dataArgument(data: string, runAs: RunAs): string {
  return runAs.uid !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : data;
}

/**
 * Creates the data directory if there is none; call it under the directory lock. It is complete or absent: it is built beside its place and renamed
 * when finished, so a killed start leaves only a draft to delete.
 * @throws EmbeddedDataDamaged when an existing one lacks a part that it was created with
 */
export async function ensureCluster(base: string, data: string, binaries: Binaries, runAs: RunAs): Promise<void> {
  for (const name of fs.readdirSync(base).filter((entry) => entry.startsWith(DRAFT_PREFIX))) {
    await fsp.rm(path.join(base, name), { recursive: true });
  }
  if (fs.existsSync(data)) return requireWhole(data);

  const draft = await fsp.mkdtemp(path.join(base, DRAFT_PREFIX));
  const password = randomBytes(24).toString('base64url');
  if (runAs.uid !== undefined) await fsp.chown(draft, runAs.uid, runAs.gid!);
  await initdb(draft, password, binaries, runAs);
  await writeDurably(path.join(draft, PASSWORD_FILE), password);
  await fsp.rename(draft, data);
  await syncDirectory(base);
}

/** Postgres itself reports some of these elsewhere and in other words, or creates them again. */
function requireWhole(data: string): void {
  const missing = MADE_WITH.filter((name) => !fs.existsSync(path.join(data, name)));
  if (missing.length > 0) throw new EmbeddedDataDamaged(data, `${missing.join(', ')} missing`);
}

/** Does nothing when the user exists. @param password password without quotes in it */
export async function makeBoundedUser(superuser: pg.Client, password: string): Promise<void> {
  const { rowCount } = await superuser.query('select from pg_roles where rolname = $1', [BOUNDED_USER]);
  if (rowCount === 1) return;
  await superuser.query(`begin;
    create role ${BOUNDED_USER} login password '${password}' in role ${SUPERUSER};
    alter role ${BOUNDED_USER} set role = ${SUPERUSER};
    commit`);
}

/** @throws one line when the data belong to another user */
export function readPassword(data: string): string {
  try {
    return fs.readFileSync(path.join(data, PASSWORD_FILE), 'utf8');
  } catch (error) {
    throw new Error(`cannot read the embedded Postgres's data in ${data}; did another user create the directory? ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function initdb(data: string, password: string, binaries: Binaries, runAs: RunAs): Promise<void> {
  const passwordFile = `${data}.password`;
  await fsp.writeFile(passwordFile, password, { mode: 0o600 });
  if (runAs.uid !== undefined) await fsp.chown(passwordFile, runAs.uid, runAs.gid!);
  const descriptor = fs.openSync(passwordFile, 'r');
  try {
    const child = spawn(
      binaries.initdb,
      [
        '-D',
        dataArgument(data, runAs),
        '-U',
        SUPERUSER,
        '-A',
        'scram-sha-256',
        '--pwfile=/dev/stdin',
        '-E',
        'UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
      ],
      { ...runAs, cwd: data, env: SERVER_ENVIRONMENT, stdio: [descriptor, 'ignore', 'pipe'] },
    );
    const complaint = text(child.stderr!);
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new EmbeddedPostgresUnavailable(`initdb failed: ${(await complaint).trim().replaceAll('\n', ' ')}`);
  } finally {
    fs.closeSync(descriptor);
    await fsp.rm(passwordFile, { force: true });
  }
}

async function writeDurably(file: string, content: string): Promise<void> {
  const handle = await fsp.open(file, 'w', 0o600);
  await handle.writeFile(content);
  await handle.sync();
  await handle.close();
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await fsp.open(directory);
  await handle.sync();
  await handle.close();
}
