import type { Clock } from '../../ledger/time.js';
import { concurrently } from '../../platform/worker/concurrently.js';
import { ElectedWorker } from '../../platform/worker/elected-worker.js';
import type { RailInbox } from './rail-inbox.js';
import type { RailNotifications } from './rail-notifications.js';

export interface RailInboxWorkerOptions {
  readonly databaseUrl: string;
  readonly inbox: RailInbox;
  readonly notifications: RailNotifications;
  readonly clock: Clock;
  readonly mayDecide: () => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

/** The worker's election name. */
export const RAIL_INBOX = 'rail inbox';
const REST_MS = 1_000;
const PAGE_SIZE = 64;
const AT_ONCE = 8;
const REMOVED_EVERY_MS = 60 * 60_000;

/** Queries the provider about notifications that their receiving process has not finished. */
export function startRailInbox({ databaseUrl, inbox, notifications, clock, mayDecide, onError }: RailInboxWorkerOptions): ElectedWorker {
  let removedMs = -Infinity;
  const worker = new ElectedWorker({
    name: RAIL_INBOX,
    databaseUrl,
    intervalMs: REST_MS,
    mayPass: mayDecide,
    onError,
    async pass(signal) {
      if (performance.now() - removedMs > REMOVED_EVERY_MS) {
        removedMs = performance.now();
        await inbox.removeOld();
      }
      const due = await inbox.find(clock(), PAGE_SIZE);
      await concurrently(due, AT_ONCE, async (taken) => {
        if (!signal.aborted) await notifications.confirm(taken);
      });
    },
  });
  worker.start();
  return worker;
}
