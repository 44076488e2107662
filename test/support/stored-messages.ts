import type { StoredMessage } from '../../projections/webhooks/outbox-reads.js';
import { readEvent } from '../../src/ledger/catalogue.js';
import { messagesOf } from '../../src/ledger/published/outbox-messages.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';

/** The messages about an event of a merchant, but for their sequence, which is that of the log. */
export function storedMessagesOf(event: OrdinalEvent): StoredMessage[] {
  const { id: event_id, ordinal, metadata } = event;
  const { actor, occurred_on } = metadata;
  const merchant_id = metadata.merchant_id!;
  return messagesOf(readEvent(event)).map((message) => ({ ...message, merchant_id, sequence: ordinal, ordinal, event_id, actor, occurred_on }));
}
