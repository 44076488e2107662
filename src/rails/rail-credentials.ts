import type { Pool } from 'pg';
import { decrypt, deriveKey, encrypt } from '../ledger/crypto/encryption.js';
import { inTransaction } from '../platform/postgres/pool.js';

/** A rail's secrets and what goes with them, by field. */
export type Credentials = Readonly<Record<string, string>>;

/**
 * Credentials of rails, sealed under a key that derives from the service's secret, each value bound to its rail, version and field: the
 * table alone opens nothing, and nothing in it can be put in another's place. A change of ENCRYPTION_KEY leaves them as they are.
 */
export class RailCredentials {
  readonly #key: Buffer;

  /** @param secret of the service */
  constructor(
    private readonly pool: Pool,
    secret: Buffer,
  ) {
    this.#key = deriveKey(secret, 'chargebook rail credentials');
  }

  /**
   * Stores them as a version of their own; in force they are when the log says so.
   * @param newest version that the log has named: a table that was put back to an older state knows of fewer
   */
  async add(rail: string, credentials: Credentials, newest: number): Promise<number> {
    return inTransaction(this.pool, async (tx) => {
      await tx.query('lock table rail_credentials in share row exclusive mode');
      const { rows } = await tx.query<{ version: number }>(
        'select greatest(coalesce(max(version), 0), $2) + 1 as version from rail_credentials where rail = $1',
        [rail, newest],
      );
      const { version } = rows[0]!;
      for (const [field, value] of Object.entries(credentials)) {
        const sealed = encrypt(this.#key, Buffer.from(value), boundTo(rail, version, field));
        await tx.query('insert into rail_credentials (rail, version, field, sealed) values ($1, $2, $3, $4)', [rail, version, field, sealed]);
      }
      return version;
    });
  }

  /** undefined when they are not there. @throws DecryptionFailed when they were sealed under another secret, or in another place. */
  async read(rail: string, version: number): Promise<Credentials | undefined> {
    const { rows } = await this.pool.query<{ field: string; sealed: Buffer }>(
      'select field, sealed from rail_credentials where rail = $1 and version = $2',
      [rail, version],
    );
    if (rows.length === 0) return undefined;
    return Object.fromEntries(rows.map(({ field, sealed }) => [field, decrypt(this.#key, sealed, boundTo(rail, version, field)).toString()]));
  }

  /** Removes what no command will ask for again. */
  async remove(rail: string, version: number): Promise<void> {
    await this.pool.query('delete from rail_credentials where rail = $1 and version = $2', [rail, version]);
  }

  /** Removes all of a rail's up to `version`, itself included: those that were retired, and what was left by commands that were cut short. */
  async removeUpTo(rail: string, version: number): Promise<void> {
    await this.pool.query('delete from rail_credentials where rail = $1 and version <= $2', [rail, version]);
  }
}

const boundTo = (rail: string, version: number, field: string): string => `${field} of version ${version} of the credentials of rail ${rail}`;
