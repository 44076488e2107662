import type { EventStore } from '../../platform/event-store/event-store.js';
import { KnownMerchants, MERCHANT_STREAMS } from './known-merchants.js';

/** Reads all merchants and keys once, as of now. For commands; processes that serve requests follow the streams instead. @throws UnknownEvent */
export async function loadMerchants(store: EventStore): Promise<KnownMerchants> {
  const known = new KnownMerchants();
  const reading = new AbortController();
  for await (const { events, caughtUp } of store.subscribe(null, { signal: reading.signal, streamPrefix: MERCHANT_STREAMS })) {
    for (const event of events) known.add(event);
    if (caughtUp) break;
  }
  return known;
}
