import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { inTransaction } from '../platform/postgres/pool.js';
import type { Timestamp } from '../ledger/time.js';
import { lockQueues, planNext, type LoggedAttempt } from './delivery-queue.js';

/** Notifies the sending processes that there is something to send. */
export const DELIVERIES_CHANNEL = 'web_hook_deliveries';

/** A delivery as its merchant sees it. */
export interface Delivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly type: string;
  /** null: a test. */
  readonly sequence: number | null;
  readonly status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  /** Of all rounds. */
  readonly total_attempts: number;
  /** The newest 50, oldest first; those of earlier rounds too. */
  readonly attempts: readonly LoggedAttempt[];
  /** null when it ended. */
  readonly next_attempt_on: Timestamp | null;
  readonly created_on: Timestamp;
  readonly updated_on: Timestamp;
}

type Db = Pick<ClientBase, 'query'>;
const SHOWN = `id, webhook_id, kind as type, sequence, status, total_attempts, log as attempts, due_on as next_attempt_on, created_on, updated_on`;
type Row = Omit<Delivery, 'sequence'> & { readonly sequence: bigint | null };

const IN_HAND = `(status = 'PENDING' and claim is not null)`;

/** Newest first. `total`: of all pages. */
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

/** Begins a new round for a delivery, at once; one that is being tried is left to it. undefined: the merchant has no such delivery. */
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
    await announce(tx, merchantId);
    return shown(rows[0]);
  });
}

/** A test delivery, about no event: tried once. */
export async function deliverTest(pool: Pool, merchantId: string, now: Timestamp): Promise<Delivery> {
  return inTransaction(pool, async (tx) => {
    // What is fed to a queue begins where the endpoint does, however low this is.
    await tx.query('insert into web_hook_queues (merchant_id, fed) values ($1, 0) on conflict do nothing', [merchantId]);
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
