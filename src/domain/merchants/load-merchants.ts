import type { EventStore } from '../../platform/event-store/event-store.js';
import { KnownMerchants, MERCHANT_STREAMS } from './known-merchants.js';

/** All merchants and keys as they are now, read once. For commands; whoever answers requests follows them instead. @throws UnknownEvent */
export async function loadMerchants(store: EventStore): Promise<KnownMerchants> {
  const known = new KnownMerchants();
  const reading = new AbortController();
  for await (const { events, caughtUp } of store.subscribe(null, { signal: reading.signal, streamPrefix: MERCHANT_STREAMS })) {
    for (const event of events) known.add(event);
    if (caughtUp) break;
  }
  return known;
}
