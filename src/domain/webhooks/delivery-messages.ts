import type { ClientBase } from 'pg';
import { findMessagesBySequence, type StoredMessage } from '../../../projections/webhooks/outbox-reads.js';
import { messageId } from '../../ledger/published/outbox-messages.js';
import type { ClaimedDelivery } from './delivery-queue.js';

type Db = Pick<ClientBase, 'query'>;
type OfMessage = Pick<ClaimedDelivery, 'merchant_id' | 'sequence' | 'webhook_id'>;

export const webhookId = ({ event_id, kind, line }: StoredMessage): string => messageId(event_id, kind, line);

/**
 * Returns the messages of deliveries by their `webhook_id`, and the deliveries whose message is lost: after a restore of an older log, the log has
 * another message in its place. A test has no message; nor has a delivery while the outbox is being built.
 */
export async function messagesOf<Delivery extends OfMessage>(
  db: Db,
  deliveries: readonly Delivery[],
): Promise<{ readonly messages: ReadonlyMap<string, StoredMessage>; readonly lost: ReadonlySet<Delivery> }> {
  const wanted = deliveries.flatMap(({ merchant_id, sequence }) => (sequence === null ? [] : [{ merchant_id, sequence }]));
  const found = wanted.length === 0 ? [] : await findMessagesBySequence(db, wanted);
  const ids = new Set(deliveries.map(({ webhook_id }) => webhook_id));
  const messages = new Map(found.map((message) => [webhookId(message), message] as const).filter(([id]) => ids.has(id)));
  const places = new Set(found.map(placeOf));
  return { messages, lost: new Set(deliveries.filter((delivery) => places.has(placeOf(delivery)) && !messages.has(delivery.webhook_id))) };
}

const placeOf = ({ merchant_id, sequence }: Pick<OfMessage, 'merchant_id' | 'sequence'>): string => `${merchant_id} ${sequence}`;
