import pg from 'pg';
import type { Pool } from 'pg';
import { createPool } from '../platform/postgres/pool.js';
import { advisoryLockKey } from '../platform/postgres/advisory-lock.js';
import { partsOf, type MomentId } from './moment-id.js';

/** Maximum length of a name in Postgres, bytes: a longer one would be cut, and name another database. */
const NAME_BYTES_MAX = 63;
/** SQLSTATE object_in_use. */
const IN_USE = '55006';
/** SQLSTATE invalid_catalog_name: there is no such database. */
export const NO_SUCH_DATABASE = '3D000';

/** The place where a moment's database cannot be made; the message is one line for people. */
export class CannotCreate extends Error {
  override readonly name = 'CannotCreate';
}

export interface MomentDatabasesOptions {
  /** The service's own database, which lists the databases of moments. */
  readonly pool: Pool;
  readonly databaseUrl: string;
  /** A database on the server that has the databases of moments; default: the service's own. */
  readonly url: string | undefined;
}

/** The databases of moments: `<name of the service's database>_at_<id of the moment>`. */
export class MomentDatabases {
  /** Name of the service's database. */
  #own: string | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: MomentDatabasesOptions) {}

  /** Returns the address of the moment's database. */
  async urlOf(id: MomentId): Promise<string> {
    const name = encodeURIComponent(await this.#nameOf(id));
    // Not with `URL`, which does not accept several hosts.
    return this.#server.replace(/^(\w+:\/\/[^/?#]*)(?:\/[^?#]*)?/, (_, server: string) => `${server}/${name}`);
  }

  /** Returns why no database can be made for a moment, with the remedy; undefined when one can be. */
  async refusal(id: MomentId): Promise<string | undefined> {
    const name = await this.#nameOf(id);
    if (Buffer.byteLength(name) > NAME_BYTES_MAX) return `the name ${name} is too long for Postgres`;
    return this.#onServer(async (server) => {
      const { rows } = await server.query<{ role: string; may: boolean }>(
        'select current_user as role, rolcreatedb or rolsuper as may from pg_roles where rolname = current_user',
      );
      const { role, may } = rows[0]!;
      return may
        ? undefined
        : `the role of the database may create no databases; a superuser grants it: alter role ${pg.escapeIdentifier(role)} createdb`;
    });
  }

  /**
   * Makes the moment's database, unless the one that is there can be continued.
   * @param isWanted called while no other process makes or drops it; without it nothing is made
   * @param from moment whose database is copied; when it has readers for too long, or is gone, the new one is empty
   * @returns false when it is not wanted
   * @throws CannotCreate
   */
  async make(id: MomentId, options: { readonly continues: boolean; readonly from: MomentId | undefined; readonly isWanted: () => Promise<boolean> }) {
    const name = await this.#nameOf(id);
    return this.#alone(id, async () => {
      if (!(await options.isWanted())) return false;
      await this.#onServer(async (server) => {
        const { rowCount: exists } = await server.query('select from pg_database where datname = $1', [name]);
        const isOurs = await this.#isListed(name);
        if (exists && !isOurs) throw new CannotCreate(`the database ${name} exists, and the service has not made it: rename or drop it`);
        if (exists && options.continues) return;
        const { position, name: scenario } = partsOf(id);
        await this.options.pool.query('insert into point_in_time.databases (name, position, scenario) values ($1, $2, $3) on conflict do nothing', [
          name,
          position,
          scenario,
        ]);
        await drop(server, name);
        if (options.from === undefined || !(await copy(server, await this.#nameOf(options.from), name))) await this.#create(server, name);
      });
      return true;
    });
  }

  /** Drops the moment's database, if the service has made one; its readers are cut off. `before`: runs while no other process makes it. */
  async drop(id: MomentId, before?: () => Promise<unknown>): Promise<void> {
    const name = await this.#nameOf(id);
    await this.#alone(id, async () => {
      await before?.();
      if (!(await this.#isListed(name))) return;
      await this.#onServer((server) => drop(server, name));
      await this.options.pool.query('delete from point_in_time.databases where name = $1', [name]);
    });
  }

  /** Returns the moments of databases without one: they were closed by a process that ended. */
  async orphans(): Promise<MomentId[]> {
    const { rows } = await this.options.pool.query<{ moment: MomentId }>(
      'select moment from point_in_time.databases d where not exists (select from point_in_time.moments m where m.id = d.moment)',
    );
    return rows.map(({ moment }) => moment);
  }

  /** Bytes on the disk. */
  async sizeOf(id: MomentId): Promise<number> {
    return this.#onServer(async (server) => {
      const { rows } = await server.query<{ size: bigint }>('select pg_database_size($1) as size', [await this.#nameOf(id)]);
      return Number(rows[0]!.size);
    });
  }

  get #server(): string {
    return this.options.url ?? this.options.databaseUrl;
  }

  async #nameOf(id: MomentId): Promise<string> {
    this.#own ??= (await this.options.pool.query<{ name: string }>('select current_database() as name')).rows[0]!.name;
    return `${this.#own}_at_${id}`;
  }

  async #isListed(name: string): Promise<boolean> {
    const { rowCount } = await this.options.pool.query('select from point_in_time.databases where name = $1', [name]);
    return rowCount === 1;
  }

  /** With the text settings of the service's database, on which the order of names depends. */
  async #create(server: Pool, name: string): Promise<void> {
    const { rows } = await this.options.pool.query<{ encoding: string; collate: string; ctype: string }>(
      `select pg_encoding_to_char(encoding) as encoding, datcollate as collate, datctype as ctype from pg_database where datname = current_database()`,
    );
    const { encoding, collate, ctype } = rows[0]!;
    const settings = [`encoding ${pg.escapeLiteral(encoding)}`, `lc_collate ${pg.escapeLiteral(collate)}`, `lc_ctype ${pg.escapeLiteral(ctype)}`];
    await server.query(`create database ${pg.escapeIdentifier(name)} template template0 ${settings.join(' ')}`);
  }

  /** No two processes make or drop the database of a moment at a time, and a process does so for one moment at a time. */
  #alone<T>(id: MomentId, work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(() =>
      // Not on a connection of the pool, of which `work` takes others.
      onConnection(this.options.databaseUrl, async (locking) => {
        await locking.query('select pg_advisory_lock($1)', [advisoryLockKey(`chargebook moment ${id}`)]);
        return work();
      }),
    );
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #onServer<T>(work: (server: Pool) => Promise<T>): Promise<T> {
    return onConnection(this.#server, work);
  }
}

/** Databases cannot be made in a transaction, and their making may take longer than a request's statement. */
async function onConnection<T>(url: string, work: (connection: Pool) => Promise<T>): Promise<T> {
  const connection = createPool({ url, applicationName: 'chargebook-point-in-time', maxConnections: 1, statementTimeoutMs: 0 });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

const drop = (server: Pool, name: string): Promise<unknown> => server.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`);

/**
 * Returns false when the source cannot be copied. A database that is copied may have no other connection: the server itself waits five seconds for
 * them to end, and readers of a moment leave theirs within one or two.
 */
async function copy(server: Pool, source: string, name: string): Promise<boolean> {
  try {
    await server.query(`create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(source)}`);
    return true;
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === NO_SUCH_DATABASE || code === IN_USE) return false;
    throw error;
  }
}
