import type { Pool } from 'pg';
import type { KeyWrapping } from '../ledger/customer-encryption.js';
import { timestamp, type Clock } from '../ledger/time.js';

interface KeyRow {
  readonly wrapped_key: Buffer | null;
}

/**
 * One key for each customer, for ever. What is destroyed stays destroyed: its row remains, and no second key is made.
 * Nothing is kept in memory, so that a key that is gone is gone in every process at once.
 */
export class CustomerKeys {
  /** @param pool of the database that takes writes, never a replica: a key that was destroyed must not be seen any more. */
  constructor(
    private readonly pool: Pool,
    private readonly wrapping: KeyWrapping,
    private readonly clock: Clock,
  ) {}

  /** The customer's one key, made at the first call of all processes; null when it was destroyed. */
  async getOrCreate(customerId: string): Promise<Buffer | null> {
    const drafted = this.wrapping.newKey(customerId);
    const { rowCount } = await this.pool.query({
      name: 'customer keys: create',
      text: 'insert into customer_keys (customer_id, wrapped_key) values ($1, $2) on conflict do nothing',
      values: [customerId, drafted.wrapped],
    });
    return rowCount === 1 ? drafted.key : this.find(customerId);
  }

  /** null when it was destroyed or never made. */
  async find(customerId: string): Promise<Buffer | null> {
    const { rows } = await this.pool.query<KeyRow>({
      name: 'customer keys: find',
      text: 'select wrapped_key from customer_keys where customer_id = $1',
      values: [customerId],
    });
    const wrapped = rows[0]?.wrapped_key ?? null;
    return wrapped && this.wrapping.unwrap(customerId, wrapped);
  }

  /** Only after CustomerDeleted is in the log. Done already is success. */
  async destroy(customerIds: readonly string[]): Promise<void> {
    await this.pool.query({
      name: 'customer keys: destroy',
      text: `insert into customer_keys (customer_id, destroyed_on) select id, $2 from unnest($1::uuid[]) id
             on conflict (customer_id) do update set wrapped_key = null, destroyed_on = excluded.destroyed_on, traces_removed_on = null
              where customer_keys.destroyed_on is null`,
      values: [customerIds, timestamp(this.clock())],
    });
  }
}
