import type { EventStore, Position, SubscriptionBatch } from '../event-store/event-store.js';
import { handledLater } from '../async/waiting.js';

/**
 * Yields the log after `after`. During catch-up, the next batch is read while this one is processed; afterwards it is not, so that a batch contains
 * everything that arrived while its predecessor was written.
 */
export async function* readingAhead(
  log: Pick<EventStore, 'subscribe'>,
  after: Position | null,
  { signal, ...options }: { readonly signal: AbortSignal; readonly batchSize: number; readonly stored?: boolean },
): AsyncGenerator<SubscriptionBatch> {
  const ended = new AbortController();
  const batches = log.subscribe(after, { signal: AbortSignal.any([signal, ended.signal]), ...options })[Symbol.asyncIterator]();
  try {
    let next = batches.next();
    for (;;) {
      const result = await next;
      if (result.done === true) return;
      const batch = result.value;
      if (batch.caughtUp) {
        yield batch;
        next = batches.next();
      } else {
        next = handledLater(batches.next());
        yield batch;
      }
    }
  } finally {
    ended.abort();
    await batches.return?.()?.catch(() => undefined);
  }
}
