import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { isOfMode } from '../../../projections/merchants/owners.js';
import { inTransaction } from '../../platform/postgres/pool.js';
import { LedgerProblem } from '../../ledger/problems.js';
import type { Mode } from '../../ledger/mode.js';
import type { Timestamp } from '../../ledger/time.js';
import { messagesOf } from './delivery-messages.js';
import { createQueues, lockQueues, planNext, type LoggedAttempt } from './delivery-queue.js';

/** Channel on which sending processes are notified of new deliveries. */
export const DELIVERIES_CHANNEL = 'web_hook_deliveries';

/** A delivery as its merchant sees it. */
export interface Delivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly type: string;
  /** null: a test. */
  readonly sequence: number | null;
  readonly status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  /** Attempts of all rounds. */
  readonly total_attempts: number;
  /** The newest 50 attempts of all rounds, oldest first. */
  readonly attempts: readonly LoggedAttempt[];
  /** null when the delivery has ended. */
  readonly next_attempt_on: Timestamp | null;
  readonly created_on: Timestamp;
  readonly updated_on: Timestamp;
}

type Db = Pick<ClientBase, 'query'>;
const SHOWN = `id, webhook_id, kind as type, sequence, status, total_attempts, log as attempts, due_on as next_attempt_on, created_on, updated_on`;
type Row = Omit<Delivery, 'sequence'> & { readonly sequence: bigint | null };

const IN_HAND = `(status = 'PENDING' and claim is not null)`;

/** Newest first. `total`: number on all pages. */
export async function findDeliveries(
  db: Db,
  merchantId: string,
  page: { readonly number: number; readonly size: number },
): Promise<{ total: number; items: Delivery[] }> {
  const { rows: counted } = await db.query<{ total: bigint }>('select count(*) as total from web_hook_deliveries where merchant_id = $1', [
    merchantId,
  ]);
  const { rows } = await db.query<Row>(
    `select ${SHOWN} from web_hook_deliveries where merchant_id = $1 order by created_on desc, sequence desc, id desc limit $2 offset $3`,
    [merchantId, page.size, (page.number - 1) * page.size],
  );
  return { total: Number(counted[0]!.total), items: rows.map(shown) };
}

export interface DeliveriesQuery {
  readonly status?: Delivery['status'] | undefined;
  /** Returns deliveries after this one. */
  readonly after?: string | undefined;
  /** Maximum deliveries that are examined. */
  readonly limit: number;
}

/**
 * Examines deliveries, newest first, and returns those with the status. `last`: the last examined delivery, null at the end. Returns
 * undefined when the merchant has no delivery `after`.
 */
export async function findNewestDeliveries(
  db: Db,
  merchantId: string,
  { status, after, limit }: DeliveriesQuery,
): Promise<{ items: Delivery[]; last: string | null } | undefined> {
  const values: unknown[] = [merchantId, limit];
  if (after !== undefined) {
    const { rows } = await db.query<Pick<Row, 'created_on' | 'id'>>(
      'select created_on, id from web_hook_deliveries where id = $1 and merchant_id = $2',
      [after, merchantId],
    );
    if (!rows[0]) return undefined;
    values.push(rows[0].created_on, rows[0].id);
  }
  const { rows } = await db.query<Row>(
    `select ${SHOWN} from web_hook_deliveries where merchant_id = $1 ${after === undefined ? '' : 'and (created_on, id) < ($3, $4)'}
      order by created_on desc, id desc limit $2`,
    values,
  );
  const items = rows.filter((row) => status === undefined || row.status === status).map(shown);
  return { items, last: rows.length < limit ? null : rows.at(-1)!.id };
}

/** An endpoint and its state. */
export interface EndpointState {
  readonly merchant_id: string;
  readonly web_hook_uri: string;
  readonly is_enabled: boolean;
  /** Time of the first failure after the last success. */
  readonly failing_since: Timestamp | null;
  readonly succeeded_on: Timestamp | null;
  /** null: nothing is pending. */
  readonly next_due_on: Timestamp | null;
}

/** Returns configured endpoints by merchant. `isFailing`: only those that fail or were disabled, the longest failing first. */
export async function findEndpointStates(
  db: Db,
  query: { readonly mode: Mode; readonly isFailing: boolean; readonly limit: number },
): Promise<EndpointState[]> {
  const { rows } = await db.query<EndpointState>(
    `select e.merchant_id, e.web_hook_uri, e.is_enabled, q.failing_since, q.succeeded_on, q.next_due_on
       from outbox.endpoints e left join web_hook_queues q using (merchant_id)
      where e.web_hook_uri <> '' and e.${isOfMode('$3')} and (not $1 or q.failing_since is not null or not e.is_enabled)
      order by case when $1 then q.failing_since end nulls last, e.merchant_id limit $2`,
    [query.isFailing, query.limit, query.mode],
  );
  return rows;
}

/**
 * Starts a new round for a delivery at once. A delivery with an attempt in progress is left to that attempt. Returns undefined when
 * the merchant has no such delivery.
 * @throws Problem state-conflict when the outbox does not have its event: it was lost, or the outbox is being built
 */
export async function redeliver(pool: Pool, merchantId: string, id: string, now: Timestamp): Promise<Delivery | undefined> {
  return inTransaction(pool, async (tx) => {
    await lockQueues(tx, [merchantId]);
    const { rows } = await tx.query<Row>(
      `update web_hook_deliveries
          set status = 'PENDING', updated_on = $3,
              attempts = case when ${IN_HAND} then attempts else 0 end,
              due_on = case when ${IN_HAND} then due_on else $3 end,
              claim = case when ${IN_HAND} then claim end
        where id = $1 and merchant_id = $2 returning ${SHOWN}`,
      [id, merchantId, now],
    );
    if (!rows[0]) return undefined;
    await requireMessage(tx, merchantId, rows[0]);
    await announce(tx, merchantId);
    return shown(rows[0]);
  });
}

/** After a restore of an older log, a delivery may be left whose event was lost. A test has no event. */
async function requireMessage(tx: PoolClient, merchant_id: string, { sequence, webhook_id }: Pick<Row, 'sequence' | 'webhook_id'>): Promise<void> {
  if (sequence === null) return;
  const { messages } = await messagesOf(tx, [{ merchant_id, sequence: Number(sequence), webhook_id }]);
  if (!messages.has(webhook_id))
    throw new LedgerProblem('state-conflict', 'The event of this delivery was lost with a restore, or the read models are being built anew.');
}

/** Creates a test delivery, without an event. It is tried once. */
export async function deliverTest(pool: Pool, merchantId: string, now: Timestamp): Promise<Delivery> {
  return inTransaction(pool, async (tx) => {
    await createQueues(tx, [merchantId]);
    await lockQueues(tx, [merchantId]);
    const { rows } = await tx.query<Row>(
      `insert into web_hook_deliveries (id, merchant_id, webhook_id, kind, status, due_on, created_on, updated_on)
       values ($1, $2, $3, 'test', 'PENDING', $4, $4, $4) returning ${SHOWN}`,
      [randomUUID(), merchantId, randomUUID(), now],
    );
    await announce(tx, merchantId);
    return shown(rows[0]!);
  });
}

async function announce(tx: PoolClient, merchantId: string): Promise<void> {
  await planNext(tx, [merchantId]);
  await tx.query(`select pg_notify('${DELIVERIES_CHANNEL}', '')`);
}

function shown({ sequence, ...row }: Row): Delivery {
  const { id, webhook_id, type, ...rest } = row;
  return { id, webhook_id, type, sequence: sequence === null ? null : Number(sequence), ...rest };
}

/** Maximum pending deliveries that are counted. */
const PENDING_COUNTED_MAX = 10_000;

export interface DeliveryBacklog {
  /** At most PENDING_COUNTED_MAX. */
  readonly pending: number;
  /** Seconds for which the longest due attempt has waited for a process; 0 when none is due. */
  readonly overdue_seconds: number;
  /** Endpoints that have failed since their last success. */
  readonly failing: number;
  /** Seconds for which the longest failing endpoint has failed. */
  readonly failing_seconds: number;
}

/** Returns the pending deliveries of all merchants. */
export async function findDeliveryBacklog(db: Db): Promise<DeliveryBacklog> {
  const { rows } = await db.query<DeliveryBacklog>(
    `select (select count(*)::integer from (select from web_hook_deliveries where status = 'PENDING' limit ${PENDING_COUNTED_MAX}) counted) as pending,
            coalesce(greatest(0, extract(epoch from now() - min(next_due_on)))::float8, 0) as overdue_seconds,
            (count(*) filter (where failing))::integer as failing,
            coalesce(greatest(0, extract(epoch from now() - min(failing_since) filter (where failing)))::float8, 0) as failing_seconds
       from (select next_due_on, failing_since, next_due_on is not null and failing_since is not null as failing from web_hook_queues) queues`,
  );
  return rows[0]!;
}
