import type { EventStore } from '../../src/platform/event-store/event-store.js';
import { ReplaySession } from '../../src/platform/projector/replay-session.js';

/** Runs `work` in a separate session, without a progress report and without events set aside. */
export const replaying = <T>(url: string, store: EventStore, work: (session: ReplaySession) => Promise<T>): Promise<T> =>
  ReplaySession.run(
    {
      ...{ url, store },
      signal: new AbortController().signal,
      watch: { step: () => undefined, advance: () => undefined },
      skipped: () => Promise.resolve(new Set()),
    },
    work,
  );
