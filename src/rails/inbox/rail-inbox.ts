import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Verified } from '../../domain/charges/remote/remote-processor.js';
import { decrypt, deriveKey, encrypt } from '../../ledger/crypto/encryption.js';
import { timestamp } from '../../ledger/time.js';

/** A stored notification. */
export interface Taken {
  readonly rail: string;
  readonly hash: Buffer;
  /** null: the stored row was changed, and cannot be read. */
  readonly about: Verified | null;
  readonly unanswered: number;
}

/** Retention of every notification, known or not. */
const KEPT = '30 days';

/** Stores each notification of a provider once, until the provider has been queried about it. Times are milliseconds since the epoch. */
export class RailInbox {
  readonly #key: Buffer;

  /** @param secret secret of the service, 32 bytes */
  constructor(
    private readonly pool: Pool,
    secret: Buffer,
  ) {
    this.#key = deriveKey(secret, 'chargebook/rails/inbox');
  }

  /** @returns undefined when it is a repeat. From `dueMs` on the worker handles it, should its first receiver not have done so. */
  async take(rail: string, path: string, body: Buffer, about: Verified, now: number, dueMs: number): Promise<Taken | undefined> {
    const hash = createHash('sha256').update(path).update('\0').update(body).digest();
    const content = Buffer.from(JSON.stringify({ about, path, body: body.toString('base64') }));
    const { rowCount } = await this.pool.query({
      name: 'rail inbox: take',
      text: `insert into rail_inbox (rail, hash, sealed, received_on, due_on, unanswered, is_unknown) values ($1, $2, $3, $4, $5, 0, false) on conflict do nothing`,
      values: [rail, hash, encrypt(this.#key, content, boundTo(rail, hash)), timestamp(now), timestamp(dueMs)],
    });
    return rowCount === 1 ? { rail, hash, about, unanswered: 0 } : undefined;
  }

  /** Returns the oldest ones that are due. */
  async find(now: number, limit: number): Promise<Taken[]> {
    const { rows } = await this.pool.query<{ rail: string; hash: Buffer; sealed: Buffer; unanswered: number }>(
      'select rail, hash, sealed, unanswered from rail_inbox where due_on <= $1 order by due_on limit $2',
      [timestamp(now), limit],
    );
    return rows.map(({ rail, hash, sealed, unanswered }) => {
      return { rail, hash, about: this.#aboutOf(rail, hash, sealed), unanswered };
    });
  }

  #aboutOf(rail: string, hash: Buffer, sealed: Buffer): Verified | null {
    try {
      return (JSON.parse(decrypt(this.#key, sealed, boundTo(rail, hash)).toString()) as { readonly about: Verified }).about;
    } catch {
      return null;
    }
  }

  /** Removes notifications past their retention. Called periodically. */
  async removeOld(): Promise<void> {
    await this.pool.query(`delete from rail_inbox where received_on < now() - interval '${KEPT}'`);
  }

  /** Records that the provider has answered; `isUnknown`: the notification concerns no record of ours. */
  async done({ rail, hash }: Taken, isUnknown: boolean): Promise<void> {
    await this.pool.query('update rail_inbox set due_on = null, is_unknown = $3 where rail = $1 and hash = $2', [rail, hash, isUnknown]);
  }

  async again({ rail, hash }: Taken, dueMs: number): Promise<void> {
    await this.pool.query(
      'update rail_inbox set unanswered = least(unanswered + 1, 1000), due_on = $3 where rail = $1 and hash = $2 and due_on is not null',
      [rail, hash, timestamp(dueMs)],
    );
  }
}

const boundTo = (rail: string, hash: Buffer): string => `${rail} ${hash.toString('hex')}`;
