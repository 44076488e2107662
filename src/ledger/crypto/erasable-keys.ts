import type { Pool } from 'pg';
import type { KeyOwner, KeyWrapping } from './key-wrapping.js';
import { timestamp, type Clock } from '../time.js';

/**
 * Keeps one key for each owner, for ever. A destroyed key stays destroyed: its row remains, and no second key is created.
 * Keeps nothing in memory, so that a destroyed key is gone in every process at once.
 */
export class ErasableKeys {
  /** @param pool of the database that accepts writes, never a replica: a destroyed key must not be readable any more. */
  constructor(
    private readonly owner: KeyOwner,
    private readonly pool: Pool,
    private readonly wrapping: KeyWrapping,
    private readonly clock: Clock,
  ) {}

  /** Returns the owner's one key. The first call of all processes creates it. null when it was destroyed. */
  async getOrCreate(id: string): Promise<Buffer | null> {
    const { owner } = this;
    const drafted = this.wrapping.newKey(id);
    const { rowCount } = await this.pool.query({
      name: `${owner} keys: create`,
      text: `insert into ${owner}_keys (${owner}_id, wrapped_key) values ($1, $2) on conflict do nothing`,
      values: [id, drafted.wrapped],
    });
    return rowCount === 1 ? drafted.key : this.find(id);
  }

  /** Returns null when the key was destroyed or never created. */
  async find(id: string): Promise<Buffer | null> {
    return (await this.findAll([id])).get(id) ?? null;
  }

  /** Returns the keys of those `ids` that have one. */
  async findAll(ids: readonly string[]): Promise<Map<string, Buffer>> {
    const { owner } = this;
    const { rows } = await this.pool.query<{ id: string; wrapped_key: Buffer }>({
      name: `${owner} keys: find`,
      text: `select ${owner}_id as id, wrapped_key from ${owner}_keys where ${owner}_id = any($1::uuid[]) and wrapped_key is not null`,
      values: [ids],
    });
    return new Map(rows.map(({ id, wrapped_key }) => [id, this.wrapping.unwrap(id, wrapped_key)]));
  }

  /** Called only after the event that records the destruction is in the log. Succeeds when the keys are already destroyed. */
  destroy(ids: readonly string[]): Promise<void> {
    return destroyKeys(this.owner, this.pool, this.clock, ids);
  }
}

/** Destroys keys for callers that open none, so it needs no secret. Called only after the event that records the destruction is in the log. */
export async function destroyKeys(owner: KeyOwner, pool: Pool, clock: Clock, ids: readonly string[]): Promise<void> {
  await pool.query({
    name: `${owner} keys: destroy`,
    text: `insert into ${owner}_keys as k (${owner}_id, destroyed_on) select id, $2 from unnest($1::uuid[]) id
           on conflict (${owner}_id) do update set wrapped_key = null, destroyed_on = excluded.destroyed_on, traces_removed_on = null
            where k.destroyed_on is null`,
    values: [ids, timestamp(clock())],
  });
}
