import type { Pool, PoolClient } from 'pg';
import { findEndpoints, findLastMessageBefore, findMessagesBySequence, type StoredMessage } from '../../../projections/webhooks/outbox-reads.js';
import { timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import { StoreUnavailable, type Position } from '../../platform/event-store/event-store.js';
import { inTransaction } from '../../platform/postgres/pool.js';
import { webhookId } from './delivery-messages.js';
import { KEPT_MS, lockQueues, planNext } from './delivery-queue.js';

/** The log, and how much of it the outbox has applied. null: nothing. */
export interface OutboxProgress {
  readonly head: () => Promise<Position | null>;
  readonly applied: () => Promise<Position | null>;
}

/** Before the first event of any engine. */
const NOTHING: Position = -1n;

/** Takes the queues back after a restore of an older log, before a process feeds them. */
export class Resumption {
  /** The head of the log that the outbox must have applied; undefined: not known yet. */
  #at: Position | 'done' | undefined;
  #renderable = 0;

  constructor(
    private readonly pool: Pool,
    private readonly outbox: OutboxProgress,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns whether the queues may be fed. Before the outbox has applied all events of the log, a message that it does not have may be lost or still
   * to come.
   * @param renderable the last event that can be rendered. When it goes back, the read models are being built anew, perhaps from another log.
   */
  async isDone(renderable: number): Promise<boolean> {
    if (renderable < this.#renderable) this.#at = undefined;
    this.#renderable = renderable;
    if (this.#at === 'done') return true;
    this.#at ??= await this.#head();
    if (this.#at === undefined || ((await this.outbox.applied()) ?? NOTHING) < this.#at) return false;
    await resumeQueues(this.pool, this.clock);
    this.#at = 'done';
    return true;
  }

  /** Returns undefined while the event store is unavailable: existing deliveries are sent meanwhile. */
  async #head(): Promise<Position | undefined> {
    try {
      return (await this.outbox.head()) ?? NOTHING;
    } catch (error) {
      if (error instanceof StoreUnavailable) return undefined;
      throw error;
    }
  }
}

const QUEUES_AT_ONCE = 200;
const DELIVERIES_AT_ONCE = 500;

/** Condition: in the place of the queue's last message the outbox has another one or none, or it has no endpoint for deliveries that are pending. */
const IS_AHEAD = `(q.fed_event is not null
    and not exists (select from outbox.notices n where n.merchant_id = q.merchant_id and n.sequence = q.fed and n.event_id = q.fed_event)
  or q.next_due_on is not null and not exists (select from outbox.endpoints e where e.merchant_id = q.merchant_id))`;

/**
 * Takes queues back to the last message that the outbox has in common with the deliveries, after an older backup of the event store was restored: the
 * log gives the sequences of lost messages to other ones. Deliveries of lost messages remain; those that are pending are cancelled. Requires that the
 * outbox has applied all events of the log (docs/decisions/0108). May be repeated, or interrupted, without harm.
 */
async function resumeQueues(pool: Pool, clock: Clock): Promise<void> {
  for (let after = NO_ID; ;) {
    const { rows } = await pool.query<{ merchant_id: string }>(
      `select q.merchant_id from web_hook_queues q where q.merchant_id > $1 and ${IS_AHEAD} order by q.merchant_id limit $2`,
      [after, QUEUES_AT_ONCE],
    );
    const last = rows.at(-1);
    if (!last) return;
    for (const { merchant_id } of rows) await inTransaction(pool, (tx) => resume(tx, merchant_id, clock()));
    after = last.merchant_id;
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

async function resume(tx: PoolClient, merchantId: string, nowMs: number): Promise<void> {
  await lockQueues(tx, [merchantId]);
  const { rowCount } = await tx.query(`select from web_hook_queues q where q.merchant_id = $1 and ${IS_AHEAD}`, [merchantId]);
  if (rowCount === 0) return;
  const common = await findLastCommon(tx, merchantId);
  // Deliveries of older messages may be forgotten. Later ones that were sent have a delivery.
  const forgotten = await findLastMessageBefore(tx, merchantId, timestamp(nowMs - KEPT_MS));
  const last = (forgotten?.sequence ?? 0) > (common?.sequence ?? 0) ? forgotten : common;
  const [endpoint] = await findEndpoints(tx, [merchantId]);
  await cancelAfter(tx, merchantId, (endpoint && common?.sequence) ?? 0, timestamp(nowMs));
  await tx.query('update web_hook_queues set fed = $2, fed_event = $3 where merchant_id = $1', [
    merchantId,
    last?.sequence ?? 0,
    last?.event_id ?? null,
  ]);
  await planNext(tx, [merchantId]);
}

/** Returns the newest message that a delivery was made of. */
async function findLastCommon(tx: PoolClient, merchantId: string): Promise<StoredMessage | undefined> {
  for (let after: readonly unknown[] = [Number.MAX_SAFE_INTEGER, NO_ID]; ;) {
    const { rows } = await tx.query<{ sequence: bigint; webhook_id: string }>(
      `select sequence, webhook_id from web_hook_deliveries
        where merchant_id = $1 and (sequence, webhook_id) < ($2, $3) order by sequence desc, webhook_id desc limit $4`,
      [merchantId, ...after, DELIVERIES_AT_ONCE],
    );
    const last = rows.at(-1);
    if (!last) return undefined;
    const delivered = new Set(rows.map(({ webhook_id }) => webhook_id));
    const places = rows.map(({ sequence }) => ({ merchant_id: merchantId, sequence: Number(sequence) }));
    const common = (await findMessagesBySequence(tx, places)).filter((message) => delivered.has(webhookId(message)));
    if (common.length > 0) return common.reduce((newest, each) => (each.sequence > newest.sequence ? each : newest));
    after = [last.sequence, last.webhook_id];
  }
}

async function cancelAfter(tx: PoolClient, merchantId: string, sequence: number, now: Timestamp): Promise<void> {
  await tx.query(
    `update web_hook_deliveries set status = 'CANCELLED', due_on = null, updated_on = $3
      where merchant_id = $1 and status = 'PENDING' and sequence > $2`,
    [merchantId, sequence, now],
  );
}
