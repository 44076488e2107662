import { CALENDAR_STREAM } from '../../ledger/events/calendar.events.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { registerMerchant, type NewMerchant } from './merchant.commands.js';
import { DirectoryRefused, type DirectoryDeps } from '../operators/directory.js';

/** The same in every data directory: when two processes start for the first time at once, the store lets one register it. */
export const DEMO_MERCHANT_ID = '00000000-0000-4000-8000-00000000de40';

/** The first events decide it: a log in use is not read to its end. */
const BATCH_SIZE = 100;

const DEMO_STORE: NewMerchant = { name: 'Demo Store', email: null, country: 'ID', mode: 'test' };

/**
 * Registers a test merchant to try the service with, when the log is still empty but for holidays. Any number of processes may call it at once.
 * @returns its key, shown this once, to the process that registered it; null when there is nothing to do.
 */
export async function ensureDemoMerchant(
  deps: DirectoryDeps,
): Promise<{ readonly merchant_id: string; readonly key_id: string; readonly api_key: string } | null> {
  if (await isInUse(deps.store)) return null;
  try {
    const { merchant_id, key_id, key } = await registerMerchant(deps, DEMO_STORE, DEMO_MERCHANT_ID);
    return { merchant_id, key_id, api_key: key };
  } catch (error) {
    if (error instanceof DirectoryRefused && error.refusal === 'merchant-exists') return null;
    throw error;
  }
}

/** True when the log has any event besides holidays, which a start may have found in a file. */
async function isInUse(store: Pick<EventStore, 'head' | 'subscribe'>): Promise<boolean> {
  if ((await store.head()) === null) return false;
  const reading = new AbortController();
  try {
    for await (const { events, caughtUp } of store.subscribe(null, { signal: reading.signal, batchSize: BATCH_SIZE })) {
      if (events.some(({ stream }) => stream !== CALENDAR_STREAM)) return true;
      if (caughtUp) return false;
    }
    return true;
  } finally {
    reading.abort();
  }
}
