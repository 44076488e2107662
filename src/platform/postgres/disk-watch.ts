import { statfs } from 'node:fs/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { inTransaction } from './pool.js';

/** Below this the disk is low: Postgres alone may take as much for its WAL (`max_wal_size`) before it gives some back. Bytes. */
export const DISK_LOW_BYTES = 1 << 30;
/** Below this it is full: two segments of the WAL, without which Postgres stops altogether. Bytes. */
export const DISK_FULL_BYTES = 32 << 20;
/** Free space must exceed a bound by this factor before recovery is reported: around a bound, every look would report it. */
const MARGIN = 1.1;
const LOOK_MS = 5_000;
/**
 * Amount that the database must be able to write before a disk that refused writes counts as having room again. A sort that does not fit into memory:
 * its temporary files are on the disk of the data, and need no log, no table and no right.
 */
const PROBE = `
  set local work_mem = '64kB';
  set local temp_tablespaces = '';
  select count(*) from (select repeat(md5(n::text), 32) from generate_series(1, 16384) n order by 1 offset 1) spilled`;

/** SQLSTATE disk_full. */
const DISK_FULL = '53100';

export interface DiskState {
  /** Free bytes of the embedded Postgres's disk; null when the database is not the embedded one, or the figure is unavailable. */
  readonly free_bytes: number | null;
  readonly low: boolean;
  /** Writes are refused, or are about to be. */
  readonly full: boolean;
}

export interface DiskWatchOptions {
  /** Directory of the embedded Postgres's data; undefined when the database is elsewhere: then only its refusals are known. */
  readonly directory: string | undefined;
  /** The database that accepts writes. */
  readonly pool: Pool;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Free bytes of a directory's disk, for those without privileges. */
  readonly freeBytes?: (directory: string) => Promise<number>;
}

/**
 * Detects whether there is room to write, from two sources: free space beside the embedded database, and writes that a database refused for lack of
 * room. Logs one line when that begins and one when it ends.
 */
export class DiskWatch {
  #state: DiskState = { free_bytes: null, low: false, full: false };
  #refused = false;
  #ticking: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(private readonly options: DiskWatchOptions) {}

  /** Resolves after the first look. */
  async start(): Promise<void> {
    this.#ticking = setInterval(() => void this.look(), LOOK_MS).unref();
    await this.look();
  }

  /** Resolves when no look is in progress. */
  async close(): Promise<void> {
    clearInterval(this.#ticking);
    await this.#looking;
  }

  get state(): DiskState {
    return this.#state;
  }

  /** Receives every failure of a request: an error that reports a full disk counts at once. */
  failed(error: unknown): void {
    if (this.#refused || !saysFull(error)) return;
    this.#refused = true;
    this.#become({ ...this.#state, full: true });
  }

  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { directory, pool, freeBytes = freeBytesOf } = this.options;
    // A directory that cannot be read is no full disk; the check of the database reports the cause.
    const free = directory === undefined ? null : await freeBytes(directory).catch(() => null);
    if (this.#refused) this.#refused = !(await takesWrites(pool));
    const { low, full } = this.#state;
    const below = (bytes: number, was: boolean): boolean => free !== null && free < bytes * (was ? MARGIN : 1);
    this.#become({ free_bytes: free, low: below(DISK_LOW_BYTES, low), full: this.#refused || below(DISK_FULL_BYTES, full) });
  }

  #become(next: DiskState): void {
    const { low, full } = this.#state;
    const { logger } = this.options;
    this.#state = next;
    const { free_bytes } = next;
    if (next.full && !full) logger.error({ free_bytes }, 'the disk of the database is full: writes fail until space is free; reads continue');
    else if (next.low && !low && !full) logger.warn({ free_bytes }, 'the disk of the database is nearly full');
    else if (full && !next.full) logger.info({ free_bytes }, 'the disk of the database accepts writes again');
    else if (low && !next.low && !next.full) logger.info({ free_bytes }, 'the disk of the database has enough free space again');
  }
}

const takesWrites = (pool: Pool): Promise<boolean> =>
  inTransaction(pool, (client) => client.query(PROBE)).then(
    () => true,
    () => false,
  );

async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** Returns true for an error of a database whose disk is full, also when it is wrapped. */
export function saysFull(error: unknown): boolean {
  for (let reason = error; typeof reason === 'object' && reason !== null; reason = (reason as Error).cause) {
    if ((reason as { readonly code?: unknown }).code === DISK_FULL) return true;
  }
  return false;
}
