import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import {
  findChangedEndpoints,
  findEndpoints,
  findPreviousSequence,
  findUnsent,
  type Endpoint,
  type StoredMessage,
} from '../../../projections/webhooks/outbox-reads.js';
import { createQueues, type ClaimedDelivery } from './delivery-queue.js';
import { webhookId } from './delivery-messages.js';
import { timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import { inTransaction } from '../../platform/postgres/pool.js';

const ENDPOINTS_AT_ONCE = 200;
const MESSAGES_AT_ONCE = 500;

/**
 * Creates deliveries of the messages, up to `until`, for endpoints with a message or a setting after the event `after`. Cancels the
 * deliveries of disabled or deleted endpoints.
 * @returns false when another process held an endpoint, so that it has to be repeated
 */
export async function feedQueues(pool: Pool, clock: Clock, after: number, until: number): Promise<boolean> {
  let isWhole = true;
  for (let from = after; ;) {
    const endpoints = await findChangedEndpoints(pool, from, ENDPOINTS_AT_ONCE);
    if (endpoints.length === 0) return isWhole;
    let hasMore = true;
    while (hasMore) {
      const fed = await inTransaction(pool, (tx) => feed(tx, endpoints, until, timestamp(clock())));
      isWhole &&= fed.isWhole;
      hasMore = fed.hasMore;
    }
    if (endpoints.length < ENDPOINTS_AT_ONCE) return isWhole;
    from = endpoints.at(-1)!.changed_at;
  }
}

async function feed(tx: PoolClient, changed: readonly Endpoint[], until: number, now: Timestamp): Promise<{ isWhole: boolean; hasMore: boolean }> {
  const ids = changed.map(({ merchant_id }) => merchant_id);
  await createQueues(tx, ids);
  // Locked queues are skipped: their process may be suspended, and the other queues must not wait for it.
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
  const messages = byMerchant(await findUnsent(tx, behind, until, MESSAGES_AT_ONCE));
  const deliveries: NewDelivery[] = [];
  for (const endpoint of enabled) deliveries.push(...(await selected(tx, endpoint, messages.get(endpoint.merchant_id) ?? [])));
  await insert(tx, deliveries, now);
  await advanceStates(tx, messages, new Set(deliveries.map(({ merchant_id }) => merchant_id)), now);
  return { isWhole, hasMore: [...messages.values()].some(({ length }) => length === MESSAGES_AT_ONCE) };
}

type NewDelivery = Pick<ClaimedDelivery, 'merchant_id' | 'previous_sequence' | 'webhook_id' | 'kind'> & { readonly sequence: number };

/** Returns the messages that the endpoint has selected, each with the sequence of the one before it in that selection. */
async function selected(tx: PoolClient, { merchant_id, events }: Endpoint, messages: readonly StoredMessage[]): Promise<NewDelivery[]> {
  const wanted = events.length === 0 ? messages : messages.filter(({ kind }) => events.includes(kind));
  const first = wanted[0];
  if (!first) return [];
  let previous = events.length === 0 ? first.sequence - 1 || null : await findPreviousSequence(tx, merchant_id, first.sequence, events);
  return wanted.map((message) => {
    const { sequence, kind } = message;
    const delivery = { merchant_id, sequence, previous_sequence: previous, webhook_id: webhookId(message), kind };
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
           on conflict (merchant_id, sequence, webhook_id) do nothing`,
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

async function advanceStates(
  tx: PoolClient,
  messages: ReadonlyMap<string, readonly StoredMessage[]>,
  due: ReadonlySet<string>,
  now: Timestamp,
): Promise<void> {
  if (messages.size === 0) return;
  const merchants = [...messages.keys()];
  const newest = [...messages.values()].map((all) => all.at(-1)!);
  await tx.query({
    name: 'web-hooks: move on',
    text: `update web_hook_queues q
              set fed = m.fed, fed_event = m.fed_event, next_due_on = case when m.due then least(q.next_due_on, $5) else q.next_due_on end
             from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::boolean[]) m (merchant_id, fed, fed_event, due) where q.merchant_id = m.merchant_id`,
    values: [merchants, newest.map(({ sequence }) => sequence), newest.map(({ event_id }) => event_id), merchants.map((id) => due.has(id)), now],
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

function byMerchant(messages: readonly StoredMessage[]): Map<string, StoredMessage[]> {
  const groups = new Map<string, StoredMessage[]>();
  for (const message of messages) {
    const group = groups.get(message.merchant_id);
    if (group) group.push(message);
    else groups.set(message.merchant_id, [message]);
  }
  return groups;
}
