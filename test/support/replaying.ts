import type { EventStore } from '../../src/platform/event-store/event-store.js';
import { ReplaySession } from '../../src/platform/projector/replay-session.js';

/** `work` in a session of its own, of which nobody watches the progress, and for which no event was set aside. */
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
