import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../../platform/postgres/pool.js';
import { DAY_MS, timestamp, type Clock, type Timestamp } from '../../ledger/time.js';

/** Maximum logged attempts of a delivery, the newest ones; older ones are only counted. Each attempt writes the whole log again. */
const LOGGED_ATTEMPTS_MAX = 50;

/** Result of one attempt, as the log of a delivery shows it. */
export interface LoggedAttempt {
  readonly attempted_on: Timestamp;
  readonly status: 'SUCCEEDED' | 'FAILED';
  readonly response_code: number | null;
  readonly latency_ms: number;
  readonly error: string | null;
}

/** A delivery that this process holds until its claim expires. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly claim: string;
  readonly merchant_id: string;
  /** null: a test. */
  readonly sequence: number | null;
  readonly previous_sequence: number | null;
  readonly webhook_id: string;
  readonly kind: string;
  /** Earlier attempts of this round. */
  readonly attempts: number;
  readonly created_on: Timestamp;
}

/** Next state of a claimed delivery. */
export interface DeliveryResult {
  readonly delivery: ClaimedDelivery;
  readonly status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  /** Time of the next attempt; null when the delivery has ended. */
  readonly due_on: Timestamp | null;
  readonly attempt: LoggedAttempt;
}

/** State of an endpoint's receiver: it has accepted a delivery recently, has failed since, or neither. */
export type EndpointHealth = 'proven' | 'failing' | 'new';

export interface ClaimRequest {
  /** Id of the claiming process, as registered by `enrol`. */
  readonly worker: bigint;
  readonly health: EndpointHealth;
  /** Maximum deliveries of the claim. */
  readonly limit: number;
  readonly per_endpoint_max: number;
  /** Deliveries that the process already holds, by merchant. */
  readonly in_hand: ReadonlyMap<string, number>;
}

const HEALTH: Readonly<Record<EndpointHealth, string>> = {
  proven: 'q.failing_since is null and q.succeeded_on is not null',
  failing: 'q.failing_since is not null',
  new: 'q.failing_since is null and q.succeeded_on is null',
};

/** Retention of ended deliveries. */
export const KEPT_MS = 30 * DAY_MS;

/** Pending deliveries in Postgres, shared by any number of processes. Every method can be repeated, or interrupted, without harm. */
export class DeliveryQueue {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /**
   * Claims due deliveries for `leaseMs`. When their process dies they fall due again: at once when that is detected
   * (`releaseOfTheDead`), otherwise when the lease ends. Endpoints share the limit, those with the fewest held deliveries first, so
   * that the long backlog of one endpoint does not delay another.
   */
  async claim({ worker, health, limit, per_endpoint_max, in_hand }: ClaimRequest, leaseMs: number): Promise<ClaimedDelivery[]> {
    const nowMs = this.clock();
    return inTransaction(this.pool, async (tx) => {
      const claim = randomUUID();
      const { rows } = await tx.query<ClaimedRow>({
        name: `web-hooks: claim ${health}`,
        text: `with turn as materialized (
                 select q.merchant_id, $4 - coalesce(b.n, 0) as free
                   from web_hook_queues q
                   left join unnest($5::uuid[], $6::int4[]) b (merchant_id, n) on b.merchant_id = q.merchant_id
                  where q.next_due_on <= $1 and ${HEALTH[health]} and coalesce(b.n, 0) < $4
                  order by coalesce(b.n, 0), q.next_due_on limit $3 for update of q skip locked
               ), due as materialized (
                 select d.id from turn, lateral (
                   select d.id from web_hook_deliveries d where d.merchant_id = turn.merchant_id and d.status = 'PENDING' and d.due_on <= $1
                    order by d.due_on, d.sequence limit least(turn.free, $3 / (select count(*) from turn))) d
               ), claimed as (
                 update web_hook_deliveries d set claim = $7, claimed_by = $8, due_on = $2 from due where d.id = due.id
                 returning d.id, d.merchant_id, d.sequence, d.previous_sequence, d.webhook_id, d.kind, d.attempts, d.created_on
               )
               select turn.merchant_id as of_turn, claimed.* from turn left join claimed using (merchant_id) order by claimed.sequence`,
        values: [timestamp(nowMs), timestamp(nowMs + leaseMs), limit, per_endpoint_max, [...in_hand.keys()], [...in_hand.values()], claim, worker],
      });
      await planNext(tx, [...new Set(rows.map(({ of_turn }) => of_turn))]);
      return rows
        .filter(({ id }) => id !== null)
        .map(({ of_turn, ...row }) => ({
          ...row,
          merchant_id: of_turn,
          claim,
          sequence: numberOrNull(row.sequence),
          previous_sequence: numberOrNull(row.previous_sequence),
        }));
    });
  }

  /**
   * Records results of attempts. A result whose claim has expired meanwhile changes nothing.
   * @returns the time since when the endpoints of these deliveries have been failing, by merchant, without those that accepted a
   * delivery
   */
  async record(results: readonly DeliveryResult[]): Promise<Map<string, Timestamp>> {
    const now = timestamp(this.clock());
    const merchants = [...new Set(results.map(({ delivery }) => delivery.merchant_id))];
    return inTransaction(this.pool, async (tx) => {
      await lockQueues(tx, merchants);
      await tx.query({
        name: 'web-hooks: record',
        text: `update web_hook_deliveries d
                  set status = case when d.status = 'CANCELLED' then d.status else r.status end,
                      due_on = case when d.status = 'CANCELLED' then null else r.due_on end,
                      claim = null, attempts = d.attempts + 1, total_attempts = d.total_attempts + 1, updated_on = $6,
                      log = jsonb_path_query_array(d.log::jsonb || r.attempt::jsonb, '$[last - ${LOGGED_ATTEMPTS_MAX - 1} to last]')::json
                 from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[]) r (id, claim, status, due_on, attempt)
                where d.id = r.id and d.claim = r.claim`,
        values: [
          results.map(({ delivery }) => delivery.id),
          results.map(({ delivery }) => delivery.claim),
          results.map(({ status }) => status),
          results.map(({ due_on }) => due_on),
          results.map(({ attempt }) => JSON.stringify(attempt)),
          now,
        ],
      });
      const succeeded = new Set(results.filter(({ status }) => status === 'SUCCEEDED').map(({ delivery }) => delivery.merchant_id));
      const { rows } = await tx.query<{ merchant_id: string; failing_since: Timestamp | null }>({
        name: 'web-hooks: standing',
        text: `update web_hook_queues q set failing_since = case when s.ok then null else coalesce(q.failing_since, $3) end,
                      succeeded_on = case when s.ok then $3 else q.succeeded_on end
                 from unnest($1::uuid[], $2::boolean[]) s (merchant_id, ok) where q.merchant_id = s.merchant_id
               returning q.merchant_id, q.failing_since`,
        values: [merchants, merchants.map((id) => succeeded.has(id)), now],
      });
      await planNext(tx, merchants);
      return new Map(rows.flatMap(({ merchant_id, failing_since }) => (failing_since === null ? [] : [[merchant_id, failing_since]])));
    });
  }

  /** Cancels claimed deliveries. One whose claim has expired meanwhile is left. */
  async cancel(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const merchants = [...new Set(deliveries.map(({ merchant_id }) => merchant_id))];
    await inTransaction(this.pool, async (tx) => {
      await lockQueues(tx, merchants);
      await tx.query(
        `update web_hook_deliveries d set status = 'CANCELLED', due_on = null, claim = null, updated_on = $3
           from unnest($1::uuid[], $2::uuid[]) c (id, claim) where d.id = c.id and d.claim = c.claim`,
        [deliveries.map(({ id }) => id), deliveries.map(({ claim }) => claim), timestamp(this.clock())],
      );
      await planNext(tx, merchants);
    });
  }

  /** Registers a claiming process. The process holds the advisory lock of this id. */
  async enrol(worker: bigint): Promise<void> {
    await this.pool.query('insert into web_hook_workers (id, started_on) values ($1, $2) on conflict do nothing', [worker, timestamp(this.clock())]);
  }

  /**
   * Makes deliveries due at once whose process no longer holds its lock. `leaseMs`: the lease with which they were claimed.
   * @returns the number of deliveries
   */
  async releaseOfTheDead(leaseMs: number): Promise<number> {
    const { rows } = await this.pool.query<{ id: bigint }>({
      name: 'web-hooks: the dead',
      // pg_locks has a lock's 64 bits in two columns of 32.
      text: `select id from web_hook_workers w
              where not exists (select from pg_locks l where l.locktype = 'advisory' and l.objsubid = 1
                and l.database = (select oid from pg_database where datname = current_database())
                and (l.classid::bigint << 32 | l.objid::bigint) = w.id)`,
    });
    if (rows.length === 0) return 0;
    const dead = rows.map(({ id }) => id);
    const nowMs = this.clock();
    const [now, until] = [timestamp(nowMs), timestamp(nowMs + leaseMs)];
    return inTransaction(this.pool, async (tx) => {
      const { rows: concerned } = await tx.query<{ merchant_id: string }>(
        `select q.merchant_id from web_hook_queues q
          where q.next_due_on <= $2 and exists (
            select from web_hook_deliveries d where d.merchant_id = q.merchant_id and d.status = 'PENDING' and d.due_on > $1 and d.due_on <= $2
               and d.claim is not null and d.claimed_by = any($3::bigint[]))`,
        [now, until, dead],
      );
      const merchants = concerned.map(({ merchant_id }) => merchant_id);
      await lockQueues(tx, merchants);
      const { rowCount } = await tx.query(
        `update web_hook_deliveries set due_on = $1, claim = null
          where merchant_id = any($4::uuid[]) and status = 'PENDING' and due_on > $1 and due_on <= $2
            and claim is not null and claimed_by = any($3::bigint[])`,
        [now, until, dead, merchants],
      );
      await planNext(tx, merchants);
      await tx.query('delete from web_hook_workers where id = any($1::bigint[])', [dead]);
      return rowCount ?? 0;
    });
  }

  /**
   * Makes deliveries due at once that are planned or claimed for more than `longestMs` from now, by a clock that has been set back
   * since.
   * @returns the number of deliveries
   */
  async recall(longestMs: number): Promise<number> {
    const nowMs = this.clock();
    const values = [timestamp(nowMs), timestamp(nowMs + longestMs)];
    const { rows } = await this.pool.query<{ merchant_id: string }>(
      `select merchant_id from web_hook_queues q where next_due_on is not null and exists (
         select from web_hook_deliveries d where d.merchant_id = q.merchant_id and d.status = 'PENDING' and d.due_on > $1)`,
      [values[1]],
    );
    if (rows.length === 0) return 0;
    const merchants = rows.map(({ merchant_id }) => merchant_id);
    return inTransaction(this.pool, async (tx) => {
      await lockQueues(tx, merchants);
      const { rowCount } = await tx.query(
        `update web_hook_deliveries set due_on = $1, claim = null where merchant_id = any($3::uuid[]) and status = 'PENDING' and due_on > $2`,
        [...values, merchants],
      );
      await planNext(tx, merchants);
      return rowCount ?? 0;
    });
  }

  /** Returns the earliest due time per health of endpoints, ms since the epoch. A health without pending deliveries is absent. */
  async nextDueMs(): Promise<Map<EndpointHealth, number>> {
    const { rows } = await this.pool.query<{ health: EndpointHealth; next: Timestamp }>({
      name: 'web-hooks: next due',
      text: `select case when failing_since is not null then 'failing' when succeeded_on is not null then 'proven' else 'new' end as health,
                    min(next_due_on) as next
               from web_hook_queues where next_due_on is not null group by 1`,
    });
    return new Map(rows.map(({ health, next }) => [health, Date.parse(next)]));
  }

  /** Deletes at most `limit` deliveries that ended before `before`. @returns the number of deleted deliveries */
  async forget(before: Timestamp, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query(
      `delete from web_hook_deliveries where id in
         (select id from web_hook_deliveries where status <> 'PENDING' and updated_on < $1 order by updated_on limit $2)`,
      [before, limit],
    );
    return rowCount ?? 0;
  }
}

/** A merchant selected by the claim, with one of its deliveries; without one, all fields except `of_turn` are null. */
type ClaimedRow = Omit<ClaimedDelivery, 'claim' | 'merchant_id' | 'sequence' | 'previous_sequence'> &
  Record<'sequence' | 'previous_sequence', bigint | null> & { readonly of_turn: string };

/** Creates the queues of merchants that have none. The feed begins at the endpoint's start in any case, however low `fed` is. */
export async function createQueues(tx: PoolClient, merchants: readonly string[]): Promise<void> {
  await tx.query({
    name: 'web-hooks: queues',
    text: 'insert into web_hook_queues (merchant_id, fed) select m, 0 from unnest($1::uuid[]) m on conflict do nothing',
    values: [merchants],
  });
}

/** Locks in a fixed order, so that two processes that lock the same queues wait and do not deadlock. */
export async function lockQueues(tx: PoolClient, merchants: readonly string[]): Promise<void> {
  await tx.query({
    name: 'web-hooks: lock in order',
    text: 'select 1 from web_hook_queues where merchant_id = any($1::uuid[]) order by merchant_id for update',
    values: [merchants],
  });
}

/** The caller holds the queues' locks. */
export async function planNext(tx: PoolClient, merchants: readonly string[]): Promise<void> {
  if (merchants.length === 0) return;
  await tx.query({
    name: 'web-hooks: plan next',
    text: `update web_hook_queues q
              set next_due_on = (select d.due_on from web_hook_deliveries d where d.merchant_id = q.merchant_id and d.status = 'PENDING' order by d.due_on limit 1)
            where q.merchant_id = any($1::uuid[])`,
    values: [merchants],
  });
}

function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}
