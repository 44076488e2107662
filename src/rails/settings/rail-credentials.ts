import type { Pool } from 'pg';
import { decrypt, deriveKey, encrypt } from '../../ledger/crypto/encryption.js';
import { inTransaction } from '../../platform/postgres/pool.js';

/** A rail's secrets and the names and numbers that accompany them, by field. */
export type Credentials = Readonly<Record<string, string>>;

/**
 * Credentials of rails, sealed under a key that is derived from the service's secret. Each value is bound to its rail, version and field: the table
 * alone reveals nothing, and no value can replace another one. A change of ENCRYPTION_KEY does not affect them.
 */
export class RailCredentials {
  readonly #key: Buffer;

  /** @param secret secret of the service */
  constructor(
    private readonly pool: Pool,
    secret: Buffer,
  ) {
    this.#key = deriveKey(secret, 'chargebook rail credentials');
  }

  /**
   * Stores them as a separate version; an event in the log puts that version in force.
   * @param newest newest version that the log names: a table that was restored to an older state may lack it
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

  /** Returns undefined when they are missing. @throws DecryptionFailed when they were sealed under another secret, or in another place. */
  async read(rail: string, version: number): Promise<Credentials | undefined> {
    const { rows } = await this.pool.query<{ field: string; sealed: Buffer }>(
      'select field, sealed from rail_credentials where rail = $1 and version = $2',
      [rail, version],
    );
    if (rows.length === 0) return undefined;
    return Object.fromEntries(rows.map(({ field, sealed }) => [field, decrypt(this.#key, sealed, boundTo(rail, version, field)).toString()]));
  }

  /** Removes a version that no command will need again. */
  async remove(rail: string, version: number): Promise<void> {
    await this.pool.query('delete from rail_credentials where rail = $1 and version = $2', [rail, version]);
  }

  /** Removes all versions of a rail up to and including `version`: retired ones, and remains of interrupted commands. */
  async removeUpTo(rail: string, version: number): Promise<void> {
    await this.pool.query('delete from rail_credentials where rail = $1 and version <= $2', [rail, version]);
  }
}

const boundTo = (rail: string, version: number, field: string): string => `${field} of version ${version} of the credentials of rail ${rail}`;
