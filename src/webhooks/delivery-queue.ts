import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import {
  findChangedEndpoints,
  findEndpoints,
  findPreviousSequence,
  findRenderable,
  findUnsent,
  type Endpoint,
  type StoredNotice,
} from '../../projections/webhooks/outbox.js';
import { inTransaction } from '../platform/postgres/pool.js';
import { timestamp, type Clock, type Timestamp } from '../ledger/time.js';
import { noticeId } from '../ledger/outbox-messages.js';

/** The newest of a delivery; older ones are counted only. The whole log is written again at each attempt. */
const LOGGED_ATTEMPTS_MAX = 50;

/** How one attempt went, as the log of a delivery shows it. */
export interface LoggedAttempt {
  readonly attempted_on: Timestamp;
  readonly status: 'SUCCEEDED' | 'FAILED';
  readonly response_code: number | null;
  readonly latency_ms: number;
  readonly error: string | null;
}

/** A delivery in this process's hands until its claim runs out. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly claim: string;
  readonly merchant_id: string;
  /** null: a test. */
  readonly sequence: number | null;
  readonly previous_sequence: number | null;
  readonly webhook_id: string;
  readonly kind: string;
  /** Earlier ones of this round. */
  readonly attempts: number;
  readonly created_on: Timestamp;
}

/** What becomes of a claimed delivery. */
export interface DeliveryResult {
  readonly delivery: ClaimedDelivery;
  readonly status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  /** When to try again; null when it ended. */
  readonly due_on: Timestamp | null;
  readonly attempt: LoggedAttempt;
}

/** What is known of an endpoint's receiver: it has taken something lately, has failed since, or neither. */
export type Standing = 'proven' | 'failing' | 'new';

export interface ClaimRequest {
  /** The process that claims, as `enrol` knows it. */
  readonly worker: bigint;
  readonly standing: Standing;
  /** Deliveries in all. */
  readonly limit: number;
  readonly per_endpoint_max: number;
  /** Deliveries in hand already, by merchant. */
  readonly in_hand: ReadonlyMap<string, number>;
}

const ENDPOINTS_AT_ONCE = 200;
const NOTICES_AT_ONCE = 500;

const STANDING: Readonly<Record<Standing, string>> = {
  proven: 'q.failing_since is null and q.succeeded_on is not null',
  failing: 'q.failing_since is not null',
  new: 'q.failing_since is null and q.succeeded_on is null',
};

/** Pending deliveries in Postgres, shared by any number of processes. Every method can be repeated, and cut short, without harm. */
export class DeliveryQueue {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** Up to which event notices can be sent. */
  renderable(): Promise<number> {
    return findRenderable(this.pool);
  }

  /**
   * Makes deliveries of what endpoints were told behind the event `after`, up to `until`; cancels those of endpoints that are
   * disabled or deleted. @returns false when somebody else had an endpoint in his hands, so that it has to be done again
   */
  async feed(after: number, until: number): Promise<boolean> {
    let isWhole = true;
    for (let from = after; ;) {
      const endpoints = await findChangedEndpoints(this.pool, from, ENDPOINTS_AT_ONCE);
      if (endpoints.length === 0) return isWhole;
      let hasMore = true;
      while (hasMore) {
        const fed = await inTransaction(this.pool, (tx) => this.#feed(tx, endpoints, until));
        isWhole &&= fed.isWhole;
        hasMore = fed.hasMore;
      }
      if (endpoints.length < ENDPOINTS_AT_ONCE) return isWhole;
      from = endpoints.at(-1)!.changed_at;
    }
  }

  async #feed(tx: PoolClient, changed: readonly Endpoint[], until: number): Promise<{ isWhole: boolean; hasMore: boolean }> {
    const now = timestamp(this.clock());
    const ids = changed.map(({ merchant_id }) => merchant_id);
    await tx.query({
      name: 'web-hooks: queues',
      text: `insert into web_hook_queues (merchant_id, fed) select * from unnest($1::uuid[], $2::bigint[]) on conflict do nothing`,
      values: [ids, changed.map(({ starts_after }) => starts_after)],
    });
    // Not waited for: whoever has it may have been halted, and the others must not stand still for one.
    const { rows } = await tx.query<{ merchant_id: string; fed: bigint }>({
      name: 'web-hooks: lock queues',
      text: 'select merchant_id, fed from web_hook_queues where merchant_id = any($1::uuid[]) for update skip locked',
      values: [ids],
    });
    const fed = new Map(rows.map((row) => [row.merchant_id, Number(row.fed)]));
    const locked = await findEndpoints(tx, [...fed.keys()]);
    await cancel(
      tx,
      locked.filter(({ is_enabled }) => !is_enabled),
      now,
    );
    const enabled = locked.filter(({ is_enabled }) => is_enabled);
    const isWhole = rows.length === changed.length;
    if (enabled.length === 0) return { isWhole, hasMore: false };
    const behind = enabled.map(({ merchant_id, starts_after }) => ({ merchant_id, after: Math.max(starts_after, fed.get(merchant_id)!) }));
    const notices = byMerchant(await findUnsent(tx, behind, until, NOTICES_AT_ONCE));
    const deliveries: NewDelivery[] = [];
    for (const endpoint of enabled) deliveries.push(...(await selected(tx, endpoint, notices.get(endpoint.merchant_id) ?? [])));
    await insert(tx, deliveries, now);
    await moveOn(tx, notices, new Set(deliveries.map(({ merchant_id }) => merchant_id)), now);
    return { isWhole, hasMore: [...notices.values()].some(({ length }) => length === NOTICES_AT_ONCE) };
  }

  /**
   * Takes due deliveries in hand for `leaseMs`. Who dies with them in hand lets them fall due again: at once when it is noticed
   * (`releaseOfTheDead`), then at the latest. Endpoints share what there is, those with the fewest in hand first: the long backlog of
   * one does not keep another waiting.
   */
  async claim({ worker, standing, limit, per_endpoint_max, in_hand }: ClaimRequest, leaseMs: number): Promise<ClaimedDelivery[]> {
    const nowMs = this.clock();
    return inTransaction(this.pool, async (tx) => {
      const claim = randomUUID();
      const { rows } = await tx.query<ClaimedRow>({
        name: `web-hooks: claim ${standing}`,
        text: `with turn as materialized (
                 select q.merchant_id, $4 - coalesce(b.n, 0) as free
                   from web_hook_queues q
                   left join unnest($5::uuid[], $6::int4[]) b (merchant_id, n) on b.merchant_id = q.merchant_id
                  where q.next_due_on <= $1 and ${STANDING[standing]} and coalesce(b.n, 0) < $4
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
   * Writes down how attempts went; one whose claim has run out meanwhile changes nothing.
   * @returns since when the endpoints of these deliveries have been failing, by merchant; those that took something are left out
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

  /** Makes a process known that claims; it holds the advisory lock of this id. */
  async enrol(worker: bigint): Promise<void> {
    await this.pool.query('insert into web_hook_workers (id, started_on) values ($1, $2) on conflict do nothing', [worker, timestamp(this.clock())]);
  }

  /**
   * Lets fall due at once what processes had in hand that hold their lock no longer. `leaseMs`: as it was claimed for.
   * @returns how many deliveries
   */
  async releaseOfTheDead(leaseMs: number): Promise<number> {
    const { rows } = await this.pool.query<{ id: bigint }>({
      name: 'web-hooks: the dead',
      // A lock's 64 bits stand in two columns of 32.
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
   * Lets fall due at once what was planned, or is in somebody's hands, for longer than `longestMs` from now: by a clock that has gone
   * back since. @returns how many deliveries
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

  /** When the next delivery to endpoints of each standing falls due, ms since the epoch; those with none pending are left out. */
  async nextDueMs(): Promise<Map<Standing, number>> {
    const { rows } = await this.pool.query<{ standing: Standing; next: Timestamp }>({
      name: 'web-hooks: next due',
      text: `select case when failing_since is not null then 'failing' when succeeded_on is not null then 'proven' else 'new' end as standing,
                    min(next_due_on) as next
               from web_hook_queues where next_due_on is not null group by 1`,
    });
    return new Map(rows.map(({ standing, next }) => [standing, Date.parse(next)]));
  }

  /** Removes at most `limit` deliveries that ended before `before`. @returns how many */
  async forget(before: Timestamp, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query(
      `delete from web_hook_deliveries where id in
         (select id from web_hook_deliveries where status <> 'PENDING' and updated_on < $1 order by updated_on limit $2)`,
      [before, limit],
    );
    return rowCount ?? 0;
  }
}

/** A merchant whose turn it was, with one of its deliveries; all null but `of_turn` where there was none. */
type ClaimedRow = Omit<ClaimedDelivery, 'claim' | 'merchant_id' | 'sequence' | 'previous_sequence'> &
  Record<'sequence' | 'previous_sequence', bigint | null> & { readonly of_turn: string };

interface NewDelivery {
  readonly merchant_id: string;
  readonly sequence: number;
  readonly previous_sequence: number | null;
  readonly webhook_id: string;
  readonly kind: string;
}

/** Those of the endpoint's selection, each with the sequence of the one before it in that selection. */
async function selected(tx: PoolClient, { merchant_id, events }: Endpoint, notices: readonly StoredNotice[]): Promise<NewDelivery[]> {
  const wanted = events.length === 0 ? notices : notices.filter(({ kind }) => events.includes(kind));
  const first = wanted[0];
  if (!first) return [];
  let previous = events.length === 0 ? first.sequence - 1 || null : await findPreviousSequence(tx, merchant_id, first.sequence, events);
  return wanted.map(({ sequence, event_id, kind, line }) => {
    const delivery = { merchant_id, sequence, previous_sequence: previous, webhook_id: noticeId(event_id, kind, line), kind };
    previous = sequence;
    return delivery;
  });
}

async function insert(tx: PoolClient, deliveries: readonly NewDelivery[], now: Timestamp): Promise<void> {
  if (deliveries.length === 0) return;
  await tx.query({
    name: 'web-hooks: insert',
    text: `insert into web_hook_deliveries (id, merchant_id, sequence, previous_sequence, webhook_id, kind, status, due_on, created_on, updated_on)
           select n.*, 'PENDING', $7, $7, $7
             from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::uuid[], $6::text[]) n
           on conflict (merchant_id, sequence) do nothing`,
    values: [
      deliveries.map(() => randomUUID()),
      deliveries.map(({ merchant_id }) => merchant_id),
      deliveries.map(({ sequence }) => sequence),
      deliveries.map(({ previous_sequence }) => previous_sequence),
      deliveries.map(({ webhook_id }) => webhook_id),
      deliveries.map(({ kind }) => kind),
      now,
    ],
  });
}

async function moveOn(
  tx: PoolClient,
  notices: ReadonlyMap<string, readonly StoredNotice[]>,
  due: ReadonlySet<string>,
  now: Timestamp,
): Promise<void> {
  if (notices.size === 0) return;
  const merchants = [...notices.keys()];
  await tx.query({
    name: 'web-hooks: move on',
    text: `update web_hook_queues q set fed = greatest(q.fed, m.fed), next_due_on = case when m.due then least(q.next_due_on, $4) else q.next_due_on end
             from unnest($1::uuid[], $2::bigint[], $3::boolean[]) m (merchant_id, fed, due) where q.merchant_id = m.merchant_id`,
    values: [merchants, merchants.map((id) => notices.get(id)!.at(-1)!.sequence), merchants.map((id) => due.has(id)), now],
  });
}

async function cancel(tx: PoolClient, endpoints: readonly Endpoint[], now: Timestamp): Promise<void> {
  if (endpoints.length === 0) return;
  const ids = endpoints.map(({ merchant_id }) => merchant_id);
  await tx.query(
    `update web_hook_deliveries set status = 'CANCELLED', due_on = null, updated_on = $2 where merchant_id = any($1::uuid[]) and status = 'PENDING'`,
    [ids, now],
  );
  await tx.query('update web_hook_queues set next_due_on = null, failing_since = null, succeeded_on = null where merchant_id = any($1::uuid[])', [
    ids,
  ]);
}

/** Always in the same order: two processes that lock the same ones wait, and do not block each other. */
export async function lockQueues(tx: PoolClient, merchants: readonly string[]): Promise<void> {
  await tx.query({
    name: 'web-hooks: lock in order',
    text: 'select 1 from web_hook_queues where merchant_id = any($1::uuid[]) order by merchant_id for update',
    values: [merchants],
  });
}

/** Under the queues' locks. */
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

function byMerchant(notices: readonly StoredNotice[]): Map<string, StoredNotice[]> {
  const groups = new Map<string, StoredNotice[]>();
  for (const notice of notices) {
    const group = groups.get(notice.merchant_id);
    if (group) group.push(notice);
    else groups.set(notice.merchant_id, [notice]);
  }
  return groups;
}

function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}
